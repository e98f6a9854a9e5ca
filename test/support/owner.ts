/** The owner at the machine, over the admin socket of a running Sluice: what the commands do, without starting one each time. */
import { homeLayout } from '../../src/drivers/home/home-layout.ts';
import { connectAdmin } from '../../src/surfaces/daemon-rpc/client.ts';

export async function asOwner<T = Record<string, unknown>>(
  home: string,
  tool: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const client = await connectAdmin(homeLayout(home).socket);
  if (!client) throw new Error(`Nobody listens at the admin socket of ${home}`);
  try {
    return (await client.call(tool, input)) as T;
  } finally {
    await client.close();
  }
}

/** Registers a client and answers its token. */
export async function addClient(
  home: string,
  name: string,
  further: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await asOwner<{ token: string }>(home, 'client.add', { name, ...further })).token;
}
