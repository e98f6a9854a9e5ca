/** Whether a file may be taken away or put back: whoever shows it has a say in it, and so has the zone it lies in. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import { requireMayChange, workspaceOf } from '../page-rules.ts';
import type { Attachment } from '../ports/file-store.ts';
import { targetKey } from '../resolve-link.ts';
import { lifecycleAt, requireLevel } from './may-write.ts';

/** One file, in the zones given. `isOwn`: the caller takes back what it did itself. */
export async function requireMayChangeFile(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  path: string,
  zones: readonly Attachment['zone'][],
  isOwn = false,
): Promise<void> {
  const workspace = workspaceOf(submission);
  const links = await use.links.byKeys(tx, workspace, [targetKey(path)]);
  const sources = [...new Set(links.filter(({ status }) => status === 'file').map(({ source }) => source))];
  const linking = await use.pages.headers(tx, workspace, sources);
  requireMayChange(submission, linking);
  const places = zones.map((zone) => ({ title: path, zone }));
  requireLevel(submission, places, 'path');
  if (linking.length > 0 || isOwn) return;
  // No page speaks for a file that none links to, so nobody can be asked about it.
  if (places.every((place) => lifecycleAt(submission, place) === 'canonical')) return;
  throw new SluiceError(
    'denied',
    `No page links to "${path}"; only an author takes it away or puts it back`,
    {
      field: 'path',
    },
  );
}
