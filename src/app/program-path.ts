/** The command that starts this Sluice, for configurations of other programs. */
import { fileURLToPath } from 'node:url';

export const programPath = (): string => fileURLToPath(new URL('../../bin/sluice', import.meta.url));
