/** Answers with credentials and personal data, whole and in pieces, and gets some sent; then looks for them everywhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditRecords } from '../../support/audit.ts';
import { providerHome } from '../../support/provider-home.ts';
import { echoTool, TRANSPORTS } from '../../support/scripted-upstream.ts';
import { saying, telling } from '../../support/telling-provider.ts';
import { refusalOf } from '../../support/wires.ts';

const AWS = 'AKIAQ3EGRIYLT7FZ5K2M';
const GITHUB = 'ghp_Zk83hQw71LmXv92TbNc64RyUe05SaPd1FgHj';
const SLACK = 'xoxb-2847563829-Kq8zLw3vTn';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLW9mLWFsaWNl';
const KEY = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----';
const CARD = '4539 1488 0343 6467';
const IBAN = 'DE89 3704 0044 0532 0130 00';
const SSN = '536-90-4399';
const ALL = [AWS, GITHUB, SLACK, JWT, 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', CARD, IBAN, SSN];

const TOLD = {
  text: saying(`keys: ${AWS} and ${GITHUB}, ${SLACK}`),
  token: saying(`Authorization: ${JWT}`),
  key: saying(KEY),
  person: saying(`Card ${CARD}, account ${IBAN}, number ${SSN}`),
  structure: { content: [], structuredContent: { deep: [{ key: AWS }], [GITHUB]: CARD } },
  failure: { ...saying(`denied for ${GITHUB}`), isError: true },
  link: { content: [{ type: 'resource_link', uri: `https://x.example/${AWS}`, name: SLACK }] },
  hidden: saying(`${AWS.slice(0, 8)}\u200b${AWS.slice(8)}`),
  pieces: saying(`first ${AWS.slice(0, 9)}`, `${AWS.slice(9)} then`),
  small_pieces: saying(...(GITHUB.match(/.{1,5}/g) ?? [])),
  over_parts: { ...saying(SLACK.slice(0, 12)), structuredContent: { rest: SLACK.slice(12) } },
};

const script = {
  ...telling({
    ...TOLD,
    first_half: saying(`Part one: ${GITHUB.slice(0, 18)}`),
    second_half: saying(`${GITHUB.slice(18)} was part two.`),
  }),
};
const withEcho = { ...script, tools: [...script.tools, echoTool], errors: { breaks: `for ${AWS}` } };

describe.each(TRANSPORTS)('[UPB-05][FIRE-62] a provider over %s and secrets', (transport) => {
  const at = providerHome(transport, withEcho, false);
  const ask = (tool: string, input: object = {}) =>
    at.client().ask('tools/call', { name: `up.${tool}`, arguments: input });

  it('is heard without them', async () => {
    const review = { id: 'up', admit_all: true, trust: 'USER_ADDED_REVIEWED', reason: 'a stranger' };
    await at.asOwner('provider.review', review);
    for (const tool of Object.keys(TOLD)) {
      const answer = JSON.stringify(await ask(tool));
      expect(answer, tool).toMatch(/removed/);
      for (const secret of ALL) expect(answer, tool).not.toContain(secret);
      expect(answer, tool).not.toContain(AWS.slice(9));
      expect(answer, tool).not.toContain(SLACK.slice(12));
    }
  });

  it('that tells one in two answers, the second is without its part', async () => {
    await ask('first_half');
    expect(await at.call('second_half')).toBe('[github-token removed] was part two.');
  });

  it.each([AWS, GITHUB, SLACK, JWT, KEY])('is sent none of them (%#)', async (secret) => {
    const before = at.upstream().requests().length;
    const message = await ask('echo', { text: `look at ${secret}` });
    expect(refusalOf(message)).toMatchObject({
      code: 'DELEG_PROVIDER_BLOCKED',
      field: 'text',
      message: expect.stringMatching(/holds a credential .*; leave it out/),
    });
    expect(JSON.stringify(message)).not.toContain(secret.slice(0, 40));
    const calls = at.upstream().requests().slice(before);
    expect(calls.filter(({ method }) => method === 'tools/call')).toEqual([]);
  });

  it.each([
    'the password: kT7wq2pd! is new',
    'Authorization: Bearer 7hYt5Re3Wq1Zx9Cv2Bn4',
    'postgres://u:p@host/db',
  ])('is sent none by its name or form: %s', async (text) => {
    const message = await ask('echo', { text: `see ${text}` });
    expect(refusalOf(message)).toMatchObject({ code: 'DELEG_PROVIDER_BLOCKED', field: 'text' });
  });

  it('is sent what the rules let go, and the record says what it was', async () => {
    expect(await at.call('echo', { text: 'ada@example.org, what is a password: policy?' })).toContain(
      'what is a',
    );
    const [last] = (await auditRecords(at.home, { tool: 'up.echo' })).toReversed();
    expect(last?.verdict).toMatch(/^ACCEPTED_OBSERVATION@\S+ sent:.*email/);
  });

  it('is sent none in two calls', async () => {
    expect(await at.call('echo', { text: `a ${SLACK.slice(0, 13)}` })).toContain('a xoxb');
    expect(await at.call('echo', { text: `${SLACK.slice(13)} b` })).toBe('DELEG_PROVIDER_BLOCKED');
  });

  it('leaves none in a record, a log or a file', async () => {
    const records = JSON.stringify(await auditRecords(at.home, { subject_name: 'caller' }));
    const written = [records, at.server().output()];
    await at.restart();
    written.push(...filesBelow(at.home), at.server().output());
    for (const secret of ALL)
      for (const text of written) expect(text.includes(secret), secret.slice(0, 4)).toBe(false);
  });
});

/** Everything Sluice keeps; what the provider itself writes down is its own business. */
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('upstream-'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
