/** What programs that Sluice starts may know of the environment: how to find other programs, and nothing of its owner. */
import type { Environment } from './load-config.ts';

const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'LANG', 'SystemRoot', 'COMSPEC'];

export function childEnvironment(env: Environment = process.env): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
