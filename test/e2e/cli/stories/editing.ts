/** Stories of commands that edit pages in places, tag them, give them properties and files, and look after the rest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Cli, Stories } from '../../../support/cli-story.ts';
import { plantTree } from '../../../support/planted-tree.ts';

const content = async (cli: Cli, page: string): Promise<unknown> =>
  (await cli.json('page', 'read', page)).content;

async function made(cli: Cli, text: string): Promise<string> {
  const { id } = await cli.json('page', 'create', cli.name, '--content', text);
  return String(id);
}

export const editingStories: Stories = {
  'page edit': async (cli) => {
    const page = await made(cli, '# Log\n\nStatus: open\n');
    await cli.text('page', 'edit', page, '--find', 'open', '--content', 'done');
    await cli.json('page', 'edit', page, '--op', 'append', '--section', 'Log', '--content', '- Shipped');
    expect(await content(cli, page)).toBe('# Log\n\nStatus: done\n\n- Shipped\n');
    const edits = JSON.stringify([{ op: 'replace_text', find: 'nowhere', text: '' }]);
    expect(await cli.fails(3, 'page', 'edit', page, '--edits', edits)).toMatchObject({ code: 'not_found' });
    await cli.fails(2, 'page', 'edit', page, '--edits', '{');
    await cli.fails(2, 'page', 'edit', page);
  },

  'page tag': async (cli) => {
    const page = await made(cli, 'text\n');
    expect(await cli.text('page', 'tag', page, 'one', '#two/three')).toContain('#one #two/three');
    expect(await content(cli, page)).toBe('---\ntags:\n  - one\n  - two/three\n---\ntext\n');
    await cli.fails(2, 'page', 'tag', page, 'no tag');
  },

  'page untag': async (cli) => {
    const page = await made(cli, 'A #word.\n');
    expect(await cli.json('page', 'untag', page, 'word')).toMatchObject({ tags: [] });
    expect(await content(cli, page)).toBe('A word.\n');
  },

  'page properties': async (cli) => {
    const page = await made(cli, 'text\n');
    expect(await cli.text('page', 'properties', page)).toBe('No properties\n');
    const set = ['status=done', 'n=3', 'list=["a","b"]', 'due=2026-01-31'];
    expect(await cli.json('page', 'properties', page, ...set)).toEqual({
      properties: { status: 'done', n: 3, list: ['a', 'b'], due: '2026-01-31' },
    });
    expect(await cli.text('page', 'properties', page, 'n=', 'list=', 'due=')).toMatch(/status\s+"done"\n$/);
    await cli.fails(2, 'page', 'properties', page, 'status');
  },

  'page attach': async (cli) => {
    const page = await made(cli, '[[plan.txt]]\n');
    const file = join(plantTree({}), `${cli.name}.txt`);
    writeFileSync(file, 'bytes');
    expect(await cli.json('page', 'attach', page, file, '--name', 'plan.txt')).toMatchObject({
      size: 5,
      link: '[[plan.txt]]',
    });
    writeFileSync(file, 'other');
    await cli.fails(5, 'page', 'attach', page, file, '--name', 'plan.txt');
    expect(await cli.text('page', 'attach', page, file, '--name', 'plan.txt', '--replace')).toContain(
      'plan.txt',
    );
    await cli.fails(2, 'page', 'attach', page, `${file}.none`);
  },

  'page detach': async (cli) => {
    const page = await made(cli, 'text\n');
    const file = join(plantTree({}), `${cli.name}.bin`);
    writeFileSync(file, 'bytes');
    const { path } = await cli.json('page', 'attach', page, file);
    expect(await cli.text('page', 'detach', String(path))).toContain('sha256:');
    await cli.fails(3, 'page', 'detach', String(path));
  },

  'page purge': async (cli) => {
    const page = await made(cli, 'text\n');
    const { batch } = await cli.json('page', 'delete', page);
    await cli.fails(2, 'page', 'purge', String(batch));
    expect(await cli.text('page', 'purge', String(batch), '--yes')).toBe('Purged 1 pages\n');
    await cli.fails(3, 'page', 'purge', String(batch), '--yes');
    expect(await cli.json('page', 'purge', '--older-than-days', '1000', '--yes')).toEqual({ count: 0 });
  },

  'tag list': async (cli) => {
    await made(cli, `#${cli.name}/inner\n`);
    expect(await cli.text('tag', 'list', cli.name)).toMatch(/#\S+\/inner\s+1\s+1\n$/);
    expect(await cli.json('tag', 'list', `${cli.name}-none`)).toEqual({ tags: [] });
  },

  'tag rename': async (cli) => {
    const page = await made(cli, `#${cli.name}/inner\n`);
    expect(await cli.text('tag', 'rename', cli.name, `${cli.name}-new`, '--dry-run')).toContain(
      'Would change 1 places',
    );
    expect(await cli.json('tag', 'rename', cli.name, `${cli.name}-new`)).toMatchObject({ updated_pages: 1 });
    expect(await content(cli, page)).toBe(`#${cli.name}-new/inner\n`);
    await cli.fails(3, 'tag', 'rename', `${cli.name}-none`, 'x');
  },

  health: async (cli) => {
    await made(cli, '[[Nowhere at all]]\n');
    expect(await cli.text('health', '--limit', '100')).toMatch(
      /^broken links: \d+\n(.*\n)*.*\[\[Nowhere at all\]\]/,
    );
    expect(await cli.json('health')).toMatchObject({ checks: expect.any(Array) });
  },
};
