/** The workspace family: pages, links, search, trash and history. */
import { defineFamily } from '../../catalogue/family.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { createPage } from './create-page.ts';
import { deletePage } from './delete-page.ts';
import { getBacklinks } from './get-backlinks.ts';
import { getOutgoingLinks } from './get-outgoing-links.ts';
import { getPageHistory } from './get-page-history.ts';
import { getPageTree } from './get-page-tree.ts';
import { listTrash } from './list-trash.ts';
import { movePage } from './move-page.ts';
import { workspacePrompts } from './prompts.ts';
import { readPage } from './read-page.ts';
import { renamePage } from './rename-page.ts';
import { workspaceResources } from './resources.ts';
import { restorePage } from './restore-page.ts';
import { search } from './search.ts';
import { undoChange } from './undo-change.ts';
import { updatePageContent } from './update-page-content.ts';
import { updatePageMetadata } from './update-page-metadata.ts';

export const workspaceFamily = defineFamily<WorkspaceMeans>('workspace', {
  tools: [
    search,
    getPageTree,
    getBacklinks,
    getOutgoingLinks,
    readPage,
    createPage,
    updatePageContent,
    updatePageMetadata,
    movePage,
    renamePage,
    undoChange,
    deletePage,
    listTrash,
    restorePage,
    getPageHistory,
  ],
  resources: workspaceResources,
  prompts: workspacePrompts,
});
