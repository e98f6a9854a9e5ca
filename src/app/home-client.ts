/** Who opens the data: a running Sluice over its socket, otherwise this process, with the home's lock. */
import { homeLayout } from '../drivers/home/home-layout.ts';
import { factsOf } from '../gateway/request.ts';
import { asSluiceError, SluiceError } from '../kernel/errors.ts';
import { type AdminClient, connectAdmin, watchAdmin } from '../surfaces/daemon-rpc/client.ts';
import type { App, AppOptions } from './compose.ts';
import { ownerGrant } from './local-grants.ts';

export interface HomeClient extends AdminClient {
  /** True when a running Sluice answers; false when this process does. */
  readonly remote: boolean;
}

const LOCK_WAIT_MS = 15_000;

export async function openHome(options: AppOptions, waitMs = LOCK_WAIT_MS): Promise<HomeClient> {
  const { socket } = homeLayout(options.home);
  const deadline = performance.now() + waitMs;
  for (;;) {
    const running = await connectAdmin(socket);
    if (running) return { ...running, remote: true };
    try {
      // Loaded only now: a command that finds a running Sluice needs none of it.
      const { composeApp } = await import('./compose.ts');
      return inProcess(await composeApp({ ...options, lockWaitMs: 0, stays: false }));
    } catch (error) {
      const failure = asSluiceError(error);
      // Somebody has the lock but no socket yet: another short command, or a server that is just starting.
      if (failure.code !== 'home_locked' || performance.now() > deadline) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function inProcess(app: App): HomeClient {
  return {
    remote: false,
    async call(tool, input, workspace, run) {
      const outcome = await app.gateway.call({
        target: { kind: 'tool', name: tool, arguments: input },
        presented: { kind: 'grant', grant: ownerGrant('admin') },
        claims: { workspace, run },
        source: 'admin',
      });
      if (!outcome.ok) throw outcome.error;
      if (outcome.answer.kind !== 'tool') throw new SluiceError('internal', `${tool} is not a tool`);
      return factsOf(outcome.answer);
    },
    close: () => app.close(),
  };
}

/** Tells when anything in the workspace changes, as long as a running Sluice can; undefined when none runs. */
export const followWorkspace = (
  home: string,
  workspace: string | undefined,
  onChange: () => void,
  onEnd: () => void,
): Promise<(() => void) | undefined> => {
  const wish = { uri: 'sluice://workspace/tree', ...(workspace !== undefined && { workspace }) };
  return watchAdmin(homeLayout(home).socket, wish, onChange, onEnd);
};
