/** What an open home says of itself, through the pipeline as everything else. */
import type { Config } from '../../config/keys.ts';
import type { HomeLayout } from '../../drivers/home/home-layout.ts';
import type { HomeClient } from '../home-client.ts';
import { checkPort, checkSocket, filesWithTokens } from './check-machine.ts';
import { bad, damaged, type Finding, good } from './finding.ts';

/** Clocks of one machine are set by minutes, not by more. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;

export async function checkOpenHome(
  client: HomeClient,
  layout: HomeLayout,
  config: Config,
): Promise<readonly Finding[]> {
  // First of all: everything that is asked below writes records of its own.
  const clock = await checkClock(client);
  const status = await client.call('get_mcp_status', {});
  const running = client.remote
    ? [good('server', `runs at ${status.url ?? 'its socket only'}`)]
    : [
        good('server', 'does not run; "sluice serve" starts it'),
        checkSocket(layout),
        await checkPort(config, Number(status.port)),
      ];
  return [
    ...running,
    clock,
    status.enabled
      ? good('switch', 'on')
      : bad('switched-off', 'everything is switched off for clients', 'sluice enable'),
    checkTools(status.disabled_tools as readonly string[]),
    status.workspace === null
      ? bad('no-workspace', 'no workspace is open', 'sluice workspace list, then sluice workspace open NAME')
      : good('workspace', String(status.workspace)),
    await checkClients(client),
    await checkClientFiles(client),
    await checkAudit(client),
  ];
}

async function checkClock(client: HomeClient): Promise<Finding> {
  const now = Date.now();
  const since = new Date(now + CLOCK_TOLERANCE_MS).toISOString();
  const { records } = (await client.call('audit.list', { since, limit: 1 })) as { records: { at: string }[] };
  const [future] = records;
  if (!future) return good('clock', new Date(now).toISOString());
  return bad(
    'clock-back',
    `the clock says ${new Date(now).toISOString()}, but the audit log has a record of ${future.at}`,
    'set the clock of this machine; expiry of tokens and retention go by it',
  );
}

function checkTools(off: readonly string[]): Finding {
  if (off.length === 0) return good('tools', 'none is switched off');
  return bad('tools-switched-off', `switched off: ${off.join(', ')}`, `sluice enable --tool ${off[0]}`);
}

async function checkClients(client: HomeClient): Promise<Finding> {
  const { clients } = (await client.call('client.list', {})) as {
    clients: { name: string; state: string }[];
  };
  const expired = clients.filter(({ state }) => state === 'expired').map(({ name }) => name);
  const [first] = expired;
  if (first === undefined) return good('clients', `${clients.length} with a valid token`);
  return bad(
    'clients-expired',
    `expired: ${expired.join(', ')}`,
    `sluice client revoke ${first}, or give it a new token with "sluice connect"`,
  );
}

/** A client's own token belongs there; the owner's speaks as the author, whoever reads the file. */
async function checkClientFiles(client: HomeClient): Promise<Finding> {
  const found = filesWithTokens();
  // The token is only asked for, which is recorded, where there is something to compare it with.
  const owner = found.length === 0 ? undefined : (await client.call('get_mcp_token', {})).token;
  const file = found.find(({ tokens }) => tokens.some((token) => token === owner));
  if (!file) return good('client-files', "the owner's token is in no client's configuration");
  return bad(
    'owner-token-in-file',
    `${file.path} holds the owner's token, which writes as you`,
    'give the client a token of its own with "sluice connect", then "sluice token rotate"',
  );
}

async function checkAudit(client: HomeClient): Promise<Finding> {
  const { records, faults } = (await client.call('audit.verify', {})) as {
    records: number;
    faults: { sequence: number; problem: string }[];
  };
  const [fault] = faults;
  if (!fault) return good('audit', `${records} records verify`);
  return damaged(
    'audit-broken',
    `record ${fault.sequence}: ${fault.problem}`,
    'the log was altered or rolled back: keep a copy with "sluice audit export", and find out who did it',
  );
}
