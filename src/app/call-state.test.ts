import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openKeys } from '../drivers/home/keys.ts';
import { openState, type StateBinding, sealState } from '../gateway/call-state.ts';
import type { CallId, PrincipalId } from '../kernel/ids.ts';

const { secrets } = openKeys(temporaryFolder());
const binding: StateBinding = {
  principal: 'p' as PrincipalId,
  kind: 'tool',
  name: 'confirm',
  inputDigest: 'sha256:1',
};
const left = { call: 'c' as CallId, state: { step: 2 } };
const refused = expect.objectContaining({ code: 'invalid_request' });

describe('[PROTO-06] what a call left behind', () => {
  it('comes back as it was within ten minutes, and not after them', () => {
    const sealed = sealState(secrets, 0, binding, left);
    expect(openState(secrets, 600_000, binding, sealed)).toMatchObject(left);
    expect(() => openState(secrets, 600_001, binding, sealed)).toThrow(refused);
  });

  it.each<Partial<StateBinding>>([
    { principal: 'q' as PrincipalId },
    { kind: 'prompt' },
    { name: 'other' },
    { inputDigest: 'sha256:2' },
  ])('opens for nothing else: %j', (other) => {
    const sealed = sealState(secrets, 0, binding, left);
    expect(() => openState(secrets, 0, { ...binding, ...other }, sealed)).toThrow(refused);
  });

  it('cannot be made up', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(() => openState(secrets, 0, binding, text)).toThrow(refused);
        expect(() => openState(secrets, 0, binding, `sealed-v1.${text}`)).toThrow(refused);
      }),
    );
  });
});
