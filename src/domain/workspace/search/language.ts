/**
 * Which language a page is written in, told from its small words, as far as it matters for the endings of its words.
 * Without clear signs it is taken for English.
 */
import { foldText } from './fold.ts';

/** `other`: known to be none of these, so that its words stay as they are. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'other'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Folded. Those of languages without a stemmer are here to keep them from being taken for one that has. */
const SMALL_WORDS: readonly (readonly [Language, string])[] = [
  ['en', 'the and of to is that it for was with as are this be not have from by which you or an at if when'],
  [
    'de',
    'der die das und ist nicht ein eine zu den mit von dem sich auf fur auch als wird im sind oder wie einen',
  ],
  ['fr', 'le la les de des et est une un du dans que qui pour pas sur au avec ce sont l d qu n ou par vous'],
  ['es', 'el la los las de una un que y del se por con para como es no su al lo esta en mas son si'],
  ['other', 'il di che e la per una un del sono con non della gli nel piu alla le dei si da i'],
  ['other', 'o os a as de um uma nao com para que do da em dos das ao e mais se por no na'],
  ['other', 'de het een van en is dat niet op te zijn met voor aan ook die er als wordt bij'],
  ['other', 'och att som det en av ar pa inte med for den till ett om har de kan'],
  ['other', 'og at det er en af ikke til med for den som pa de har et jeg vi der'],
  ['other', 'nie sie jest na do z w i ze to o jak po za od dla sa'],
];

const READ = 4_000;
/** Fewer small words are no sign. */
const FEWEST = 4;
const SMALLEST_SHARE = 0.1;
/** How far ahead of the next language one has to be. */
const AHEAD = 1.2;

/** For each small word the lists it is on. */
const lists = Map.groupBy(
  SMALL_WORDS.flatMap(([, words], list) => words.split(' ').map((word) => ({ word, list }))),
  ({ word }) => word,
);

export const languageOf = ({ title, body }: { readonly title: string; readonly body: string }): Language =>
  clearLanguage(`${body.slice(0, READ)}\n${title}`) ?? 'en';

/** Undefined where the text does not tell. */
export function clearLanguage(text: string): Language | undefined {
  const words = foldText(text).match(/[a-z]+/g) ?? [];
  const counts = SMALL_WORDS.map(() => 0);
  for (const word of words)
    for (const { list } of lists.get(word) ?? []) counts[list] = (counts[list] ?? 0) + 1;
  const most = Math.max(...counts);
  const best = SMALL_WORDS[counts.indexOf(most)]?.[0] ?? 'en';
  const next = Math.max(0, ...counts.filter((_, i) => SMALL_WORDS[i]?.[0] !== best));
  const isClear = most >= FEWEST && most >= words.length * SMALLEST_SHARE && most >= next * AHEAD;
  return isClear ? best : undefined;
}
