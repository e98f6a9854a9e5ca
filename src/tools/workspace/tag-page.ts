/** Tags a page. */
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { tagPage as tag } from '../../domain/workspace/tags/tag-page.ts';
import { describeTagged, taggedFacts, taggingArguments } from './tag-shape.ts';

export const tagPage = defineTool({
  name: 'tag_page',
  title: 'Tag a page',
  summary:
    'Adds tags to the frontmatter of a page; those it has already, also in its text, stay as they are.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  write: { kind: 'tag', contentArgument: 'tags', derivation: 'none' },
  example: { page: 'projects/alpha', tags: ['project/active'] },
  input: taggingArguments,
  output: taggedFacts,
  handler: async (use: WorkspaceMeans, { page, tags, if_match: ifMatch }, call) =>
    describeTagged(use, call, await tag(use, call.ticket, { page, tags, ifMatch })),
});
