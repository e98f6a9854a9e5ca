import { expect, it } from 'vitest';
import { browserCommand } from './open-browser.ts';

it.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'vscode://x',
  'not an address',
  '$(id)',
])('[OAUTH-07] nothing is opened for %s', (url) => {
  for (const platform of ['linux', 'darwin', 'win32']) expect(browserCommand(url, platform)).toBeUndefined();
});

it('[OAUTH-07] an address is one argument of a program, and no shell reads it', () => {
  const url = 'https://example.com/a?b=$(touch x)&c=`id`;d|e "f" \'g\' %COMSPEC% ^&';
  for (const platform of ['linux', 'darwin', 'win32']) {
    const [program, ...args] = browserCommand(url, platform) ?? [];
    expect(['xdg-open', 'open', 'rundll32']).toContain(program);
    expect(args.at(-1)).toBe(new URL(url).href);
    expect(args.at(-1)).not.toMatch(/["\s]/);
  }
});
