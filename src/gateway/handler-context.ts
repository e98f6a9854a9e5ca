/** What a handler is given besides its input: exactly what the tool's mode entitles it to. */
import type { EffectState, LogLevel, Progress, WriteContext } from '../catalogue/call-context.ts';
import { type Ability, type GoesOn, InputNeeded, type InputRequests } from '../catalogue/input-request.ts';
import type { EntityVersion } from '../kernel/submission.ts';
import type { Submitted } from './stages.ts';

/** The wider type is what `defineTool` narrowed: without a unit there is no ticket, and an action has no store at all. */
export const contextOf = (submitted: Submitted, at: number, carryOut: CarryOut | undefined): WriteContext =>
  new HandlerContext(submitted, at, carryOut) as unknown as WriteContext;

type CarryOut = WriteContext['carryOut'];

/** Keeps what it needs of the call and no more of it: a handler may outlive its call. */
class HandlerContext {
  readonly #slot: Submitted['slot'];
  readonly #noted: EntityVersion[];
  readonly #request: Submitted['request'];
  readonly #draft: Submitted['draft'];
  readonly caller: Submitted['caller'];
  readonly callId: Submitted['draft']['callId'];
  readonly at: number;
  readonly answers: Submitted['resumed']['answers'];
  readonly state: unknown;
  readonly read: Submitted['read'];
  readonly ticket: Submitted['ticket'];
  readonly carryOut: CarryOut | undefined;

  constructor(submitted: Submitted, at: number, carryOut: CarryOut | undefined) {
    this.#slot = submitted.slot;
    this.#noted = submitted.noted;
    this.#request = submitted.request;
    this.#draft = submitted.draft;
    this.caller = submitted.caller;
    this.callId = submitted.draft.callId;
    this.at = at;
    this.answers = submitted.resumed.answers;
    this.state = submitted.resumed.state;
    this.read = submitted.read;
    this.ticket = submitted.ticket;
    this.carryOut = carryOut;
  }

  get signal(): AbortSignal {
    return this.#slot.signal;
  }

  progress(step: Progress): void {
    if (!this.#slot.ended) this.#request.onProgress?.(step);
  }

  log(level: LogLevel, data: unknown): void {
    if (!this.#slot.ended) this.#request.onLog?.({ level, data });
  }

  effect(state: EffectState): void {
    this.#draft.effect(state);
  }

  sends(rules: readonly string[]): void {
    this.#draft.sends(rules);
  }

  can(ability: Ability): boolean {
    return this.#request.abilities?.includes(ability) ?? false;
  }

  ask(requests: InputRequests, state?: unknown, goesOn?: GoesOn): never {
    throw new InputNeeded(requests, state, goesOn);
  }

  noteRead(entity: EntityVersion): void {
    this.#noted.push(entity);
  }
}
