/**
 * Names that lead where a test says. Loaded into a process before everything else, it answers for them in the place of
 * the system, each time with the next of their answers; imported it makes the environment that loads it.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIPv6 } from 'node:net';

/** By name: answers, each a list of addresses; after the last one the first comes again. */
type Names = Readonly<Record<string, readonly (readonly string[])[]>>;

export const scriptedNames = (names: Names): Record<string, string> => ({
  NODE_OPTIONS: `--import ${import.meta.url}`,
  SCRIPTED_NAMES: JSON.stringify(names),
});

const given = process.env.SCRIPTED_NAMES;
if (given !== undefined) answerFor(JSON.parse(given) as Names);

function answerFor(names: Names): void {
  const asked = new Map<string, number>();
  const real = dns.lookup;
  const scripted = (hostname: string, options: dns.LookupAllOptions, callback: Callback): void => {
    const answers = names[hostname];
    if (!answers) {
      real(hostname, options, callback);
      return;
    }
    const count = asked.get(hostname) ?? 0;
    asked.set(hostname, count + 1);
    const addresses = (answers[count % answers.length] ?? []).map((address) => ({
      address,
      family: isIPv6(address) ? 6 : 4,
    }));
    setImmediate(callback, null, addresses);
  };
  Object.assign(dns, { lookup: scripted });
  syncBuiltinESMExports();
}

type Callback = (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void;
