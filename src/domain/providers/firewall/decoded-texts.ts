/** What is written as base64 or hexadecimal inside of a text, where it turns out to be text again. */
const BASE64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const HEX = /(?:[0-9a-fA-F]{2}){16,}/g;
const MAX_RUNS = 200;

export function decodedTexts(text: string): readonly string[] {
  const runs = [
    ...(text.match(HEX) ?? []).slice(0, MAX_RUNS).map((run) => Buffer.from(run, 'hex')),
    ...(text.match(BASE64) ?? []).slice(0, MAX_RUNS).map((run) => Buffer.from(run, 'base64')),
  ];
  return runs.map((bytes) => bytes.toString('utf8')).filter(isText);
}

/** Mostly letters and spaces; bytes of pictures and keys are not. */
function isText(text: string): boolean {
  const sample = text.slice(0, 400);
  const letters = sample.match(/[\p{L}\p{N}\s\p{P}]/gu)?.length ?? 0;
  return letters >= Array.from(sample).length * 0.9 && /\s/.test(sample);
}
