/** What the permissions family works with. */
import type { PermissionMeans } from '../../domain/workspace/permissions/manage-grants.ts';

export interface PermissionFamilyMeans extends PermissionMeans {
  /** For a word about what may be a typo; agents come and go. */
  knownNames(): { readonly role: readonly string[]; readonly client: readonly string[] };
}
