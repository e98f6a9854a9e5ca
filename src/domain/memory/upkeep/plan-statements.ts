/**
 * What episodes have taught: candidates for facts and ways of doing things, with everything they were made from. Only
 * what nothing but a person's own words support, and nothing contradicts, counts at once; the rest waits for a person.
 */
import { makeItem } from '../make-item.ts';
import type { MemoryMeans } from '../means.ts';
import type { MemoryItem } from '../memory-item.ts';
import { isSame, MOST_AWAITING } from '../write-statement.ts';
import { findStatements, type Statement } from './find-statements.ts';
import type { Range } from './plan-episodes.ts';
import { trustOf } from './summarize.ts';

const EPISODES_LOOKED_AT = 2_000;
const STATEMENTS_AT_ONCE = 50;
const MOST_SOURCES = 100;

export async function planStatements(use: MemoryMeans, range: Range): Promise<readonly MemoryItem[]> {
  const { scope, workspace, owner } = range;
  const episodes = await use.memory.recentEpisodes(scope, workspace, owner, EPISODES_LOOKED_AT);
  const waiting = await use.memory.countAwaiting(scope, workspace, range.submission.caller.principal.id);
  const most = Math.min(STATEMENTS_AT_ONCE, MOST_AWAITING - waiting);
  const planned: MemoryItem[] = [];
  for (const statement of findStatements(episodes)) {
    if (planned.length >= most) break;
    const item = itemOf(use, range, statement);
    // Also what was rejected: as long as its evidence is there, nobody is asked twice.
    const known = await use.memory.ofKey(scope, workspace, item, item.key ?? '', 'with trash');
    if (known.some((one) => isKnown(one, item))) continue;
    const contradicts = known.some((one) => one.lifecycle === 'canonical' && one.trashedAt === null);
    planned.push(contradicts ? { ...item, lifecycle: 'candidate' } : item);
  }
  return planned;
}

const isKnown = (one: MemoryItem, item: MemoryItem): boolean =>
  item.tier === 'procedural' ? one.body === item.body : isSame({ ...one, validTo: null }, item);

function itemOf(use: MemoryMeans, { submission }: Range, statement: Statement): MemoryItem {
  const { evidence, ...wanted } = statement;
  const { origin, lifecycle } = trustOf(evidence);
  const mayCount =
    lifecycle === 'canonical' && submission.lifecycle === 'canonical' && wanted.tier === 'semantic';
  return makeItem(use, submission, wanted, {
    ...placeOf(evidence),
    sources: evidence
      .slice(0, MOST_SOURCES)
      .map(({ id, version }) => ({ kind: 'memory', id, version: String(version) })),
    origin,
    lifecycle: mayCount ? 'canonical' : lifecycle === 'canonical' ? 'candidate' : lifecycle,
  });
}

/** What one agent alone has noted stays its own. */
function placeOf(evidence: readonly MemoryItem[]): Pick<MemoryItem, 'scope' | 'scopeKey'> {
  const [first] = evidence;
  const alike =
    first && evidence.every(({ scope, scopeKey }) => scope === first.scope && scopeKey === first.scopeKey);
  return alike ? { scope: first.scope, scopeKey: first.scopeKey } : { scope: 'workspace', scopeKey: '' };
}
