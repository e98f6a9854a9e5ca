import { describe, expect, it } from 'vitest';
import { fillTemplate } from './template.ts';

const AT = Date.UTC(2026, 0, 31, 9, 5);

describe('[PAGE-11] a template', () => {
  it('has title, date and time filled in, wherever they stand', () => {
    expect(fillTemplate('# {{title}}\n{{ date }} {{time}} {{title}}', 'My $& page', AT)).toBe(
      '# My $& page\n2026-01-31 09:05 My $& page',
    );
  });

  it('keeps everything else as it is', () => {
    const text = '{{other}} {{ title {title} {{Title}} {{constructor}} {{{{date}}}}';
    expect(fillTemplate(text, 'T', AT)).toBe(
      '{{other}} {{ title {title} {{Title}} {{constructor}} {{2026-01-31}}',
    );
  });
});
