/** Reads everything a server shows, page by page, within bounds. */

import { MAX_RESOURCES } from '../../domain/providers/check-rest.ts';
import { MAX_TOOLS } from '../../domain/providers/check-surface.ts';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { isShown, type ProviderSurface, type Shown } from '../../domain/providers/surface.ts';
import { isTooDeep } from '../../domain/providers/too-deep.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { Connection, RequestOptions } from './connection.ts';
import type { Greeting } from './protocol.ts';

const METHOD_NOT_FOUND = -32_601;
const MAX_PAGES = 64;
const MAX_BYTES = 4 * 1024 * 1024;
/** Deeper than any schema that is let in, and not too deep to be told to the rest of Sluice. */
const MAX_DEPTH = 56;

export async function readSurface(
  connection: Connection,
  { revision, identity, instructions, capabilities }: Greeting,
  options: RequestOptions,
): Promise<ProviderSurface> {
  const list = async (
    method: string,
    member: string,
    offered: unknown,
    enough = Number.POSITIVE_INFINITY,
  ): Promise<readonly Shown[]> => {
    if (offered === undefined) return [];
    try {
      return await readPages(connection, method, member, options, enough);
    } catch (error) {
      // Many servers have resources and no templates, and say so only when they are asked.
      if (error instanceof UpstreamFailure && error.code === METHOD_NOT_FOUND && member !== 'tools')
        return [];
      throw error;
    }
  };
  const surface = {
    revision,
    identity,
    instructions,
    tools: await list('tools/list', 'tools', capabilities.tools ?? {}, MAX_TOOLS + 1),
    prompts: await list('prompts/list', 'prompts', capabilities.prompts),
    resourceTemplates: await list('resources/templates/list', 'resourceTemplates', capabilities.resources),
    resources: await list('resources/list', 'resources', capabilities.resources, MAX_RESOURCES + 1),
  };
  checkForm(surface);
  return surface;
}

/** What has no canonical form has no pin, and what has no pin is not let in. */
function checkForm(surface: ProviderSurface): void {
  const unwritable = (): UpstreamFailure =>
    new UpstreamFailure('unpinnable', 'It shows something too deep or not writable as text', true);
  if (isTooDeep(surface, MAX_DEPTH)) throw unwritable();
  try {
    if (canonicalJson(surface).length <= MAX_BYTES) return;
  } catch {
    throw unwritable();
  }
  throw new UpstreamFailure('unpinnable', `It shows more than ${MAX_BYTES} bytes of itself`, true);
}

async function readPages(
  connection: Connection,
  method: string,
  member: string,
  options: RequestOptions,
  enough: number,
): Promise<readonly Shown[]> {
  const items: Shown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const result = await connection.request(method, cursor === undefined ? {} : { cursor }, options);
    const page = result[member];
    if (!Array.isArray(page) || !page.every(isShown))
      throw new UpstreamFailure('unpinnable', `Its answer to ${method} has no list of ${member}`, true);
    items.push(...page);
    cursor = typeof result.nextCursor === 'string' ? result.nextCursor : undefined;
    if (cursor === undefined || items.length >= enough) return items.slice(0, enough);
    if (seen.has(cursor))
      throw new UpstreamFailure('unpinnable', `Its answer to ${method} goes round in a circle`, true);
    seen.add(cursor);
  } while (seen.size < MAX_PAGES);
  throw new UpstreamFailure('unpinnable', `Its answer to ${method} has more than ${MAX_PAGES} pages`, true);
}
