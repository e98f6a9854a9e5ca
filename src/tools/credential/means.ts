/** What the credential family works with. */
import type { RotationMeans } from '../../domain/governance/rotate-key.ts';
import type { Connections } from '../../domain/providers/custody/connections.ts';
import type { CustodyMeans } from '../../domain/providers/custody/keep-credential.ts';
import type { ProviderMeans } from '../../domain/providers/means.ts';

export interface CredentialFamilyMeans extends CustodyMeans {
  readonly rotation: RotationMeans;
  readonly registry: Pick<ProviderMeans, 'providers' | 'directory'>;
  readonly connections: Connections;
}
