/** How a file of firewall rules is written. Everything in it is data: no pattern, nothing that could be made to run long. */
import { z } from 'zod';
import { CHARACTERS, SENSITIVITY } from './token-shapes.ts';

export const ACTIONS = ['annotate', 'redact', 'withhold', 'block'] as const;
export type Action = (typeof ACTIONS)[number];

/** What speaks to the model cannot be cut out of a text, only held back with it. */
export const SPOKEN_FAMILIES = ['PROMPT_INJECTION', 'TOOL_POISONING', 'UNSAFE_ACTION'] as const;
/** What is taken out of every text; it may be dealt with more strictly, never less. */
const REMOVED_FAMILIES = ['HIDDEN_TEXT', 'EXFILTRATION'] as const;
export type Family =
  | (typeof SPOKEN_FAMILIES)[number]
  | (typeof REMOVED_FAMILIES)[number]
  | (typeof SENSITIVITY)[number];

/** One action for each tier; who is BLOCKED is blocked. */
const byTier = <const A extends readonly [Action, ...Action[]]>(actions: A) =>
  z.strictObject({
    CONTROLLED_LOCAL: z.enum(actions),
    USER_ADDED_REVIEWED: z.enum(actions),
    ORG_MANAGED: z.enum(actions),
  });

const forEach = <K extends string, V extends z.ZodType>(keys: readonly K[], value: V) =>
  z.strictObject(Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>);

const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/);
const family = z.enum(SPOKEN_FAMILIES);
const textRules = z.array(
  z.strictObject({ id, family, texts: z.array(z.string().min(3).max(200)).min(1).max(200) }),
);

export const rulesDocument = z.strictObject({
  version: z
    .string()
    .regex(/^[0-9A-Za-z][0-9A-Za-z._-]{0,39}$/)
    .describe('Named in every verdict'),
  actions: z
    .strictObject({
      ...forEach(SPOKEN_FAMILIES, byTier(['annotate', 'withhold', 'block'])).shape,
      ...forEach(REMOVED_FAMILIES, byTier(['redact', 'withhold', 'block'])).shape,
      ...forEach(SENSITIVITY, byTier(ACTIONS)).shape,
    })
    .describe('What is done about each kind of finding, by trust tier'),
  arguments: forEach(SENSITIVITY, byTier(['annotate', 'block'])).describe(
    'What is done about credentials and personal data in arguments',
  ),
  phrases: z
    .array(
      z.strictObject({
        id,
        family,
        words: z
          .array(z.string().max(2_000))
          .min(2)
          .max(12)
          .describe('Words in lower case, alternatives with |; ~3 = at most three other words'),
      }),
    )
    .max(500),
  unspaced: textRules
    .max(200)
    .describe(
      'Phrases that are looked for without spaces; a space parts steps as in phrases, ~3 = three signs',
    ),
  markers: textRules.max(200).describe('Signs that are looked for as they are, in lower case'),
  redirectors: z.array(z.string().min(3).max(200)).max(500).describe('Hosts, or hosts with a path'),
  tokens: z
    .array(
      z.strictObject({
        id,
        class: z.enum(SENSITIVITY),
        begins: z.array(z.string().min(2).max(64)).min(1).max(50),
        of: z.enum(Object.keys(CHARACTERS) as [keyof typeof CHARACTERS]),
        least: z.int().min(6).max(256),
        most: z.int().min(6).max(512),
        mixed: z.boolean().optional().describe('Only with upper case, lower case and digits in it'),
      }),
    )
    .max(200)
    .describe('Credentials by how they begin'),
});

export type RulesDocument = z.output<typeof rulesDocument>;
