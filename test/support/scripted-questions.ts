/** How a scripted server of the older protocol asks in the middle of a call, well or badly. */
type Json = Record<string, unknown>;
type Say = (message: Json) => void;

export interface ScriptedQuestions {
  /** One after the other, each when the one before was answered. */
  readonly asks: readonly Json[];
  /** All at once, so many times. */
  readonly times?: number;
  /** Where everybody listens, and not where the call is answered. */
  readonly aloud?: boolean;
  /** Answers without waiting for anything, and asks then. */
  readonly afterwards?: boolean;
  /** Not before it hears this method, of whatever call. */
  readonly after?: string;
}

const patient = new Map<unknown, () => void>();

/** Whatever the client sends. */
export function hearMethod({ method }: Json): void {
  const heard = patient.get(method);
  patient.delete(method);
  heard?.();
}

const waiting = new Map<unknown, (message: Json) => void>();
let last = 0;

/** Whatever the client sends; most of it answers no question. */
export function hearAnswer(message: Json): void {
  const heard = waiting.get(message.id);
  if (message.method !== undefined || !heard) return;
  waiting.delete(message.id);
  heard(message);
}

const ask = (question: Json, say: Say): Promise<Json> =>
  new Promise((resolve) => {
    last += 1;
    const id = `question ${last}`;
    waiting.set(id, resolve);
    say({ jsonrpc: '2.0', id, ...question });
  });

/** Answers with what it was told. */
export async function answerAsking(
  { asks, times = 1, aloud, afterwards, after }: ScriptedQuestions,
  say: Say,
  everybody: Iterable<Say>,
  reply: (result: Json) => void,
): Promise<void> {
  const listener = [...everybody].at(-1);
  const to = aloud && listener ? listener : say;
  const told: Json[] = [];
  const text = (): Json => ({ content: [{ type: 'text', text: JSON.stringify(told) }] });
  if (afterwards) reply(text());
  if (after !== undefined) await new Promise<void>((resolve) => patient.set(after, resolve));
  for (const question of asks) {
    const answers = await Promise.all(Array.from({ length: times }, () => ask(question, to)));
    told.push(...answers.map(({ result, error }) => (result ?? error) as Json));
  }
  if (!afterwards) reply(text());
}
