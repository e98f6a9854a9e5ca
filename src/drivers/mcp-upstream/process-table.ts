/** Which processes belong to a program that we started: its session, and whatever descends from it. */
import { readdirSync, readFileSync } from 'node:fs';

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
}

/** All that run now; empty where the system does not tell. */
export function processTable(): readonly Row[] {
  let names: readonly string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? readRow(Number(name)) : []));
}

function readRow(pid: number): readonly Row[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Its name is in brackets and may hold anything.
    const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? [] : [{ pid, parent: Number(parent), session: Number(session) }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** The one that leads a session of its own comes first, if it still runs. */
export function processesOf(leader: number, table: readonly Row[] = processTable()): readonly number[] {
  const children = new Map<number, Row[]>();
  for (const row of table) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const found = new Set<number>();
  const waiting = table.filter(({ pid, session }) => pid === leader || session === leader);
  for (let row = waiting.shift(); row; row = waiting.shift()) {
    if (found.has(row.pid)) continue;
    found.add(row.pid);
    waiting.push(...(children.get(row.pid) ?? []));
  }
  return [...found].sort((a, b) => Number(b === leader) - Number(a === leader) || a - b);
}
