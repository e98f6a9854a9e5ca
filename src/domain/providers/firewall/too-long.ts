/** What is too long is not let through, and not looked at either: looking costs time for every byte. */
import type { ProviderResult } from '../result.ts';
import type { Inspection } from './verdict.ts';

/** Text of a whole answer. What is less and still long is kept to be read on. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;

export function textBytesOf({ content, structured }: ProviderResult): number {
  const texts = content.map((block) =>
    block.type === 'image' ||
    block.type === 'audio' ||
    (block.type === 'resource' && 'blob' in block.resource)
      ? 0
      : Buffer.byteLength(JSON.stringify(block)),
  );
  const rest = structured === undefined ? 0 : Buffer.byteLength(JSON.stringify(structured));
  return texts.reduce((sum, bytes) => sum + bytes, rest);
}

export const tooLong = (bytes: number, rules: string): Inspection => ({
  verdict: 'SCHEMA_INVALID',
  result: { content: [], structured: undefined, isError: true },
  findings: [{ rule: 'too-large', family: 'SIZE', action: 'block', count: bytes }],
  rules,
  ending: '',
});
