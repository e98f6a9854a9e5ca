/** The links of a page in both directions. */
import { defineCommand, textOf } from '../../command.ts';

export const links = defineCommand({
  path: ['page', 'links'],
  summary: 'Show the links to and from a page',
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['page links projects/alpha'],
  async run({ withHome, output }, input) {
    const page = textOf(input, 'page');
    const workspace = textOf(input, 'workspace');
    const { incoming, outgoing } = await withHome(async (home) => ({
      incoming: await home.call('get_backlinks', { page }, workspace),
      outgoing: await home.call('get_outgoing_links', { page }, workspace),
    }));
    output.data({ in: incoming.links, out: outgoing.links }, () => {
      const into = incoming.links as { page: { path: string }; context: string }[];
      const from = outgoing.links as { status: string; written: string; target?: { path: string } }[];
      return [
        ...into.map((link) => `<- ${link.page.path}  ${link.context}`),
        ...from.map((link) => `-> ${link.target?.path ?? link.written}  (${link.status})`),
      ].join('\n');
    });
  },
});
