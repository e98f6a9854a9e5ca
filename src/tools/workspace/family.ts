/** The workspace family: pages, links, search, trash, history, import and export. */
import { defineFamily } from '../../catalogue/family.ts';
import { acceptProposal } from './accept-proposal.ts';
import { attachFile } from './attach-file.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import { createDerivedPage } from './create-derived-page.ts';
import { createPage } from './create-page.ts';
import { deletePage } from './delete-page.ts';
import { detachFile } from './detach-file.ts';
import { diffVersions } from './diff-versions.ts';
import { editPage } from './edit-page.ts';
import { exportPages } from './export-pages.ts';
import { exportProvenance } from './export-provenance.ts';
import { findBrokenLinks } from './find-broken-links.ts';
import { getBacklinks } from './get-backlinks.ts';
import { getOutgoingLinks } from './get-outgoing-links.ts';
import { getPageHistory } from './get-page-history.ts';
import { getPageTree } from './get-page-tree.ts';
import { getProvenance } from './get-provenance.ts';
import { getSearchStatus } from './get-search-status.ts';
import { getTimeline } from './get-timeline.ts';
import { getUnlinkedMentions } from './get-unlinked-mentions.ts';
import { importAttachments } from './import-attachments.ts';
import { importPages } from './import-pages.ts';
import type { IndexMeans } from './index-means.ts';
import { listAttachments } from './list-attachments.ts';
import { listBlocks } from './list-blocks.ts';
import { listPageFiles } from './list-page-files.ts';
import { listProposals } from './list-proposals.ts';
import { listTags } from './list-tags.ts';
import { listTrash } from './list-trash.ts';
import { movePage } from './move-page.ts';
import { workspacePrompts } from './prompts.ts';
import { proposalResource } from './proposal-resource.ts';
import { purgePage } from './purge-page.ts';
import { readAttachment } from './read-attachment.ts';
import { readBlock } from './read-block.ts';
import { readPage } from './read-page.ts';
import { readProposal } from './read-proposal.ts';
import { reindexSearch } from './reindex-search.ts';
import { rejectProposal } from './reject-proposal.ts';
import { removeFiles } from './remove-files.ts';
import { renameHeading } from './rename-heading.ts';
import { renamePage } from './rename-page.ts';
import { renameTag } from './rename-tag.ts';
import { workspaceResources } from './resources.ts';
import { restorePage } from './restore-page.ts';
import { restoreVersion } from './restore-version.ts';
import { search } from './search.ts';
import { setProperties } from './set-properties.ts';
import { syncPages } from './sync-pages.ts';
import { tagPage } from './tag-page.ts';
import { undoChange } from './undo-change.ts';
import { undoRun } from './undo-run.ts';
import { untagPage } from './untag-page.ts';
import { updatePageContent } from './update-page-content.ts';
import { updatePageMetadata } from './update-page-metadata.ts';
import { uploadBlobs } from './upload-blobs.ts';
import { workspaceHealth } from './workspace-health.ts';

export const workspaceFamily = defineFamily<AttachmentMeans & IndexMeans>('workspace', {
  tools: [
    search,
    getSearchStatus,
    reindexSearch,
    getPageTree,
    getBacklinks,
    getOutgoingLinks,
    getUnlinkedMentions,
    readPage,
    listBlocks,
    readBlock,
    createPage,
    createDerivedPage,
    updatePageContent,
    editPage,
    updatePageMetadata,
    setProperties,
    listTags,
    tagPage,
    untagPage,
    renameTag,
    movePage,
    renamePage,
    renameHeading,
    undoChange,
    deletePage,
    listTrash,
    restorePage,
    purgePage,
    getPageHistory,
    diffVersions,
    getTimeline,
    getProvenance,
    exportProvenance,
    restoreVersion,
    undoRun,
    findBrokenLinks,
    workspaceHealth,
    importPages,
    uploadBlobs,
    importAttachments,
    exportPages,
    attachFile,
    detachFile,
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
  resources: [...workspaceResources, proposalResource],
  prompts: workspacePrompts,
});
