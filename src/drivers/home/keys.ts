/** The keys of a home: one to seal secrets, one to sign audit heads, and the name of its audit chain. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SluiceError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { KeyRing } from '../../kernel/ports/secret-box.ts';
import { createKeyRing, newMasterKey } from './key-ring.ts';

export interface HomeKeys {
  readonly secrets: KeyRing;
  readonly signing: KeyObject;
  readonly verifying: KeyObject;
  /** Names this home's audit chain. */
  readonly writer: string;
}

export const KEY_FILES = ['master.key', 'audit.pem', 'writer'] as const;

export function openKeys(folder: string): HomeKeys {
  const key = (name: (typeof KEY_FILES)[number], make: () => string): string =>
    readOrMake(folder, name, make);
  const secrets = createKeyRing(key('master.key', newMasterKey), (text) =>
    writeWhole(folder, 'master.key', text),
  );
  if (!secrets) throw damagedKey('master key');
  const signing = readSigningKey(key('audit.pem', newSigningKey));
  const writer = key('writer', () => randomUUID());
  if (!isUuid(writer)) throw damagedKey('audit writer');
  return { secrets, signing, verifying: createPublicKey(signing), writer };
}

function newSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function readSigningKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw damagedKey('signing key', error);
  }
}

function readOrMake(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = make().trim();
  writeWhole(folder, name, text);
  return text;
}

/** Readable by the owner alone, on disk and whole before it has its name. */
function writeWhole(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(draft, path);
  const entry = openSync(folder, 'r');
  fsyncSync(entry);
  closeSync(entry);
}

/** Never replaced: what was sealed and signed with it would be lost for good. */
const damagedKey = (what: string, cause?: unknown): SluiceError =>
  new SluiceError('unavailable', `The ${what} of this home is damaged; restore it from a backup`, {}, cause);
