import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import * as pipeline from './compile/pipeline.ts';
import * as review from './compile/review.ts';
import * as tickets from './compile/tickets.ts';
import * as tools from './compile/tools.ts';

const folder = 'test/architecture/compile';
const forbidden = { pipeline, review, tickets, tools };
const directive = /^(\s*)\/\/ @ts-expect-error .*$/;

const root = temporaryFolder('sluice-compile-');

/** What the compiler says without the directives, as `file:line`. */
let complaints: ReadonlySet<string>;

beforeAll(async () => {
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of readdirSync(folder)) {
    // Blanked out rather than removed, so that line numbers stay.
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    const bared = lines.map((line) => line.replace(directive, '$1//')).join('\n');
    writeFileSync(join(root, folder, name), bared);
  }
  for (const name of ['src', 'node_modules']) symlinkSync(resolve(name), join(root, name));
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  const extending = { extends: resolve('tsconfig.json'), include: [folder] };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(extending));
  complaints = await compile();
});

async function compile(): Promise<ReadonlySet<string>> {
  const output = await new Promise<string>((done) => {
    const compiler = resolve('node_modules/typescript/bin/tsc');
    execFile(process.execPath, [compiler, '-p', root], { cwd: root }, (_, stdout) => done(stdout));
  });
  const lines = output.matchAll(/^(?:.*\/)?([\w-]+)\.ts\((\d+),/gm);
  return new Set([...lines].map(([, file, line]) => `${file}:${line}`));
}

/** The lines of one exported function on which an error is expected. */
function expectedIn(file: string, name: string): string[] {
  const lines = readFileSync(join(folder, `${file}.ts`), 'utf8').split('\n');
  const from = lines.findIndex((line) => line.startsWith(`export function ${name}(`));
  const to = lines.indexOf('}', from);
  return lines.flatMap((line, at) =>
    at > from && at < to && directive.test(line) ? [`${file}:${at + 2}`] : [],
  );
}

describe.each(Object.entries(forbidden))('[PIPE-05] does not compile: %s', (file, functions) => {
  it.each(Object.keys(functions))('%s', (name) => {
    const expected = expectedIn(file, name);
    expect(expected).not.toEqual([]);
    expect(expected.filter((line) => !complaints.has(line))).toEqual([]);
  });
});

describe('[PIPE-05] what does not compile', () => {
  it('is all there is to complain about', () => {
    const expected = Object.entries(forbidden).flatMap(([file, functions]) =>
      Object.keys(functions).flatMap((name) => expectedIn(file, name)),
    );
    expect([...complaints].sort()).toEqual(expected.sort());
  });
});
