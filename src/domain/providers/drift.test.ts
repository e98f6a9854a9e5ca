import fc from 'fast-check';
import { expect, it } from 'vitest';
import { times } from '../../../test/support/random.ts';
import { findDrift, isGrave } from './drift.ts';
import { type ProviderSurface, pinOfRest } from './surface.ts';

const word = fc.constantFrom('a', 'b', 'a (2)', 'constructor', '__proto__', '');
const listed = fc.array(fc.record({ name: word, uriTemplate: word, description: word }), { maxLength: 4 });
const surface: fc.Arbitrary<ProviderSurface> = fc.record({
  revision: fc.constant('2025-11-25'),
  identity: fc.record({ name: word, version: word }),
  instructions: fc.option(word),
  tools: fc.constant([]),
  prompts: listed,
  resourceTemplates: listed,
});

it('[PROV-04] what has another pin has drifted, whatever it is that differs', () => {
  const property = fc.property(surface, surface, (admitted, now) => {
    const profile = { allowedTools: [], surfacePin: pinOfRest(admitted) };
    const drift = findDrift(profile, admitted, now);
    expect(drift.some(isGrave)).toBe(pinOfRest(now) !== profile.surfacePin);
    for (const { fields } of drift) expect(fields).not.toEqual([]);
  });
  fc.assert(property, { numRuns: times(200, 5_000) });
});
