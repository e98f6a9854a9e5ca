/** Literal search in time that grows with the text alone: no text that is looked for makes it slow. */

/** Where `find` occurs, from left to right, without overlaps. At most `limit` places are told. */
export function findText(text: string, find: string, from: number, to: number, limit: number): number[] {
  const found: number[] = [];
  if (find === '') return found;
  const back = borders(find);
  let matched = 0;
  for (let at = from; at < to && found.length < limit; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && find.charCodeAt(matched) !== code) matched = back[matched - 1] ?? 0;
    if (find.charCodeAt(matched) === code) matched += 1;
    if (matched < find.length) continue;
    found.push(at - find.length + 1);
    matched = 0;
  }
  return found;
}

/** For each beginning of `find` how much of it its own end repeats: how far to go back when the next character differs. */
function borders(find: string): Int32Array {
  const back = new Int32Array(find.length);
  let length = 0;
  for (let i = 1; i < find.length; i += 1) {
    while (length > 0 && find.charCodeAt(i) !== find.charCodeAt(length)) length = back[length - 1] ?? 0;
    if (find.charCodeAt(i) === find.charCodeAt(length)) length += 1;
    back[i] = length;
  }
  return back;
}
