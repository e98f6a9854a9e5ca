/**
 * Frames the effect of a call: a local write and its audit record share one unit, a read sees one state and is
 * recorded before it is answered, an effect outside of Sluice is recorded before it begins and after it ended.
 */
import { KEEP_RESULTS_MS, type KeptResult, type ResultKey } from '../../domain/governance/kept-results.ts';
import type { Caller } from '../../kernel/caller.ts';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Bound } from '../../kernel/ports/sights.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Sight } from '../../kernel/sight.ts';
import type { EntityVersion } from '../../kernel/submission.ts';
import { readOnlyWorkspace } from '../../kernel/ticket.ts';
import type { Gate } from '../means.ts';
import type { Outcome } from '../request.ts';
import { type Approved, type Checked, type Enclosed, learn } from '../stages.ts';
import { toolAnswer } from './check-output.ts';
import { closeAudit } from './close-audit.ts';

type Perform = (use: Gate, enclosed: Enclosed) => Promise<Checked>;

export async function enclose(use: Gate, approved: Approved, perform: Perform): Promise<Outcome> {
  const { mode } = approved.entry;
  if (mode === 'write') return encloseWrite(use, approved, perform);
  if (mode === 'action') return encloseAction(use, approved, perform);
  const { caller, slot } = approved;
  const changes = changesFor(use, caller);
  const { checked, sight } = await use.units.read(async (scope) => {
    const bound = await use.sights.bind(scope, caller);
    return { checked: await perform(use, enclosed(approved, bound.scope)), sight: bound.sight };
  });
  slot.throwIfEnded();
  if (changes !== changesFor(use, caller)) await requireSight(use, caller, sight);
  return closeAudit(use, checked);
}

const changesFor = (use: Gate, { context }: Caller): number =>
  context.workspace ? use.sights.changes(context.workspace) : 0;

/** What was read while something was taken from the caller is not answered. */
async function requireSight(use: Gate, caller: Caller, before: Sight): Promise<void> {
  const { sight } = await use.units.read((scope) => use.sights.bind(scope, caller));
  if (sight.hidden.every((zone) => before.hidden.includes(zone))) return;
  throw new SluiceError('denied', 'The right to the call was taken away while it was under way');
}

async function encloseWrite(use: Gate, approved: Approved, perform: Perform): Promise<Outcome> {
  const { slot, caller } = approved;
  const options = { workspace: caller.context.workspace, signal: slot.signal };
  return use.units.write(options, async (tx) => {
    slot.throwIfEnded();
    const kept = await recallResult(use, approved, tx);
    if (kept) return closeAudit(use, kept, tx);
    const bound = await use.sights.bind(tx, caller);
    const checked = await perform(use, enclosed(approved, bound.scope, tx, bound));
    await keepResult(use, checked, tx);
    return closeAudit(use, checked, tx);
  });
}

async function encloseAction(use: Gate, approved: Approved, perform: Perform): Promise<Outcome> {
  const { draft, entry, caller } = approved;
  if (entry.needsWorkspace) await refuseReadOnly(use, caller);
  await use.audit.append(draft.start(use.clock.now()));
  const checked = await perform(use, enclosed(approved));
  return closeAudit(use, checked);
}

/** Anew each time: a unit that is tried again has noted nothing yet. */
export function enclosed(
  approved: Approved,
  read?: ReadScope,
  tx?: WriteTx,
  bound?: Bound<WriteTx>,
): Enclosed {
  const noted: EntityVersion[] = [];
  return learn(learn(learn(learn(approved, 'read', read), 'tx', tx), 'bound', bound), 'noted', noted);
}

/** What has effects outside of the store takes no ticket; in a read-only workspace it has none either. */
async function refuseReadOnly(use: Gate, caller: Caller): Promise<void> {
  const { readOnly } = await use.units.read((scope) => use.sights.bind(scope, caller));
  if (readOnly) throw readOnlyWorkspace();
}

/** A retry with the same key and input gets the first answer; with another input it is a mistake. */
async function recallResult(use: Gate, approved: Approved, tx: WriteTx): Promise<Checked | undefined> {
  const key = resultKey(approved);
  if (!key) return undefined;
  const kept = await use.results.find(tx, key);
  if (!kept || kept.at + KEEP_RESULTS_MS < use.clock.now()) return undefined;
  if (kept.inputDigest !== wishOf(approved)) {
    throw new SluiceError('conflict', `"idempotency_key" was used before with other arguments`, {
      field: 'idempotency_key',
      reason: 'idempotency',
    });
  }
  const answer = toolAnswer(JSON.parse(kept.result));
  approved.draft.output(`sha256:${sha256Hex(answer.text)}`, null);
  const submitted = learn(learn(enclosed(approved, tx, tx), 'ticket', undefined), 'submission', undefined);
  return learn(learn(submitted, 'output', answer.structured), 'answer', answer);
}

async function keepResult(use: Gate, checked: Checked, tx: WriteTx): Promise<void> {
  const key = resultKey(checked);
  if (!key || checked.answer.kind !== 'tool') return;
  const at = use.clock.now();
  const kept: KeptResult = { inputDigest: wishOf(checked), result: checked.answer.text, at };
  await use.results.keep(tx, key, kept, at - KEEP_RESULTS_MS);
}

/** The same arguments in another workspace are another wish. */
const wishOf = ({ inputDigest, caller }: Approved): string =>
  `${inputDigest} ${caller.context.workspace ?? ''}`.trimEnd();

function resultKey({ caller, entry, input }: Approved): ResultKey | undefined {
  const key = input.idempotency_key;
  return typeof key === 'string' ? { principal: caller.principal.id, tool: entry.name, key } : undefined;
}
