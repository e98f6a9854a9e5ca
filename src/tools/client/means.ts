/** What the client family works with. */
import type { CredentialMeans } from '../../domain/governance/manage-credentials.ts';
import type { WorkspaceDirectory } from '../../kernel/ports/workspace-directory.ts';

export interface ClientMeans extends CredentialMeans {
  readonly workspaces: WorkspaceDirectory;
  /** Names there are, for a word about likely typos. */
  known(): { readonly tools: readonly string[]; readonly families: readonly string[] };
}
