/**
 * Does what it is asked to and then answers with something that is no answer, so that the call is made once more, or
 * so that the yes to it stays good.
 */
import { describe, expect, it } from 'vitest';
import { approve, refused, timesCalled, WITH_SEND } from '../../support/approvals.ts';
import { auditRecords } from '../../support/audit.ts';
import { providerHome } from '../../support/provider-home.ts';
import { TRANSPORTS, type Transport } from '../../support/scripted-upstream.ts';

const http = (status: string, ...lines: readonly string[]): string =>
  [`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n');

const EVENTS = 'Content-Type: text/event-stream';
const stream = (text: string): string => http('200 OK', EVENTS, `Content-Length: ${text.length}`) + text;
const NO_RESULT = '{"jsonrpc":"2.0","id":$ID}';
const DEEP = `{"jsonrpc":"2.0","id":$ID,"result":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`;

/** Of none of these anybody can tell whether it was done. */
const DOUBTFUL: Readonly<Record<Transport, Readonly<Record<string, string>>>> = {
  http: {
    no_http: 'done, thank you\r\n\r\n',
    length_that_is_none: http('200 OK', 'Content-Type: application/json', 'Content-Length: many'),
    two_lengths: http('200 OK', 'Content-Length: 1', 'Content-Length: 2'),
    header_that_is_none: http('200 OK', 'Content-Type: application/json', 'X\u0000: y'),
    nothing: '',
    nothing_in_it: http('200 OK', 'Content-Type: application/json', 'Content-Length: 0'),
    no_events: stream(''),
    events_of_others: stream('data: {"jsonrpc":"2.0","id":"another","result":{}}\n\n'),
    more_later_and_then_not: stream('id: 7\nretry: 10\ndata: \n\n'),
    half_an_answer: `${http('200 OK', EVENTS, 'Content-Length: 100')}data: {"json`,
    no_result: stream(`data: ${NO_RESULT}\n\n`),
    too_deep: stream(`data: ${DEEP}\n\n`),
    accepted: http('202 Accepted', 'Content-Length: 0'),
    bad_request: http('400 Bad Request', 'Content-Length: 0'),
    elsewhere: http('303 See Other', 'Location: /done', 'Content-Length: 0'),
  },
  stdio: { no_result: `${NO_RESULT}\n`, too_deep: `${DEEP}\n` },
};

/** It says itself that it was not done, in the way that HTTP has for it. */
const DENIED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  http: {
    unauthorized: http('401 Unauthorized', 'Content-Length: 0'),
    session_unknown: http('404 Not Found', 'Content-Length: 0'),
    forbidden: http('403 Forbidden', 'Content-Length: 0'),
  },
};

describe.each(TRANSPORTS)('[UPD-10] a write over %s that is done and then', (transport) => {
  const at = providerHome(transport, WITH_SEND);

  /** With a yes to it. */
  async function send(input: Record<string, unknown>) {
    const { approval } = await refused(at, 'send', input);
    await approve(at, approval);
    const before = timesCalled(at, 'send');
    const { code } = await refused(at, 'send', input);
    const again = await refused(at, 'send', input);
    const [record] = (await auditRecords(at.home, { tool_name: 'up.send' })).slice(-2);
    return {
      code,
      status: record?.status,
      again: again.code,
      anew: again.approval !== approval,
      calls: timesCalled(at, 'send') - before,
    };
  }

  const spent = { again: 'DELEG_APPROVAL_REQUIRED', anew: true, calls: 1 };

  it.each(Object.entries(DOUBTFUL[transport]))(
    'answered with %s is unconfirmed, not sent again, and its yes is spent',
    async (name, bytes) => {
      at.upstream().become({ ...WITH_SEND, bytes: { send: bytes } });
      const ended = await send({ text: name });
      expect(ended).toEqual({ code: 'DELEG_OUTCOME_UNCONFIRMED', status: 'unconfirmed', ...spent });
    },
  );

  it.each(Object.entries(DENIED[transport] ?? {}))(
    'answered with %s is not sent again, and its yes is spent',
    async (name, bytes) => {
      at.upstream().become({ ...WITH_SEND, bytes: { send: bytes } });
      expect(await send({ text: name })).toMatchObject({ status: 'error', ...spent });
    },
  );
});
