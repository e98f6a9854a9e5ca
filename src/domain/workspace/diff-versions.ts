/** What changed between two versions of a page, line by line or block by block. */
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { alignToBase } from './align-blocks-to-base.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { describeChange } from './describe-change.ts';
import { loadPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import { blocksOf } from './merge-blocks.ts';
import type { Page } from './page.ts';
import { textOf } from './revise-page.ts';
import { cutAt, estimateTokens } from './token-budget.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface DiffWish {
  readonly page: string;
  /** Left out = the version before `to`. */
  readonly from?: string | undefined;
  /** Left out = as it is now. */
  readonly to?: string | undefined;
  readonly form: 'unified' | 'blocks';
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
}

export interface BlockChange {
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: string;
  readonly after: string;
}

export interface VersionDiff {
  readonly page: Page;
  readonly from: string;
  readonly to: string;
  readonly linesAdded: number;
  readonly linesRemoved: number;
  readonly diff?: string;
  readonly blocks?: readonly BlockChange[];
  readonly nextCursor?: string;
}

const place = z.object({ from: z.string(), to: z.string(), at: z.int().min(0) });

export async function diffVersions(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: DiffWish,
): Promise<VersionDiff> {
  const page = await loadPage(use, scope, workspace, wish.page);
  const going = wish.cursor === undefined ? undefined : readCursor(wish.cursor, place);
  const to = going?.to ?? wish.to ?? page.version;
  const after = await textOf(use, scope, page, to, going ? 'cursor' : 'to');
  const from = going?.from ?? wish.from ?? (await versionBefore(use, scope, page, to));
  const before = from === '' ? '' : await textOf(use, scope, page, from, going ? 'cursor' : 'from');
  const { lines_added: linesAdded, lines_removed: linesRemoved } = describeChange(before, after);
  const facts = { page, from, to, linesAdded, linesRemoved };
  const part = (wish.form === 'unified' ? linesFrom : blocksFrom)(before, after, facts, going?.at ?? 0, wish);
  const { next, ...shown } = part;
  return {
    ...facts,
    ...shown,
    ...(next !== undefined && { nextCursor: writeCursor({ from, to, at: next }) }),
  };
}

/** Empty for the first one. */
async function versionBefore(
  use: WorkspaceMeans,
  scope: ReadScope,
  page: Page,
  version: string,
): Promise<string> {
  const event = await use.events.withVersion(scope, page.id, version);
  if (event) return event.beforeVersion ?? '';
  throw new SluiceError('not_found', `"${page.title}" never had the version "${version}"`, { field: 'to' });
}

type Part = Pick<VersionDiff, 'diff' | 'blocks'> & { readonly next?: number };

function linesFrom(
  before: string,
  after: string,
  names: { from: string; to: string },
  at: number,
  { maxTokens }: DiffWish,
): Part {
  const whole = unifiedDiff(before, after, { from: names.from || '/dev/null', to: names.to });
  const edges = [...whole.matchAll(/\n/g)].map(({ index }) => index + 1);
  const end = at >= whole.length ? whole.length : cutAt(whole, at, edges, maxTokens);
  return { diff: whole.slice(at, end), ...(end < whole.length && { next: end }) };
}

function blocksFrom(
  before: string,
  after: string,
  _names: unknown,
  at: number,
  { maxTokens }: DiffWish,
): Part {
  const all = blockChanges(before, after);
  let [end, tokens] = [at, 0];
  for (const change of all.slice(at)) {
    tokens += estimateTokens(change.before) + estimateTokens(change.after) + 10;
    if (end > at && tokens > maxTokens) break;
    end += 1;
  }
  return { blocks: all.slice(at, end), ...(end < all.length && { next: end }) };
}

function blockChanges(before: string, after: string): readonly BlockChange[] {
  const base = blocksOf(before);
  const { blocks, inserted } = alignToBase(base, blocksOf(after));
  const changes: BlockChange[] = [];
  for (let i = 0; i <= base.length; i += 1) {
    for (const { text } of inserted[i] ?? []) changes.push({ change: 'added', before: '', after: text });
    const [was, is] = [base[i], blocks[i]];
    if (was && !is) changes.push({ change: 'removed', before: was.text, after: '' });
    else if (was && is && was.text !== is.text)
      changes.push({ change: 'changed', before: was.text, after: is.text });
  }
  return changes;
}
