/** Credentials and personal data in texts that belong together. What is found is replaced; what is around it stays. */
import type { FirewallRules } from './rules.ts';
import { SECRET_SHAPES } from './secret-shapes.ts';
import { type Sensitivity, type Span, tokenSpans } from './token-shapes.ts';

const MAX_ROUNDS = 4;

export interface SecretFinding {
  readonly rule: string;
  readonly class: Sensitivity;
  readonly count: number;
}

export interface WithoutSecrets {
  readonly texts: readonly string[];
  readonly found: readonly SecretFinding[];
}

/**
 * `masks` says which classes are replaced; the others are only counted. `before` is the end of what the same one said
 * last: a credential may come in pieces, in one answer or over several.
 */
export function findSecrets(
  rules: FirewallRules,
  texts: readonly string[],
  masks: (found: Sensitivity) => boolean,
  before = '',
): WithoutSecrets {
  const counts = new Map<string, SecretFinding>();
  const note = ({ rule, class: sensitivity }: Span): void => {
    counts.set(rule, { rule, class: sensitivity, count: (counts.get(rule)?.count ?? 0) + 1 });
  };
  const whole = texts.map((text) => {
    let now = text;
    // What was taken out may have hidden where something else begins or ends.
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const spans = secretSpans(rules, now).filter((span) => round === 0 || masks(span.class));
      for (const span of spans) note(span);
      const next = without(now, spans, masks);
      if (next === now) break;
      now = next;
    }
    return now;
  });
  const joined = texts.length > 1 ? acrossParts(rules, whole, masks, note) : whole;
  const followed = before === '' ? joined : acrossParts(rules, [before, ...joined], masks, note).slice(1);
  return { texts: followed, found: [...counts.values()] };
}

/** Everything found in one text, from left to right. */
export function secretSpans(
  rules: FirewallRules,
  text: string,
  beginnings?: ReadonlySet<number>,
): readonly Span[] {
  let found: readonly Span[] = tokenSpans(rules.tokens, text, beginnings);
  for (const { id, class: sensitivity, needs, shape, sure, holds, doubtful } of SECRET_SHAPES) {
    if (needs !== undefined && !text.includes(needs)) continue;
    const more: Span[] = [];
    shape.lastIndex = 0;
    for (const match of text.matchAll(shape)) {
      if (holds && !holds(match[0])) continue;
      const span = { from: match.index, to: match.index + match[0].length };
      const doubt = doubtful?.(match[0]) ?? false;
      more.push({ ...span, rule: id, class: sensitivity, sure: sure ?? false, doubtful: doubt });
    }
    if (more.length > 0) found = merge(found, more);
  }
  return found;
}

/** Where two overlap they are one, of the surer kind: what is left of the other would be looked at as something else. */
function merge(first: readonly Span[], more: readonly Span[]): readonly Span[] {
  const sure = new Set(first);
  const merged: Span[] = [];
  for (const span of [...first, ...more].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (!last || last.to <= span.from) {
      merged.push(span);
      continue;
    }
    const kept = sure.has(span) && !sure.has(last) ? span : last;
    const whole = { ...kept, from: last.from, to: Math.max(last.to, span.to) };
    if (sure.has(kept)) sure.add(whole);
    merged[merged.length - 1] = whole;
  }
  return merged;
}

function without(text: string, spans: readonly Span[], masks: (found: Sensitivity) => boolean): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, rule, class: sensitivity } of spans) {
    if (!masks(sensitivity)) continue;
    parts.push(text.slice(at, from), `[${rule} removed]`);
    at = to;
  }
  return at === 0 ? text : parts.join('') + text.slice(at);
}

/** What is a credential only when its pieces are put together; only forms that nothing else has by chance. */
function acrossParts(
  rules: FirewallRules,
  parts: readonly string[],
  masks: (found: Sensitivity) => boolean,
  note: (span: Span) => void,
): readonly string[] {
  const spans = secretSpans(rules, parts.join(''), beginningsOf(parts)).filter(({ sure }) => sure);
  if (spans.length === 0) return parts;
  let start = 0;
  let first = 0;
  return parts.map((part) => {
    const [from, to] = [start, start + part.length];
    start = to;
    while (first < spans.length && (spans[first] as Span).to <= from) first += 1;
    const cut: Span[] = [];
    for (let at = first; at < spans.length && (spans[at] as Span).from < to; at += 1) {
      const span = spans[at] as Span;
      if (span.from >= from && span.to <= to) continue;
      if (span.to <= to) note(span);
      cut.push({ ...span, from: Math.max(span.from, from) - from, to: Math.min(span.to, to) - from });
    }
    return without(part, cut, masks);
  });
}

/** Where each part begins in all of them. */
export function beginningsOf(parts: readonly string[]): ReadonlySet<number> {
  let at = 0;
  return new Set(
    parts.map((part) => {
      at += part.length;
      return at;
    }),
  );
}
