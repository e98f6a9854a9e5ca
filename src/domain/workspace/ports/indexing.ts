/** What is asked of whoever indexes pages beside the calls, and how far it is. */
export interface IndexingStep {
  readonly pages: number;
  readonly indexed: number;
}

export interface IndexingWish {
  /** Nothing is taken for indexed. */
  readonly anew: boolean;
  readonly untilMs: number;
  readonly signal: AbortSignal;
  onStep(step: IndexingStep): void;
}
