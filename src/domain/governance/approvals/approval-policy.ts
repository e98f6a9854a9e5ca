/** What the owner has decided about approvals, and the mark of the policy that an approval is bound to. */
import { canonicalJson, sha256Hex } from '../../../kernel/canonical-json.ts';
import type { Governance } from '../governance-state.ts';
import type { Settings } from '../settings.ts';

export type ApprovalPolicy = Pick<
  Settings,
  'approval_local_effects' | 'approval_mixed_runs' | 'approval_output_classes' | 'approval_for_session'
>;

const approvalPolicyOf = (settings: Settings): ApprovalPolicy => ({
  approval_local_effects: settings.approval_local_effects,
  approval_mixed_runs: settings.approval_mixed_runs,
  approval_output_classes: settings.approval_output_classes,
  approval_for_session: settings.approval_for_session,
});

/** Another one whenever roles, rules, switches or this policy change; new clients change nothing about a call. */
export function policyMark(governance: Governance): string {
  const known = marks.get(governance);
  if (known !== undefined) return known;
  const { policy, settings } = governance;
  const mark = `sha256:${sha256Hex(
    canonicalJson({
      enabled: policy.enabled,
      disabled: policy.disabledTools,
      roles: [...policy.roles.values()],
      rules: policy.rules,
      approvals: approvalPolicyOf(settings),
    }),
  )}`;
  marks.set(governance, mark);
  return mark;
}

const marks = new WeakMap<Governance, string>();
