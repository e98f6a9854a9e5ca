/** Makes the item that a submission describes. Whose it is and what it counts as come from the submission. */
import type { MemoryId } from '../../kernel/ids.ts';
import type { Origin, Submission } from '../../kernel/submission.ts';
import { workspaceOf } from '../workspace/page-rules.ts';
import { analyze } from '../workspace/search/analyze.ts';
import { keyOf, type NewItem, placeOf, timesOf } from './item-rules.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';

/** How sure we are of what nobody rated. */
const USUAL_CONFIDENCE: Readonly<Record<Origin, number>> = {
  authored: 1,
  'agent-produced': 0.7,
  imported: 0.5,
};

export function makeItem(
  use: Pick<MemoryMeans, 'ids'>,
  submission: Submission,
  wanted: NewItem,
  further: Partial<MemoryItem> = {},
): MemoryItem {
  const { caller, at } = submission;
  const origin = further.origin ?? submission.origin;
  return {
    id: use.ids.next<MemoryId>(),
    workspace: workspaceOf(submission),
    tier: wanted.tier,
    kind: 'note',
    ...placeOf(wanted, submission),
    owner: caller.principal.id,
    ownerName: caller.principal.name,
    ownerKind: caller.principal.kind,
    run: caller.context.run,
    body: wanted.body,
    subject: wanted.subject ?? null,
    predicate: wanted.predicate ?? null,
    name: wanted.name ?? null,
    description: wanted.description ?? null,
    key: keyOf(wanted),
    sources: submission.derivedFrom,
    origin,
    lifecycle: submission.lifecycle,
    confidence: wanted.confidence ?? USUAL_CONFIDENCE[origin],
    createdAt: at,
    updatedAt: at,
    landedAt: at,
    ...timesOf(wanted, at),
    endedAt: null,
    supersededBy: null,
    replaced: false,
    lastUsedAt: null,
    useCount: 0,
    successes: 0,
    failed: 0,
    failures: 0,
    look: null,
    outcome: wanted.outcome ?? null,
    pinned: wanted.pinned ?? false,
    version: 1,
    trashedAt: null,
    base: null,
    unsupported: false,
    events: null,
    ...further,
  };
}

/** What it is found by. Its subject and name count double, as the title of a page counts more than its text. */
export function tokensOf({ subject, predicate, name, description, body }: MemoryItem): readonly string[] {
  const called = analyze([subject, name].filter((text) => text !== null).join('\n'));
  return [...called, ...called, ...analyze([predicate, description, body].filter((text) => text).join('\n'))];
}
