/**
 * A folder of notes with everything real vaults hold, and what each of its links must mean, told by the rules over
 * paths of files alone: the code under test is not asked.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from './random.ts';

export interface ExpectedLink {
  readonly status: 'resolved' | 'unresolved' | 'ambiguous' | 'file' | 'external' | 'self';
  /** The path of the note that is meant. */
  readonly target?: string;
}

export interface GeneratedVault {
  /** Every file, notes and others. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** For each note its links, in the order in which they stand. */
  readonly links: ReadonlyMap<string, readonly ExpectedLink[]>;
}

const COMMON = ['Index', 'Readme', 'Notes', 'Journal'];
const ODD = [
  'Café au lait',
  'Cafe\u0301 noir',
  '🚀 Launch',
  '笔记 一',
  'ملاحظة',
  'Was ist das?',
  'R&D 100%',
  "Ann's (old) page",
  'Trailing ',
  'ÅNGSTRÖM',
  'v1.2 plan',
  '日本語ノート',
];
const FOLDERS = ['Area', 'Projects', 'Archive old', 'Ideen', 'Über'];

export function generateVault(random: Random, notes: number): GeneratedVault {
  const paths = notePaths(random, notes);
  const attachments = ['files/Figure 1.png', 'files/a b.pdf', 'img/日本.svg'];
  const files = new Map<string, Buffer>(
    attachments.map((path, i) => [path, Buffer.from([0, 255, i, 128, 10, 13])]),
  );
  // Text that is none: kept as it is, all the same.
  files.set('broken/latin1.md', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]));
  files.set('broken/nul.md', Buffer.from('a\0b\n'));
  files.set('.hidden.md', Buffer.from('# Hidden\n'));
  files.set('empty.md', Buffer.alloc(0));
  const vault = new Paths([...paths, '.hidden.md', 'empty.md']);
  const links = new Map<string, ExpectedLink[]>();
  for (const path of paths) {
    const note = new NoteWriter(random, vault, path);
    links.set(path, note.links);
    files.set(path, Buffer.from(note.write(), 'utf8'));
  }
  return { files, links };
}

export function writeVault(folder: string, { files }: GeneratedVault): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

function notePaths(random: Random, count: number): string[] {
  const folders = [''];
  for (const [i, name] of FOLDERS.entries()) {
    folders.push(`${name}/`);
    for (let n = 0; n < 3; n += 1) folders.push(`${random.pick(folders.slice(1))}Sub ${i}${n}/`);
  }
  const paths = new Set<string>();
  // Some folders have a note of their own beside them.
  for (const folder of folders.slice(1)) if (random.oneIn(2)) paths.add(`${folder.slice(0, -1)}.md`);
  for (let i = 0; paths.size < count; i += 1) {
    const odd = i < ODD.length ? ODD[i] : undefined;
    const common = random.oneIn(6) ? random.pick(COMMON) : undefined;
    paths.add(`${random.pick(folders)}${odd ?? common ?? `Note ${i}`}.md`);
  }
  return random.shuffle([...paths]);
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** Obsidian's order: exact path, same folder, shortest path; two of the same length are ambiguous. */
class Paths {
  readonly all: readonly string[];
  readonly #byName: ReadonlyMap<string, readonly string[]>;

  constructor(all: readonly string[]) {
    this.all = all;
    this.#byName = Map.groupBy(all, (path) => fold(nameOf(path).trim()));
  }

  meaning(written: string, source: string): ExpectedLink {
    const wanted = fold(written);
    const name = wanted.split('/').at(-1) ?? '';
    const fitting = (this.#byName.get(name.trim()) ?? []).filter((path) =>
      `/${trimmed(path)}`.endsWith(`/${wanted.trim()}`),
    );
    const exact = fitting.find((path) => trimmed(path) === wanted.trim());
    const beside = fitting.find((path) => folderOf(path) === folderOf(source));
    const shortest = Math.min(...fitting.map((path) => path.length));
    const nearest = fitting.filter((path) => path.length === shortest);
    const target = exact ?? (written.includes('/') ? undefined : beside) ?? nearest[0];
    if (target === undefined) return { status: 'unresolved' };
    if (exact === undefined && (written.includes('/') || beside === undefined) && nearest.length > 1)
      return { status: 'ambiguous' };
    return { status: 'resolved', target };
  }
}

const nameOf = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.md$/, '');
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const trimmed = (path: string): string => fold(path.replace(/ *\.md$/, ''));

