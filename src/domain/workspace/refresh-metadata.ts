/** Keeps a page's tags, aliases and properties equal to what its text says, beside those that somebody set. */
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { type DerivedMetadata, deriveMetadata } from './derive-metadata.ts';
import type { BlockScan } from './markdown/block-scan.ts';
import type { WorkspaceMeans } from './means.ts';
import { nameKey } from './names.ts';
import type { PageHeader } from './page.ts';
import { planRelink } from './plan-relink.ts';
import type { MetadataName } from './ports/page-store.ts';

type Means = Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>;

/** `page` is as the store has it. What somebody set wins over what the text says under the same name. */
export async function refreshMetadata(
  use: Means,
  { tx: { unveiled: tx } }: Pick<Landing, 'tx'>,
  page: PageHeader,
  text: string,
  scan: BlockScan,
): Promise<void> {
  const derived = deriveMetadata(text, page.dialect, scan);
  const names = await use.pages.metadata(tx, page.id);
  if (names.every((name) => !name.derived) && isEmpty(derived)) return;
  const shown = shownMetadata(page, names, derived);
  await use.pages.putDerived(tx, page, derived, shown);
  const own = namesOf(names, 'alias', false);
  await relinkAliases(
    use,
    tx,
    page,
    [...own, ...namesOf(names, 'alias', true)],
    [...own, ...derived.aliases],
  );
}

export const isEmpty = ({ tags, aliases, properties }: DerivedMetadata): boolean =>
  tags.length === 0 && aliases.length === 0 && Object.keys(properties).length === 0;

function shownMetadata(
  page: PageHeader,
  names: readonly MetadataName[],
  derived: DerivedMetadata,
): Pick<PageHeader, 'tags' | 'properties'> {
  const ownTags = new Set(namesOf(names, 'tag', false).map(nameKey));
  const ownKeys = new Set(namesOf(names, 'property', false));
  const own = Object.entries(page.properties).filter(([key]) => ownKeys.has(key));
  return {
    tags: [
      ...page.tags.filter((tag) => ownTags.has(nameKey(tag))),
      ...derived.tags.filter((tag) => !ownTags.has(nameKey(tag))),
    ],
    properties: { ...derived.properties, ...Object.fromEntries(own) },
  };
}

const namesOf = (
  names: readonly MetadataName[],
  kind: MetadataName['kind'],
  derived: boolean,
): readonly string[] =>
  names.filter((name) => name.kind === kind && name.derived === derived).map(({ name }) => name);

/** Links that said an alias may mean something else now. */
async function relinkAliases(
  use: Means,
  tx: Landing['tx'],
  page: PageHeader,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  if (sameNames(before, after)) return;
  const way = await wayTo(use, tx, page);
  const placed = { page: page.id, title: page.title, slug: page.slug, way };
  const { relinked } = await planRelink(use, tx, {
    workspace: page.workspace,
    change: { removed: new Set(), placed: [{ ...placed, aliases: after }] },
    before: [{ ...placed, aliases: before }],
  });
  await use.links.resolve(tx, relinked);
}

const wayTo = async (use: Means, scope: ReadScope, page: PageHeader) =>
  (await use.pages.ways(scope, [page.id])).get(page.id) ?? [];

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a.map(nameKey)).symmetricDifference(new Set(b.map(nameKey))).size === 0;
