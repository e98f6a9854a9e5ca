/** From the workspace into the folder: what is gone first, then moves, so that places become free, then texts. */
import { posix } from 'node:path';
import { digestOf, partsOf, readAttachment } from '../answer-parts.ts';
import type { Comparison, FileWork, PageWork } from './compare.ts';
import type { Change } from './folder-files.ts';
import { readBytes } from './read-stable.ts';
import { noteOddity } from './report.ts';
import type { SyncMeans } from './take-in.ts';

const AT_ONCE = 100;

export async function writeOut(use: SyncMeans, { pages, files }: Comparison): Promise<void> {
  for (const work of pages) await letGo(use, work);
  for (const work of files) await removeFile(use, work);
  const wanted = pages.filter(({ decision }) => decision.do === 'write');
  const moving = wanted.filter(({ file, page }) => file && file.path !== page?.path);
  await moveFiles(use, moving);
  // A file that was moved just now gets its text the next time, when it rests.
  const writing = wanted.filter((work) => !moving.includes(work));
  for (let i = 0; i < writing.length; i += AT_ONCE) {
    await writeTexts(use, writing.slice(i, i + AT_ONCE));
    await use.save();
  }
  for (const work of files) await writeFile(use, work);
}

/** Whether it is done; if not, it is said or tried again. */
function finished(use: SyncMeans, path: string, change: Change): boolean {
  use.onProgress();
  if (change === 'done') return true;
  if (change === 'changed') use.again();
  else if (change === 'taken') noteOddity(use.report, { path, problem: 'something else stands there' });
  else noteOddity(use.report, { path, problem: change.problem });
  return false;
}

/** Takes away what the workspace has no more, and notes what rests as it is. */
async function letGo(use: SyncMeans, { decision, file, id = '', tied }: PageWork): Promise<void> {
  if (decision.do === 'forget') use.agreed.pages.delete(id);
  if (!file) return;
  if (tied && (decision.do === 'nothing' || decision.do === 'settle'))
    use.agreed.pages.set(id, { ...tied, path: file.path, look: file.look });
  if (decision.do !== 'remove' || !finished(use, file.path, await use.files.remove(file))) return;
  use.agreed.pages.delete(id);
  use.report.written.removed += 1;
}

async function removeFile(use: SyncMeans, { decision, file, path, tied }: FileWork): Promise<void> {
  if (decision === 'nothing' && file && tied)
    use.agreed.files.set(path, { digest: tied.digest, look: file.look });
  if (decision !== 'remove' || !file || !finished(use, path, await use.files.remove(file))) return;
  use.agreed.files.delete(path);
  use.report.written.removed += 1;
}

/** What stands in the way of one may be about to move itself. */
async function moveFiles(use: SyncMeans, moving: readonly PageWork[]): Promise<void> {
  let waiting = [...moving];
  while (waiting.length > 0) {
    const blocked: PageWork[] = [];
    for (const work of waiting) if (!(await moveFile(use, work, work.page?.path ?? ''))) blocked.push(work);
    if (blocked.length < waiting.length) {
      waiting = blocked;
      continue;
    }
    const places = new Set(blocked.map(({ file }) => file?.path));
    const ring = blocked.find(({ page }) => places.has(page?.path));
    if (!ring || !(await stepAside(use, ring))) {
      for (const { page } of blocked) finished(use, page?.path ?? '', 'taken');
      return;
    }
    waiting = blocked.filter((work) => work !== ring);
  }
}

/** False when the place is taken. */
async function moveFile(use: SyncMeans, { file, tied, id }: PageWork, to: string): Promise<boolean> {
  if (!file || !tied || id === undefined) return true;
  const change = await use.files.move(file, to);
  if (change === 'taken') return false;
  if (!finished(use, to, change)) return true;
  use.agreed.pages.set(id, { path: to, digest: tied.digest, version: tied.version });
  use.report.written.moved += 1;
  return true;
}

