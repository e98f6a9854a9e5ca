/** Steps 6–10: the gates of the one decision, each asked by the same function that lists are made with. */
import { type GateName, passesGate } from '../../domain/governance/decision.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Gate } from '../means.ts';
import type { Found, Passed } from '../stages.ts';
import { absent, switchedOff } from './find-entry.ts';

/** Which stage a gate follows. */
interface Before {
  readonly off_switch: Found;
  readonly role: Passed<'off_switch'>;
  readonly reach: Passed<'role'>;
  readonly scope: Passed<'reach'>;
  readonly access_rule: Passed<'scope'>;
}

export function passGate<Name extends GateName>(use: Gate, before: Before[Name], gate: Name): Passed<Name> {
  const found: Found = before;
  const { policy } = use.governance.current();
  if (!passesGate(gate, policy, found.caller, found.entry)) {
    found.draft.refusedBy(gate);
    throw gate === 'off_switch' && !policy.enabled ? switchedOff() : absent(found.request.target);
  }
  if (gate === 'off_switch' && !use.entitlements.includes('mcp')) {
    found.draft.refusedBy('entitlement');
    throw new SluiceError('entitlement_required', 'This build does not include the tool plane');
  }
  return found as Passed<Name>;
}
