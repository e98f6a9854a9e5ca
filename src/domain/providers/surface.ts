/** What an upstream server shows of itself, as it was read. Nothing of it is trusted, and all of it is bounded. */
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.ts';

export type Shown = Readonly<Record<string, unknown>>;

export const isShown = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface ProviderSurface {
  /** The protocol revision that was agreed on. */
  readonly revision: string;
  readonly identity: Shown;
  readonly instructions: string | null;
  readonly tools: readonly Shown[];
  readonly prompts: readonly Shown[];
  readonly resourceTemplates: readonly Shown[];
  /** Absent in what was kept before they were read. */
  readonly resources?: readonly Shown[];
}

/** Named in every pin, so that another way of making them is never mistaken for a change. */
const SCHEME = 'sha256-v1:';

/** What of a tool is shown to a model or decides about a call; icons and private notes are never passed on. */
export const TOOL_FIELDS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
] as const;

export const pinOfTool = (tool: Shown): string => pin(only(tool, TOOL_FIELDS));

const RESOURCE_FIELDS = ['uri', 'name', 'title', 'description', 'mimeType'] as const;

/** One by one: which resources there are changes with what a server holds, what an admitted one is does not. */
export const pinOfResource = (resource: Shown): string => pin(only(resource, RESOURCE_FIELDS));

/** Of everything that is not a tool. */
export function pinOfRest({ identity, instructions, prompts, resourceTemplates }: ProviderSurface): string {
  return pin({
    identity: only(identity, ['name', 'title', 'version']),
    instructions,
    prompts: prompts.map(withoutIcons),
    resourceTemplates: resourceTemplates.map(withoutIcons),
  });
}

export const only = (shown: Shown, fields: readonly string[]): Shown =>
  Object.fromEntries(
    fields.filter((field) => shown[field] !== undefined).map((field) => [field, shown[field]]),
  );

const withoutIcons = ({ icons: _, _meta: __, ...rest }: Shown): Shown => rest;

const pin = (value: unknown): string => SCHEME + sha256Hex(canonicalJson(value));

export const uriOf = (shown: Shown): string => (typeof shown.uri === 'string' ? shown.uri : '');

export const templateOf = (shown: Shown): string =>
  typeof shown.uriTemplate === 'string' ? shown.uriTemplate : '';

export const nameOf = (shown: Shown): string => (typeof shown.name === 'string' ? shown.name : '');
