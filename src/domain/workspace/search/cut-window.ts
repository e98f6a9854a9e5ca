/**
 * Cuts a stretch out of a text so that neither a grapheme nor, where there is a space near, a word is cut.
 */

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** How far from its edge the window may be shortened to end at a space. */
const nearby = 24;
/** How far back a safe place to begin segmenting is looked for; only flags can be misread without one. */
const lookBehind = 256;

/**
 * The largest range of whole graphemes inside `from` to `to`. `core` should stay inside if it can: an edge
 * moves to a space only outside it.
 */
export function cutWindow(
  text: string,
  from: number,
  to: number,
  core: { start: number; end: number },
): [start: number, end: number] {
  const edges = graphemeEdges(text, from, to);
  let start = edges[0] ?? from;
  let end = edges.at(-1) ?? from;
  if (start > 0) {
    const space = text.indexOf(' ', start);
    const limit = Math.min(start + nearby, core.start);
    if (space >= 0 && space < limit && edges.includes(space + 1)) start = space + 1;
  }
  if (end < text.length) {
    const space = text.lastIndexOf(' ', end);
    if (space >= Math.max(end - nearby, core.end) && edges.includes(space)) end = space;
  }
  return [start, end];
}

/** The grapheme boundaries from `from` to `to`. Segmenting is slow, so only the window is segmented. */
export function graphemeEdges(text: string, from: number, to: number): number[] {
  const safe = from <= 0 ? 0 : Math.max(text.lastIndexOf(' ', from - 1), 0);
  const origin = from - safe > lookBehind ? from - lookBehind : safe;
  // One grapheme beyond, for whether `to` is a boundary shows only in what follows.
  const part = text.slice(origin, Math.min(text.length, to + lookBehind));
  const edges: number[] = [];
  for (const { index } of graphemes.segment(part)) {
    const at = origin + index;
    if (at > to) return edges;
    if (at >= from) edges.push(at);
  }
  if (origin + part.length <= to) edges.push(origin + part.length);
  return edges;
}
