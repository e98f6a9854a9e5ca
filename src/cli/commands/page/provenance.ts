/** Where a page comes from. */
import { defineCommand, flagOf, given, textOf } from '../../command.ts';
import { facts, table } from '../../output.ts';

export const provenance = defineCommand({
  path: ['page', 'provenance'],
  summary: 'Show who wrote a page, block by block, and from which sources',
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [
    { name: 'prov-json', summary: 'Its whole history as W3C PROV-JSON' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page provenance projects/alpha', 'page provenance alpha --prov-json'],
  async run({ withHome, output }, input) {
    const page = textOf(input, 'page');
    const workspace = textOf(input, 'workspace');
    if (flagOf(input, 'prov-json')) {
      const { collectProvenance } = await import('../../../app/collect-provenance.ts');
      const document = await withHome((home) =>
        collectProvenance((tool, wish) => home.call(tool, given(wish), workspace), { page }),
      );
      return output.data(document, () => JSON.stringify(document, null, 2));
    }
    const whole = await withHome(async (home) => {
      const wish = { page, blocks: true, max_tokens: 100_000 };
      const { next_cursor, ...first } = await home.call('get_provenance', wish, workspace);
      const blocks = [...(first.blocks as Block[])];
      for (let cursor = next_cursor; cursor !== undefined; ) {
        const next = await home.call('get_provenance', { ...wish, cursor }, workspace);
        blocks.push(...(next.blocks as Block[]));
        cursor = next.next_cursor;
      }
      return { ...first, sources: first.sources as Provenance['sources'], blocks };
    });
    output.data(whole, () => describe(whole));
  },
});

interface Block {
  readonly text: string;
  readonly origin: string;
  readonly written_by: readonly { readonly actor: string; readonly run: string; readonly tool: string }[];
}

interface Provenance {
  readonly [fact: string]: unknown;
  readonly sources: readonly {
    readonly page: string;
    readonly title?: string;
    readonly changed_since: boolean;
    readonly state: string;
  }[];
  readonly blocks: readonly Block[];
}

function describe({ origin, lifecycle, actor, run, tool, at, sources, blocks }: Provenance): string {
  const rows = blocks.map((block) => [
    block.origin,
    [...new Set(block.written_by.map((writer) => writer.actor))].join(', ') || '–',
    block.written_by[0]?.run ?? '–',
    block.text.replace(/\s+/g, ' '),
  ]);
  const named = sources.map(({ page, title, changed_since, state }) => {
    const name = title === undefined ? page : `"${title}" ${page}`;
    if (state !== 'live') return `${name} (${state})`;
    return changed_since ? `${name} (changed since)` : name;
  });
  const head = facts({ origin, lifecycle, actor, run, tool, at, sources: named });
  return `${head}\n\n${table(['ORIGIN', 'BY', 'RUN', 'BLOCK'], rows)}`;
}
