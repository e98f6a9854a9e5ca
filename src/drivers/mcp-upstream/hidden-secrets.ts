/**
 * Takes what a server was given out of everything it says: a server that repeats its own credential, by mistake or to
 * hand it to whoever calls, is heard without it.
 */
import type { Message, WireListener } from './wire.ts';

const MARK = '[credential]';
/** What is shorter stands in many texts that have nothing to do with it. */
const SHORTEST = 6;

/** `given` is asked for each message: what was renewed meanwhile is another one. */
export function hearWithout(given: () => readonly string[], listener: WireListener): WireListener {
  return {
    receive(message, of) {
      const forms = formsOf(given());
      if (forms.length > 0) takeOut(message, forms);
      return listener.receive(message, of);
    },
    unsure: () => listener.unsure(),
    end: (...why) => listener.end(...why),
  };
}

export const withoutSecrets = (text: string, given: readonly string[]): string => clean(text, formsOf(given));

/** As it is, and as it looks in addresses and in basic authentication. */
const formsOf = (given: readonly string[]): readonly string[] =>
  given
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [...new Set([secret, encodeURIComponent(secret), base64(secret)])]);

const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');

const clean = (text: string, forms: readonly string[]): string =>
  forms.reduce((left, form) => left.replaceAll(form, MARK), text);

/** In place, because nobody else has the message yet; not by recursion, because it may be as deep as its sender likes. */
function takeOut(message: Message, forms: readonly string[]): void {
  const stack: Record<string, unknown>[] = [message as Record<string, unknown>];
  for (let node = stack.pop(); node; node = stack.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'string') node[key] = clean(value, forms);
      else if (typeof value === 'object' && value !== null) stack.push(value as Record<string, unknown>);
      const name = Array.isArray(node) ? key : clean(key, forms);
      if (name === key) continue;
      node[name] = node[key];
      delete node[key];
    }
  }
}
