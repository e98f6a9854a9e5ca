/** JSON as editors write it: with comments and with commas before a closing bracket. Strings are left alone. */
export function readJsonc(text: string): unknown {
  let plain = '';
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const end = endOfPiece(text, at);
    const piece = text.slice(at, end);
    // A comment leaves its lines behind, so that an error still names the right one.
    plain += piece.startsWith('//') || piece.startsWith('/*') ? piece.replaceAll(/[^\n]/g, ' ') : piece;
    at = end;
  }
  return JSON.parse(withoutLastCommas(plain));
}

/** One string, one comment or one character. */
function endOfPiece(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  if (text.startsWith('//', at)) return orEnd(text, text.indexOf('\n', at));
  if (text.startsWith('/*', at)) {
    const close = text.indexOf('*/', at + 2);
    return close < 0 ? text.length : close + 2;
  }
  return at + 1;
}

function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

const orEnd = (text: string, at: number): number => (at < 0 ? text.length : at);

function withoutLastCommas(text: string): string {
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '"' ? endOfString(text, at) : at + 1;
    const last = text[at] === ',' && /^\s*[}\]]/.test(text.slice(at + 1, at + 1_000));
    plain += last ? ' ' : text.slice(at, end);
    at = end;
  }
  return plain;
}
