/** A person with editors and git in a folder that is synced: writes in place and by renaming, moves, deletes, checks out. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Random } from './random.ts';
import { pathsIn } from './synced-folder.ts';
import { Tokens, tokensIn } from './tokens.ts';

export class FolderHand {
  readonly tokens: Tokens;
  readonly #folder: string;
  /** Outside of the folder, on the same file system. */
  readonly #desk: string;
  readonly #random: Random;
  readonly #spared: ReadonlySet<string>;
  #names = 0;
  #branches = ['main'];

  constructor(folder: string, desk: string, random: Random, name: string, spared: readonly string[]) {
    this.#folder = folder;
    this.#desk = desk;
    this.#random = random;
    this.#spared = new Set(spared);
    this.tokens = new Tokens(name);
  }

  startGit(): void {
    this.#git('init', '-q', '-b', 'main');
    this.#git('add', '-A');
    this.#git('commit', '-qm', 'first');
  }

  step(): void {
    const notes = pathsIn(this.#folder).filter((path) => path.endsWith('.md') && !this.#spared.has(path));
    const kind = notes.length < 4 ? 0 : this.#random.between(0, 9);
    try {
      if (kind <= 1) this.#create();
      else if (kind <= 4) this.#editInPlace(this.#random.pick(notes));
      else if (kind <= 6) this.#editByRename(this.#random.pick(notes));
      else if (kind === 7) this.#move(this.#random.pick(notes));
      else if (kind === 8) this.#remove(this.#random.pick(notes));
      else this.#moveFolder(this.#random.pick(notes));
    } catch (error) {
      // The sync was quicker: the file is not there any more.
      if (!['ENOENT', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }

  /** Commits what there is and goes to another branch, or back. */
  gitStep(): void {
    try {
      this.#git('add', '-A');
      this.#git('commit', '-qm', 'more', '--allow-empty');
      if (this.#branches.length < 4 && this.#random.oneIn(3)) {
        const name = `b${this.#branches.length}`;
        this.#git('checkout', '-q', '-b', name);
        this.#branches.push(name);
        return;
      }
      const before = this.#tokensAt('HEAD');
      const branch = this.#random.pick(this.#branches);
      this.#git('checkout', '-q', branch);
      this.tokens.replaced(before.join(' '), this.#tokensAt('HEAD').join(' '));
    } catch (error) {
      // Files that changed since the commit are in its way: it leaves everything as it is.
      if (
        !/overwritten|would be|index\.lock|unable to|ENOENT|pathspec|No such file|short read/.test(
          String(error),
        )
      )
        throw error;
    }
  }

  #tokensAt(commit: string): string[] {
    try {
      return tokensIn(this.#git('grep', '-h', '-o', '-E', 'tok[a-z]+[0-9]+x', commit));
    } catch {
      return [];
    }
  }

  #git(...args: string[]): string {
    const own = [
      '-c',
      'user.name=Hand',
      '-c',
      'user.email=hand@example.org',
      '-c',
      'core.autocrlf=false',
      '-c',
      'gc.auto=0',
    ];
    return execFileSync('git', [...own, ...args], {
      cwd: this.#folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  #paragraph(): string {
    return `A paragraph with ${this.tokens.next()} in it.`;
  }

  #create(): void {
    this.#names += 1;
    const folder = this.#random.pick(['', '', 'Area/', 'Area/Sub/', `Topic ${this.#random.between(1, 3)}/`]);
    const path = `${folder}Hand ${this.#names}.md`;
    const text = `# Title\n\n${this.#paragraph()}\n`;
    mkdirSync(dirname(this.#at(path)), { recursive: true });
    writeFileSync(this.#at(path), text, { flag: 'wx' });
    this.tokens.replaced('', text);
  }

  /** Adds a paragraph somewhere, or takes one out. */
  #changed(text: string): string {
    const blocks = text.split('\n\n');
    const at = this.#random.between(0, blocks.length);
    if (this.#random.oneIn(4) && blocks.length > 2) blocks.splice(Math.min(at, blocks.length - 1), 1);
    else blocks.splice(at, 0, this.#paragraph());
    return `${blocks.join('\n\n').replace(/\n*$/, '')}\n`;
  }

  #editInPlace(path: string): void {
    const file = openSync(this.#at(path), 'r+');
    const before = readFileSync(file, 'utf8');
    const after = this.#changed(before);
    ftruncateSync(file);
    writeSync(file, after, 0);
    const own = fstatSync(file).ino;
    closeSync(file);
    // Replaced under its hands: an editor that looks would say that the file is gone.
    if (statSync(this.#at(path), { throwIfNoEntry: false })?.ino === own) this.tokens.replaced(before, after);
  }

  /** Takes the file away, as it is by then, and puts another in its place, as some editors do. */
  #editByRename(path: string): void {
    const [former, draft] = [join(this.#desk, 'former'), join(this.#desk, 'draft')];
    renameSync(this.#at(path), former);
    const before = readFileSync(former, 'utf8');
    const after = this.#changed(before);
    writeFileSync(draft, after);
    this.tokens.replaced(before, after);
    this.#putDown(draft, path);
  }

  /** The sync may have put something there, or removed the folder. */
  #putDown(draft: string, path: string): void {
    for (let n = 0; ; n += 1) {
      const to = n === 0 ? path : path.replace(/\.md$/, ` again ${n}.md`);
      try {
        mkdirSync(dirname(this.#at(to)), { recursive: true });
        linkSync(draft, this.#at(to));
        unlinkSync(draft);
        return;
      } catch (error) {
        if (n > 50) throw error;
      }
    }
  }

  #move(path: string): void {
    this.#names += 1;
    const folder = this.#random.pick(['', 'Area/', 'Moved/', `${path.replace(/\.md$/, '')}/`]);
    const to = `${folder}${this.#random.oneIn(2) ? basename(path, '.md') : 'Moved'} ${this.#names}.md`;
    mkdirSync(dirname(this.#at(to)), { recursive: true });
    renameSync(this.#at(path), this.#at(to));
  }

  #moveFolder(path: string): void {
    if (!path.includes('/')) return;
    this.#names += 1;
    const top = path.split('/')[0] ?? '';
    const to = `Folder ${this.#names}`;
    if (!existsSync(this.#at(to))) renameSync(this.#at(top), this.#at(to));
  }

  #remove(path: string): void {
    const gone = join(this.#desk, 'gone');
    renameSync(this.#at(path), gone);
    this.tokens.replaced(readFileSync(gone, 'utf8'), '');
    unlinkSync(gone);
  }

  #at(path: string): string {
    return join(this.#folder, path);
  }
}
