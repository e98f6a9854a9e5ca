/** Every way to write a link, and ways to write what looks like one: a text is literals with paths between them. */
import type { Random } from './random.ts';

interface Form {
  readonly before: string;
  readonly after: string;
  /** As it is written into the form. */
  write(path: string): string;
  /** What a written path means. */
  read(written: string): string;
}

const plain = { write: (path: string) => path, read: (written: string) => written.trim() };
const encoded = {
  write: (path: string) => path.split('/').map(encodeURIComponent).join('/'),
  read: (written: string) => decodeURIComponent(written),
};
const angle = { write: (path: string) => path, read: (written: string) => decodeURIComponent(written) };

const INLINE: readonly Form[] = [
  { before: '[[', after: ']]', ...plain },
  { before: '[[', after: '|shown `x` *y*]]', ...plain },
  { before: '[[', after: '#A heading]]', ...plain },
  { before: '[[', after: '#^b1|block]]', ...plain },
  { before: '![[', after: ']]', ...plain },
  { before: '![[', after: '|100x145]]', ...plain },
  { before: '[[ ', after: ' ]]', ...plain },
  { before: '[t](', after: ')', ...encoded },
  { before: '[`a  b`](', after: ' "A title")', ...encoded },
  { before: '![i](', after: '#part)', ...encoded },
  { before: '[t](<', after: "> 'T')", ...angle },
];
const TABLE: readonly Form[] = [
  { before: '| [[', after: '\\|cell]] | x |\n| --- | --- |\n', ...plain },
  { before: '| [[', after: '#h\\|cell]] | x |\n| --- | --- |\n', ...plain },
];
const FRONTMATTER: readonly Form[] = [
  { before: '"[[', after: ']]"', ...plain },
  { before: '"[[', after: '#x|y]]"', ...plain },
];
const DEFINITION: readonly Form[] = [
  { before: ']: ', after: ' "T"\n', ...encoded },
  { before: ']: <', after: '>\n', ...angle },
];

export interface FormedText {
  readonly text: string;
  /** One literal more than there are forms. */
  readonly literals: readonly string[];
  readonly forms: readonly Form[];
}

/** A page's text with links of all forms to paths that `path` gives. */
export function formedText(random: Random, path: () => string): FormedText {
  const [literals, forms, text] = [[''], [] as Form[], ['']];
  const say = (words: string): void => {
    literals[literals.length - 1] += words;
    text.push(words);
  };
  const link = (choice: readonly Form[]): void => {
    const form = random.pick(choice);
    say(form.before);
    text.push(form.write(path() + (random.oneIn(4) ? random.pick(['.md', '.MD']) : '')));
    forms.push(form);
    literals.push('');
    say(form.after);
  };
  if (random.oneIn(2)) {
    say('---\nrelated: ');
    link(FRONTMATTER);
    say('\nlist:\n  - ');
    link(FRONTMATTER);
    say('\n  - ');
    link(FRONTMATTER);
    say('\n---\n');
  }
  for (let i = random.between(1, 4); i > 0; i -= 1) {
    say(`Paragraph ${i} `);
    for (let links = random.between(0, 3); links > 0; links -= 1) {
      link(INLINE);
      say(random.pick([' and ', ', ', ' é e\u0301 ']));
    }
    say('end.\n\n');
    if (random.oneIn(3)) say(fake(random, path()));
  }
  if (random.oneIn(3)) {
    link(TABLE);
    say('\n');
  }
  if (random.oneIn(3)) {
    say(`[r${random.between(1, 99)}`);
    link(DEFINITION);
  }
  return { text: text.join(''), literals, forms };
}

/** No link, whatever it says. */
const fake = (random: Random, path: string): string =>
  random.pick([
    `\`[[${path}]]\` and \`\`[[${path}|x]]\`\`\n\n`,
    `\`\`\`md\n[[${path}]]\n\`\`\`\n\n`,
    `~~~\n[t](${encodeURIComponent(path)}.md)\n~~~\n\n`,
    `$$\n[[${path}]]\n$$\n\n`,
    `%%[[${path}]]%%\n\n`,
    `<!-- [[${path}]] -->\n\n`,
    `${path} without brackets\n\n`,
  ]);

/** The paths that stand between the literals, as written and as meant; undefined when anything else was changed. */
export function pathsIn(
  { literals, forms }: FormedText,
  text: string,
): readonly { readonly written: string; readonly path: string }[] | undefined {
  const pattern = literals
    .map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('([^\\n]*?)');
  const match = new RegExp(`^${pattern}$`, 'u').exec(text);
  if (!match) return undefined;
  return forms.map((form, i) => {
    const written = match[i + 1] ?? '';
    return { written, path: form.read(written) };
  });
}
