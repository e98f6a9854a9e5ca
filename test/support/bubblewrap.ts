/** Whether programs can be shut in here. */
import { spawnSync } from 'node:child_process';

export const bubblewrapWorks = (): boolean =>
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0;

export const NO_BUBBLEWRAP = 'bubblewrap is not installed or may not make namespaces here';
