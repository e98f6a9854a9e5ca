/** The rules that hold for every change to a page, whoever calls. */
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import { ReviewRequired } from '../../kernel/review-required.ts';
import { OUTERMOST } from '../../kernel/sight.ts';
import type { Acceptance, Submission } from '../../kernel/submission.ts';
import { nameKey } from './names.ts';
import { MAX_BLOCKS, MAX_CONTENT_BYTES, MAX_LINKS, type PageHeader, type PropertyValue } from './page.ts';
import { lifecycleAt, requireLevel, requireMayAdd } from './permissions/may-write.ts';

/**
 * Where the caller may only read it changes nothing, and what it may only propose waits for an author. `itself` is what
 * the call is about, the page it names first; a `consequence` is what follows from it, links that are rewritten for
 * example, which is the system's doing and needs no level.
 */
export function requireMayChange(
  submission: Submission,
  pages: readonly PageHeader[],
  as: 'itself' | 'consequence' = 'itself',
): void {
  const { accepted, rehearsal } = submission;
  if (as === 'itself') requireLevel(submission, pages);
  if (rehearsal && as === 'itself')
    for (const { id, version } of pages) rehearsal.concerns({ kind: 'page', id, version });
  if (accepted && as === 'itself') requireAgreedTo(accepted, pages);
  requireReviewed(submission, pages);
}

/** For whoever means a page as it was read: refuses unless it is still that. */
export interface Match {
  readonly ifMatch?: string | undefined;
}

export function requireMatch({ title, version }: PageHeader, { ifMatch }: Match): void {
  if (ifMatch === undefined || ifMatch === version) return;
  throw new SluiceError('conflict', `"${title}" has changed since version ${ifMatch}`, {
    reason: 'stale',
    field: 'if_match',
    version,
  });
}

/** An agent never changes canonical content, and nobody does who may only propose there. */
export const needsReview = (submission: Submission, page: PageHeader): boolean =>
  page.lifecycle === 'canonical' && lifecycleAt(submission, page) !== 'canonical';

function requireReviewed(submission: Submission, pages: readonly PageHeader[]): void {
  const canonical = pages.find((page) => needsReview(submission, page));
  if (!canonical) return;
  const message = `"${canonical.title}" is canonical; an author has to make this change`;
  throw new ReviewRequired(message, canonical.id);
}

/** What was accepted changes what was shown to the author and nothing else. */
function requireAgreedTo({ entities }: Acceptance, pages: readonly PageHeader[]): void {
  const other = pages.find((page) => !entities.has(page.id));
  if (!other) return;
  throw new SluiceError(
    'conflict',
    `The proposal was not about "${other.title}", which it would change now`,
    {
      reason: 'grown',
      page: other.id,
    },
  );
}

/** A page that changes its place needs as much where it comes from as where it goes. */
export function requireMayMove(
  submission: Submission,
  page: PageHeader,
  from: PageHeader | null,
  to: PageHeader | null,
): void {
  requireMayAdd(submission, from, 'page');
  requireMayAdd(submission, to, 'parent');
  // What it counts as where it goes decides as well.
  for (const end of [from, to]) requireReviewed(submission, [{ ...page, zone: end?.zone ?? OUTERMOST }]);
}

export function workspaceOf(submission: Submission): WorkspaceId {
  if (submission.workspace) return submission.workspace;
  throw new SluiceError('no_workspace', 'No workspace is open for this caller');
}

/** Text that can be kept byte for byte on every store. */
export function checkContent(content: string, field = 'content'): string {
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_CONTENT_BYTES)
    throw invalidInput(field, `has ${bytes} bytes, a page holds at most ${MAX_CONTENT_BYTES}`);
  if (content.includes('\0') || !content.isWellFormed())
    throw invalidInput(field, 'must be text without NUL characters or lone surrogates');
  return content;
}

export const checkBlockCount = (count: number): void => checkCount(count, MAX_BLOCKS, 'blocks');
export const checkLinkCount = (count: number): void => checkCount(count, MAX_LINKS, 'links');

function checkCount(count: number, limit: number, what: string): void {
  if (count <= limit) return;
  throw invalidInput('content', `has ${count} ${what}, a page holds at most ${limit}`);
}

const MAX_TAGS = 100;
const MAX_PROPERTIES = 100;

/** What the text of a page may hold as a `#tag`. */
const TAG =
  /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Join_Control}_/-]{1,100}$/u;

export const isTag = (tag: string): boolean => TAG.test(tag) && !/^\p{Nd}+$/u.test(tag);

const TAG_RULE = 'letters, digits, _, - and /, with at least one that is not a digit';

export function checkTag(field: string, tag: string): string {
  if (isTag(tag)) return tag;
  throw invalidInput(field, `must be a tag, not "${tag}"; a tag is ${TAG_RULE}`);
}

export function checkTags(tags: readonly string[]): readonly string[] {
  const wrong = tags.find((tag) => !isTag(tag));
  if (wrong !== undefined) throw invalidInput('tags', `holds "${wrong}"; a tag is ${TAG_RULE}`);
  if (tags.length > MAX_TAGS) throw invalidInput('tags', `must be at most ${MAX_TAGS} items long`);
  // Case does not count; the first way of writing it stays.
  return [...new Map(tags.toReversed().map((tag) => [nameKey(tag), tag])).values()].toReversed();
}

export function checkProperties(
  properties: Readonly<Record<string, PropertyValue>>,
): Readonly<Record<string, PropertyValue>> {
  const entries = Object.entries(properties);
  if (entries.length > MAX_PROPERTIES) {
    throw new SluiceError('invalid_input', `"properties" must have at most ${MAX_PROPERTIES} keys`, {
      field: 'properties',
    });
  }
  for (const [key, value] of entries) {
    if (!/^[\p{L}\p{N}_ .-]{1,100}$/u.test(key) || key === '__proto__') {
      throw new SluiceError(
        'invalid_input',
        `"properties" has the key "${key}"; letters, digits and _ . - are fine`,
        {
          field: `properties.${key}`,
        },
      );
    }
    if ([value].flat().some((one) => typeof one === 'string' && one.includes('\0'))) {
      throw new SluiceError('invalid_input', `"properties.${key}" must not hold NUL characters`, {
        field: `properties.${key}`,
      });
    }
  }
  return properties;
}
