/** Looks at a home from outside and names each problem with its fix. Changes nothing. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadConfig } from '../config/load-config.ts';
import { type HomeLayout, homeLayout } from '../drivers/home/home-layout.ts';
import { checkDatabase } from '../drivers/store/sqlite/check.ts';
import { asSluiceError } from '../kernel/errors.ts';
import { silentLog } from '../kernel/log.ts';
import { type HomeClient, openHome } from './home-client.ts';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
}

const LEAST_FREE_BYTES = 100 * 1024 * 1024;

export async function diagnose(home: string): Promise<readonly Finding[]> {
  const layout = homeLayout(home);
  const findings = [checkNode(), checkFolder(layout), checkDisk(layout), checkConfig(home)];
  if (!existsSync(layout.database)) {
    return [...findings, good('store', 'nothing here yet; the first start makes it')];
  }
  findings.push(checkPrivacy(layout), checkStore(layout));
  if (findings.every((finding) => finding.ok)) findings.push(...(await checkRunning(home)));
  return findings;
}

const good = (check: string, detail: string): Finding => ({ check, ok: true, detail });
const bad = (check: string, detail: string, fix: string): Finding => ({ check, ok: false, detail, fix });

function checkNode(): Finding {
  return good('node', `Node.js ${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}`);
}

function checkFolder({ root }: HomeLayout): Finding {
  const place = existsSync(root) ? root : dirname(root);
  try {
    accessSync(existsSync(place) ? place : '/', constants.R_OK | constants.W_OK | constants.X_OK);
    return good('home', root);
  } catch {
    return bad(
      'home',
      `${place} cannot be written`,
      'give yourself the right to it, or choose another with --home',
    );
  }
}

function checkDisk({ root }: HomeLayout): Finding {
  let place = root;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const detail = `${Math.floor(free / 1024 / 1024)} MiB free`;
  return free >= LEAST_FREE_BYTES
    ? good('disk', detail)
    : bad('disk', detail, 'make room: writes will fail soon');
}

function checkConfig(home: string): Finding {
  try {
    loadConfig(home);
    return good('configuration', 'valid');
  } catch (error) {
    return bad(
      'configuration',
      asSluiceError(error).message,
      'mend config.json or the environment variable it names',
    );
  }
}

function checkPrivacy(layout: HomeLayout): Finding {
  const open = [layout.root, layout.data, layout.keys, layout.database].filter(
    (path) => (statSync(path).mode & 0o077) !== 0,
  );
  if (open.length === 0) return good('privacy', 'only the owner can read the home');
  return bad('privacy', `others may read ${open.join(', ')}`, `chmod -R go-rwx ${layout.root}`);
}

function checkStore(layout: HomeLayout): Finding {
  const problem = checkDatabase(layout.database);
  if (problem === undefined) return good('store', 'the database is sound');
  return bad('store', problem, 'stop Sluice and restore the last backup with "sluice restore"');
}

/** Through the pipeline, as everything else: is it reachable, and does its audit log hold? */
async function checkRunning(home: string): Promise<readonly Finding[]> {
  let client: HomeClient;
  try {
    client = await openHome({ home, config: loadConfig(home).config, log: silentLog });
  } catch (error) {
    return [
      bad(
        'open',
        asSluiceError(error).message,
        'see the log of the running Sluice, or stop it and try again',
      ),
    ];
  }
  try {
    const status = await client.call('get_mcp_status', {});
    const audit = (await client.call('audit.verify', {})) as {
      ok: boolean;
      records: number;
      faults: { sequence: number; problem: string }[];
    };
    const [fault] = audit.faults;
    return [
      good(
        'server',
        client.remote
          ? `runs at ${status.url ?? 'its socket only'}`
          : 'does not run; "sluice serve" starts it',
      ),
      status.enabled ? good('switch', 'on') : bad('switch', 'everything is switched off', 'sluice enable'),
      status.workspace === null
        ? bad('workspace', 'none is open', 'sluice workspace open NAME')
        : good('workspace', String(status.workspace)),
      fault
        ? bad(
            'audit',
            `record ${fault.sequence}: ${fault.problem}`,
            'the log was altered or rolled back: keep it, and find out who did',
          )
        : good('audit', `${audit.records} records verify`),
    ];
  } finally {
    await client.close();
  }
}
