/** Everything the gateway works with; composition provides it, and the steps take what they need from it. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ApprovalDesk } from '../domain/governance/approvals/approval-desk.ts';
import type { AuditLog } from '../domain/governance/audit-log.ts';
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import type { KeptResults } from '../domain/governance/kept-results.ts';
import type { ReadTrail } from '../domain/governance/read-trail.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdSource } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';
import type { ChangeFeed } from '../kernel/ports/change-feed.ts';
import type { Entitlements } from '../kernel/ports/entitlements.ts';
import type { ReviewDesk } from '../kernel/ports/review-desk.ts';
import type { SecretBox } from '../kernel/ports/secret-box.ts';
import type { Sights } from '../kernel/ports/sights.ts';
import type { SourceResolver } from '../kernel/ports/source-resolver.ts';
import type { UnitOfWork } from '../kernel/ports/unit-of-work.ts';
import type { WorkspaceDirectory } from '../kernel/ports/workspace-directory.ts';
import type { TicketMint } from '../kernel/ticket.ts';
import type { CallsInFlight } from './calls-in-flight.ts';
import type { GatewayLimits } from './limits.ts';
import type { HeardInRun, MixedRuns } from './mixed-runs.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { RefusalFolder } from './refusal-folder.ts';
import type { Runs } from './runs.ts';

export interface GatewayMeans {
  readonly catalogue: Catalogue;
  readonly governance: GovernanceState;
  readonly audit: AuditLog;
  readonly units: UnitOfWork;
  readonly trail: ReadTrail;
  readonly results: KeptResults;
  readonly approvals: ApprovalDesk;
  /** For answers that are held. */
  readonly blobs: BlobStore;
  /** What a run got from outside. */
  readonly heard: HeardInRun;
  /** Take out of texts and arguments what a person who decides need not see. */
  readonly mask: (text: string) => string;
  readonly maskArguments: (input: unknown) => string;
  readonly sources: SourceResolver;
  readonly sights: Sights;
  readonly desk: ReviewDesk;
  readonly workspaces: WorkspaceDirectory;
  readonly entitlements: Entitlements;
  readonly mint: TicketMint;
  readonly secrets: SecretBox;
  readonly changes: ChangeFeed;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly limits: GatewayLimits;
}

/** What the gateway keeps between calls. */
export interface GatewayState {
  readonly runs: Runs;
  readonly mixedRuns: MixedRuns;
  readonly rate: RateLimiter;
  readonly inFlight: CallsInFlight;
  readonly refusals: RefusalFolder;
}

export type Gate = GatewayMeans & GatewayState;
