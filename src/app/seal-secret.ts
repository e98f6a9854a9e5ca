/**
 * Seals what a person gives at the command line before it becomes the argument of a call: whoever may read the home's
 * key may, and nobody else. What is called, recorded and kept for retries is then never the secret.
 */
import { answerPurpose, clientPurpose } from '../domain/providers/custody/connections.ts';
import { type SlotKey, slotPurpose } from '../domain/providers/custody/credential-slot.ts';
import { homeLayout } from '../drivers/home/home-layout.ts';
import { openKeys } from '../drivers/home/keys.ts';

/** The home must have been opened before: its key is not made here. */
const seal = (home: string, secret: string, purpose: string): string =>
  openKeys(homeLayout(home).keys).secrets.seal(secret, purpose);

export const sealCredential = (home: string, key: SlotKey, secret: string): string =>
  seal(home, secret, slotPurpose(key));

export const sealClientSecret = (home: string, provider: string, secret: string): string =>
  seal(home, secret, clientPurpose(provider));

export const sealAnswer = (home: string, flow: string, answer: Readonly<Record<string, string>>): string =>
  seal(home, JSON.stringify(answer), answerPurpose(flow));
