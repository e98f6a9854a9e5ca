/** A folder that lost everything at once: a disk that is not mounted is more likely than a wish. */
import { SluiceError } from '../../kernel/errors.ts';
import type { Comparison } from './compare.ts';

/** Fewer may well be all that somebody had. */
const FEWEST = 3;

/** Refuses to take everything out of the workspace before somebody said that it is meant. */
export function refuseEmptied(folder: string, { pages, files }: Comparison): void {
  const removals = [
    ...pages.filter(({ decision }) => decision.do === 'trash'),
    ...files.filter(({ decision }) => decision === 'detach'),
  ].filter(({ tied }) => tied?.asked === undefined);
  const known = [...pages, ...files].filter(({ tied }) => tied !== undefined);
  if (removals.length === 0 || known.length < FEWEST || known.some(({ file }) => file)) return;
  throw new SluiceError(
    'conflict',
    `All ${known.length} files are gone from "${folder}"; if that is meant, "sluice sync --allow-empty" takes what they were out of the workspace, too`,
    { reason: 'folder_emptied', files: known.length },
  );
}

export const isEmptied = ({ code, details }: SluiceError): boolean =>
  code === 'conflict' && details.reason === 'folder_emptied';
