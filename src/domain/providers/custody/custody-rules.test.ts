import { describe, expect, it } from 'vitest';
import { type Custody, checkCustody, custodyOf, inFormat } from './custody-rules.ts';

const usual = custodyOf({});
const wrong = (change: Partial<Custody>) => () => checkCustody({ ...usual, ...change });

describe('how a credential is sent', () => {
  it.each(['Host', 'Content-Length', 'Mcp-Session-Id', 'Accept', 'a b', 'x\r\ny', ''])(
    '[CUST-02] is in a header for credentials, not %j',
    (header) => {
      expect(wrong({ header })).toThrow('credential_header');
    },
  );

  it.each(['Bearer', '{} {}', '{}\n', 'Bearer {}\r\nX: y', ''])(
    '[CUST-02] is in a form with one place for it, not %j',
    (format) => {
      expect(wrong({ format })).toThrow('credential_format');
    },
  );

  it('[CUST-02] is put where its place is, whatever is in it', () => {
    expect(inFormat('Bearer {}', "$&{}$'")).toBe("Bearer $&{}$'");
    expect(inFormat('Basic {base64}', 'a:b')).toBe('Basic YTpi');
    expect(checkCustody({ ...usual, header: 'X-Api-Key' }).header).toBe('x-api-key');
  });
});

describe('variables of a program', () => {
  it.each(['PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'DYLD_INSERT_LIBRARIES', 'PYTHONPATH', 'path', 'BASH_ENV'])(
    '[CUST-06] decide nothing about what it runs: not %s',
    (name) => {
      expect(wrong({ environment: { [name]: 'connector://x' } })).toThrow('decides what a program runs');
    },
  );

  it.each(['a=b', '1A', 'A B', ''])('[CUST-06] have names, not %j', (name) => {
    expect(wrong({ environment: { [name]: 'connector://x' } })).toThrow('environment');
  });

  it('[CUST-06] hold references, never the credential itself', () => {
    expect(wrong({ environment: { TOKEN: 'ghp_abcdef' } })).toThrow('must be a reference');
    expect(wrong({ environment: { TOKEN: 'connector://Bearer' } })).toThrow('must be a reference');
  });
});
