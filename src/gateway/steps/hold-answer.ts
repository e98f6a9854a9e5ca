/** Step 17 for an answer that is held: sealed, kept with the record of its call, and opened once a person let it go. */
import { type AnswerHeld, type HeldOutput, packOutput, unpackOutput } from '../../catalogue/answer-held.ts';
import { type Approval, HELD_MS, MAX_HELD, sealPurpose } from '../../domain/governance/approvals/approval.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { ApprovalId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Gate } from '../means.ts';
import type { Outcome } from '../request.ts';
import { type Approved, type Checked, learn } from '../stages.ts';
import { summaryOf } from '../summarise-call.ts';
import { checkOutput } from './check-output.ts';
import { closeAudit } from './close-audit.ts';
import { enclosed } from './enclose.ts';
import { UNDECIDED, wantedBy } from './find-approval.ts';

const MAX_KEPT_BYTES = 64 * 1024 * 1024;

export async function holdAnswer(use: Gate, approved: Approved, held: AnswerHeld): Promise<Outcome> {
  const { caller, entry, draft } = approved;
  const id = use.ids.next<ApprovalId>();
  const sealed = use.secrets.seal(packOutput(held.output), sealPurpose(id));
  const { digest } = await use.blobs.put(bytesOf(sealed), MAX_KEPT_BYTES);
  draft.verdict(held.output.verdict ?? held.verdict);
  const { key, binding, policy, now } = wantedBy(use, approved);
  const approval: Approval = {
    ...key,
    ...UNDECIDED,
    id,
    kind: 'postfirewall',
    state: 'pending',
    call: draft.callId,
    caller: caller.principal,
    run: caller.context.run,
    server: entry.server,
    effect: entry.effect,
    binding,
    policy,
    summary: summaryOf(use, approved, held),
    createdAt: now,
    expiresAt: now + HELD_MS,
    blob: digest,
  };
  const record = draft.close({ status: 'error', code: held.refusal.code }, now);
  await use.units.write({}, async (tx) => {
    await makeRoom(use, tx, approval);
    await use.approvals.store.add(tx, approval);
    await use.audit.appendWith(tx, record);
  });
  const { code, message, details } = held.refusal;
  const told = `${message}; a person can look at it (sluice approval show ${id}) and let it go, then the same call gets it`;
  return {
    ok: false,
    callId: draft.callId,
    error: new SluiceError(code, told, { ...details, approval: id }),
  };
}

/** An older answer to the same call gives way to this one, and the oldest of all where there are too many. */
async function makeRoom(use: Gate, tx: WriteTx, approval: Approval): Promise<void> {
  const { store } = use.approvals;
  const older = (await store.ofKey(tx, approval)).filter(
    ({ kind, state }) => kind === 'postfirewall' && state === 'pending',
  );
  const excess = await store.beyond(tx, { kind: 'postfirewall' }, MAX_HELD - 1);
  for (const one of [...older, ...excess]) {
    await store.change(tx, one.id, { state: 'pending' }, { state: 'expired', blob: null });
    const { blob } = one;
    if (blob !== null)
      tx.afterCommit(async () => {
        await use.blobs.remove(blob);
      });
  }
}

/** The answer as the firewall left it; nothing is called for it. */
export async function openHeld(use: Gate, { id, blob }: Approval): Promise<HeldOutput> {
  const parts: Uint8Array[] = [];
  if (blob === null) throw new SluiceError('not_found', 'The held answer is not there any more');
  for await (const part of use.blobs.read(blob)) parts.push(part);
  return unpackOutput(use.secrets.open(Buffer.concat(parts).toString(), sealPurpose(id)));
}

/** Answers with what was held, once; recorded like any other answer. */
export async function answerReleased(use: Gate, approved: Approved, output: HeldOutput): Promise<Outcome> {
  const submitted = learn(learn(enclosed(approved), 'ticket', undefined), 'submission', undefined);
  const checked: Checked = checkOutput(use, learn(submitted, 'output', output));
  const outcome = await closeAudit(use, checked);
  const { approval } = approved;
  if (approval?.blob) await use.blobs.remove(approval.blob);
  return outcome;
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
