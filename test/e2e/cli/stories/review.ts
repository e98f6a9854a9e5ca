/** What clients proposed, and what the owner makes of it at the terminal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Cli, Stories } from '../../../support/cli-story.ts';
import { connectStdio } from '../../../support/mcp-clients.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

interface Proposed {
  readonly page: string;
  readonly proposal: string;
  readonly run: string;
}

/** A page of the owner, and what a client over stdio wants of it. */
async function proposed({ json, home, name }: Cli, tool = 'update_page_content'): Promise<Proposed> {
  const page = await json('page', 'create', name, '--content', 'One.\n\nTwo.\n');
  const client = await connectStdio(home, name, 'modern');
  const changes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    update_page_content: { content: 'One!\n\nTwo.\n', base_version: page.version },
    rename_page: { title: 'Other' },
    attach_file: { name: 'hello.txt', bytes: Buffer.from('hello').toString('base64') },
  };
  const answer = await client.callTool({
    name: tool,
    arguments: { page: String(page.id), ...changes[tool] },
  });
  await client.close();
  const { proposal } = answer.structuredContent as { proposal: { id: string } };
  const { run } = await json<{ run: string }>('review', 'show', proposal.id);
  return { page: String(page.id), proposal: proposal.id, run };
}

export const reviewStories: Stories = {
  'review list': async (cli) => {
    const { proposal, page, run } = await proposed(cli);
    const { proposals } = await cli.json<{ proposals: { id: string }[] }>('review', 'list', '--run', run);
    expect(proposals).toMatchObject([{ id: proposal, caller: cli.name, state: 'pending' }]);
    expect(await cli.text('review', 'list', '--caller', cli.name)).toMatch(
      new RegExp(`^ID +SINCE +BY +STATE +WHAT +RUN\n${proposal} .* ${cli.name} +pending +Update a page: `),
    );
    expect(await cli.text('review', 'list', '--caller', cli.name, '--state', 'rejected')).toBe(
      'Nothing waits for review\n',
    );
    await cli.json('page', 'edit', page, '--find', 'One.', '--content', 'One?');
    expect(await cli.text('review', 'list', '--run', run)).toContain(' pending, changed since ');
    await cli.json('page', 'delete', page);
    expect(await cli.text('review', 'list', '--run', run)).toContain(' pending, page in the trash ');
    expect(await cli.text('review', 'show', proposal)).toMatch(/^state +pending, page in the trash$/m);
    expect(await cli.fails(2, 'review', 'list', '--state', 'lost')).toMatchObject({ field: 'state' });
  },
  'review show': async (cli) => {
    const { proposal } = await proposed(cli);
    const text = await cli.text('review', 'show', proposal);
    expect(text).toContain(`by        ${cli.name} (client, agent-produced)`);
    expect(text).toContain('\n-One.\n+One!\n');
    // No colours for what is no terminal.
    expect(text).not.toContain('\u001b');
    expect((await cli.run(['review', 'show', proposal, '--text'])).stdout).toBe('One!\n\nTwo.\n');
    expect(await cli.json('review', 'show', proposal)).toMatchObject({ text: { overlaps: false } });
    const renaming = await proposed({ ...cli, name: `${cli.name}-title` }, 'rename_page');
    expect(await cli.text('review', 'show', renaming.proposal)).toMatch(
      new RegExp(`\n\n=== ${cli.name}-title\ntitle: "${cli.name}-title" → "Other"\n$`),
    );
    const file = join(temporaryFolder(), 'saved.bin');
    expect(await cli.fails(3, 'review', 'show', proposal, '--save', file)).toMatchObject({
      field: 'proposal',
    });
    const attached = await proposed({ ...cli, name: `${cli.name}-file` }, 'attach_file');
    expect(await cli.json('review', 'show', attached.proposal, '--save', file)).toMatchObject({ size: 5 });
    expect(readFileSync(file, 'utf8')).toBe('hello');
    await cli.fails(2, 'review', 'show', attached.proposal, '--save', file);
    expect(await cli.fails(3, 'review', 'show', 'nothing')).toMatchObject({ code: 'not_found' });
  },
  'review accept': async (cli) => {
    const { proposal, page, run } = await proposed(cli);
    expect(await cli.text('review', 'accept', '--run', run)).toBe(`${proposal}  accepted\n`);
    expect((await cli.run(['page', 'read', page])).stdout).toBe('One!\n\nTwo.\n');
    expect(await cli.fails(5, 'review', 'accept', proposal)).toMatchObject({ reason: 'accepted' });
    expect(await cli.fails(2, 'review', 'accept')).toMatchObject({ field: 'proposal' });
    const again = await proposed({ ...cli, name: `${cli.name}-edited` });
    const file = join(temporaryFolder(), 'edited.md');
    writeFileSync(file, 'One!\n\nTwo of mine.\n');
    await cli.json('review', 'accept', again.proposal, '--file', file, '--note', 'with a change');
    expect((await cli.run(['page', 'read', again.page])).stdout).toBe('One!\n\nTwo of mine.\n');
    const clashing = await proposed({ ...cli, name: `${cli.name}-clash` });
    await cli.json('page', 'edit', clashing.page, '--find', 'One.', '--content', 'One?');
    const ended = await cli.run(['review', 'accept', '--run', clashing.run]);
    expect(ended).toMatchObject({ code: 1, stderr: 'sluice: 1 of 1 could not be accepted\n' });
    expect(ended.stdout).toMatch(new RegExp(`^${clashing.proposal}  not accepted: .*\n$`));
    const told = await cli.run(['review', 'accept', '--run', clashing.run, '--json']);
    expect([told.code, JSON.parse(told.stdout)]).toMatchObject([1, { accepted: 0, refused: 1 }]);
    const both = await cli.run(['review', 'accept', clashing.proposal]);
    expect(both.code).toBe(5);
    expect(both.stderr).toMatch(/^@@ both changed this @@\n-One\?\n\+One!\n.*\nsluice: /s);
    const unsaid = ['review', 'accept', clashing.proposal, '--content', 'One of both.'];
    expect((await cli.run(unsaid)).stderr).toMatch(/^sluice: --version must be given: /);
    const gone = await proposed({ ...cli, name: `${cli.name}-gone` }, 'delete_page');
    await cli.json('page', 'edit', gone.page, '--op', 'append', '--content', 'Three.');
    expect(await cli.fails(5, 'review', 'accept', gone.proposal)).toMatchObject({ reason: 'overlap' });
    await cli.json('review', 'show', gone.proposal);
    await cli.json('review', 'accept', gone.proposal, '--despite-changes');
    await cli.fails(3, 'page', 'read', gone.page);
  },
  'review reject': async (cli) => {
    const { proposal, page } = await proposed(cli);
    expect(await cli.json('review', 'reject', proposal, '--reason', 'no')).toMatchObject({ rejected: 1 });
    expect((await cli.run(['page', 'read', page])).stdout).toBe('One.\n\nTwo.\n');
    expect(await cli.text('review', 'show', proposal)).toMatch(/state +rejected by owner\nnote +no\n/);
    expect(await cli.fails(5, 'review', 'reject', proposal)).toMatchObject({ reason: 'rejected' });
    const again = await proposed({ ...cli, name: `${cli.name}-run` });
    expect(await cli.text('review', 'reject', '--run', again.run)).toBe(`${again.proposal}  rejected\n`);
  },
};
