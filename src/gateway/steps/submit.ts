/**
 * Step 14, the submit boundary: for a writer, builds the submission from the caller and the tool's registration
 * alone and mints the ticket without which the domain changes nothing.
 */
import type { Tool } from '../../catalogue/tool-definition.ts';
import { importLifecycle, lifecycleOf, originOf } from '../../domain/governance/provenance-rules.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { RunId } from '../../kernel/ids.ts';
import type { Bound } from '../../kernel/ports/sights.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { EntityVersion, Submission } from '../../kernel/submission.ts';
import type { Gate } from '../means.ts';
import { type Enclosed, learn, type Submitted } from '../stages.ts';

/** At once for what writes nothing. */
export function submit(use: Gate, enclosed: Enclosed): Submitted | Promise<Submitted> {
  const { entry, bound } = enclosed;
  if (entry.kind !== 'tool' || !entry.write || !bound)
    return learn(learn(enclosed, 'ticket', undefined), 'submission', undefined);
  return submitWrite(use, enclosed, entry, bound);
}

async function submitWrite(
  use: Gate,
  enclosed: Enclosed,
  tool: Tool,
  bound: Bound<WriteTx>,
): Promise<Submitted> {
  const submission = await buildSubmission(use, enclosed, tool, bound);
  enclosed.draft.submission(submission);
  return learn(learn(enclosed, 'submission', submission), 'ticket', use.mint.land(bound.scope, submission));
}

async function buildSubmission(
  use: Gate,
  enclosed: Enclosed,
  tool: Tool,
  { scope, sight, readOnly }: Bound<WriteTx>,
): Promise<Submission> {
  const { caller, draft, input } = enclosed;
  const { workspace } = caller.context;
  const contentArgument = tool.write?.contentArgument;
  return {
    kind: tool.write?.kind ?? 'page',
    callId: draft.callId,
    tool: tool.name,
    caller,
    ...(workspace && { workspace }),
    sight,
    readOnly,
    ...provenanceOf(tool, enclosed),
    ...(contentArgument !== undefined && { content: input[contentArgument] }),
    derivedFrom: await sourcesOf(use, enclosed, tool, scope),
    derived: isDerived(tool),
    at: use.clock.now(),
  };
}

function provenanceOf(tool: Tool, { caller, input }: Enclosed): Pick<Submission, 'origin' | 'lifecycle'> {
  if (!tool.write?.imports) return { origin: originOf(caller), lifecycle: lifecycleOf(caller) };
  const argument = tool.write.canonicalArgument ?? '';
  return { origin: 'imported', lifecycle: importLifecycle(caller, argument, input[argument] === true) };
}

/** What such a tool writes is always made from something: the trail, or what is named beside or out of it. */
const isDerived = ({ write }: Tool): boolean =>
  write?.derivation === 'read-trail' || write?.derivation === 'both';

/** Sources by the tool's rule, each existing and readable, each once, at the version it was read in. */
async function sourcesOf(
  use: Gate,
  enclosed: Enclosed,
  tool: Tool,
  scope: ReadScope,
): Promise<readonly EntityVersion[]> {
  const { caller, input } = enclosed;
  const rule = tool.write?.derivation ?? 'none';
  if (rule === 'none') return [];
  const argument = tool.write?.derivationArgument;
  const named = argument === undefined ? undefined : readReferences(argument, input[argument]);
  const sources = new Map<string, EntityVersion>();
  const trail = await seenTrail(use, scope, caller.context.run);
  const read = new Map(trail.map((source) => [source.id, source]));
  for (const reference of named ?? []) {
    const source = await use.sources.resolve(scope, caller, reference, argument ?? 'derived_from');
    const seen = read.get(source.id);
    if (rule === 'read-trail' && !seen) throw unread(argument, reference);
    sources.set(source.id, seen ?? source);
  }
  // To have been told of something remembered is no reason to name it; a page was asked for.
  const whole = rule === 'both' || (rule === 'read-trail' && named === undefined);
  if (whole) for (const source of trail) if (source.kind === 'page') sources.set(source.id, source);
  if (sources.size === 0 && isDerived(tool)) throw unfounded(tool, named);
  return [...sources.values()];
}

const unread = (field: string | undefined, source: string): SluiceError =>
  new SluiceError(
    'invalid_input',
    `"${source}" was not read in this run; "${field}" names pages out of what was`,
    {
      field,
      source,
    },
  );

function unfounded({ name, write }: Tool, named: readonly string[] | undefined): SluiceError {
  const field = write?.derivationArgument;
  if (named && write?.derivation === 'read-trail')
    return new SluiceError('invalid_input', `${name} writes derived content, but "${field}" is empty`, {
      field,
    });
  return new SluiceError(
    'invalid_input',
    `${name} writes derived content, but this run has read nothing yet`,
  );
}

/** What the run has read and its caller may still see. */
async function seenTrail(use: Gate, scope: ReadScope, run: RunId): Promise<readonly EntityVersion[]> {
  const trail = await use.trail.ofRun(scope, run);
  const seen = await use.sights.seen(scope, new Set(trail.map(({ id }) => id)));
  return trail.filter(({ id }) => seen.has(id));
}

function readReferences(argument: string, value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new SluiceError('invalid_input', `"${argument}" must be a list of strings`, { field: argument });
}
