/** Page row, document, blocks and search entry say the same. */

import { outline } from '../../../src/domain/workspace/markdown/outline.ts';
import { splitBlocks } from '../../../src/domain/workspace/markdown/split-blocks.ts';
import { countWords } from '../../../src/domain/workspace/page.ts';
import { pageTokens } from '../../../src/domain/workspace/search/analyze.ts';
import { createTextDocuments } from '../../../src/drivers/loro/text-documents.ts';
import { sha256Hex } from '../../../src/kernel/canonical-json.ts';
import type { IndexedToken, Snapshot } from './snapshot.ts';

const TEXT_EVENTS = new Set(['page_created', 'content_changed', 'links_rewritten']);

export function* checkTexts(all: Snapshot): Generator<string> {
  const texts = createTextDocuments();
  const documents = new Map(all.documents.map((row) => [row.page_id, row]));
  const updates = Map.groupBy(all.updates, (row) => row.page_id);
  const events = Map.groupBy(all.events, (event) => event.page_id);
  const tokens = Map.groupBy(all.tokens, (token) => token.number);
  for (const page of all.pages) {
    const name = `page ${page.id} "${page.title}"`;
    const document = documents.get(page.id);
    if (!document) {
      yield `${name} has no document`;
      continue;
    }
    const since = updates.get(page.id) ?? [];
    if (since.length !== document.updates || since.some((update, i) => update.number !== i + 1))
      yield `${name} has ${since.length} updates, its document says ${document.updates}`;
    const stored = { snapshot: document.snapshot, updates: since.map((update) => update.bytes) };
    if (texts.textAt(stored, page.version) !== page.content)
      yield `${name}: the text of its version is not its content`;
    yield* checkBlocks(name, page.content, document.blocks);
    if (page.words !== countWords(page.content)) yield `${name} has a wrong number of words`;
    // Every version that anybody was ever told can still be read.
    let version: string | null = null;
    for (const event of events.get(page.id) ?? []) {
      if (event.before_version !== version)
        yield `${name}: event ${event.sequence} begins at another version than the one before it left`;
      version = event.after_version;
      if (TEXT_EVENTS.has(event.kind) && (version === null || texts.textAt(stored, version) === undefined))
        yield `${name}: the text of event ${event.sequence} is lost`;
      if (!TEXT_EVENTS.has(event.kind) && event.before_version !== event.after_version)
        yield `${name}: event ${event.sequence} changed the text without saying so`;
    }
    if (version !== page.version) yield `${name} has a version that no event left`;
    yield* checkSearch(name, page, tokens.get(page.number) ?? []);
  }
  const numbers = new Set(all.pages.map((page) => page.number));
  for (const number of tokens.keys())
    if (!numbers.has(number)) yield `the search index has an entry ${number} of no page`;
}

function* checkBlocks(name: string, content: string, packed: string): Generator<string> {
  const blocks = JSON.parse(packed) as [string, string, number, number, string][];
  const joined = blocks.map(([, , start, end]) => content.slice(start, end)).join('');
  if (joined !== content) yield `${name}: its blocks do not join to its text`;
  if (new Set(blocks.map(([id]) => id)).size !== blocks.length) yield `${name}: two blocks have one id`;
  const slices = splitBlocks(content).map(({ kind, start, end }) => [kind, start, end]);
  const kept = blocks.map(([, kind, start, end]) => [kind, start, end]);
  if (JSON.stringify(kept) !== JSON.stringify(slices)) yield `${name}: its blocks are not those of its text`;
  for (const [id, , start, end, digest] of blocks)
    if (digest !== sha256Hex(content.slice(start, end)).slice(0, 16))
      yield `${name}: block ${id} has a wrong digest`;
}

function* checkSearch(
  name: string,
  page: Snapshot['pages'][number],
  found: readonly IndexedToken[],
): Generator<string> {
  if (page.trash_batch !== null) {
    if (found.length > 0) yield `${name} is in the trash and in the search index`;
    return;
  }
  const headings = outline(page.content).map((heading) => heading.title);
  const wanted = pageTokens({ title: page.title, headings, body: page.content });
  const count = new Map<string, number>();
  for (const [field, own] of Object.entries(wanted))
    for (const token of own) count.set(`${field} ${token}`, (count.get(`${field} ${token}`) ?? 0) + 1);
  const kept = new Map(found.map((token) => [`${token.field} ${token.token}`, token.count]));
  for (const key of new Set([...count.keys(), ...kept.keys()]))
    if (count.get(key) !== kept.get(key))
      yield `${name}: the search index has "${key}" ${kept.get(key) ?? 0} times instead of ${count.get(key) ?? 0}`;
}
