/** Installs test/peers when its lock is not the one last installed. Install scripts never run. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const home = 'test/peers';
const mark = `${home}/node_modules/.lock-hash`;

/** False, with npm's words printed, when it could not be done. */
export function installPeers(): boolean {
  const wanted = createHash('sha256')
    .update(readFileSync(`${home}/package-lock.json`))
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return true;
  console.log(`Installing ${home} …`);
  const [command, ...before] = npm();
  const args = [
    ...before,
    'ci',
    '--prefix',
    home,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) {
    console.log(`✗ npm ci in ${home}\n${stdout ?? ''}${stderr ?? ''}${error ?? ''}`);
    return false;
  }
  // On a platform for which it has nothing, npm leaves no folder and there is nothing to remember.
  if (existsSync(`${home}/node_modules`)) writeFileSync(mark, wanted);
  return true;
}

/** The npm that started us, or the one on the path. */
function npm(): [string, ...string[]] {
  const running = process.env.npm_execpath;
  return running?.endsWith('npm-cli.js') ? [process.execPath, running] : ['npm'];
}
