import { expect, it } from 'vitest';
import { hearWithout, withoutSecrets } from './hidden-secrets.ts';
import type { Message } from './wire.ts';

const SECRET = 'orchid/731+lantern';

function heard(message: unknown, given: readonly string[] = [SECRET]): unknown {
  const got: Message[] = [];
  const listener = {
    receive: (one: Message) => got.push(one) > 0,
    unsure: () => undefined,
    end: () => undefined,
  };
  hearWithout(() => given, listener).receive(JSON.parse(JSON.stringify(message)) as Message);
  return got[0];
}

it('[CUST-11] what a server was given is taken out of texts, lists, objects and their keys', () => {
  const message = {
    id: 1,
    result: { text: `a ${SECRET} b ${SECRET}`, list: [SECRET, { [`x-${SECRET}`]: 5 }], count: 3, none: null },
  };
  expect(heard(message)).toEqual({
    id: 1,
    result: {
      text: 'a [credential] b [credential]',
      list: ['[credential]', { 'x-[credential]': 5 }],
      count: 3,
      none: null,
    },
  });
});

it('[CUST-11] also as it looks in addresses and in basic authentication', () => {
  const forms = [encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64')];
  for (const form of forms) expect(JSON.stringify(heard({ text: `is ${form}` }))).not.toContain(form);
  expect(withoutSecrets(`said ${SECRET}`, [SECRET])).toBe('said [credential]');
});

it('[CUST-11] what is too short to mean anything stays, and so does everything where nothing was given', () => {
  expect(heard({ text: 'abc' }, ['abc'])).toEqual({ text: 'abc' });
  expect(heard({ text: SECRET }, [])).toEqual({ text: SECRET });
});

it('[CUST-11] however deep it stands', () => {
  let deep: unknown = SECRET;
  for (let depth = 0; depth < 3_000; depth += 1) deep = [deep];
  const message: Message = { deep };
  hearWithout(() => [SECRET], { receive: () => true, unsure: () => undefined, end: () => undefined }).receive(
    message,
  );
  let at: unknown = message.deep;
  while (Array.isArray(at)) at = at[0];
  expect(at).toBe('[credential]');
});
