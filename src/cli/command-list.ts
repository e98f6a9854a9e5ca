/** Every command, in the order in which help shows them. */
import type { Command } from './command.ts';
import { decideApproval } from './commands/approval/decide.ts';
import { listApprovals } from './commands/approval/list.ts';
import { approvalPolicy } from './commands/approval/policy.ts';
import { showApproval } from './commands/approval/show.ts';
import { exportAudit } from './commands/audit/export.ts';
import { lineage } from './commands/audit/lineage.ts';
import { list as listAudit } from './commands/audit/list.ts';
import { show as showAudit } from './commands/audit/show.ts';
import { verify } from './commands/audit/verify.ts';
import { backup } from './commands/backup.ts';
import { add as addClient } from './commands/client/add.ts';
import { limit } from './commands/client/limit.ts';
import { list as listClients } from './commands/client/list.ts';
import { revoke } from './commands/client/revoke.ts';
import { list as listToolsets } from './commands/client/toolset/list.ts';
import { remove as removeToolset } from './commands/client/toolset/remove.ts';
import { set as setToolset } from './commands/client/toolset/set.ts';
import { completionFor } from './commands/completion.ts';
import { explain as explainConfig } from './commands/config/explain.ts';
import { show as showConfig } from './commands/config/show.ts';
import { connect } from './commands/connect.ts';
import { list as listCredentials } from './commands/credential/list.ts';
import { remove as removeCredential } from './commands/credential/remove.ts';
import { rotateKey } from './commands/credential/rotate-key.ts';
import { set as setCredential } from './commands/credential/set.ts';
import { disable } from './commands/disable.ts';
import { doctor } from './commands/doctor.ts';
import { enable } from './commands/enable.ts';
import { exportVault } from './commands/export.ts';
import { checkRules } from './commands/firewall/rules/check.ts';
import { showRules } from './commands/firewall/rules/show.ts';
import { useRules } from './commands/firewall/rules/use.ts';
import { testFirewall } from './commands/firewall/test.ts';
import { health } from './commands/health.ts';
import { importVault } from './commands/import.ts';
import { mcp } from './commands/mcp.ts';
import { consolidate } from './commands/memory/consolidate.ts';
import { forget } from './commands/memory/forget.ts';
import { list as listMemory } from './commands/memory/list.ts';
import { search as searchMemory } from './commands/memory/search.ts';
import { show as showMemory } from './commands/memory/show.ts';
import { stats } from './commands/memory/stats.ts';
import { write as writeMemory } from './commands/memory/write.ts';
import { attach } from './commands/page/attach.ts';
import { create as createPage } from './commands/page/create.ts';
import { deletePage } from './commands/page/delete.ts';
import { detach } from './commands/page/detach.ts';
import { diff } from './commands/page/diff.ts';
import { edit } from './commands/page/edit.ts';
import { history } from './commands/page/history.ts';
import { links } from './commands/page/links.ts';
import { move } from './commands/page/move.ts';
import { properties } from './commands/page/properties.ts';
import { provenance } from './commands/page/provenance.ts';
import { purge } from './commands/page/purge.ts';
import { read } from './commands/page/read.ts';
import { rename } from './commands/page/rename.ts';
import { restorePage } from './commands/page/restore.ts';
import { restoreVersion } from './commands/page/restore-version.ts';
import { tag, untag } from './commands/page/tag.ts';
import { trash } from './commands/page/trash.ts';
import { tree } from './commands/page/tree.ts';
import { undo } from './commands/page/undo.ts';
import { update } from './commands/page/update.ts';
import { grant as grantPermission } from './commands/permission/grant.ts';
import { list as listPermissions } from './commands/permission/list.ts';
import { revoke as revokePermission } from './commands/permission/revoke.ts';
import { allow } from './commands/policy/allow.ts';
import { deny } from './commands/policy/deny.ts';
import { explain as explainPolicy } from './commands/policy/explain.ts';
import { remove } from './commands/policy/remove.ts';
import { roles } from './commands/policy/roles.ts';
import { rules } from './commands/policy/rules.ts';
import { setRole } from './commands/policy/set-role.ts';
import { add as addProvider } from './commands/provider/add.ts';
import { connect as connectProvider } from './commands/provider/connect.ts';
import { discover } from './commands/provider/discover.ts';
import { enableProvider } from './commands/provider/enable.ts';
import { importProviders } from './commands/provider/import.ts';
import { inspect } from './commands/provider/inspect.ts';
import { list as listProviders } from './commands/provider/list.ts';
import { logs } from './commands/provider/logs.ts';
import { disableProvider, quarantine, release, removeProvider } from './commands/provider/moves.ts';
import { review as reviewProvider } from './commands/provider/review.ts';
import { restore } from './commands/restore.ts';
import { acceptReview } from './commands/review/accept.ts';
import { listReview } from './commands/review/list.ts';
import { rejectReview } from './commands/review/reject.ts';
import { showReview } from './commands/review/show.ts';
import { searchReindex } from './commands/search/reindex.ts';
import { search } from './commands/search/search.ts';
import { searchStatus } from './commands/search/status.ts';
import { serve } from './commands/serve.ts';
import { status } from './commands/status.ts';
import { sync } from './commands/sync.ts';
import { list as listTags } from './commands/tag/list.ts';
import { rename as renameTag } from './commands/tag/rename.ts';
import { timeline } from './commands/timeline.ts';
import { rotate } from './commands/token/rotate.ts';
import { show as showToken } from './commands/token/show.ts';
import { call } from './commands/tool/call.ts';
import { describe } from './commands/tool/describe.ts';
import { list as listTools } from './commands/tool/list.ts';
import { undoRun } from './commands/undo.ts';
import { close } from './commands/workspace/close.ts';
import { create as createWorkspace } from './commands/workspace/create.ts';
import { list as listWorkspaces } from './commands/workspace/list.ts';
import { open } from './commands/workspace/open.ts';
import { readOnly } from './commands/workspace/read-only.ts';

