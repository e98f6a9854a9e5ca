/** A later Sluice as a process of its own: opens a home, upgrades it, says so and ends. */
import { composeApp } from '../../src/app/compose.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLog } from '../../src/kernel/log.ts';
import { LATER } from './later-schema.ts';

const home = process.argv[2] ?? '';
const log = createLog(systemClock, 'info', (line) => process.stdout.write(`${line}\n`));
const app = await composeApp({ home, config: loadConfig(home).config, log, schema: LATER });
process.stdout.write('upgraded\n');
await app.close();
