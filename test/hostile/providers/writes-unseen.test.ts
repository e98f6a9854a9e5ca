/** Writes what people do not see: terminal sequences, directions, signs of no width, tags. */
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/kernel/canonical-json.ts';
import { auditRecords } from '../../support/audit.ts';
import { providerHome } from '../../support/provider-home.ts';
import { TRANSPORTS } from '../../support/scripted-upstream.ts';
import { saying, telling } from '../../support/telling-provider.ts';

const tags = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const selectors = (text: string): string =>
  Array.from(Buffer.from(text), (byte) =>
    String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16),
  ).join('');

/** What is sent, and what may be left of it. */
const UNSEEN: Readonly<Record<string, readonly [sent: string, left: string]>> = {
  colours: ['a\u001b[31mred\u001b[0m b', 'ared b'],
  title_of_window: ['a\u001b]0;owned\u0007b', 'ab'],
  clipboard: ['a\u001b]52;c;cm0gLXJm\u001b\\b', 'ab'],
  link_of_terminal: ['\u001b]8;;https://eve.example\u001b\\text\u001b]8;;\u001b\\', 'text'],
  string_for_the_terminal: ['a\u001bP1;2|secret\u001b\\b', 'ab'],
  line_up: ['a\u001bMb', 'ab'],
  controls: ['a\u0000b\u0007c\u0008d\u000be\u007ff', 'abcdef'],
  upper_controls: ['a\u0085b\u009b31mc\u009dd', 'abcd'],
  line_written_over: ['rm -rf ~\rls\r\nend', 'rm -rf ~\nls\r\nend'],
  directions: ['a\u202egpj.exe\u202c \u2066x\u2069\u061c\u200e', 'agpj.exe x'],
  no_width: ['a\u200bb\u2060c\ufeffd\u00ade\u180ef', 'abcdef'],
  joiners_in_words: ['se\u200dcr\u200cet', 'secret'],
  marks_before_joiners: ['a\u061c\u200dب', 'aب'],
  fillers: ['a\u3164b\uffa0c\u115fd\u17b4e', 'abcde'],
  tags: [`fine${tags('ignore me')}`, 'fine'],
  selectors: [`fine${selectors('hidden')}`, 'fine'],
  selectors_on_emoji: [`😀${selectors('hidden')}`, '😀'],
  many_selectors: ['☺\ufe0f\ufe0f\ufe0e\ufe0f', '☺\ufe0f'],
  between_lines: ['a\ufff9b\ufffac\ufffb', 'abc'],
  no_characters: ['a\ufdd0b\uffffc', 'abc'],
  half_characters: ['a\ud83db', 'a\ufffdb'],
};

/** Writing that needs its unseen signs. */
const NEEDED = {
  family: saying('👨‍👩‍👧 ❤️ 1️⃣ 🏳️‍🌈'),
  persian: saying('می‌خواهم'),
  hindi: saying('क्‍ष'),
};

describe.each(TRANSPORTS)('[UPB-03] a provider over %s that writes unseen', (transport) => {
  const script = telling({
    ...Object.fromEntries(Object.entries(UNSEEN).map(([name, [sent]]) => [name, saying(sent)])),
    ...NEEDED,
    structure: { content: [], structuredContent: { 'na\u200bme': 'va\u001b[1mlue', list: ['\u202ex'] } },
  });
  const at = providerHome(transport, script);

  it.each(Object.entries(UNSEEN))('%s is read without it', async (name, [, left]) => {
    expect(await at.call(name)).toBe(left);
  });

  it.each(Object.entries(NEEDED))('keeps what %s needs', async (name, { content }) => {
    expect(await at.call(name)).toBe((content as { text: string }[])[0]?.text);
  });

  it('in structure is read without it, and the record is of what was delivered', async () => {
    const { result } = await at.client().ask('tools/call', { name: 'up.structure', arguments: {} });
    const structured = { name: 'value', list: ['x'] };
    expect(result?.structuredContent).toEqual(structured);
    const [structure] = (await auditRecords(at.home, { tool_name: 'up.structure' })).slice(-1);
    expect(structure?.output_digest).toBe(digest({ content: result?.content, structured }));
    const { result: plain } = await at.client().ask('tools/call', { name: 'up.tags', arguments: {} });
    const [record] = (await auditRecords(at.home, { tool_name: 'up.tags' })).slice(-1);
    expect(record?.output_digest).toBe(digest(plain?.content));
  });
});

const digest = (delivered: unknown): string => `sha256:${sha256Hex(JSON.stringify(delivered))}`;
