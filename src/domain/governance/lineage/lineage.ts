/** The lineage of a call: each step from who asked to what became of the answer, told from records alone. */
export const LINEAGE_OUTCOMES = [
  /** Everything is there and fits together. */
  'RECONSTRUCTED',
  /** Everything is there; of what was looked at, something is masked or was dropped on purpose. */
  'PARTIAL_REDACTED',
  /** Something is not there: an end that nobody knows, records that were let go of. */
  'PARTIAL_MISSING_EVIDENCE',
  /** The call was not let through; everything about that is there. */
  'BLOCKED_BY_POLICY',
  /** What is there contradicts itself. Nothing may be built on it. */
  'INVALID_LINEAGE',
] as const;
export type LineageOutcome = (typeof LINEAGE_OUTCOMES)[number];

/** What became of the answer. */
export const DISPOSITIONS = [
  'delivered',
  'released',
  'held',
  'dropped',
  'refused',
  'failed',
  'asked',
  'unconfirmed',
  'unknown',
] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export interface LineageStep {
  readonly step:
    | 'turn'
    | 'profile'
    | 'request'
    | 'result'
    | 'verdict'
    | 'approval'
    | 'decision'
    | 'disposition';
  /** Undefined where there was none, or nothing is known of it. */
  readonly at?: number;
  readonly facts: Readonly<Record<string, string>>;
}

export interface Lineage {
  readonly call: string;
  readonly outcome: LineageOutcome;
  readonly disposition: Disposition;
  readonly steps: readonly LineageStep[];
  /** What is missing, masked or contradictory, in words. */
  readonly remarks: readonly string[];
  /** Calls before and after it that belong to the same story, oldest first. */
  readonly related: readonly string[];
}
