/** The tree of pages. */
import { defineCommand, given, numberOf, textOf } from '../../command.ts';

interface Node {
  title: string;
  path: string;
  lifecycle: string;
  children: Node[];
}

export const tree = defineCommand({
  path: ['page', 'tree'],
  summary: 'Show the pages as a tree',
  args: [{ name: 'root', summary: 'Only what lies below this page', optional: true }],
  options: [
    { name: 'depth', value: 'number', summary: 'How many levels' },
    { name: 'workspace', value: 'name', summary: 'Of this one' },
  ],
  examples: ['page tree', 'page tree projects --depth 2'],
  async run({ withHome, output }, input) {
    const wish = given({
      root: textOf(input, 'root'),
      depth: numberOf(input, 'depth'),
      max_tokens: 100_000,
    });
    const parts: Node[][] = [];
    await withHome(async (home) => {
      let cursor: unknown;
      do {
        const page = await home.call('get_page_tree', given({ ...wish, cursor }), textOf(input, 'workspace'));
        parts.push(page.tree as Node[]);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
    });
    const nodes = parts.flat();
    output.data({ tree: nodes }, () =>
      nodes.length === 0 ? 'No pages yet' : nodes.flatMap((node) => draw(node, '')).join('\n'),
    );
  },
});

function draw(node: Node, indent: string): string[] {
  const mark = node.lifecycle === 'canonical' ? '' : `  (${node.lifecycle})`;
  return [
    `${indent}${node.title}  ${node.path}${mark}`,
    ...node.children.flatMap((child) => draw(child, `${indent}  `)),
  ];
}
