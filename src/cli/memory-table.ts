/** Memories as rows, the same in every list of them. */
import { table } from './output.ts';

interface ShownMemory {
  readonly id: string;
  readonly tier: string;
  readonly status?: string;
  readonly subject?: string;
  readonly predicate?: string;
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
}

const LONGEST = 80;

export function memoryTable(items: unknown): string {
  const shown = items as readonly ShownMemory[];
  if (shown.length === 0) return 'Nothing is remembered';
  const rows = shown.map((item) => [
    item.tier,
    item.status ?? '',
    [item.subject ?? item.name, item.predicate].filter((text) => text !== undefined).join(' '),
    shorten(item.body ?? item.description ?? ''),
    item.id,
  ]);
  return table(['TIER', 'STATUS', 'ABOUT', 'WHAT', 'ID'], rows);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

export const TIER_OPTION = {
  name: 'tier',
  value: 'tier',
  summary: 'Only this tier',
  choices: ['working', 'episodic', 'semantic', 'procedural'],
} as const;
