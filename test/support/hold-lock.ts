/** A process of its own that takes the lock of a home, says so, and holds it until it is ended. */
import { tryLockHome } from '../../src/drivers/home/home-lock.ts';

const lock = tryLockHome(process.argv[2] ?? '');
process.stdout.write(lock ? 'locked\n' : 'taken\n');
if (lock) setInterval(() => undefined, 60_000);
