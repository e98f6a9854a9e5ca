/** What happened in the workspace. */
import { defineCommand, given, listOf, numberOf, textOf } from '../command.ts';
import { table } from '../output.ts';

export const timeline = defineCommand({
  path: ['timeline'],
  summary: 'Show what happened in the workspace, newest first',
  options: [
    { name: 'page', value: 'page', summary: 'Only to this page' },
    { name: 'run', value: 'run', summary: 'Only in this run' },
    { name: 'caller', value: 'name', summary: 'Only by this one' },
    { name: 'kind', value: 'kind', many: true, summary: 'Only of this kind, such as page_created' },
    {
      name: 'since',
      value: 'time',
      summary: 'Only from then on: a date such as 2026-01-31, or a span such as 7d, 12h or 90m',
    },
    { name: 'limit', value: 'n', summary: 'How many, 20 unless told' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: [
    'timeline --limit 50',
    'timeline --since 7d',
    'timeline --caller claude-code --kind page_created',
  ],
  async run({ withHome, output }, input) {
    const limit = numberOf(input, 'limit') ?? 20;
    const wish = given({
      page: textOf(input, 'page'),
      run: textOf(input, 'run'),
      caller: textOf(input, 'caller'),
      kinds: listOf(input, 'kind'),
      since: textOf(input, 'since'),
    });
    const answer = await withHome(async (home) => {
      const events: Event[] = [];
      let cursor: unknown;
      do {
        const part = given({ ...wish, cursor, limit: Math.min(100, limit - events.length) });
        const next = await home.call('get_timeline', part, textOf(input, 'workspace'));
        events.push(...(next.events as Event[]));
        cursor = next.next_cursor;
      } while (cursor !== undefined && events.length < limit);
      return { events, ...(cursor !== undefined && { next_cursor: cursor }) };
    });
    output.data(answer, () => {
      const rows = answer.events.map((one) => [
        String(one.change),
        one.at,
        one.kind,
        one.title ?? '–',
        one.by,
        one.run,
      ]);
      return table(['CHANGE', 'WHEN', 'WHAT', 'PAGE', 'BY', 'RUN'], rows);
    });
  },
});

interface Event {
  readonly change: number;
  readonly at: string;
  readonly kind: string;
  readonly title: string | null;
  readonly by: string;
  readonly run: string;
}
