/**
 * Which statements episodes support, by their words alone: what several of them say alike, what one of them asks to be
 * remembered, and tasks of one name that were said to have succeeded several times. Nothing is guessed.
 */

import { keyOf, statementKey } from '../item-rules.ts';
import type { MemoryItem } from '../memory-item.ts';

/** Episodes that say the same, and runs they must come from. */
const ENOUGH_EPISODES = 3;
const ENOUGH_RUNS = 2;
const SHORTEST = 8;

export interface Statement {
  readonly tier: 'semantic' | 'procedural';
  readonly subject?: string;
  readonly predicate?: string;
  readonly name?: string;
  readonly description?: string;
  readonly body: string;
  /** Newest first. */
  readonly evidence: readonly MemoryItem[];
}

type Said = Omit<Statement, 'evidence'> & { readonly explicit: boolean };

/** `episodes` newest first; so are the statements, by their newest evidence. */
export function findStatements(episodes: readonly MemoryItem[]): readonly Statement[] {
  const said = new Map<string, { readonly said: Said; explicit: boolean; readonly evidence: MemoryItem[] }>();
  for (const episode of episodes) {
    for (const one of statementsOf(episode)) {
      // A task is the same by its name; how it was done the last time is what counts.
      const words = one.tier === 'procedural' ? '' : statementKey(one.body);
      const key = `${one.tier}\u001f${keyOf(one)}\u001f${words}`;
      const known = said.get(key) ?? { said: one, explicit: false, evidence: [] };
      known.explicit ||= one.explicit;
      known.evidence.push(episode);
      said.set(key, known);
    }
  }
  return [...said.values()].flatMap(({ said: { explicit: _, ...statement }, explicit, evidence }) =>
    explicit || isEnough(evidence) ? [{ ...statement, evidence }] : [],
  );
}

const isEnough = (evidence: readonly MemoryItem[]): boolean =>
  evidence.length >= ENOUGH_EPISODES && new Set(evidence.map(({ run }) => run)).size >= ENOUGH_RUNS;

function statementsOf(episode: MemoryItem): readonly Said[] {
  const { body, subject, predicate, name, outcome } = episode;
  if (name !== null) {
    const description = `How to: ${name}`.slice(0, 200);
    // What failed, or what nobody said the end of, teaches nobody how to do it.
    return outcome === 'success' ? [{ tier: 'procedural', name, description, body, explicit: false }] : [];
  }
  const way = /\bdo it this way[:,]?\s+(.+)/isu.exec(body)?.[1];
  const called = subject ?? undefined;
  if (way !== undefined && called !== undefined)
    return [
      {
        tier: 'procedural',
        name: called,
        description: `How to: ${called}`.slice(0, 200),
        body: way.trim(),
        explicit: true,
      },
    ];
  const asked = [...body.matchAll(/\bremember that[:,]?\s+([^.!?\n]+[.!?]?)/giu)].map((match) =>
    (match[1] ?? '').trim(),
  );
  if (asked.length > 0) return asked.flatMap((text) => factOf(text, subject, predicate, true));
  return factOf(body.trim(), subject, predicate, false);
}

function factOf(
  text: string,
  subject: string | null,
  predicate: string | null,
  explicit: boolean,
): readonly Said[] {
  if (text.length < SHORTEST || Buffer.byteLength(text) > 1024) return [];
  if (subject !== null)
    return [{ tier: 'semantic', subject, ...(predicate !== null && { predicate }), body: text, explicit }];
  const named = /^(.{1,100}?)\s+(is|are|was|were|has|have|prefers|uses|means)\s/iu.exec(text);
  const about = named
    ? { subject: named[1] ?? '', predicate: named[2] ?? '' }
    : { subject: text.slice(0, 100).toWellFormed() };
  return [{ tier: 'semantic', ...about, body: text, explicit }];
}
