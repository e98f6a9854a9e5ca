/**
 * How test processes find the one PostgreSQL server of a run. `npm test` starts it and names it in the environment;
 * when vitest is started by hand, a broker in its main process starts one for the first test that asks.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { PostgresMissing } from './postgres-binaries.ts';
import { startPostgres } from './postgres-server.ts';

export type Found =
  | { readonly url: string; readonly missing?: undefined }
  | { readonly url?: undefined; readonly missing: string };

const names = {
  url: 'SLUICE_TEST_POSTGRES_URL',
  missing: 'SLUICE_TEST_POSTGRES_MISSING',
  broker: 'SLUICE_TEST_POSTGRES_BROKER',
};

export async function findPostgres(): Promise<Found> {
  const given = givenPostgres();
  if (given) return given;
  const broker = process.env[names.broker];
  if (!broker)
    return { missing: 'Nothing was set up to start PostgreSQL; run the tests by npm test or vitest' };
  const answer = await fetch(broker);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Found;
}

function givenPostgres(): Found | undefined {
  const url = process.env[names.url];
  const missing = process.env[names.missing];
  if (url) return { url };
  return missing ? { missing } : undefined;
}

/** The environment by which `findPostgres` in other processes finds this. */
export function environmentOf(found: Found): Record<string, string> {
  return found.url === undefined ? { [names.missing]: found.missing } : { [names.url]: found.url };
}

export interface Provided {
  readonly found: Found;
  stop(): Promise<void>;
}

/** The one that is given, or one of our own. A missing package is an answer; a server that fails is an error. */
export async function providePostgres(): Promise<Provided> {
  const nothingToStop = async (): Promise<void> => undefined;
  const given = givenPostgres();
  if (given) return { found: given, stop: nothingToStop };
  try {
    const { url, stop } = await startPostgres();
    return { found: { url }, stop };
  } catch (error) {
    if (!(error instanceof PostgresMissing)) throw error;
    return { found: { missing: error.message }, stop: nothingToStop };
  }
}

export async function openBroker(): Promise<{ close(): Promise<void> }> {
  let provided: Promise<Provided> | undefined;
  const broker = createServer((_, response) => {
    provided ??= providePostgres();
    provided.then(
      ({ found }) => response.end(JSON.stringify(found)),
      (error) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const address = broker.address();
  process.env[names.broker] = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return {
    close: async () => {
      broker.close();
      broker.closeAllConnections();
      await provided?.then(
        ({ stop }) => stop(),
        () => undefined,
      );
    },
  };
}
