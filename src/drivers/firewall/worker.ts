/** The thread that looks at long answers with the rules it was given last. */
import { inspect } from '../../domain/providers/firewall/inspect.ts';
import { DEFAULT_RULES, readRules } from '../../domain/providers/firewall/rules.ts';
import { serveRequests } from '../workers/serve-requests.ts';
import type { InspectRequest } from './worker-messages.ts';

let inForce = DEFAULT_RULES;

serveRequests(({ rules, profile, result, before }: InspectRequest) => {
  if (rules) inForce = readRules(rules);
  return inspect({ rules: inForce, allowedHosts: [] }, profile, result, before);
});
