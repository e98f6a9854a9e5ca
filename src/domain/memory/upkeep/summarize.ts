/** Summaries without a model: the first sentence of each text, each once, as many as fit. The same every time. */
import { lowerTrust, type Origin } from '../../../kernel/submission.ts';
import { statementKey } from '../item-rules.ts';
import { MAX_BODY_BYTES, type MemoryItem } from '../memory-item.ts';

const LONGEST_LINE = 240;

export function summarize(heading: string, texts: readonly string[]): string {
  const lines = new Map(texts.map((text) => [statementKey(text), firstSentence(text)]));
  const most = MAX_BODY_BYTES.episodic;
  let summary = heading;
  let left = lines.size;
  for (const line of lines.values()) {
    const longer = `${summary}\n- ${line}`;
    const tail = left > 1 ? moreLine(left - 1) : '';
    if (Buffer.byteLength(longer) + Buffer.byteLength(tail) > most) return summary + moreLine(left);
    summary = longer;
    left -= 1;
  }
  return summary;
}

const moreLine = (count: number): string => `\n- … and ${count} more`;

function firstSentence(text: string): string {
  const line = text.trim().replace(/\s+/gu, ' ');
  const end = /[.!?。！？](?=\s|$)/u.exec(line);
  const sentence = end ? line.slice(0, end.index + 1) : line;
  if (sentence.length <= LONGEST_LINE) return sentence;
  return `${sentence
    .slice(0, LONGEST_LINE)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')}…`;
}

type Trust = Pick<MemoryItem, 'origin' | 'lifecycle'>;

/** Nothing made from several things is trusted more than the least trusted of them. */
export function trustOf(items: readonly Trust[]): Trust {
  const origin = items.reduce<Origin>((lowest, item) => lowerTrust(lowest, item.origin), 'authored');
  const canonical = items.every((item) => item.lifecycle === 'canonical');
  const lifecycle =
    origin === 'imported' ? 'draft' : canonical && origin === 'authored' ? 'canonical' : 'candidate';
  return { origin, lifecycle };
}