export const commands: readonly Command[] = [
  serve,
  connect,
  mcp,
  status,
  enable,
  disable,
  showToken,
  rotate,
  addClient,
  listClients,
  limit,
  revoke,
  setToolset,
  listToolsets,
  removeToolset,
  createWorkspace,
  listWorkspaces,
  open,
  close,
  readOnly,
  listTools,
  describe,
  call,
  tree,
  read,
  createPage,
  update,
  edit,
  properties,
  tag,
  untag,
  attach,
  detach,
  rename,
  move,
  undo,
  deletePage,
  restorePage,
  restoreVersion,
  trash,
  purge,
  history,
  diff,
  provenance,
  timeline,
  undoRun,
  links,
  listTags,
  renameTag,
  health,
  listReview,
  showReview,
  acceptReview,
  rejectReview,
  search,
  searchStatus,
  searchReindex,
  listMemory,
  searchMemory,
  showMemory,
  writeMemory,
  forget,
  consolidate,
  stats,
  importVault,
  exportVault,
  addProvider,
  discover,
  reviewProvider,
  listProviders,
  inspect,
  logs,
  quarantine,
  release,
  disableProvider,
  enableProvider,
  importProviders,
  removeProvider,
  connectProvider,
  setCredential,
  listCredentials,
  removeCredential,
  rotateKey,
  testFirewall,
  showRules,
  checkRules,
  useRules,
  listApprovals,
  showApproval,
  decideApproval,
  approvalPolicy,
  sync,
  listAudit,
  showAudit,
  lineage,
  verify,
  exportAudit,
  explainPolicy,
  rules,
  allow,
  deny,
  remove,
  roles,
  setRole,
  grantPermission,
  revokePermission,
  listPermissions,
  backup,
  restore,
  doctor,
  showConfig,
  explainConfig,
  completionFor(() => commands),
];
