/** Pipelines that must not compile: a step left out, or two of them swapped. */
import type { Gate } from '../../../src/gateway/means.ts';
import type {
  Admitted,
  Approved,
  Authenticated,
  Enclosed,
  Found,
  Handled,
  Opened,
  Passed,
  Resolved,
  Sized,
  Submitted,
  Valid,
} from '../../../src/gateway/stages.ts';
import { authenticate } from '../../../src/gateway/steps/authenticate.ts';
import { checkOutput } from '../../../src/gateway/steps/check-output.ts';
import { closeAudit } from '../../../src/gateway/steps/close-audit.ts';
import { enclose } from '../../../src/gateway/steps/enclose.ts';
import { findEntry } from '../../../src/gateway/steps/find-entry.ts';
import { limitRate } from '../../../src/gateway/steps/limit-rate.ts';
import { limitSize } from '../../../src/gateway/steps/limit-size.ts';
import { passGate } from '../../../src/gateway/steps/pass-gate.ts';
import { requireApproval } from '../../../src/gateway/steps/require-approval.ts';
import { resolveCaller } from '../../../src/gateway/steps/resolve-caller.ts';
import { runHandler } from '../../../src/gateway/steps/run-handler.ts';
import { submit } from '../../../src/gateway/steps/submit.ts';
import { validateInput } from '../../../src/gateway/steps/validate-input.ts';

declare const use: Gate;

interface Stages {
  readonly opened: Opened;
  readonly authenticated: Authenticated;
  readonly resolved: Resolved;
  readonly sized: Sized;
  readonly found: Found;
  readonly on: Passed<'off_switch'>;
  readonly listed: Passed<'role'>;
  readonly reached: Passed<'reach'>;
  readonly scoped: Passed<'scope'>;
  readonly allowed: Passed<'access_rule'>;
  readonly admitted: Admitted;
  readonly valid: Valid;
  readonly approved: Approved;
  readonly enclosed: Enclosed;
  readonly submitted: Submitted;
  readonly handled: Handled;
}

export function stepLeftOut(at: Stages): unknown {
  return [
    // @ts-expect-error 1 opening the audit entry
    authenticate(use, at.opened.request),
    // @ts-expect-error 2 authentication
    resolveCaller(use, at.opened),
    // @ts-expect-error 3 the caller
    limitSize(use, at.authenticated),
    // @ts-expect-error 4 size
    findEntry(use, at.resolved),
    // @ts-expect-error 5 finding the entry
    passGate(use, at.sized, 'off_switch'),
    // @ts-expect-error 6 the off switch
    passGate(use, at.found, 'role'),
    // @ts-expect-error 7 the role
    passGate(use, at.on, 'reach'),
    // @ts-expect-error 8 reach
    passGate(use, at.listed, 'scope'),
    // @ts-expect-error 9 scopes
    passGate(use, at.reached, 'access_rule'),
    // @ts-expect-error 10 access rules
    limitRate(use, at.scoped),
    // @ts-expect-error 11 rate
    validateInput(use, at.allowed),
    // @ts-expect-error 12 validation
    requireApproval(use, at.admitted),
    // @ts-expect-error 13 approval
    enclose(use, at.valid, async () => ({}) as never),
    // @ts-expect-error the frame around the effect
    submit(use, at.approved),
    // @ts-expect-error 14 the submit boundary
    runHandler(use, at.enclosed),
    // @ts-expect-error 15 the handler
    checkOutput(use, at.submitted),
    // @ts-expect-error 16 the output
    closeAudit(use, at.handled),
  ];
}

export function stepsSwapped(at: Stages): unknown {
  return [
    // @ts-expect-error rules before scopes
    passGate(use, passGate(use, at.reached, 'access_rule'), 'scope'),
    // @ts-expect-error the role before the off switch
    passGate(use, passGate(use, at.found, 'role'), 'off_switch'),
    // @ts-expect-error validation before the rate limit
    limitRate(use, validateInput(use, at.allowed)),
    // @ts-expect-error approval before validation
    validateInput(use, requireApproval(use, at.admitted)),
  ];
}

export function gateThatDoesNotExist(at: Stages): unknown {
  // @ts-expect-error there are five
  return passGate(use, at.found, 'mood');
}
