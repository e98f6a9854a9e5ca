/** What callers hear of an answer that the firewall did not let through. */
import { AnswerHeld, type HeldOutput } from '../../catalogue/answer-held.ts';
import { type Inspection, isPassedOn } from '../../domain/providers/firewall/verdict.ts';
import { refusal } from '../../domain/providers/refusals.ts';
import type { SluiceError } from '../../kernel/errors.ts';

export const passes = ({ verdict }: Inspection): boolean => isPassedOn(verdict);

/** The verdict with the version of the rules it was made by. */
export const recordedVerdict = ({ verdict, rules }: Pick<Inspection, 'verdict' | 'rules'>): string =>
  `${verdict}@${rules}`;

export function heldBack(provider: string, inspection: Inspection, further = ''): SluiceError {
  const { verdict, findings, rules } = inspection;
  const names = findings.filter(({ action }) => action === 'withhold' || action === 'block');
  const why = names.map(({ rule }) => rule).join(', ');
  const known = (REFUSED as Partial<Record<string, (typeof REFUSED)[keyof typeof REFUSED]>>)[verdict];
  return refusal(
    known ?? 'DELEG_FIREWALL_QUARANTINED',
    provider,
    known === 'DELEG_FIREWALL_SCHEMA_INVALID'
      ? `the answer of "${provider}" is not let through (${why}); ask it for less`
      : `the answer of "${provider}" is held back (${why})${further}; do without it`,
    { verdict, rules: findings.map(({ rule }) => rule), rules_version: rules },
  );
}

/** To be thrown: a person may let an answer go that was withheld or waits; the others are of no use to anybody. */
export function withheld(provider: string, inspection: Inspection, output: HeldOutput, further = ''): Error {
  const refused = heldBack(provider, inspection, further);
  const { verdict, findings } = inspection;
  if (verdict !== 'QUARANTINED' && verdict !== 'APPROVAL_REQUIRED') return refused;
  const rules = findings.map(({ rule }) => rule);
  return new AnswerHeld(output, verdict, rules, refused);
}

const REFUSED = {
  SCHEMA_INVALID: 'DELEG_FIREWALL_SCHEMA_INVALID',
  PROVIDER_DRIFTED: 'DELEG_PROVIDER_DRIFTED',
  APPROVAL_REQUIRED: 'DELEG_APPROVAL_REQUIRED',
} as const;