/** One of several files that want each other's places goes to a place of its own first. */
async function stepAside(use: SyncMeans, work: PageWork): Promise<boolean> {
  const { dir, name, ext } = posix.parse(work.page?.path ?? '');
  use.again();
  return moveFile(use, work, posix.join(dir, `${name} (moving)${ext}`));
}

interface ExportedPage {
  readonly page: string;
  readonly version: string;
  readonly path: string;
  readonly text: string;
  readonly digest: string;
}

async function writeTexts(use: SyncMeans, works: readonly PageWork[]): Promise<void> {
  const byId = new Map(works.map((work) => [work.id, work]));
  for await (const part of partsOf(use.call, 'export_pages', { pages: [...byId.keys()], aliases: false })) {
    const exported = (part.files as ExportedPage[]).filter((one) => {
      const isSame = byId.get(one.page)?.page?.path === one.path;
      if (!isSame) use.again();
      return isSame;
    });
    // New files are tied to their pages before they are there: found there, they are known to be theirs.
    const fresh = exported.filter(({ page }) => !byId.get(page)?.file);
    const stale = await tie(use, fresh);
    const written: ExportedPage[] = [];
    for (const one of exported) {
      const work = byId.get(one.page);
      if (work && !stale.has(one.page) && (await writeText(use, work, one)) && work.file) written.push(one);
    }
    await tie(use, written);
  }
}

/** Of no file. */
const NO_DIGEST = `sha256:${'0'.repeat(64)}`;

async function writeText(use: SyncMeans, { file }: PageWork, one: ExportedPage): Promise<boolean> {
  const { page, path, digest, version, text } = one;
  const isNew = file === undefined;
  if (file?.digest !== digest) {
    const bytes = Buffer.from(text, 'utf8');
    const change = isNew ? await use.files.create(path, bytes) : await use.files.replace(file, bytes);
    // What stands there in its stead was not made of it, though the page is tied to the place.
    if (isNew && change === 'changed' && !use.agreed.pages.has(page))
      use.agreed.pages.set(page, { path, digest: NO_DIGEST, version: '' });
    if (!finished(use, path, change)) return false;
    use.report.written[isNew ? 'created' : 'updated'] += 1;
  }
  use.agreed.pages.set(page, { path, digest, version });
  return true;
}

/** Answers the pages that are others by now. */
async function tie(use: SyncMeans, pages: readonly ExportedPage[]): Promise<ReadonlySet<string>> {
  if (pages.length === 0) return new Set();
  const files = pages.map(({ path, page, version }) => ({ path, page, version }));
  const answer = await use.call('sync_pages', { files, dialect: use.dialect });
  const tied = new Set(
    (answer.files as { path: string; outcome: string }[])
      .filter(({ outcome }) => outcome === 'unchanged')
      .map(({ path }) => path),
  );
  const left = pages.filter(({ path }) => !tied.has(path));
  if (left.length > 0) use.again();
  return new Set(left.map(({ page }) => page));
}

async function writeFile(use: SyncMeans, { decision, path, file, digest }: FileWork): Promise<void> {
  if ((decision !== 'write' && decision !== 'conflict') || digest === undefined) return;
  if (decision === 'conflict' && file) {
    const bytes = await readBytes(use.folder, path);
    const isSeen = bytes !== undefined && digestOf(bytes) === file.digest;
    const kept = isSeen ? await use.files.putBeside(path, bytes, file.digest) : undefined;
    if (kept === undefined) return use.again();
    use.report.conflicts.push({ path, kept });
  }
  const bytes = await readAttachment(use.call, path, digest);
  const change = file ? await use.files.replace(file, bytes) : await use.files.create(path, bytes);
  if (!finished(use, path, change)) return;
  use.report.written[file ? 'updated' : 'created'] += 1;
  use.agreed.files.set(path, { digest });
}
