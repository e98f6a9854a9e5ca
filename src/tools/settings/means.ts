/** What the settings family works with. */
import type { CredentialMeans } from '../../domain/governance/manage-credentials.ts';
import type { PolicyMeans } from '../../domain/governance/manage-policy.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';

/** How the server stands, as far as it may be told; never the token. */
export interface ServerStatus {
  /** True while this process listens. */
  readonly running: boolean;
  readonly url: string | null;
  readonly version: string;
  readonly store: string;
  readonly home: string;
  readonly uptime_s: number;
  readonly sessions: number;
}

export interface SettingsMeans extends CredentialMeans, PolicyMeans {
  status(): ServerStatus;
  currentWorkspace(): string | null;
  /** Whether nobody changes anything in the current workspace. */
  isReadOnly(scope: ReadScope): Promise<boolean>;
  known(): { readonly tools: readonly string[]; readonly families: readonly string[] };
}
