/** Looks whether the server of a home answers, without changing anything. */
import { SluiceError } from '../../../kernel/errors.ts';
import { createSession } from './session.ts';

/** Its version, or an error whose cause says why there is none. */
export async function askPostgres(url: string): Promise<string> {
  const session = createSession(url);
  try {
    await session.ready();
    const { rows } = await session.run('show server_version');
    return String(rows[0]?.server_version);
  } catch (error) {
    throw new SluiceError('unavailable', 'The PostgreSQL server of this home does not answer', {}, error);
  } finally {
    await session.drop();
  }
}