class NoteWriter {
  readonly links: ExpectedLink[] = [];
  readonly #random: Random;
  readonly #vault: Paths;
  readonly #path: string;

  constructor(random: Random, vault: Paths, path: string) {
    this.#random = random;
    this.#vault = vault;
    this.#path = path;
  }

  write(): string {
    const random = this.#random;
    const parts = [
      ...(random.oneIn(3) ? [this.#frontmatter()] : []),
      `# ${nameOf(this.#path).trim()}\n`,
      ...Array.from({ length: random.between(0, 8) }, () => this.#block()),
      ...(random.oneIn(15) ? ['```js\n[[never closed]]\n'] : []),
    ];
    let text = parts.join('\n');
    if (random.oneIn(3)) text = text.replace(/\n+$/, '');
    if (random.oneIn(4)) text = text.replaceAll('\n', '\r\n');
    return random.oneIn(8) ? `\uFEFF${text}` : text;
  }

  #frontmatter(): string {
    const lines = ['---', 'tags: [Topic, area/one]', `rating: ${this.#random.between(1, 5)}`];
    lines.push(`related: "[[${this.#target()}#Part]]"`);
    lines.push('list:', `  - "[[${this.#target()}]]"`, `  - "[[${this.#target()}|shown]]"`, '---', '');
    return lines.join('\n');
  }

  #block(): string {
    const pick = this.#random.between(0, 15);
    switch (pick) {
      case 0:
        return '```toml\n[[outputs]]\n# [[Index]]\n```\n';
      case 1:
        return ' ~~~~\n[[Notes]] `` ~~~\n```\n ~~~~\n';
      case 2:
        return 'Code: ``[[Index]] ` still`` and `[[Notes]]` and $[[Readme]]$ and <!-- [[Index]] --> %%[[Index]]%%\n';
      case 3:
        return `| a | b |\n|---|---|\n| [[${this.#target()}\\|shown]] | [[${this.#target()}]] |\n`;
      case 4:
        return `## Heading with [[${this.#target()}#A#B]] #topic\n`;
      case 5:
        return `![[${this.#target()}|100x145]] and ![[${this.#target()}#^block-1]]\n\nText ^block-1\n`;
      case 6:
        return `[text](${this.#encoded()}) and [t](${this.#encoded()} "A title")\n`;
      case 7:
        return `[angle](<${this.#target()}.md>) then [[${this.#target()}|a#b]]\n`;
      case 8:
        return `See [it][ref].\n\n[ref]: <${this.#target()}.md> "Reference"\n`;
      case 9:
        this.links.push({ status: 'external' }, { status: 'self' }, { status: 'unresolved' });
        return '[out](https://example.org/[[x]]) [[#Here]] [[Nowhere at all]]\n';
      case 10:
        this.links.push({ status: 'file' }, { status: 'file' }, { status: 'file' });
        return '![[Figure 1.png|200]] [pdf](files/a%20b.pdf#page=3) ![[日本.svg]]\n';
      case 11:
        return `- [ ] item [[${this.#target()}]]\n  > quoted [[${this.#target().normalize('NFD')}]]\n`;
      case 12:
        return `> [!note] Callout\n> with [[${this.#target().toUpperCase()}]]\n`;
      case 13:
        return this.#relative();
      case 14:
        return 'Nested [[a [[Index inside]] c]] brackets.\n'.replace('[[Index inside]]', () => {
          this.links.push({ status: 'unresolved' });
          return '[[Index inside]]';
        });
      default:
        return `Plain 漢字 text, a #tag/nested, e\u0301 and é. [[${this.#target()}]]\n`;
    }
  }

  /** A bare name or a whole path of some note, noted as a link. */
  #target(): string {
    const path = this.#random.pick(this.#vault.all);
    const whole = path.replace(/\.md$/, '');
    const written = this.#random.oneIn(3) ? whole : nameOf(path);
    this.links.push(this.#vault.meaning(written, this.#path));
    return written;
  }

  #encoded(): string {
    const parts = this.#target().split('/').map(encodeURIComponent);
    return `${parts.join('/').replace(/[()]/g, (c) => (c === '(' ? '%28' : '%29'))}.md`;
  }

  /** From the note's own folder. */
  #relative(): string {
    const own = folderOf(this.#path);
    const beside = this.#vault.all.filter((path) => folderOf(path) === own);
    const path = this.#random.pick(beside);
    this.links.push({ status: 'resolved', target: path });
    return `[beside](<./${nameOf(path)}.md>)\n`;
  }
}
