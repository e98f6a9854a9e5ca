/** What the firewall decides about a provider's answer before anybody sees it. */
import type { ProviderResult } from '../result.ts';
import type { Action } from './rules-document.ts';

export const VERDICTS = [
  'ACCEPTED_OBSERVATION',
  'ACCEPTED_SUGGESTION',
  'APPROVAL_REQUIRED',
  'QUARANTINED',
  'REJECTED',
  'SCHEMA_INVALID',
  'POLICY_BLOCKED',
  'PROVIDER_DRIFTED',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What somebody gets: an answer, or what the provider says of its failure, as an error and never as an observation. */
export const isPassedOn = (verdict: Verdict): boolean =>
  verdict === 'ACCEPTED_OBSERVATION' || verdict === 'ACCEPTED_SUGGESTION' || verdict === 'REJECTED';

export interface Inspection {
  readonly verdict: Verdict;
  /** What passes: cleaned, masked and neutralised. Meaningless unless it is passed on. */
  readonly result: ProviderResult;
  /** What was found and what was done about it; no excerpts. */
  readonly findings: readonly FirewallFinding[];
  /** The version of the rules it was looked at with. */
  readonly rules: string;
  /** How it ended, as it came; for whoever looks at the next one. Never kept with anything. */
  readonly ending: string;
}

export interface FirewallFinding {
  readonly rule: string;
  readonly family: string;
  readonly action: Action;
  readonly count: number;
}
