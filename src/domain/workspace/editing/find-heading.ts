/** From what a caller writes to the heading it means. A miss and an ambiguity are errors that name what there is. */
import { SluiceError } from '../../../kernel/errors.ts';
import { nearest } from '../markdown/nearest-titles.ts';
import { type Heading, matchingHeadings } from '../markdown/outline.ts';
import type { SectionReference } from './edit.ts';

const CANDIDATES_SHOWN = 20;

export function findHeading(
  headings: readonly Heading[],
  reference: SectionReference,
  field = 'section',
): Heading {
  const readings = readingsOf(reference);
  const found = new Set(
    readings.flatMap(({ heading, ordinal }) => matchingHeadings(headings, heading, ordinal)),
  );
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  const written = nameOf(reference);
  if (first) throw ambiguous(written, [first, ...others], field);
  const near = new Set(readings.flatMap(({ heading }) => nearest(headings, heading)));
  const hint = near.size > 0 ? `; there is ${[...near].map((title) => `"${title}"`).join(', ')}` : '';
  throw new SluiceError('not_found', `The page has no section "${written}"${hint}`, {
    field,
    candidates: [...near],
  });
}

interface Reading {
  readonly heading: string;
  readonly ordinal?: number | undefined;
}

/** `A > B` and `Title#2` may also be what a heading says, so they are read both ways, and two finds are one too many. */
function readingsOf(reference: SectionReference): readonly Reading[] {
  if (typeof reference !== 'string') return divided(reference);
  const numbered = /^(.*\S)\s*#\s*(\d{1,5})\s*$/su.exec(reference);
  return [
    ...divided({ heading: reference }),
    ...(numbered ? divided({ heading: numbered[1] ?? '', ordinal: Number(numbered[2]) }) : []),
  ];
}

function divided({ heading, ordinal }: Reading): readonly Reading[] {
  const nested = heading.replace(/\s+>\s+/gu, '#');
  return nested === heading
    ? [{ heading, ordinal }]
    : [
        { heading, ordinal },
        { heading: nested, ordinal },
      ];
}

function ambiguous(written: string, found: readonly Heading[], field: string): SluiceError {
  const what = `The page has ${found.length} sections "${written}"; give the whole path, or Title#2 for the second`;
  const alike = Map.groupBy(found, ({ path }) => path.join('#'));
  const candidates = found
    .slice(0, CANDIDATES_SHOWN)
    .map(({ path, ordinal }) => path.join('#') + (alike.get(path.join('#'))?.[1] ? `#${ordinal}` : ''));
  return new SluiceError('ambiguous', what, { field, candidates });
}

const nameOf = (reference: SectionReference): string =>
  typeof reference === 'string' ? reference : reference.heading;
