/**
 * Step 15 for writers whose word is not final: what the domain refuses without an author's yes is rehearsed, taken
 * back, and kept as a proposal in the same unit. Nothing of the call itself stays.
 */
import type { Tool } from '../../catalogue/tool-definition.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Look } from '../../kernel/ports/review-desk.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { ReviewRequired } from '../../kernel/review-required.ts';
import { SEES_ALL } from '../../kernel/sight.ts';
import { type EntityVersion, REVIEWED_KINDS, type Submission } from '../../kernel/submission.ts';
import type { Gate } from '../means.ts';
import type { Handled, Submitted } from '../stages.ts';
import { runHandler } from './run-handler.ts';

export function landOrPropose(use: Gate, submitted: Submitted): Promise<Handled> {
  const { bound, submission, entry } = submitted;
  if (!bound || !submission || entry.kind !== 'tool' || isFinal(submission))
    return runHandler(use, submitted);
  // Also what is tried and kept is seen through the caller's eyes.
  return tryToLand(use, submitted, entry, bound.scope, submission);
}

async function tryToLand(
  use: Gate,
  submitted: Submitted,
  entry: Tool,
  tx: WriteTx,
  submission: Submission,
): Promise<Handled> {
  try {
    return await tx.attempt(() => runHandler(use, submitted));
  } catch (error) {
    if (!(error instanceof ReviewRequired)) throw error;
    return propose(use, submitted, entry, tx, submission);
  }
}

/** Whoever may only propose somewhere finds out there. */
const isFinal = ({ lifecycle, kind, sight = SEES_ALL }: Submission): boolean =>
  (lifecycle === 'canonical' && sight === SEES_ALL) || !REVIEWED_KINDS.includes(kind);

async function propose(
  use: Gate,
  submitted: Submitted,
  tool: Tool,
  tx: WriteTx,
  submission: Submission,
): Promise<Handled> {
  const { input } = submitted;
  const { concerns, after, output } = await rehearse(use, submitted, tx, submission);
  const before = await lookAt(use, tx, submission, concerns);
  // Asking what would happen, or for what is so already, is no proposal.
  if (after && (input.dry_run === true || after.sequence === before.sequence))
    return { ...submitted, output };
  const proposal = await use.desk.keep(use.mint.propose(tx, submission), {
    kind: submission.kind,
    title: tool.title,
    arguments: await lastingArguments(use, submitted, tool, tx, concerns[0]),
    concerns,
    before,
    ...(after && { after }),
  });
  return { ...submitted, output: { proposal } };
}

interface Rehearsed {
  readonly concerns: readonly EntityVersion[];
  /** Absent when somebody else changed the same place since the caller looked. */
  readonly after?: Look;
  readonly output?: unknown;
}

/** Thrown to take back what was only tried. */
class TakenBack extends Error {
  readonly after: Look;
  readonly output: unknown;

  constructor(after: Look, output: unknown) {
    super('A rehearsal is over');
    this.after = after;
    this.output = output;
  }
}

/** Carries the call out as if it had been accepted and takes it back: what cannot land is refused now, not then. */
async function rehearse(
  use: Gate,
  submitted: Submitted,
  tx: WriteTx,
  submission: Submission,
): Promise<Rehearsed> {
  const found = new Map<string, EntityVersion>();
  const concerns = (entity: EntityVersion): void => {
    if (!found.has(entity.id)) found.set(entity.id, entity);
  };
  const trial: Submission = { ...submission, lifecycle: 'canonical', rehearsal: { concerns } };
  const { sequence } = await lookAt(use, tx, submission, []);
  try {
    return await tx.attempt(async () => {
      const { output } = await runHandler(use, { ...submitted, ticket: use.mint.land(tx, trial) });
      throw new TakenBack(await lookAt(use, tx, submission, [...found.values()], sequence), output);
    });
  } catch (error) {
    if (error instanceof TakenBack)
      return { concerns: [...found.values()], after: error.after, output: error.output };
    if (isOverlap(error)) return { concerns: [...found.values()] };
    throw error;
  }
}

const isOverlap = (error: unknown): boolean =>
  error instanceof SluiceError && error.code === 'conflict' && error.details.reason === 'overlap';

function lookAt(
  use: Gate,
  tx: WriteTx,
  { workspace }: Submission,
  concerns: readonly EntityVersion[],
  since?: number,
): Promise<Look> {
  if (!workspace) throw new SluiceError('no_workspace', 'No workspace is open for this caller');
  return use.desk.look(tx, workspace, concerns, since);
}

/** Arguments that name pages, in every tool that has them. */
const REFERENCES = ['page', 'parent'];

/**
 * Arguments that mean the same when the proposal is accepted: pages by their ids, because names move on, and the
 * version that a change is made from, because it is merged with what has happened by then. What only adds has none: it
 * is added to whatever is there.
 */
async function lastingArguments(
  use: Gate,
  { input, caller }: Submitted,
  tool: Tool,
  tx: WriteTx,
  about: EntityVersion | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { idempotency_key: _, if_match: strict, ...lasting } = input;
  const kept: Record<string, unknown> = { ...lasting };
  for (const name of REFERENCES) {
    const reference = kept[name];
    if (typeof reference === 'string') kept[name] = await idOf(use, tx, caller, reference, name);
  }
  const takes = (name: string): boolean => Object.hasOwn(tool.input.json.properties ?? {}, name);
  if (takes('base_version')) {
    const madeFrom = tool.write?.adds?.(input) ? undefined : about?.version;
    const base = kept.base_version ?? strict ?? madeFrom;
    return base === undefined ? kept : { ...kept, base_version: base };
  }
  // What cannot be merged and was meant for one text lands on that, or not at all.
  return strict === undefined ? kept : { ...kept, if_match: strict };
}

/** What names nothing here, a page in the trash for example, is an id already. */
async function idOf(
  use: Gate,
  tx: WriteTx,
  caller: Submitted['caller'],
  reference: string,
  field: string,
): Promise<string> {
  try {
    return (await use.sources.resolve(tx, caller, reference, field)).id;
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'not_found') return reference;
    throw error;
  }
}
