/** Answers that would pass, but hold what the owner wants to be asked about first. */
import { type Inspection, isPassedOn } from './verdict.ts';

/** `classes` are the owner's: what was found of them, masked or not, makes the answer wait. */
export function deriveApproval(inspection: Inspection, classes: readonly string[]): Inspection {
  const passes = isPassedOn(inspection.verdict);
  if (!passes || !inspection.findings.some(({ family }) => classes.includes(family))) return inspection;
  return { ...inspection, verdict: 'APPROVAL_REQUIRED' };
}
