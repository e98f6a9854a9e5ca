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
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretBox } from '../../domain/governance/secret-box.ts';
import { SluiceError } from '../../kernel/errors.ts';

export interface HomeKeys {
  readonly secrets: SecretBox;
  readonly signing: KeyObject;
  readonly verifying: KeyObject;
  /** Names this home's audit chain. */
  readonly writer: string;
}

export function openKeys(folder: string): HomeKeys {
  const master = Buffer.from(
    readOrMake(join(folder, 'master.key'), () => randomBytes(32).toString('hex')),
    'hex',
  );
  if (master.length !== 32) throw new SluiceError('unavailable', 'The master key of this home is damaged');
  const signing = createPrivateKey(readOrMake(join(folder, 'audit.pem'), newSigningKey));
  const writer = readOrMake(join(folder, 'writer'), () => randomUUID());
  return { secrets: createSecretBox(master), signing, verifying: createPublicKey(signing), writer };
}

function newSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Made once, readable by the owner alone, on disk before it is used. */
function readOrMake(path: string, make: () => string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = make().trim();
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, `${text}\n`);
  fsyncSync(file);
  closeSync(file);
  return text;
}

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
