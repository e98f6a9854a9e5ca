/** How the workspace is doing. */
import { defineCommand, numberOf, textOf } from '../command.ts';

interface Check {
  readonly check: string;
  readonly count: number;
  readonly items: readonly { readonly page: { readonly path: string }; readonly written?: string }[];
}

export const health = defineCommand({
  path: ['health'],
  summary: 'Say what may want a look: broken links, orphans, unreviewed pages, changed sources',
  options: [
    { name: 'limit', value: 'number', summary: 'How many of each to show; 5 if left out' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['health'],
  async run({ call, output }, input) {
    const answer = await call(
      'workspace_health',
      { limit: numberOf(input, 'limit') ?? 5 },
      textOf(input, 'workspace'),
    );
    output.data(answer, () =>
      (answer.checks as Check[])
        .flatMap(({ check, count, items }) => [
          `${check.replaceAll('_', ' ')}: ${count}`,
          ...items.map(
            ({ page, written }) => `  ${page.path}${written === undefined ? '' : `  [[${written}]]`}`,
          ),
        ])
        .join('\n'),
    );
  },
});
