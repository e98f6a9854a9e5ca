/**
 * Whether a URI is one that a provider's template stands for. The template is a stranger's and so is the URI, so it is
 * matched letter by letter in one pass, never by a pattern that could run long.
 */
interface Step {
  /** Exactly this character. */
  readonly is?: string;
  /** Any number of these; `first` must come before them, where there are any. */
  readonly fits?: (letter: string) => boolean;
  readonly first?: string;
}

const MAX_URI = 2_048;
const MAX_EXPRESSIONS = 16;
const EXPRESSION = /^([+#./;?&]?)([A-Za-z0-9_.%]+(?::\d{1,4}|\*)?(?:,[A-Za-z0-9_.%]+(?::\d{1,4}|\*)?)*)$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

const except =
  (letters: string) =>
  (letter: string): boolean =>
    !letters.includes(letter);

/** By operator: what its values may hold, and what they begin with. */
const OPERATORS: Readonly<Record<string, Step>> = {
  '': { fits: except('/?#') },
  '+': { fits: () => true },
  '#': { fits: () => true, first: '#' },
  '.': { fits: except('/?#'), first: '.' },
  '/': { fits: except('?#'), first: '/' },
  ';': { fits: except('/?#'), first: ';' },
  '?': { fits: except('#'), first: '?' },
  '&': { fits: except('#'), first: '&' },
};

export interface ReadTemplate {
  readonly variables: readonly string[];
  matches(uri: string): boolean;
}

/** Undefined for what is no template of RFC 6570 with a scheme that is written out. */
export function readTemplate(text: string): ReadTemplate | undefined {
  if (!isSoundUri(text.replaceAll(/[{}]/g, ''))) return undefined;
  const steps: Step[] = [];
  const variables: string[] = [];
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    if (!piece.startsWith('{')) {
      if (/[{}]/.test(piece)) return undefined;
      steps.push(...Array.from(piece, (is) => ({ is })));
      continue;
    }
    const [, operator = '', names] = EXPRESSION.exec(piece.slice(1, -1)) ?? [];
    const step = OPERATORS[operator];
    if (names === undefined || !step || variables.length >= MAX_EXPRESSIONS) return undefined;
    variables.push(...names.split(',').map((name) => name.replace(/[:*].*$/, '')));
    steps.push(step);
  }
  if (!SCHEME.test(text.split('{')[0] ?? '')) return undefined;
  return { variables, matches: (uri) => isSoundUri(uri) && !climbs(uri) && follow(steps, uri) };
}

/** A scheme, no spaces, nothing invisible, not endless. */
export const isSoundUri = (uri: string): boolean =>
  uri.length <= MAX_URI && SCHEME.test(uri) && /^[\x21-\x7e]+$/.test(uri);

/** `..` in any way of writing it: what it leads to is not what the template says. */
function climbs(uri: string): boolean {
  let text = uri;
  for (let times = 0; times < 3; times += 1) {
    if (/(?:^|[/\\])\.{1,2}(?:$|[/\\?#])/.test(text)) return true;
    try {
      text = decodeURIComponent(text);
    } catch {
      return true;
    }
  }
  return /(?:^|[/\\])\.{1,2}(?:$|[/\\?#])|\0/.test(text);
}

/** Which steps the text may have reached, for one letter after the other. */
function follow(steps: readonly Step[], uri: string): boolean {
  let reached = arriveAt(steps, new Set(), 0);
  for (const letter of uri) {
    const next = new Set<string>();
    for (const place of reached) {
      const inside = place.endsWith('+');
      const at = Number.parseInt(place, 10);
      const step = steps[at];
      if (!step) continue;
      if (step.is !== undefined) {
        if (step.is === letter) arriveAt(steps, next, at + 1);
      } else if (inside || step.first === undefined ? step.fits?.(letter) : step.first === letter) {
        next.add(`${at}+`);
        arriveAt(steps, next, at + 1);
      }
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(String(steps.length));
}

/** A step that may be empty is passed at once. */
function arriveAt(steps: readonly Step[], places: Set<string>, at: number): Set<string> {
  places.add(String(at));
  const step = steps[at];
  return step?.fits ? arriveAt(steps, places, at + 1) : places;
}
