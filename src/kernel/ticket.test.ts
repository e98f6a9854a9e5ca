import { describe, expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import type { CallId, CredentialId, PrincipalId, RunId } from './ids.ts';
import type { WriteTx } from './ports/unit-of-work.ts';
import type { Submission, WriteKind } from './submission.ts';
import {
  createTicketMint,
  Landing,
  LandTicket,
  ProposeTicket,
  requireTicket,
  type TicketMode,
} from './ticket.ts';

const caller: Caller = {
  surface: 'in-process',
  principal: { kind: 'author', id: 'owner' as PrincipalId, name: 'owner' },
  credential: 'c' as CredentialId,
  role: 'owner',
  scopes: new Set(),
  reach: 'both',
  allowedOrigin: 'authored',
  context: { run: 'r' as RunId },
};

const submissionOf = (kind: WriteKind): Submission => ({
  kind,
  callId: 'call' as CallId,
  tool: 'create_page',
  caller,
  origin: 'authored',
  lifecycle: 'canonical',
  derivedFrom: [],
  at: 0,
});

/** Tickets only carry the transaction; nothing here runs a statement. */
const tx: WriteTx = Object.create(null);
const mint = createTicketMint();
/** Anything at all where a ticket is wanted, as JavaScript allows it. */
const spend: (ticket: unknown, kind?: WriteKind, mode?: TicketMode) => Landing = (
  ticket,
  kind = 'page',
  mode = 'land',
) => Reflect.apply(requireTicket, undefined, [ticket, kind, mode]);

describe('[PIPE-04] a ticket', () => {
  it('is spent once, and gives what it was minted with', () => {
    const submission = submissionOf('page');
    const ticket = mint.land(tx, submission);
    const landing = requireTicket(ticket, 'page', 'land');
    expect(landing.tx).toBe(tx);
    expect(landing.submission).toBe(submission);
    expect(Landing.holds(landing)).toBe(true);
    expect(() => requireTicket(ticket, 'page', 'land')).toThrow('spent twice');
  });

  it('is for one kind of write and one mode, and a wrong try does not spend it', () => {
    const ticket = mint.land(tx, submissionOf('page'));
    expect(() => spend(ticket, 'policy')).toThrow('ticket to land policy, this one is to land page');
    expect(() => spend(ticket, 'page', 'propose')).toThrow('ticket to propose page');
    expect(spend(ticket).submission.kind).toBe('page');
  });

  it('to propose never lands', () => {
    const ticket = mint.propose(tx, submissionOf('page'));
    expect(() => spend(ticket, 'page', 'land')).toThrow('this one is to propose page');
    expect(ProposeTicket.holds(ticket)).toBe(true);
    expect(LandTicket.holds(ticket)).toBe(false);
    expect(spend(ticket, 'page', 'propose').submission.kind).toBe('page');
  });

  it('to propose does not land when its mode is written over', () => {
    const ticket = mint.propose(tx, submissionOf('page'));
    for (const name of ['mode', '#mode', '_mode']) Reflect.defineProperty(ticket, name, { value: 'land' });
    expect(() => spend(ticket, 'page', 'land')).toThrow('this one is to propose page');
  });

  const genuine = () => mint.land(tx, submissionOf('page'));
  it.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['null', () => null],
    ['text', () => 'ticket'],
    ['an object of the same form', () => ({ mode: 'land', tx, submission: submissionOf('page') })],
    ['a copy of its fields', () => ({ ...genuine() })],
    ['a structured clone', () => structuredClone(genuine())],
    ['what came through JSON', () => JSON.parse(JSON.stringify(genuine()))],
    ['an object with its prototype', () => Object.create(Object.getPrototypeOf(genuine()))],
    ['an object that inherits from it', () => Object.create(genuine())],
    ['an object dressed up afterwards', () => Object.setPrototypeOf({}, Object.getPrototypeOf(genuine()))],
    ['a proxy around it', () => new Proxy(genuine(), {})],
    ['a spent one’s landing', () => spend(genuine())],
  ])('is not forged by %s', (_, forge) => {
    const forged = forge();
    expect(() => spend(forged)).toThrow('without a ticket from the submit boundary');
  });

  it('is not made by its own constructors without the seal', () => {
    for (const model of [genuine(), mint.propose(tx, submissionOf('page')), spend(genuine())]) {
      for (const key of [Symbol('ticket'), Symbol.for('ticket'), undefined]) {
        const make = Object.getPrototypeOf(model).constructor;
        expect(() => Reflect.construct(make, [key, tx, submissionOf('page')])).toThrow('without a ticket');
      }
    }
  });
});
