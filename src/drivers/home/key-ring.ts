/**
 * The master key and those it has taken the place of, for as long as something may be sealed with them. They are the
 * lines of one file, the newest first, so that exchanging one is one rename and no crash leaves a value without its key.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SluiceError } from '../../kernel/errors.ts';
import type { KeyRing } from '../../kernel/ports/secret-box.ts';

const KEY_BYTES = 32;
const MAX_FORMER = 16;

interface FormerKey {
  readonly key: Buffer;
  readonly exchangedAt: number;
}

export const newMasterKey = (): string => randomBytes(KEY_BYTES).toString('hex');

/** `text` is what the file holds; undefined where that is no key. */
export function createKeyRing(text: string, write: (text: string) => void): KeyRing | undefined {
  const [first = '', ...lines] = text.split('\n');
  let newest = Buffer.from(first, 'hex');
  let former = lines.map(readFormer);
  if ([newest, ...former.map(({ key }) => key)].some(({ length }) => length !== KEY_BYTES)) return undefined;

  const keys = (): readonly Buffer[] => [newest, ...former.map(({ key }) => key)];
  const keep = (now: Buffer, before: readonly FormerKey[]): void => {
    write([now.toString('hex'), ...before.map(lineOf)].join('\n'));
    [newest, former] = [Buffer.from(now), [...before]];
  };
  const open = (sealed: string, purpose: string): string => {
    for (const key of keys()) {
      const opened = openWith(key, sealed, purpose);
      if (opened !== undefined) return opened;
    }
    throw damaged();
  };
  return {
    seal: (secret, purpose) => sealWith(newest, secret, purpose),
    open,
    reseal(sealed, purpose) {
      const by = keys().findIndex((key) => openWith(key, sealed, purpose) !== undefined);
      return by > 0 ? sealWith(newest, open(sealed, purpose), purpose) : sealed;
    },
    renew(now) {
      if (former.length >= MAX_FORMER) throw tooMany();
      keep(Buffer.from(newMasterKey(), 'hex'), [{ key: newest, exchangedAt: now }, ...former]);
    },
    hasFormer: (now, keptMs) =>
      former.some(({ exchangedAt }) => exchangedAt < now - keptMs || exchangedAt > now),
    forgetFormer(now, keptMs) {
      if (!this.hasFormer(now, keptMs)) return;
      const kept = former.filter(({ exchangedAt }) => exchangedAt >= now - keptMs);
      keep(
        newest,
        // A clock that was ahead would keep them for as long as it was.
        kept.map(({ key, exchangedAt }) => ({ key, exchangedAt: Math.min(exchangedAt, now) })),
      );
    },
  };
}

function readFormer(line: string): FormerKey {
  const [key = '', at] = line.split(' ');
  return { key: Buffer.from(key, 'hex'), exchangedAt: Number(at) };
}

const lineOf = ({ key, exchangedAt }: FormerKey): string => `${key.toString('hex')} ${exchangedAt}`;

const MARK = 'sealed-v1';

/** AES-256-GCM with the purpose as additional data. */
function sealWith(key: Buffer, secret: string, purpose: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${MARK}.${sealed.toString('base64url')}`;
}

function openWith(key: Buffer, sealed: string, purpose: string): string | undefined {
  const [mark, text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64url');
  if (mark !== MARK || bytes.length < 28) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(-16));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

const damaged = (): SluiceError =>
  new SluiceError('integrity_failed', 'A sealed value cannot be opened with the master key of this home');

const tooMany = (): SluiceError =>
  new SluiceError('conflict', `The key was exchanged ${MAX_FORMER} times within a day; try again tomorrow`, {
    reason: 'keys',
  });
