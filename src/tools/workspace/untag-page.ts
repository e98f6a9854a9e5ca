/** Takes tags away from a page. */
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { untagPage as untag } from '../../domain/workspace/tags/tag-page.ts';
import { describeTagged, taggedFacts, taggingArguments } from './tag-shape.ts';

export const untagPage = defineTool({
  name: 'untag_page',
  title: 'Untag a page',
  summary:
    'Takes tags away from a page: out of the frontmatter, and in the text #tag becomes the plain word. Nested tags stay.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  write: { kind: 'tag', contentArgument: 'tags', derivation: 'none' },
  example: { page: 'projects/alpha', tags: ['project/active'] },
  input: taggingArguments,
  output: taggedFacts,
  handler: async (use: WorkspaceMeans, { page, tags, if_match: ifMatch }, call) =>
    describeTagged(use, call, await untag(use, call.ticket, { page, tags, ifMatch })),
});
