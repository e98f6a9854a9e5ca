/** Memory. */
import { expect } from 'vitest';
import type { Stories } from '../../../support/cli-story.ts';

interface Listed {
  readonly items: readonly { readonly id: string; readonly body: string }[];
}

export const memoryStories: Stories = {
  'memory write': async ({ json, run, fails, name }) => {
    expect(await json('memory', 'write', 'First.', '--subject', name)).toMatchObject({ outcome: 'written' });
    const { stdout, stderr } = await run(['memory', 'write', 'Second.', '--subject', name]);
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(/^written {2}\S+\n$/),
      expect.stringContaining('holds instead of'),
    ]);
    expect(await fails(2, 'memory', 'write', 'No subject.')).toMatchObject({ field: 'subject' });
  },
  'memory list': async ({ json, text, fails, name }) => {
    await json('memory', 'write', `Listed ${name}.`, '--tier', 'episodic');
    const { items } = await json<Listed>('memory', 'list', '--tier', 'episodic');
    expect(items.map(({ body }) => body)).toContain(`Listed ${name}.`);
    expect(await text('memory', 'list', '--tier', 'episodic')).toMatch(/^TIER +STATUS +ABOUT +WHAT +ID\n/);
    expect(await text('memory', 'list', '--tier', 'working')).toBe('Nothing is remembered\n');
    expect(await fails(2, 'memory', 'list', '--tier', 'lost')).toMatchObject({ code: 'invalid_input' });
  },
  'memory search': async ({ json, run }) => {
    await json('memory', 'write', 'Old.', '--subject', 'Aerodrome', '--valid-from', '2020-01-01');
    await json('memory', 'write', 'New.', '--subject', 'Aerodrome', '--valid-from', '2021-01-01');
    const ask = ['memory', 'search', 'aerodrome', '--tier', 'semantic'];
    const found = async (...more: string[]) =>
      (await json<Listed>(...ask, ...more)).items.map(({ body }) => body);
    expect(await found()).toEqual(['New.']);
    expect(await found('--as-of', '2020-06-01')).toEqual(['Old.']);
    expect(await found('--all')).toHaveLength(2);
    expect(await run(ask)).toMatchObject({ stderr: expect.stringContaining('--all shows them') });
  },
  'memory show': async ({ json, text, fails, name }) => {
    const { id } = await json<{ id: string }>('memory', 'write', 'Shown.', '--subject', name);
    expect(await text('memory', 'show', id)).toMatch(new RegExp(`subject +${name}\n(.*\n)*\nShown\\.\n$`));
    expect(await json('memory', 'show', id)).toMatchObject({ origin: 'authored', status: 'active' });
    expect(await fails(3, 'memory', 'show', 'nothing')).toMatchObject({ code: 'not_found' });
  },
  'memory forget': async ({ json, text, fails, name }) => {
    const { id } = await json<{ id: string }>('memory', 'write', 'Gone.', '--subject', name);
    expect(await text('memory', 'forget', id, '--dry-run')).toContain('Would forget 1');
    expect(await json('memory', 'forget', id)).toMatchObject({ forgotten: [id] });
    expect(await json('memory', 'show', id)).toMatchObject({ status: 'trashed' });
    expect(await fails(3, 'memory', 'forget', 'nothing')).toMatchObject({ code: 'not_found' });
  },
  'memory consolidate': async ({ json, text, name }) => {
    await json('memory', 'write', `Remember that ${name} is new.`, '--tier', 'episodic');
    expect(await text('memory', 'consolidate', '--dry-run')).toContain(`${name} is new.`);
    expect(await json('memory', 'consolidate')).toMatchObject({ dry_run: false });
    expect(await text('memory', 'consolidate')).toBe('There is nothing to do\n');
  },
  'memory stats': async ({ json, text }) => {
    await json('memory', 'write', 'Counted.', '--tier', 'episodic');
    expect(await text('memory', 'stats')).toMatch(/^TIER +IN FORCE .*\n(.*\n)*episodic +[1-9]/);
  },
};
