import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { PromptMessage } from '../catalogue/prompt-definition.ts';
import { createSluice } from './create-sluice.ts';

let now = Date.UTC(2026, 0, 1);
const sluice = await createSluice({ home: temporaryFolder(), clock: { now: () => now } });
afterAll(() => sluice.close());

const json = async (uri: string) => JSON.parse((await sluice.readResource(uri)).text ?? '');
const long = `# Long\n\n${'A paragraph of some length.\n\n'.repeat(30_000)}`;

beforeAll(async () => {
  const { id } = await sluice.call('create_page', { title: 'Folder', content: 'About tea.' });
  await sluice.call('create_page', { title: 'Ünder it', content: '# H\n\nmore tea\n', parent: id });
  await sluice.call('create_page', { title: 'Long', content: long.slice(0, 400_000) });
});

describe('[PAGE-21] the workspace by URI', () => {
  it('has its tree', async () => {
    const { tree, truncated } = await json('sluice://workspace/tree');
    expect(truncated).toBe(false);
    expect(tree).toMatchObject([
      { path: 'folder', children: [{ path: 'folder/ünder-it' }] },
      { path: 'long' },
    ]);
  });

  it('has each page as Markdown, whole, by slug, path or id, under either scheme', async () => {
    for (const uri of [
      'sluice://workspace/page/%C3%BCnder-it',
      'sluice://workspace/page/folder%2F%C3%BCnder-it',
      'inklings://workspace/page/%C3%9Cnder%20it',
    ]) {
      expect(await sluice.readResource(uri)).toEqual({
        mimeType: 'text/markdown',
        text: '# H\n\nmore tea\n',
      });
    }
    expect((await sluice.readResource('sluice://workspace/page/long')).text).toHaveLength(400_000);
  });

  it('has searches and histories', async () => {
    const found = await json('sluice://workspace/search?q=tea');
    expect(found.results.map(({ path }: { path: string }) => path).sort()).toEqual([
      'folder',
      'folder/ünder-it',
    ]);
    const { events } = await json('sluice://workspace/page/folder/history');
    expect(events).toMatchObject([{ kind: 'page_created' }]);
  });

  it.each([
    'sluice://workspace/page/nobody',
    'sluice://workspace/page/nobody/history',
    'sluice://workspace/x',
  ])('has no %s', async (uri) => {
    await expect(sluice.readResource(uri)).rejects.toMatchObject({ code: 'resource_not_found' });
  });
});

const textOf = (message: PromptMessage | undefined): string =>
  message?.content.type === 'text' ? message.content.text : '';

describe('[PAGE-22] the prompts of the workspace', () => {
  it('carry a page as data, with its id and version', async () => {
    const { id, version } = await sluice.call('read_page', { page: 'folder' });
    const [message] = await sluice.getPrompt('summarize_page', { page: 'folder' });
    expect(textOf(message)).toContain(`(id ${id}, version ${version})`);
    expect(textOf(message)).toContain('<page>\nAbout tea.\n</page>');
    await expect(sluice.getPrompt('summarize_page', { page: 'nobody' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('know what changed in a week, and which pages speak of a topic', async () => {
    now += 8 * 24 * 60 * 60 * 1000;
    const [nothing] = await sluice.getPrompt('weekly_review');
    expect(textOf(nothing)).toContain('(nothing changed)');
    await sluice.call('create_page', { title: 'Fresh', content: 'coffee' });
    const [review] = await sluice.getPrompt('weekly_review');
    expect(textOf(review)).toContain('fresh');
    expect(textOf(review)).not.toContain('folder');
    const [topic] = await sluice.getPrompt('find_contradictions', { topic: 'tea' });
    expect(textOf(topic)).toContain('- folder: ');
    expect(textOf(topic)).not.toContain('fresh');
  });
});
