/** Tools that only tests have: slow ones, ones that report progress, ones that fail. They go through the real pipeline. */
import { z } from 'zod';
import { Reply, text } from '../../src/catalogue/content.ts';
import { bindFamily, defineFamily } from '../../src/catalogue/family.ts';
import { defineTool } from '../../src/catalogue/tool-definition.ts';
import { requireTicket } from '../../src/kernel/ticket.ts';

interface Fixtures {
  /** Called with what each tool was given, so that a test sees whether it ran. */
  seen(tool: string, input: unknown): void;
}

const shared = { scopes: [], needsWorkspace: false, output: z.looseObject({}) } as const;

const wait = defineTool({
  ...shared,
  name: 'fixture.wait',
  title: 'Wait',
  summary: 'Waits for a while, reporting progress, or until it is given up.',
  effect: 'external_side_effect',
  example: { ms: 10 },
  limits: { timeoutMs: 60_000 },
  input: z.object({ ms: z.int(), steps: z.int().default(1) }),
  async handler(use: Fixtures, { ms, steps }, call) {
    use.seen('fixture.wait', { ms, steps });
    for (let step = 1; step <= steps; step += 1) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, ms / steps);
        call.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(call.signal.reason);
        });
      });
      call.progress({ progress: step, total: steps, message: `step ${step}` });
    }
    return { waited: ms };
  },
});

const late = defineTool({
  ...shared,
  name: 'fixture.late',
  title: 'Be late',
  summary: 'Never answers in its time.',
  effect: 'external_side_effect',
  example: {},
  limits: { timeoutMs: 500 },
  input: z.object({}),
  handler: (_: Fixtures, __, call) =>
    new Promise<never>((_resolve, reject) => {
      call.signal.addEventListener('abort', () => reject(call.signal.reason));
    }),
});

const fail = defineTool({
  ...shared,
  name: 'fixture.fail',
  title: 'Fail',
  summary: 'Throws an error of its own, with a secret in its message.',
  effect: 'external_side_effect',
  example: {},
  input: z.object({ secret: z.string().default('none') }),
  async handler(use: Fixtures, { secret }) {
    use.seen('fixture.fail', {});
    throw new Error(`connection to db with password ${secret} failed`);
  },
});

const wrong = defineTool({
  ...shared,
  name: 'fixture.wrong_output',
  title: 'Wrong output',
  summary: 'Answers in a shape it does not declare.',
  effect: 'external_side_effect',
  example: {},
  input: z.object({}),
  output: z.object({ count: z.int() }),
  async handler(_use: Fixtures) {
    return { count: 'many' } as unknown as { count: number };
  },
});

const large = defineTool({
  ...shared,
  name: 'fixture.large',
  title: 'Large',
  summary: 'Answers with as many characters as it is asked for, after a while.',
  effect: 'external_side_effect',
  example: { characters: 10 },
  input: z.object({ characters: z.int(), ms: z.int().default(0) }),
  async handler(use: Fixtures, { characters, ms }) {
    use.seen('fixture.large', { characters, ms });
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { text: 'x'.repeat(characters) };
  },
});

const derive = defineTool({
  ...shared,
  name: 'fixture.derive',
  title: 'Derive',
  summary: 'A writer whose sources come from the read trail.',
  effect: 'local_side_effect',
  example: {},
  needsWorkspace: true,
  write: { kind: 'page', derivation: 'read-trail' },
  input: z.object({}),
  async handler(use: Fixtures, _input, call) {
    use.seen('fixture.derive', {});
    // Answers what the boundary made of it; it changes nothing.

    const { submission } = requireTicket(call.ticket, 'page', 'land');
    return { sources: submission.derivedFrom, origin: submission.origin, lifecycle: submission.lifecycle };
  },
});

const labelled = defineTool({
  name: 'fixture.labelled',
  title: 'Labelled',
  summary: 'Answers as if a provider had said it.',
  scopes: shared.scopes,
  needsWorkspace: false,
  effect: 'read_only',
  example: {},
  input: z.object({}),
  handler: async () =>
    new Reply([text('words')], false, { a: 1 }, 'ACCEPTED_OBSERVATION', {
      provider: 'up',
      untrusted: true,
      verdict: 'ACCEPTED_OBSERVATION',
      findings: [],
    }),
});

const fixtureFamily = defineFamily<Fixtures>('workspace', {
  tools: [wait, late, fail, wrong, large, derive, labelled],
});

/** Belongs to the workspace family, so that the default rules allow it. */
export const bindFixtures = (use: Fixtures = { seen: () => undefined }) => bindFamily(fixtureFamily, use);
