/**
 * Signed heads: after each batch the writer signs where its chain stands and keeps that outside of the store.
 * A store that was cut short or rolled back then contradicts its own signatures.
 */
import { type KeyObject, sign, verify } from 'node:crypto';
import type { ChainHead } from './audit-chain.ts';

export interface SignedHead extends ChainHead {
  readonly at: number;
  /** Ed25519 over the other fields, base64url. */
  readonly signature: string;
}

const message = (head: ChainHead & { readonly at: number }): Buffer =>
  Buffer.from(`sluice-audit-head-v1\n${head.writer}\n${head.sequence}\n${head.hash}\n${head.at}`);

export function signHead(head: ChainHead, at: number, privateKey: KeyObject): SignedHead {
  const stamped = { writer: head.writer, sequence: head.sequence, hash: head.hash, at };
  return { ...stamped, signature: sign(null, message(stamped), privateKey).toString('base64url') };
}

export function isGenuineHead(head: SignedHead, publicKey: KeyObject): boolean {
  return verify(null, message(head), publicKey, Buffer.from(head.signature, 'base64url'));
}

/** Where heads are kept: beside the store, not in it. */
export interface HeadFile {
  /** Remembers the newest head; called once a batch, so it must be quick. */
  keep(head: ChainHead, at: number): void;
  /** Undefined when nothing was signed yet, or what was signed is gone. */
  newest(): SignedHead | undefined;
  /** The newest head and the checkpoints kept on the way, oldest first; empty when there are none. */
  heads(): readonly SignedHead[];
  readonly publicKey: KeyObject;
}
