/** Texts of pages at random: paragraphs that can be told apart, with links in every form to pages there are and are not. */
import { type PageModel, paragraphsOf, textOf } from './page-model.ts';
import type { Random } from './random.ts';

/** Few enough that pages often share a name, or have one that is another's slug or numbered slug. */
export const TITLES = [
  'Alpha',
  'alpha',
  'Beta',
  'Gamma Ray',
  'gamma-ray',
  'alpha-2',
  'Beta 2',
  'C# Notes',
  'Größe',
  '漢字',
  'Sl/ash',
];
const LINKABLE = /^[^#/|[\]]+$/;

export class RandomPageTexts {
  readonly #random: Random;
  readonly #model: PageModel;
  #paragraphs = 0;
  #tick = 0;

  constructor(random: Random, model: PageModel) {
    this.#random = random;
    this.#model = model;
  }

  paragraph(): string {
    this.#paragraphs += 1;
    return this.#variant(`p${this.#paragraphs}`);
  }

  /** Another wording of a paragraph: most of its words are its own and stay. */
  #variant(id: string): string {
    this.#tick += 1;
    const links = Array.from({ length: this.#random.between(0, 2) }, () => this.#link()).join(' ');
    return `${id} ${id}a ${id}b ${id}c ${id}d ${id}e ${links} t${this.#tick}`;
  }

  #link(): string {
    const random = this.#random;
    const target = this.#model.live().length > 0 ? this.#random.pick(this.#model.live()) : undefined;
    const title =
      target && LINKABLE.test(target.title)
        ? target.title
        : random.pick(TITLES.filter((one) => LINKABLE.test(one)));
    const above = target?.parent == null ? undefined : this.#model.page(target.parent);
    const path =
      above && target
        ? `${random.pick([above.slug, LINKABLE.test(above.title) ? above.title : above.slug])}/${title}`
        : title;
    return random.pick([
      `[[${title}]]`,
      `[[${title.toUpperCase()}]]`,
      `[[${title}|shown]]`,
      `[[${title}#Heading]]`,
      `![[${title}]]`,
      `[[${path}]]`,
      `[[${target ? this.#model.path(target) : title}]]`,
      `[[${target?.slug ?? title}]]`,
      `[shown](${encodeURIComponent(title)}.md)`,
      `[shown](<${title}.md>)`,
      `\`[[${title}]]\``,
      `[out](https://example.com/${encodeURIComponent(title)})`,
      '[[#Heading]]',
    ]);
  }

  edited(text: string): string {
    const random = this.#random;
    const paragraphs = paragraphsOf(text);
    const kind = random.between(1, 8);
    if (kind === 1 || paragraphs.length === 0) return textOf([...paragraphs, this.paragraph()]);
    if (kind === 2) return textOf(paragraphs.filter((_, i) => i !== 0));
    if (kind === 3) return text;
    const changed = paragraphs.map((one) => (random.oneIn(2) ? this.#variant(one.split(' ')[0] ?? '') : one));
    return textOf(kind === 4 ? [...changed, this.paragraph()] : changed);
  }
}
