/** The firewall's rules as data: phrases of words with gaps, texts without spaces, and markers. No pattern can run long. */
import given from './rules.json' with { type: 'json' };

export interface PhraseRule {
  readonly id: string;
  readonly family: string;
  /** At each place one of several words, or a gap of at most so many words. */
  readonly steps: readonly (ReadonlySet<string> | number)[];
}

export interface TextRule {
  readonly id: string;
  readonly family: string;
  readonly texts: readonly string[];
}

export interface FirewallRules {
  readonly version: string;
  /** By the words a phrase may begin with, so that a text is read once for all of them. */
  readonly phrases: ReadonlyMap<string, readonly PhraseRule[]>;
  readonly unspaced: readonly TextRule[];
  readonly markers: readonly TextRule[];
  readonly redirectors: readonly string[];
}

interface GivenRules {
  readonly version: string;
  readonly phrases: readonly {
    readonly id: string;
    readonly family: string;
    readonly words: readonly string[];
  }[];
  readonly unspaced: readonly TextRule[];
  readonly markers: readonly TextRule[];
  readonly redirectors: readonly string[];
}

function readRules({ version, phrases, unspaced, markers, redirectors }: GivenRules): FirewallRules {
  const byFirst = new Map<string, PhraseRule[]>();
  for (const { id, family, words } of phrases) {
    const steps = words.map((step) =>
      step.startsWith('~') ? Number(step.slice(1)) : new Set(step.split('|')),
    );
    const [first] = steps;
    if (!(first instanceof Set)) throw new TypeError(`The rule "${id}" must begin with a word`);
    for (const word of first) byFirst.set(word, [...(byFirst.get(word) ?? []), { id, family, steps }]);
  }
  return { version, phrases: byFirst, unspaced, markers, redirectors };
}

export const DEFAULT_RULES = readRules(given);
