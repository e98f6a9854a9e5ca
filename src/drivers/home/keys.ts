/** The keys of a home: one to seal secrets, one to sign audit heads, and the name of its audit chain. */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SluiceError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { SecretBox } from '../../kernel/ports/secret-box.ts';

export interface HomeKeys {
  readonly secrets: SecretBox;
  readonly signing: KeyObject;
  readonly verifying: KeyObject;
  /** Names this home's audit chain. */
  readonly writer: string;
}

export const KEY_FILES = ['master.key', 'audit.pem', 'writer'] as const;

export function openKeys(folder: string): HomeKeys {
  const key = (name: (typeof KEY_FILES)[number], make: () => string): string =>
    readOrMake(folder, name, make);
  const master = Buffer.from(
    key('master.key', () => randomBytes(32).toString('hex')),
    'hex',
  );
  if (master.length !== 32) throw damagedKey('master key');
  const signing = readSigningKey(key('audit.pem', newSigningKey));
  const writer = key('writer', () => randomUUID());
  if (!isUuid(writer)) throw damagedKey('audit writer');
  return { secrets: createSecretBox(master), signing, verifying: createPublicKey(signing), writer };
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

/** Made once, readable by the owner alone, on disk and whole before it has its name. */
function readOrMake(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = make().trim();
  const draft = `${path}.draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(draft, path);
  const entry = openSync(folder, 'r');
  fsyncSync(entry);
  closeSync(entry);
  return text;
}

/** Never replaced: what was sealed and signed with it would be lost for good. */
const damagedKey = (what: string, cause?: unknown): SluiceError =>
  new SluiceError('unavailable', `The ${what} of this home is damaged; restore it from a backup`, {}, cause);

const MARK = 'sealed-v1';

/** AES-256-GCM with the purpose as additional data. */
function createSecretBox(key: Buffer): SecretBox {
  return {
    seal(secret, purpose) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secret, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${MARK}.${sealed.toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [mark, text = ''] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      if (mark !== MARK || bytes.length < 28) throw damaged();
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(
        Buffer.from(purpose),
      );
      decipher.setAuthTag(bytes.subarray(-16));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
      } catch {
        throw damaged();
      }
    },
  };
}

const damaged = (): SluiceError =>
  new SluiceError('integrity_failed', 'A sealed value cannot be opened with the master key of this home');
