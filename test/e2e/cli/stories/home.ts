/** The audit log, backups, configuration, and the programs that stay. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Stories } from '../../../support/cli-story.ts';
import { connectStdio } from '../../../support/mcp-clients.ts';
import { freePort, runSluice, SLUICE } from '../../../support/process.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

export const homeStories: Stories = {
  'audit list': async ({ json, text, fails, name }) => {
    await json('page', 'create', name);
    const { records } = await json<{ records: unknown[] }>(
      'audit',
      'list',
      '--tool',
      'create_page',
      '--limit',
      '1',
    );
    expect(records).toEqual([expect.objectContaining({ tool_name: 'create_page', status: 'success' })]);
    expect(await text('audit', 'list', '--since', '1h')).toMatch(
      /^WHEN +BY +TOOL +DECISION +OUTCOME +CALL\n.*owner/,
    );
    expect(await fails(2, 'audit', 'list', '--limit', 'all')).toMatchObject({ field: '--limit' });
    expect(await fails(2, 'audit', 'list', '--since', 'yesterday')).toMatchObject({ field: 'since' });
  },
  'audit show': async ({ json, text, fails, name }) => {
    await json('page', 'create', name);
    const { records } = await json<{ records: { call_id: string }[] }>(
      'audit',
      'list',
      '--tool',
      'create_page',
    );
    const call = records[0]?.call_id ?? '';
    expect(await json('audit', 'show', call)).toMatchObject({ records: [{ tool_name: 'create_page' }] });
    expect(await text('audit', 'show', call)).toMatch(/^tool_name +create_page$/m);
    expect(await fails(3, 'audit', 'show', 'nothing')).toMatchObject({ code: 'not_found' });
  },
  'audit verify': async ({ json, text, fails, home }) => {
    expect(await json('audit', 'verify')).toMatchObject({ ok: true, faults: [] });
    expect(await text('audit', 'verify')).toMatch(
      /^\d+ records and \d+ signed heads checked: all is well\n$/,
    );
    const file = join(temporaryFolder(), 'checked.ndjson');
    await json('audit', 'export', '--out', file);
    expect(await json('audit', 'verify', '--file', file)).toMatchObject({ ok: true });
    expect(await json('audit', 'verify', '--heads', file)).toMatchObject({ ok: true });
    const [first, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [first?.replace(/"tool_name":"[^"]+"/, '"tool_name":"other"'), ...rest].join('\n'));
    const broken = await runSluice(home, ['audit', 'verify', '--file', file, '--json']);
    expect([broken.code, JSON.parse(broken.stdout).ok, JSON.parse(broken.stderr).error.code]).toEqual([
      8,
      false,
      'integrity_failed',
    ]);
    expect(await fails(2, 'audit', 'verify', '--file', `${file}.gone`)).toMatchObject({
      code: 'invalid_input',
    });
  },
  'audit export': async ({ json, run, fails }) => {
    const { stdout } = await run(['audit', 'export']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines[0]).toMatchObject({ type: 'record', sequence: 1 });
    expect(lines.at(-1)).toMatchObject({ type: 'key' });
    const file = join(temporaryFolder(), 'export.ndjson');
    const { lines: count } = await json<{ lines: number }>('audit', 'export', '--out', file);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(count);
    expect(await fails(2, 'audit', 'export', '--out', join(file, 'no', 'folder'))).toMatchObject({
      field: 'out',
    });
  },
  backup: async ({ json, text, fails, name }) => {
    const place = temporaryFolder();
    expect(await json('backup', join(place, name))).toMatchObject({
      path: join(place, name),
      files: expect.any(Number),
    });
    expect(await text('backup', join(place, 'second'))).toMatch(/^\d+ files, \d+ bytes in /);
    expect(await fails(5, 'backup', join(place, name))).toMatchObject({ code: 'conflict' });
  },
  restore: async ({ json, fails, home, served, name }) => {
    const place = temporaryFolder();
    await json('page', 'create', name);
    await json('backup', join(place, 'backup'));
    expect(await json('restore', join(place, 'backup'))).toMatchObject({ restored: false });
    if (served) {
      expect(await fails(6, 'restore', join(place, 'backup'), '--yes')).toMatchObject({
        code: 'home_locked',
      });
      return;
    }
    await json('page', 'delete', name);
    const { former } = await json<{ former: string }>('restore', join(place, 'backup'), '--yes');
    expect([former.startsWith(home), existsSync(former)]).toEqual([true, true]);
    expect(await json('page', 'read', name)).toMatchObject({ title: name });
    expect(await fails(2, 'restore', place)).toMatchObject({ code: 'invalid_input' });
  },
  doctor: async ({ run, home }) => {
    const port = await freePort();
    const { code, stdout } = await runSluice(home, ['doctor', '--json'], {
      env: { SLUICE_PORT: String(port) },
    });
    const { ok, findings } = JSON.parse(stdout);
    const wrong = findings.filter((one: { fix?: string }) => one.fix !== undefined);
    expect([code, ok, wrong]).toEqual([0, true, []]);
    expect((await run(['doctor'])).stdout).toMatch(/^ok {4}node: Node\.js/);
  },
  'config show': async ({ json, text, home }) => {
    expect(await json('config', 'show')).toMatchObject({
      home,
      config: expect.arrayContaining([{ key: 'store.kind', value: 'sqlite', source: 'default' }]),
    });
    const { stdout } = await runSluice(home, ['config', 'show'], {
      env: { SLUICE_STORE_URL: 'postgres://u:secret@h/d' },
    });
    expect(stdout).toMatch(/^store\.url +"\*\*\*" +environment$/m);
    expect(await text('config', 'show')).toMatch(/^KEY +VALUE +FROM\n/);
  },
  'config explain': async ({ json, text, fails }) => {
    expect(await json('config', 'explain', 'server.port')).toMatchObject({
      key: 'server.port',
      env: 'SLUICE_PORT',
    });
    expect(await text('config', 'explain', 'log.level')).toMatch(/^value +info$/m);
    expect(await fails(3, 'config', 'explain', 'nothing')).toMatchObject({ code: 'not_found' });
  },
  completion: async ({ json, text, fails }) => {
    expect(await text('completion', 'bash')).toContain('complete -F _sluice sluice');
    expect(await json('completion', 'fish')).toMatchObject({ shell: 'fish', script: expect.any(String) });
    expect(await fails(2, 'completion', 'cmd')).toMatchObject({ field: 'shell' });
  },
  serve: async ({ fails, served, home }) => {
    if (served) {
      expect(await fails(6, 'serve')).toMatchObject({ code: 'home_locked' });
      return;
    }
    const port = await freePort();
    const child = spawn(SLUICE, ['serve', '--port', String(port), '--home', home], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toContain(`Sluice listens at http://127.0.0.1:${port}/mcp\nData lies in ${home}\n`);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await fails(2, 'serve', '--port', 'high')).toMatchObject({ field: '--port' });
  },
  mcp: async ({ fails, home, name }) => {
    const client = await connectStdio(home, name, 'modern');
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map((tool) => tool.name)).toContain('read_page');
    expect(await fails(2, 'mcp', '--names', 'camel')).toMatchObject({ field: '--names' });
  },
};
