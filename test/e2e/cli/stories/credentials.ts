/** Stories of commands that keep credentials for providers. */
import { expect } from 'vitest';
import type { Cli, Stories } from '../../../support/cli-story.ts';
import { printedUrl } from '../../../support/credentials.ts';
import { protectedUpstream } from '../../../support/protected-upstream.ts';

const refOf = ({ name }: Cli): string => `connector://${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

export const credentialStories: Stories = {
  'credential set': async (cli) => {
    const ref = refOf(cli);
    const kept = await cli.run(['credential', 'set', ref], 'hush-hush\n');
    expect([kept.code, kept.stdout]).toEqual([0, `${ref} is kept\n`]);
    const own = await cli.run(['credential', 'set', ref, '--user', 'alice', '--json'], 'hush-hush');
    expect(JSON.parse(own.stdout)).toMatchObject({ ref, user: 'alice', kind: 'secret' });
    expect(kept.stdout + kept.stderr + own.stdout + own.stderr).not.toContain('hush-hush');
    await cli.fails(2, 'credential', 'set', ref);
    expect((await cli.run(['credential', 'set', 'github'], 'hush-hush')).code).toBe(2);
  },

  'credential list': async (cli) => {
    const ref = refOf(cli);
    await cli.run(['credential', 'set', ref, '--user', 'bob'], 'hush-hush');
    expect(await cli.text('credential', 'list')).toMatch(new RegExp(`^${ref} +bob +secret`, 'm'));
  },

  'credential remove': async (cli) => {
    const ref = refOf(cli);
    await cli.run(['credential', 'set', ref], 'hush-hush');
    expect(await cli.text('credential', 'remove', ref)).toBe(`${ref} is gone\n`);
    await cli.fails(3, 'credential', 'remove', ref);
  },

  'credential rotate-key': async (cli) => {
    const ref = refOf(cli);
    await cli.run(['credential', 'set', ref], 'hush-hush');
    const token = await cli.text('token', 'show');
    expect(await cli.text('credential', 'rotate-key')).toMatch(
      /^\d+ credentials? and the owner's token are sealed with a new key\n/,
    );
    expect(await cli.json('credential', 'rotate-key')).toEqual({
      credentials: expect.any(Number),
      owner_token: 1,
      former_until: expect.stringMatching(/Z$/),
    });
    expect(await cli.text('token', 'show')).toBe(token);
  },

  'provider connect': async (cli) => {
    const upstream = await protectedUpstream();
    try {
      const id = refOf(cli).slice(12, 40).replaceAll('-', '_');
      const added = await cli.json('provider', 'add', id, '--http', upstream.url);
      expect(added).toMatchObject({
        state: 'REGISTERED',
        reason: expect.stringContaining(`sluice provider connect ${id}`),
      });
      const command = cli.start(['provider', 'connect', id]);
      expect(await upstream.visit(await printedUrl(command))).toBe(200);
      expect(await command.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('is connected') });
      const inspected = await cli.json('provider', 'inspect', id);
      expect(inspected).toMatchObject({
        state: 'DISCOVERING',
        credential_ref: `grant://${id}`,
        credential: { connected: true },
      });
      await cli.fails(3, 'provider', 'connect', 'nowhere');
      const late = await cli.run(['provider', 'connect', id, '--wait', '0']);
      expect([late.code, late.stderr]).toEqual([6, expect.stringContaining('nobody answered in time')]);
    } finally {
      await upstream.close();
    }
  },
};
