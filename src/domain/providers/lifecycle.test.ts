import { describe, expect, it } from 'vitest';
import { checkMove, isInvokable, PROVIDER_STATES, type ProviderState } from './lifecycle.ts';

/** Written down a second time on purpose: a move that is added or taken away is decided, not slipped in. */
const MATRIX: Readonly<Record<ProviderState, string>> = {
  //            REG DIS RDY DEG QUA OFF REM
  REGISTERED: '  -   x   -   -   x   x   x ',
  DISCOVERING: ' x   -   x   x   x   x   x ',
  READY: '       -   -   -   x   x   x   x ',
  DEGRADED: '    -   -   x   -   x   x   x ',
  QUARANTINED: ' -   x   -   -   -   x   x ',
  DISABLED: '    -   x   -   -   x   -   x ',
  REMOVED: '     -   -   -   -   -   -   - ',
};

const isAllowed = (from: ProviderState, to: ProviderState): boolean =>
  MATRIX[from].trim().split(/\s+/)[PROVIDER_STATES.indexOf(to)] === 'x';

const pairs = PROVIDER_STATES.flatMap((from) => PROVIDER_STATES.map((to) => ({ from, to })));

describe('the states of a provider', () => {
  it.each(pairs)('[PROV-13] $from becomes $to only if the matrix says so', ({ from, to }) => {
    const move = (): void => checkMove('up', from, to);
    if (isAllowed(from, to)) return expect(move).not.toThrow();
    const possible = PROVIDER_STATES.filter((state) => isAllowed(from, state));
    return expect(move).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: `"up" is ${from}; it cannot become ${to}`,
        details: { reason: 'state', state: from, possible },
      }),
    );
  });

  it('[PROV-13] let a call through only where somebody has admitted it and nobody holds it', () => {
    expect(PROVIDER_STATES.filter(isInvokable)).toEqual(['READY', 'DEGRADED']);
  });
});
