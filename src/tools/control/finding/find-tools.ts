/** Ranks tools by the words of a question: as they are, cut short, in other words, or misspelled. */
import type { Tool } from '../../../catalogue/tool-definition.ts';
import { analyze } from '../../../domain/workspace/search/analyze.ts';
import { stopWords } from '../../../domain/workspace/search/stop-words.ts';
import { SHORTEST_CORRECTED, wordsNear } from '../../../kernel/misspelled.ts';
import { synonymsOf } from './synonyms.ts';
import { type ToolWords, wordsOf } from './tool-words.ts';

/** What people say around what they look for. */
const SMALL_TALK = new Set(
  analyze(
    'i me my we you your am is want need please how do does did can could would should which what who where when one some any go here there somebody something tool tools use using help know about put let way',
  ),
);

const SYNONYM = 0.55;
const BEGINNING = 0.7;
const MISSPELLED = 0.6;
/** Of what a tool could have of a question; with less it is named for a word in passing. */
const ENOUGH = 0.11;
/** A word counts half as much as it could at this weight. */
const HALF = 3;
/** How much more a tool counts whose whole name is asked for. */
const NAMED = 0.5;
const MAX_TERMS = 24;

/** Best first; tools that have nothing of the question are left out. */
export function findByWords(tools: readonly Tool[], question: string): readonly Tool[] {
  const documents = tools.map((tool) => ({ tool, words: wordsOf(tool) }));
  const rarity = rarityIn(documents);
  const unknown = rarity('');
  const terms = termsOf(question).map((term): Term => {
    const alternatives = alternativesOf(documents, term);
    return { alternatives, importance: importanceOf(alternatives, rarity, unknown) };
  });
  const most = terms.reduce((sum, { importance }) => sum + importance, 0);
  return documents
    .map(({ tool, words }) => ({ tool, score: scoreOf(words, terms) }))
    .filter(({ score }) => score >= ENOUGH * most && score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

/** Also for whoever asks for nothing but what everybody says: then that is what is meant. */
function termsOf(question: string): readonly string[] {
  const all = [...new Set(analyze(question))].slice(0, MAX_TERMS);
  const telling = all.filter((term) => !stopWords.has(term) && !SMALL_TALK.has(term));
  return telling.length > 0 ? telling : all;
}

type Alternatives = ReadonlyMap<string, number>;

interface Term {
  readonly alternatives: Alternatives;
  readonly importance: number;
}

/** What else would do for a term, and how well. */
function alternativesOf(documents: readonly { readonly words: ToolWords }[], term: string): Alternatives {
  const found = new Map([[term, 1]]);
  for (const other of synonymsOf(term)) found.set(other, SYNONYM);
  const vocabulary = new Set(documents.flatMap(({ words }) => [...words.weights.keys()]));
  if (term.length >= SHORTEST_CORRECTED)
    for (const word of vocabulary)
      if (word !== term && word.startsWith(term)) found.set(word, Math.max(found.get(word) ?? 0, BEGINNING));
  const isKnown = [...found.keys()].some((word) => vocabulary.has(word));
  if (!isKnown && term.length >= SHORTEST_CORRECTED)
    for (const { word } of wordsNear(term, [...vocabulary]).slice(0, 2)) found.set(word, MISSPELLED);
  return found;
}

function rarityIn(documents: readonly { readonly words: ToolWords }[]): (word: string) => number {
  const known = new Map<string, number>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const having = documents.filter(({ words }) => words.weights.has(word)).length;
    const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    known.set(word, rarity);
    return rarity;
  };
}

/** How much a term tells: as much as its rarest word that is known; one that nobody knows tells most and is never met. */
function importanceOf(term: Alternatives, rarity: (word: string) => number, most: number): number {
  const [first = '', ...others] = [...term.keys()];
  const known = [first, ...others].map(rarity).filter((rare) => rare < most);
  return rarity(first) < most ? rarity(first) : Math.max(...known, known.length > 0 ? 0 : most);
}

/** Each term counts once, by whatever fits it best; who has more of the terms comes first. */
function scoreOf({ weights, name }: ToolWords, terms: readonly Term[]): number {
  let [score, matched] = [0, 0];
  for (const { alternatives, importance } of terms) {
    let best = 0;
    for (const [word, fit] of alternatives) {
      const weight = weights.get(word);
      if (weight !== undefined) best = Math.max(best, fit * (weight / (weight + HALF)));
    }
    score += best * importance;
    if (best > 0) matched += 1;
  }
  if (matched === 0) return 0;
  const named = name.filter((word) => terms.some(({ alternatives }) => alternatives.has(word))).length;
  return score * Math.sqrt(matched / terms.length) * (1 + NAMED * (named / name.length));
}
