/** Credentials that are known by how they begin. Each start is looked at once, and what follows is read once. */

/** From the gravest to the least; the highest that is found counts. */
export const SENSITIVITY = ['CREDENTIAL_LIKE', 'REGULATED', 'UNKNOWN_SENSITIVE', 'USER_PRIVATE'] as const;
export type Sensitivity = (typeof SENSITIVITY)[number];

const table = (members: RegExp): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (members.test(String.fromCharCode(code)) ? 1 : 0));

export const CHARACTERS = {
  'upper-digits': table(/[A-Z0-9]/),
  alphanumeric: table(/[A-Za-z0-9]/),
  word: table(/[A-Za-z0-9_]/),
  'word-dash': table(/[A-Za-z0-9_-]/),
  'word-dash-dot': table(/[A-Za-z0-9_.-]/),
  base64: table(/[A-Za-z0-9+/_=-]/),
} as const;

export interface TokenRule {
  readonly id: string;
  readonly class: Sensitivity;
  readonly begins: readonly string[];
  readonly of: keyof typeof CHARACTERS;
  readonly least: number;
  readonly most: number;
  readonly mixed?: boolean | undefined;
}

export interface TokenShapes {
  readonly starts: RegExp | undefined;
  readonly byStart: ReadonlyMap<string, TokenRule>;
}

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly rule: string;
  readonly class: Sensitivity;
  /** Sure enough to be one thing even where its parts came apart. */
  readonly sure: boolean;
  /** As likely a word of somebody who writes about such things. */
  readonly doubtful?: boolean;
}

export function tokenShapes(rules: readonly TokenRule[]): TokenShapes {
  const byStart = new Map(rules.flatMap((rule) => rule.begins.map((begin) => [begin, rule] as const)));
  const words = [...byStart.keys()]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[^A-Za-z0-9]/g, '\\$&'));
  const starts = words.length === 0 ? undefined : new RegExp(words.join('|'), 'g');
  return { starts, byStart };
}

/** `beginnings` are places where something begins, whatever stands before it. */
export function tokenSpans(
  { starts, byStart }: TokenShapes,
  text: string,
  beginnings?: ReadonlySet<number>,
): readonly Span[] {
  if (!starts) return [];
  const found: Span[] = [];
  starts.lastIndex = 0;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const [begin] = start;
    const rule = byStart.get(begin) as TokenRule;
    const from = start.index;
    const inside = CHARACTERS.alphanumeric[text.charCodeAt(from - 1)] === 1 && !beginnings?.has(from);
    const to = inside ? undefined : endOf(text, from + begin.length, rule);
    if (to === undefined) {
      starts.lastIndex = from + 1;
      continue;
    }
    found.push({ from, to, rule: rule.id, class: rule.class, sure: true });
    starts.lastIndex = to;
  }
  return found;
}

/** Where the token ends; undefined when it is too short, or only the beginning of something else. */
function endOf(text: string, from: number, { of, least, most, mixed }: TokenRule): number | undefined {
  const members = CHARACTERS[of];
  let to = from;
  while (to - from < most && members[text.charCodeAt(to)] === 1) to += 1;
  if (to - from < least || CHARACTERS.alphanumeric[text.charCodeAt(to)] === 1) return undefined;
  return mixed && !isMixed(text.slice(from, to)) ? undefined : to;
}

const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
