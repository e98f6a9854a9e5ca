/** Which tools of a provider wait for a person's yes, by what they do and how far their provider is trusted. */
import type { EffectClass, TrustTier } from './profile.ts';

export type ApprovalNeed = 'never' | 'policy' | 'always';

/** What nobody has said counts as dangerous. What is blocked is refused elsewhere and needs no question. */
export function approvalNeed(effect: EffectClass | undefined, trust: TrustTier | undefined): ApprovalNeed {
  if (trust === 'BLOCKED' || effect === 'UNSUPPORTED_EFFECT') return 'never';
  if (effect === undefined || trust === undefined) return 'always';
  return NEEDS[effect];
}

const NEEDS: Readonly<Record<EffectClass, ApprovalNeed>> = {
  READ_ONLY: 'never',
  LOCAL_SIDE_EFFECT: 'policy',
  EXTERNAL_SIDE_EFFECT: 'always',
  SENSITIVE_READ: 'always',
  UNSUPPORTED_EFFECT: 'never',
};
