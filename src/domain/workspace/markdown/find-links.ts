/**
 * Finds the links of a page where they stand. Code, formulas and comments (`<!-- -->` and `%% %%`) hold none; the text
 * of HTML blocks does, save in `pre`, `script`, `style` and `textarea`; frontmatter holds wiki links only. A link with
 * neither path nor fragment (`[[]]`, `[x]()`) leads nowhere and is none.
 */

import type { BlockScan, Leaf } from './block-scan.ts';
import type { Dialect } from './dialect.ts';
import type { MarkdownLinkToken, WikiToken } from './inline-tokens.ts';
import type { InlineUnit } from './inline-unit.ts';
import type { LinkDefinition } from './link-definition.ts';
import type { LinkSpan, LinkTarget } from './link-span.ts';
import { readMarkdownTarget, readWikiTarget } from './link-span.ts';
import { scanBlocks } from './scan-blocks.ts';
import { scanInline } from './scan-inline.ts';
import { TextUnits } from './text-units.ts';
import { wikiInnerEnd } from './wiki-brackets.ts';

export interface FoundLinks {
  /** By where they start. */
  readonly links: readonly LinkSpan[];
  /** A code fence that runs to the end of the page: what it hides may or may not be meant as links. */
  readonly unclosedFence?: { readonly start: number };
}

export function findLinks(
  text: string,
  scan: BlockScan = scanBlocks(text),
  dialect: Dialect = 'obsidian',
): FoundLinks {
  const links: LinkSpan[] = [];
  const units = new TextUnits(text, '[');
  for (const leaf of scan.leaves) {
    if (leaf.kind === 'frontmatter') addFrontmatterLinks(links, text, leaf, dialect);
    else if (leaf.definition) addUnlessEmpty(links, fromDefinition(text, leaf.definition));
    else for (const unit of units.of(leaf)) addInlineLinks(links, unit, leaf.kind === 'html', dialect);
  }
  return scan.unclosedFence ? { links, unclosedFence: scan.unclosedFence } : { links };
}

function addInlineLinks(links: LinkSpan[], unit: InlineUnit, isHtml: boolean, dialect: Dialect): void {
  for (const token of scanInline(unit.source, isHtml)) {
    if (token.kind === 'wiki') {
      if (dialect !== 'plain') links.push(fromWiki(token, unit, dialect));
    } else if (token.kind === 'link') addUnlessEmpty(links, fromMarkdown(token, unit));
  }
}

function addUnlessEmpty(links: LinkSpan[], link: LinkSpan): void {
  if (link.path !== '' || link.fragment) links.push(link);
}

function fromWiki(token: WikiToken, unit: InlineUnit, dialect: Dialect): LinkSpan {
  const target = readWikiTarget(unit.source, token.innerStart, token.innerEnd, dialect);
  return { form: 'wiki', embed: token.embed, ...inPage(token, target, unit), in: 'body' };
}

function fromMarkdown(token: MarkdownLinkToken, unit: InlineUnit): LinkSpan {
  const { start, end, angle } = token.destination;
  const display = unit.source.slice(token.textStart, token.textEnd);
  const target = { ...readMarkdownTarget(unit.source, start, end, angle), display };
  return { form: 'markdown', embed: token.embed, ...inPage(token, target, unit), in: 'body' };
}

function fromDefinition(text: string, definition: LinkDefinition): LinkSpan {
  const { start, end, angle } = definition.destination;
  const target = readMarkdownTarget(text, start, end, angle);
  return {
    form: 'reference',
    embed: false,
    start: definition.start,
    end: definition.end,
    ...target,
    in: 'body',
  };
}

function addFrontmatterLinks(links: LinkSpan[], text: string, leaf: Leaf, dialect: Dialect): void {
  if (dialect === 'plain') return;
  const end = leaf.lines[1] ?? 0;
  const source = text.slice(0, end);
  let open = source.indexOf('[[');
  while (open >= 0) {
    const innerEnd = wikiInnerEnd(source, open + 2);
    if (innerEnd >= 0) {
      const embed = source.charAt(open - 1) === '!';
      const target = readWikiTarget(source, open + 2, innerEnd, dialect);
      const start = embed ? open - 1 : open;
      links.push({ form: 'wiki', embed, start, end: innerEnd + 2, ...target, in: 'frontmatter' });
    }
    open = source.indexOf('[[', innerEnd < 0 ? open + 1 : innerEnd + 2);
  }
}

/** The offsets of a link as offsets in the page. */
function inPage(token: { start: number; end: number }, target: LinkTarget, unit: InlineUnit) {
  const { fragmentStart, fragmentEnd } = target;
  return {
    start: unit.toText(token.start),
    end: unit.toText(token.end),
    ...target,
    targetStart: unit.toText(target.targetStart),
    targetEnd: unit.toText(target.targetEnd),
    ...(fragmentStart !== undefined && { fragmentStart: unit.toText(fragmentStart) }),
    ...(fragmentEnd !== undefined && { fragmentEnd: unit.toText(fragmentEnd) }),
  };
}
