import { describe, expect, it } from 'vitest';
import { definePrompt } from './prompt-definition.ts';

const withIcon = (src: string) =>
  definePrompt({
    name: 'shown',
    title: 'Shown',
    summary: 'Has an icon.',
    scopes: [],
    arguments: [],
    icons: [{ src }],
    handler: async () => [],
  });

describe('[PROTO-20] icons', () => {
  it.each(['https://example.org/a.png', 'data:image/png;base64,AA=='])('may be %s', (src) => {
    expect(withIcon(src).icons).toEqual([{ src }]);
  });

  it.each(['http://example.org/a.png', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', ''])(
    'may not be %s',
    (src) => {
      expect(() => withIcon(src)).toThrow('An icon of "shown"');
    },
  );
});
