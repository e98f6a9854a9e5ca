/** What a server logs by messages is for its owner to read, a few lines of it, and for nobody else. */
import { describe, expect, it } from 'vitest';
import { providerHome } from '../../support/provider-home.ts';
import { BENIGN, TRANSPORTS } from '../../support/scripted-upstream.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe.each(TRANSPORTS)('[PROC-06] what a server over %s logs', (transport) => {
  const at = providerHome(transport, {
    ...BENIGN,
    logs: `cannot\u001b[31m reach it, key ${TOKEN}\nand more`,
  });

  it('is shown to its owner without credentials, in one line each and not without end', async () => {
    for (let n = 0; n < 120; n += 1) await at.call('echo', { text: 'x' });
    const { stderr } = await at.asOwner<{ stderr: string }>('provider.logs', { id: 'up' });
    const lines = stderr.trimEnd().split('\n');
    for (const line of lines)
      expect(line).toMatch(/^\[emergency\] cannot.* reach it, key \[github-token removed\] and more$/);
    expect(lines).toHaveLength(100);
    expect(stderr).not.toContain('\u001b');
  });

  it('is not told to callers', async () => {
    expect(await at.call('echo', { text: 'x' })).toBe('{"text":"x"}');
    expect(JSON.stringify(await at.client().ask('tools/list'))).not.toContain('reach it');
  });
});
