/** Looks at a home from outside, then from inside, and names each problem with its fix. Mends nothing. */
import { existsSync } from 'node:fs';
import type { Config } from '../../config/keys.ts';
import { loadConfig } from '../../config/load-config.ts';
import { type HomeLayout, homeLayout } from '../../drivers/home/home-layout.ts';
import { asSluiceError } from '../../kernel/errors.ts';
import { silentLog } from '../../kernel/log.ts';
import { type HomeClient, openHome } from '../home-client.ts';
import {
  checkConfigSecrets,
  checkDisk,
  checkHeads,
  checkPermissions,
  checkStore,
  usesFiles,
} from './check-files.ts';
import { checkNode, checkPostgres } from './check-machine.ts';
import { checkOpenHome } from './check-open-home.ts';
import { bad, type Finding, good } from './finding.ts';

/** How long another short command may keep the home. */
const LOCK_WAIT_MS = 3_000;

export async function diagnose(home: string): Promise<readonly Finding[]> {
  const layout = homeLayout(home);
  if (!existsSync(layout.data)) {
    return [
      checkNode(),
      bad('no-home', `there is no home in ${home}`, '"sluice serve" makes it, or name another with --home'),
    ];
  }
  const { config, finding } = readConfig(home);
  const disk = checkDisk(layout);
  const outside = [
    checkNode(),
    good('home', home),
    disk,
    checkPermissions(layout),
    checkConfigSecrets(layout),
    finding,
  ];
  // Without room to write not even a sound database can be read.
  if (!config || !disk.ok) return outside;
  const store = usesFiles(config)
    ? [checkStore(layout), checkHeads(layout)]
    : [await checkPostgres(config), checkHeads(layout)];
  // Opening writes: not to a home whose evidence is damaged.
  const opens = [...outside, ...store].every(
    ({ ok, id }) => ok || ['permissions', 'token-in-config'].includes(id),
  );
  return [...outside, ...store, ...(opens ? await checkInside(home, layout, config) : [])];
}

function readConfig(home: string): { readonly config?: Config; readonly finding: Finding } {
  try {
    return { config: loadConfig(home).config, finding: good('configuration', 'valid') };
  } catch (error) {
    const { message } = asSluiceError(error);
    return {
      finding: bad('configuration-wrong', message, 'mend config.json or the environment variable it names'),
    };
  }
}

async function checkInside(home: string, layout: HomeLayout, config: Config): Promise<readonly Finding[]> {
  let client: HomeClient;
  try {
    client = await openHome({ home, config, log: silentLog }, LOCK_WAIT_MS);
  } catch (error) {
    return [notOpened(asSluiceError(error))];
  }
  try {
    return await checkOpenHome(client, layout, config);
  } finally {
    await client.close();
  }
}

function notOpened({ code, message }: ReturnType<typeof asSluiceError>): Finding {
  if (code === 'home_locked') {
    return bad(
      'home-locked',
      'another process has the home open and does not answer',
      'find it with "fuser" on the file lock.db of the home, and stop it',
    );
  }
  return bad(
    'not-opened',
    message,
    'start "sluice serve" and read its log; a backup helps where data is damaged',
  );
}
