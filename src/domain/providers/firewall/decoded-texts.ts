/** What is written inside of a text as base64, hexadecimal or escapes, where it turns out to be text again. */

/** Lines of one run may follow each other. */
const BASE64 = /[A-Za-z0-9+/_-]{24,}(?:\r?\n[A-Za-z0-9+/_-]{16,})*={0,2}/g;
const HEX = /(?:[0-9a-fA-F]{2}){16,}/g;
const SPACED_HEX = /(?:(?:0x|\\x)?[0-9a-fA-F]{2}[\s,:;-]{1,2}){12,}(?:0x|\\x)?[0-9a-fA-F]{2}/g;
const ESCAPES = /(?:%[0-9a-fA-F]{2})+|&#(?:x[0-9a-fA-F]{2,6}|\d{2,7});|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}/g;

/** Text in text in text; each time what is left is shorter. */
const MAX_LAYERS = 3;

/** All of it, layer by layer; together never much longer than the text itself. */
export function decodedTexts(text: string): readonly string[] {
  const layers: string[] = [];
  for (let layer = decoded(text); layer !== '' && layers.length < MAX_LAYERS; layer = decoded(layer))
    layers.push(layer);
  return layers;
}

function decoded(text: string): string {
  const found = [
    ...Array.from(text.match(HEX) ?? [], (run) => Buffer.from(run, 'hex')),
    ...Array.from(text.match(SPACED_HEX) ?? [], (run) =>
      Buffer.from(run.replaceAll(/0x|\\x|[^0-9a-fA-F]/g, ''), 'hex'),
    ),
    ...Array.from(text.match(BASE64) ?? [], (run) => Buffer.from(run, 'base64')),
  ]
    .map((bytes) => bytes.toString('utf8'))
    .filter(isText);
  const plain = text.replace(ESCAPES, unescaped);
  return [...found, ...(plain === text ? [] : [plain])].join(' ');
}

function unescaped(written: string): string {
  if (written.startsWith('%')) return Buffer.from(written.replaceAll('%', ''), 'hex').toString('utf8');
  const digits = written.replaceAll(/^(?:&#x?|\\[ux])|;$/g, '');
  const code = Number.parseInt(digits, /^&#\d/.test(written) ? 10 : 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Mostly letters and spaces, or wrapped up once more; bytes of pictures and keys are neither. */
function isText(text: string): boolean {
  if (/^[A-Za-z0-9+/_=\r\n-]{24,}$/.test(text)) return true;
  const sample = text.slice(0, 400);
  const letters = sample.match(/[\p{L}\p{N}\s\p{P}]/gu)?.length ?? 0;
  return letters >= Array.from(sample).length * 0.9 && /\s/.test(sample);
}
