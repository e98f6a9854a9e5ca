/** A home that the system does not let us work in: says which folder and why, instead of failing somewhere inside. */
import { SluiceError } from '../../kernel/errors.ts';
import { systemCode } from '../../kernel/system-code.ts';

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its file system is read-only',
  EACCES: 'you have no right to it',
  EPERM: 'you have no right to it',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is used up',
  ENOTDIR: 'a part of the path is no folder',
  EFBIG: 'files may not grow any more',
  EIO: 'the disk does not work',
  SQLITE_READONLY: 'it cannot be written',
  SQLITE_PERM: 'you have no right to it',
  SQLITE_CANTOPEN: 'a file in it cannot be opened or made',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk does not work or is full',
};

/** Undefined when the fault is another one. */
export function unusableHome(root: string, error: unknown): SluiceError | undefined {
  const code = systemCode(error);
  const reason = code === undefined ? undefined : REASONS[code];
  if (reason === undefined) return undefined;
  const message = `The home ${root} cannot be used: ${reason} (${code})`;
  return new SluiceError('unavailable', message, { home: root, reason: code }, error);
}
