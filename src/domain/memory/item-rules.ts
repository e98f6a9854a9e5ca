/** What an item must be like, tier by tier, whoever writes it. */
import type { Caller } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/errors.ts';
import type { Submission } from '../../kernel/submission.ts';
import { nameKey } from '../workspace/names.ts';
import {
  MAX_BODY_BYTES,
  MAX_DESCRIPTION,
  MAX_NAME,
  type MemoryItem,
  type MemoryScope,
  needsReview,
  type Outcome,
  type Tier,
} from './memory-item.ts';
import { threadOf } from './viewer.ts';

export interface NewItem {
  readonly tier: Tier;
  readonly body: string;
  readonly subject?: string | undefined;
  readonly predicate?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly scope?: MemoryScope | undefined;
  readonly confidence?: number | undefined;
  readonly validFrom?: number | undefined;
  readonly validTo?: number | undefined;
  readonly observedAt?: number | undefined;
  readonly pinned?: boolean | undefined;
  /** For an episode: how it went. */
  readonly outcome?: Outcome | undefined;
  /** For working memory: the thread it belongs to, when it is not the one the call came in. */
  readonly thread?: string | undefined;
  /** The version of what holds now that the writer has seen; another one is a conflict. */
  readonly baseVersion?: string | undefined;
}

/** What a fact says of its subject when nobody says what. */
const DEFAULT_PREDICATE = 'is';

const folded = (text: string): string => nameKey(text.trim().replace(/\s+/gu, ' '));

/** The same words, however they are spaced or capitalised. */
export const sameStatement = (one: string, other: string): boolean => folded(one) === folded(other);

export const statementKey = folded;

export function keyOf(item: Pick<NewItem, 'tier' | 'subject' | 'predicate' | 'name'>): string | null {
  switch (item.tier) {
    case 'working':
      return item.name ?? null;
    case 'episodic':
      return null;
    case 'semantic':
      return `${folded(item.subject ?? '')}\u001f${folded(item.predicate ?? DEFAULT_PREDICATE)}`;
    case 'procedural':
      return folded(item.name ?? '');
  }
}

export function checkItem(wanted: NewItem): void {
  checkBody(wanted.tier, wanted.body);
  if (wanted.tier === 'semantic') requireText('subject', wanted.subject, 'names what the fact is about');
  if (wanted.tier === 'procedural') {
    requireText('name', wanted.name, 'names the way of doing things');
    requireText('description', wanted.description, 'says when to use it');
  }
  checkLength('name', wanted.name, MAX_NAME);
  checkLength('subject', wanted.subject, MAX_NAME);
  checkLength('predicate', wanted.predicate, MAX_NAME);
  checkLength('description', wanted.description, MAX_DESCRIPTION);
  const { scope, tier, outcome } = wanted;
  if (outcome !== undefined && tier !== 'episodic')
    throw invalidInput('outcome', 'is for episodes: memory_update notes how it went to use something else');
  if (scope !== undefined && (scope === 'thread') !== (tier === 'working'))
    throw invalidInput('scope', 'must be "thread" for working memory, and for nothing else');
}

export function checkBody(tier: Tier, body: string): void {
  if (body.trim() === '') throw invalidInput('body', 'must not be empty');
  const bytes = Buffer.byteLength(body);
  const most = MAX_BODY_BYTES[tier];
  if (bytes > most) throw invalidInput('body', `has ${bytes} bytes, ${tier} memory holds at most ${most}`);
  if (body.includes('\0') || !body.isWellFormed())
    throw invalidInput('body', 'must be text without NUL characters or lone surrogates');
}

function requireText(field: string, value: string | undefined, why: string): void {
  if (value === undefined || value.trim() === '') throw invalidInput(field, `is required: it ${why}`);
}

export function checkLength(field: string, value: string | undefined, most: number): void {
  if (value !== undefined && value.length > most)
    throw invalidInput(field, `must be at most ${most} characters long`);
}

type Times = Pick<MemoryItem, 'observedAt' | 'validFrom' | 'validTo'>;

export function timesOf(wanted: NewItem, at: number): Times {
  const observedAt = wanted.observedAt ?? at;
  if (observedAt > at) throw invalidInput('observed_at', 'must not lie in the future');
  const validFrom = wanted.validFrom ?? observedAt;
  const validTo = wanted.validTo ?? null;
  if (validTo !== null && validTo <= validFrom) throw invalidInput('valid_to', 'must lie after "valid_from"');
  return { observedAt, validFrom, validTo };
}

/** What others have not looked at stays with whoever noted it, unless it says otherwise. */
export function placeOf(
  wanted: Pick<NewItem, 'tier' | 'scope' | 'thread'>,
  { caller, lifecycle }: Submission,
): Pick<MemoryItem, 'scope' | 'scopeKey'> {
  if (wanted.tier === 'working') return { scope: 'thread', scopeKey: wanted.thread ?? threadOf(caller) };
  const shared = lifecycle === 'canonical' || needsReview(wanted.tier);
  const scope = wanted.scope ?? (shared ? 'workspace' : 'agent');
  return { scope, scopeKey: scopeKeyOf(scope, caller) };
}

function scopeKeyOf(scope: MemoryScope, caller: Caller): string {
  if (scope === 'agent') return caller.principal.id;
  if (scope !== 'project') return '';
  if (caller.context.project === undefined)
    throw invalidInput('scope', 'cannot be "project": this caller works on none');
  return caller.context.project;
}
