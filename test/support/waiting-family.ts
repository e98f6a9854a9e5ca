/** Tools that only tests have, each of which waits for a yes: one that reads, one that writes, one with effects outside. */
import { z } from 'zod';
import { AnswerHeld } from '../../src/catalogue/answer-held.ts';
import { Reply, text } from '../../src/catalogue/content.ts';
import { bindFamily, defineFamily } from '../../src/catalogue/family.ts';
import { defineTool } from '../../src/catalogue/tool-definition.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import { requireTicket } from '../../src/kernel/ticket.ts';

interface Means {
  /** Called when a tool really ran. */
  ran(tool: string, input: unknown): void;
}

const shared = {
  scopes: [],
  needsWorkspace: false,
  approval: 'always',
  example: {},
  input: z.object({
    text: z.string().default(''),
    fails: z.boolean().default(false),
    secret: z.string().optional(),
  }),
  output: z.looseObject({}),
} as const;

const look = defineTool({
  ...shared,
  name: 'waiting.look',
  title: 'Look',
  summary: 'Reads something that is nobody else’s business.',
  effect: 'sensitive_read',
  handler: async (use: Means, input) => done(use, 'waiting.look', input),
});

const write = defineTool({
  ...shared,
  name: 'waiting.write',
  title: 'Write',
  summary: 'Changes something here.',
  effect: 'local_side_effect',
  write: { kind: 'setting', derivation: 'none' },
  async handler(use: Means, input, call) {
    requireTicket(call.ticket, 'setting', 'land');
    return done(use, 'waiting.write', input);
  },
});

const act = defineTool({
  ...shared,
  name: 'waiting.act',
  title: 'Act',
  summary: 'Changes something outside.',
  effect: 'external_side_effect',
  async handler(use: Means, input, call) {
    call.effect(input.fails ? 'none' : 'in_doubt');
    const answer = done(use, 'waiting.act', input);
    call.effect('known');
    return answer;
  },
});

/** Asks for something after it got its yes. */
const curious = defineTool({
  ...shared,
  name: 'waiting.curious',
  title: 'Curious',
  summary: 'Wants to know something before it goes on.',
  effect: 'external_side_effect',
  async handler(use: Means, input, call) {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    if (!call.answers.name) call.ask({ name: { kind: 'form', message: 'Who?', schema } }, 'left');
    return done(use, 'waiting.curious', input);
  },
});

/** Its answer is held, whatever it is. */
const held = defineTool({
  ...shared,
  approval: 'never',
  name: 'waiting.held',
  title: 'Held',
  summary: 'Answers with what somebody has to look at first.',
  effect: 'external_side_effect',
  async handler(use: Means, input, call): Promise<{ did: string }> {
    call.effect('in_doubt');
    const { did } = done(use, 'waiting.held', input);
    call.effect('known');
    const refusal = new SluiceError('DELEG_FIREWALL_QUARANTINED', 'The answer is held back');
    throw new AnswerHeld(
      new Reply([text(did)], false, undefined, 'QUARANTINED'),
      'QUARANTINED',
      ['a-rule'],
      refusal,
    );
  },
});

function done(use: Means, tool: string, input: { readonly text: string; readonly fails: boolean }) {
  if (input.fails && failing.delete(input.text)) throw new SluiceError('unavailable', 'Not just now');
  use.ran(tool, input);
  return { did: input.text };
}

/** Texts with which a tool that may fail does so once. */
export const failing = new Set<string>();

const family = defineFamily<Means>('workspace', { tools: [look, write, act, curious, held] });

/** Belongs to the workspace family, so that the default rules allow it. */
export const bindWaiting = (use: Means) => bindFamily(family, use);
