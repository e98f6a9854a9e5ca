import { describe, expect, it } from 'vitest';
import { findHome } from '../config/home.ts';
import { connectHints, programAsTyped } from './connect-hints.ts';

describe('[CLI-13] what is said after the start', () => {
  it('names the program as it is typed from here', () => {
    expect(programAsTyped('/srv/sluice', '/srv/sluice/bin/sluice')).toBe('./bin/sluice');
    expect(programAsTyped('/srv', '/usr/lib/sluice/bin/sluice')).toBe('sluice');
    expect(programAsTyped('/srv', '/srv/node_modules/sluice/bin/sluice')).toBe('sluice');
  });

  it('names the home where it is not the usual one, so that a shell takes it', () => {
    expect(connectHints('http://x', findHome(undefined))).not.toContain('--home');
    expect(connectHints('http://x', '/srv/my home')).toContain("connect cursor --home '/srv/my home'\n");
    expect(connectHints('http://x', "/srv/o'b")).toContain("--home '/srv/o'\\''b'");
  });
});
