/** Templates are pages with the property `template: true`; a page made from one has its placeholders filled and is none itself. */
import { SluiceError } from '../../kernel/errors.ts';
import { frontmatterEnd } from './markdown/frontmatter.ts';
import type { Page } from './page.ts';
import { removeProperty, setProperty } from './properties/edit-frontmatter.ts';
import { readFrontmatter } from './properties/frontmatter-yaml.ts';

export function textFromTemplate(template: Page, title: string, at: number): string {
  if (template.properties.template !== true) {
    const what = `"${template.title}" is no template; set_properties makes it one with template: true`;
    throw new SluiceError('invalid_input', what, { field: 'template' });
  }
  const text = removeProperty(template.content, 'template');
  const end = frontmatterEnd(text);
  return fillFrontmatter(text.slice(0, end), title, at) + fillTemplate(text.slice(end), title, at);
}

/** Value by value, so that a title with marks that mean something in YAML stays one text. */
function fillFrontmatter(text: string, title: string, at: number): string {
  const front = readFrontmatter(text);
  let filled = text;
  for (const { key, valueStart, valueEnd } of front?.entries ?? []) {
    const value = front?.values[key];
    // Without quotes YAML takes the braces for its own.
    const written = typeof value === 'string' ? value : text.slice(valueStart, valueEnd);
    const now = fillTemplate(written, title, at);
    const isBare = /^\{\{[^{}]*\}\}$/.test(written);
    if (now !== written && (typeof value === 'string' || isBare)) filled = setProperty(filled, key, now);
  }
  return filled;
}

export function fillTemplate(text: string, title: string, at: number): string {
  const now = new Date(at).toISOString();
  const values: Readonly<Record<string, string>> = {
    title,
    date: now.slice(0, 10),
    time: now.slice(11, 16),
  };
  return text.replace(/\{\{\s*(title|date|time)\s*\}\}/g, (whole, name: string) => values[name] ?? whole);
}
