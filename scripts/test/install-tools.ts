/** Installs what some tests need of the system, where that can be done; where not, those tests say what they lack. */
import { spawnSync } from 'node:child_process';

/** Programs, each with the Debian package that has it. */
const TOOLS = { zsh: 'zsh', fish: 'fish', bwrap: 'bubblewrap' };

export function installTools(): void {
  const missing = Object.entries(TOOLS).flatMap(([tool, name]) => (runs(tool, '--version') ? [] : [name]));
  if (missing.length === 0 || process.getuid?.() !== 0 || !runs('apt-get', '--version')) return;
  const apt = (...args: string[]) => spawnSync('apt-get', ['-qq', '-y', ...args], { stdio: 'ignore', env });
  const install = () => apt('install', '--no-install-recommends', ...missing).status;
  // A list of packages that is too old is the usual reason why it fails.
  if (install() !== 0 && apt('update').status === 0) install();
}

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

const runs = (program: string, argument: string): boolean =>
  spawnSync(program, [argument], { stdio: 'ignore' }).status === 0;
