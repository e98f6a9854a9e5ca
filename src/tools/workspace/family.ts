/** The workspace family: pages, links, search, trash, history, import and export. */
import { defineFamily } from '../../catalogue/family.ts';
import { acceptProposal } from './accept-proposal.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import { createPage } from './create-page.ts';
import { deletePage } from './delete-page.ts';
import { editPage } from './edit-page.ts';
import { exportPages } from './export-pages.ts';
import { findBrokenLinks } from './find-broken-links.ts';
import { getBacklinks } from './get-backlinks.ts';
import { getOutgoingLinks } from './get-outgoing-links.ts';
import { getPageHistory } from './get-page-history.ts';
import { getPageTree } from './get-page-tree.ts';
import { getSearchStatus } from './get-search-status.ts';
import { importAttachments } from './import-attachments.ts';
import { importPages } from './import-pages.ts';
import { listAttachments } from './list-attachments.ts';
import { listBlocks } from './list-blocks.ts';
import { listPageFiles } from './list-page-files.ts';
import { listProposals } from './list-proposals.ts';
import { listTrash } from './list-trash.ts';
import { movePage } from './move-page.ts';
import { workspacePrompts } from './prompts.ts';
import { readAttachment } from './read-attachment.ts';
import { readBlock } from './read-block.ts';
import { readPage } from './read-page.ts';
import { readProposal } from './read-proposal.ts';
import { reindexSearch } from './reindex-search.ts';
import { rejectProposal } from './reject-proposal.ts';
import { removeFiles } from './remove-files.ts';
import { renamePage } from './rename-page.ts';
import { workspaceResources } from './resources.ts';
import { restorePage } from './restore-page.ts';
import { search } from './search.ts';
import { syncPages } from './sync-pages.ts';
import { undoChange } from './undo-change.ts';
import { updatePageContent } from './update-page-content.ts';
import { updatePageMetadata } from './update-page-metadata.ts';
import { uploadBlobs } from './upload-blobs.ts';

export const workspaceFamily = defineFamily<AttachmentMeans>('workspace', {
  tools: [
    search,
    getSearchStatus,
    reindexSearch,
    getPageTree,
    getBacklinks,
    getOutgoingLinks,
    readPage,
    listBlocks,
    readBlock,
    createPage,
    updatePageContent,
    editPage,
    updatePageMetadata,
    movePage,
    renamePage,
    undoChange,
    deletePage,
    listTrash,
    restorePage,
    getPageHistory,
    findBrokenLinks,
    importPages,
    uploadBlobs,
    importAttachments,
    exportPages,
    listAttachments,
    readAttachment,
    listPageFiles,
    syncPages,
    removeFiles,
    listProposals,
    readProposal,
    acceptProposal,
    rejectProposal,
  ],
  resources: workspaceResources,
  prompts: workspacePrompts,
});
