import { assert, constantFrom, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refuseCredentials } from './credential-check.ts';

const refused = (input: unknown) => expect(() => refuseCredentials('up', input));

const NAMES = [
  'api_key',
  'apikey',
  'access_token',
  'refresh_token',
  'auth_token',
  'authorization',
  'bearer_token',
  'oauth_token',
  'credential',
  'credentials',
  'client_secret',
  'password',
  'secret',
];

describe('arguments that carry credentials', () => {
  it.each(NAMES)('[CUST-10] are found by the name %s, alone and at the end of another', (name) => {
    refused({ [name]: 'x' }).toThrow('DELEG_PROVIDER_BLOCKED');
    refused({ [`github_${name}`]: 'x' }).toThrow(`github_${name}`);
    refused({ [name.toUpperCase()]: 'x' }).toThrow('names a credential');
  });

  it.each([
    'clientSecret',
    'X-Api-Key',
    'my api key',
    'ｐａｓｓｗｏｒｄ',
    'pass\u200bword',
    'user.password',
    'secret_',
  ])('[CUST-10] are found however the name is written: %j', (name) => {
    refused({ [name]: 'x' }).toThrow('names a credential');
  });

  it('[CUST-10] are found by what they begin with', () => {
    refused({ note: 'Bearer abc' }).toThrow('is a credential');
    refused({ list: ['x', { deep: ' bearer\tabc' }] }).toThrow('"list.1.deep"');
  });

  it('[CUST-10] are found wherever they stand, and what is too deep to look at is refused', () => {
    assert(
      property(jsonValue(), jsonValue(), constantFrom(...NAMES), (around, beside, name) => {
        refused({ around, in: [beside, { more: { [name]: 'x' } }] }).toThrow('DELEG_PROVIDER_BLOCKED');
      }),
    );
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100; depth += 1) deep = [deep];
    refused({ deep }).toThrow('too deep');
  });

  it('[CUST-10] are not what only looks alike', () => {
    const harmless = {
      secretary: 'Ann',
      tokens: 5,
      passwords_changed: 2,
      text: 'the bearer of this letter',
      api_key: null,
      keyboard: 'x',
    };
    refused(harmless).not.toThrow();
  });
});
