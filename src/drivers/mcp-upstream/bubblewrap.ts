/** A program inside of bubblewrap: the system's programs, the listed folders, an empty home, and no network unless given. */
import { accessSync, constants, existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import type { Isolation, StdioTransport } from '../../domain/providers/profile.ts';

export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store'];
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'group',
  'ld.so.cache',
  'localtime',
  'nsswitch.conf',
  'passwd',
  'pki',
  'ssl',
];
const NETWORK_SETTINGS = ['hosts', 'resolv.conf'];

export function inBubblewrap(
  { command, args, folder }: StdioTransport,
  isolation: Isolation,
  environment: Readonly<Record<string, string>>,
): Started {
  const program = findProgram(command, environment.PATH ?? '');
  const missing = [...isolation.read, ...isolation.write].find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new UpstreamFailure('connect', `"${missing}", which it may use, does not exist`, false);
  return {
    command: 'bwrap',
    args: [
      ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'],
      ...(isolation.network ? ['--share-net'] : []),
      ...SYSTEM.flatMap(systemFolder),
      ...[...SETTINGS, ...(isolation.network ? NETWORK_SETTINGS : [])].flatMap((name) =>
        readable(`/etc/${name}`),
      ),
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...(environment.HOME === undefined ? [] : ['--tmpfs', environment.HOME]),
      ...[dirname(program), dirname(realpathSync(program))].flatMap(readable),
      ...(folder === null ? [] : readable(folder)),
      ...isolation.read.flatMap(readable),
      ...isolation.write.flatMap((path) => ['--bind', path, path]),
      ...['--chdir', folder ?? '/tmp', '--', program, ...args],
    ],
    environment: { ...environment, TMPDIR: '/tmp', TEMP: '/tmp', TMP: '/tmp' },
  };
}

const readable = (path: string): readonly string[] => ['--ro-bind-try', path, path];

/** On most systems /bin and its like are only links into /usr. */
function systemFolder(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : readable(path);
}

function findProgram(command: string, path: string): string {
  const places = command.includes('/') ? [command] : path.split(':').map((folder) => join(folder, command));
  const found = places.find((place) => isAbsolute(place) && isProgram(place));
  if (found !== undefined) return found;
  throw new UpstreamFailure('connect', `"${command}" could not be found; name it by its whole path`, false);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
