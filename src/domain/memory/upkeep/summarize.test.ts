import { describe, expect, it } from 'vitest';
import { trustOf } from './summarize.ts';

describe('[MEM-16] what is made from several things', () => {
  const authored = { origin: 'authored', lifecycle: 'canonical' } as const;

  it('counts at once only where a person said all of it', () => {
    expect(trustOf([authored, authored])).toEqual(authored);
    expect(trustOf([authored, { origin: 'authored', lifecycle: 'candidate' }]).lifecycle).toBe('candidate');
  });

  it('waits for a person where a program said some of it, also what somebody has accepted', () => {
    const accepted = { origin: 'agent-produced', lifecycle: 'canonical' } as const;
    expect(trustOf([authored, accepted])).toEqual({ origin: 'agent-produced', lifecycle: 'candidate' });
  });

  it('is a draft where some of it was imported', () => {
    const imported = { origin: 'imported', lifecycle: 'canonical' } as const;
    expect(trustOf([authored, imported])).toEqual({ origin: 'imported', lifecycle: 'draft' });
  });
});
