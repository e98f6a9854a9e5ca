/** A vault like large ones are: a few pages that every other page links to, in several forms. */
type Answer = Record<string, unknown>;
type Call = (tool: string, input: Answer) => Promise<Answer>;

export const HUBS = [
  'Buy me a coffee',
  'Índice',
  'Plugins (all)',
  'Home',
  'How to / help',
  'Credits & thanks',
];

/** The text of page n: a link in frontmatter, wiki and Markdown links, and what only looks like one. */
export const hubText = (n: number): string =>
  [
    `---\nup: "[[${HUBS[0]}]]"\n---`,
    `# Page ${n}\n\nSee [[${HUBS[0]}|this]], [[${HUBS[1]}#Part]] and [t](Plugins%20%28all%29.md "T").`,
    `| [[Home\\|cell]] | \`[[${HUBS[0]}]]\` |\n| --- | --- |`,
    `- ![[how-to-help]]\n- [[${HUBS[5]}]] and [[Page ${(n * 7) % 50}]], unique${n}`,
    '',
  ].join('\n\n');

/** How many links to the first hub a text has. */
export const LINKS_TO_FIRST = 2;

export async function growHubVault(call: Call, pages: number): Promise<void> {
  for (const title of HUBS) await call('create_page', { title, content: `# ${title}\n` });
  for (let n = 0; n < pages; n += 50) {
    const some = Array.from({ length: Math.min(50, pages - n) }, (_, i) => n + i);
    await Promise.all(
      some.map((one) => call('create_page', { title: `Page ${one}`, content: hubText(one) })),
    );
  }
}
