/** A process of its own that takes the lock of a home, says so, and holds it until it is ended. */
import { tryLockHome } from '../../src/drivers/home/home-lock.ts';

const lock = tryLockHome(process.argv[2] ?? '');
process.stdout.write(lock ? 'locked\n' : 'taken\n');
// Held by what waits: a lock that nobody refers to is collected, and free.
if (lock) setInterval(() => lock, 60_000);
