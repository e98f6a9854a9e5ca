/** Two homes that differ in nothing but pages that one caller must not see, and how their answers are compared. */
import { afterAll, beforeAll } from 'vitest';
import type { Clock } from '../../../src/kernel/clock.ts';
import type { StoreUnderTest } from '../each-store.ts';
import { useFreshDatabase } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { UNLIMITED } from '../unlimited.ts';
import { type Answer, editorNamed, letEditors, openWholeApp, owner, type WholeApp } from '../whole-app.ts';

/** Whom everything secret is hidden from. */
export const mole = editorNamed('mole');

const bot = { ...editorNamed('bot'), origin: 'agent-produced' } as const;

export interface World extends WholeApp {
  /** By title. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Stands still, so that both worlds are of the same age. */
const clock: Clock = { now: () => Date.UTC(2026, 0, 1) };

/** Names that only secret pages have. */
export const SECRET_TITLES = ['Salaries', 'Bonus', 'Ledger', 'Shredded'];

/** The one with secrets and the one without, on databases of their own, for all tests of a suite. */
export function useTwoWorlds(under: StoreUnderTest): () => readonly [real: World, innocent: World] {
  const other = useFreshDatabase();
  let worlds: readonly [World, World] | undefined;
  beforeAll(async () => {
    if (!under.available()) return;
    const config = (): ReturnType<typeof under.config> =>
      under.kind === 'postgres' ? { ...under.config(), 'store.url': other.url ?? '' } : under.config();
    worlds = [
      await buildWorld(temporaryFolder(), under, true),
      await buildWorld(temporaryFolder(), { ...under, config }, false),
    ];
  });
  afterAll(() => Promise.all((worlds ?? []).map(({ app }) => app.close())));
  return () => worlds as readonly [World, World];
}

export async function buildWorld(home: string, under: StoreUnderTest, secret: boolean): Promise<World> {
  const whole = await openWholeApp(home, { ...under.config(), ...UNLIMITED }, clock);
  await letEditors(whole);
  const ids = new Map<string, string>();
  const add = async (
    title: string,
    parent: string | null,
    content: string,
    more: Answer = {},
  ): Promise<void> => {
    const parentId = parent === null ? null : ids.get(parent);
    const made = await whole.call(owner, 'create_page', { title, parent: parentId, content, ...more });
    ids.set(title, String(made.id));
  };
  await add('Team', null, '# Team\n\nPeople and [[Plans]].\n');
  if (secret) {
    await add('Salaries', null, '# Salaries\n\nzebra money [[Team]] and ![[pay.png]]\n', {
      tags: ['confidential'],
      properties: { grade: 'top', paid: 3 },
    });
    await add('Bonus', 'Salaries', '---\naliases: [Windfall]\n---\n\nzebra zebra [[Plans]] [[Team]]\n');
    await add('Ledger', 'Team', 'zebra figures, see [[Plans]]\n', { tags: ['confidential'] });
    // Secret pages with names that others have as well.
    await whole.call(owner, 'create_page', { title: 'Plans', parent: ids.get('Bonus'), content: 'zebra' });
    await add('A shelf for all that is locked away', 'Bonus', 'zebra');
    const shelf = ids.get('A shelf for all that is locked away');
    await whole.call(owner, 'create_page', { title: 'Minutes', parent: shelf, content: 'zebra' });
  }
  await add('Plans', null, '# Plans\n\nAs in [[Salaries]], [[Windfall]] and [[Minutes]]. #public\n');
  await add('Minutes', 'Team', 'zebra once, by [[Team]]; [[team/ledger]]\n', { tags: ['public'] });
  await add('Archive', 'Team', 'Old, see [[Minutes]] and [[Bonus]].\n');
  await whole.call(owner, 'create_page', { title: 'Thrown', parent: ids.get('Team'), content: 'gone' });
  await whole.call(owner, 'delete_page', { page: 'thrown' });
  if (secret) {
    await add('Shredded', 'Salaries', 'zebra gone');
    await whole.call(owner, 'delete_page', { page: 'shredded' });
    await whole.call(owner, 'create_page', {
      title: 'Digest',
      content: 'made',
      derived_from: [ids.get('Ledger')],
    });
    await whole.call(owner, 'delete_page', { page: 'digest' });
    await attach(whole, 'pay.png', 'secret bytes');
    for (const title of ['Salaries', 'Ledger'])
      await whole.call(owner, 'grant_permission', {
        page: ids.get(title),
        subject_type: 'client',
        subject: 'mole',
        level: 'hidden',
      });
  } else {
    await whole.call(owner, 'create_page', { title: 'Digest', content: 'made' });
    await whole.call(owner, 'delete_page', { page: 'digest' });
  }
  await attach(whole, 'logo.png', 'public bytes');
  // Remembered by everybody who sees what it was made from.
  const seen = [ids.get('Plans'), ids.get('Minutes')];
  const remember = (input: Answer): Promise<Answer> => whole.call(owner, 'memory_write', input);
  const fact = { tier: 'semantic', subject: 'dividend', predicate: 'is' };
  await remember({ ...fact, body: 'Small.', sources: seen });
  await remember({ ...fact, body: 'Large.', sources: seen });
  await remember({ tier: 'episodic', body: 'We met.', sources: seen });
  if (secret) {
    const met = await remember({
      tier: 'episodic',
      body: 'We met about the dividend.',
      sources: [ids.get('Salaries'), ...seen],
    });
    // Known only by way of something that is known from a secret page.
    await remember({
      tier: 'semantic',
      subject: 'dividend',
      predicate: 'falls due',
      body: 'Soon.',
      sources: [`memory:${met.id}`],
    });
    // One waits and one has had its no, about what the mole must not know of.
    const forget = { ids: [met.id] };
    const { proposal } = await whole.call(bot, 'memory_forget', forget);
    await whole.call(owner, 'reject_proposal', { proposal: (proposal as Answer).id ?? proposal });
    await whole.call(bot, 'memory_forget', forget);
  }
  if (secret) {
    // A run of which the mole sees nothing is undone, and done again.
    const input = { page: ids.get('Salaries'), edits: [{ op: 'append', text: 'zebra merger\n' }] };
    await whole.ask(owner, { kind: 'tool', name: 'edit_page', arguments: input }, 'merger');
    const undone = await whole.call(owner, 'undo_run', { run: 'author:ann/merger' });
    await whole.call(owner, 'undo_run', { run: undone.undo_run });
  }
  // Pages that link to it are rewritten, seen or not.
  await whole.call(owner, 'rename_page', { page: ids.get('Archive'), title: 'Attic' });
  return { ...whole, ids };
}

async function attach({ call }: WholeApp, path: string, text: string): Promise<void> {
  const { blobs } = await call(owner, 'upload_blobs', { blobs: [Buffer.from(text).toString('base64')] });
  const [{ digest, size } = { digest: '', size: 0 }] = blobs as { digest: string; size: number }[];
  await call(owner, 'import_attachments', {
    files: [{ path, digest, size, media_type: 'image/png', parts: [digest] }],
  });
}

/** Names for ids and versions in the order in which they turn up, so that only which is which is compared. */
export function normaliser(): (text: string) => string {
  const names = new Map<string, string>();
  const nameOf = (found: string): string => {
    const name = names.get(found) ?? `<${names.size}>`;
    names.set(found, name);
    return name;
  };
  return (text) =>
    text
      .replace(/[A-Za-z0-9_-]{12,}/g, (word) => openCursor(word) ?? word)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, nameOf)
      .replace(/_:[0-9a-f]{16}/g, nameOf)
      .replace(/\bv1\.[A-Za-z0-9_.-]+/g, nameOf)
      // Numbers of changes count for the whole workspace.
      .replace(/(change|sequence|undoes|before)(\\*"):\d+/g, '$1$2:#');
}

/** A cursor is JSON in base64; what is in it must not differ either. */
function openCursor(word: string): string | undefined {
  const text = Buffer.from(word, 'base64url').toString('utf8');
  return /^\{"[\w"]+:.*\}$/s.test(text) ? text : undefined;
}
