/** What the client family works with. */
import type { CredentialMeans } from '../../domain/governance/manage-credentials.ts';
import type { WorkspaceDirectory } from '../../kernel/ports/workspace-directory.ts';

export interface ClientMeans extends CredentialMeans {
  readonly workspaces: WorkspaceDirectory;
}
