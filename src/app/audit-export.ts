/** Exports of the audit log: written as lines of JSON, and checked again without the home they came from. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SignedHead } from '../domain/governance/audit-heads.ts';
import type { AuditReader } from '../domain/governance/audit-log.ts';
import type { AuditRecord } from '../domain/governance/audit-record.ts';
import { type AuditVerification, verifyAudit } from '../domain/governance/verify-audit.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { ReadScope } from '../kernel/ports/unit-of-work.ts';

interface ExportPage {
  readonly writers: readonly string[];
  readonly records: readonly AuditRecord[];
  readonly heads: readonly SignedHead[];
  readonly public_key: string;
  readonly more: boolean;
}

/**
 * Chain by chain, then the heads, then the key they are signed with; a page at a time. All heads from before the
 * first record was read: what is read later reaches them, unless records are gone. Of the later ones those that
 * were reached.
 */
export async function* exportLines(
  ask: (wish: Record<string, unknown>) => Promise<Record<string, unknown>>,
): AsyncGenerator<string> {
  const begun = (await ask({})) as unknown as ExportPage;
  const heads = new Map(begun.heads.map((head) => [head.signature, head]));
  for (const writer of begun.writers) {
    let from = 1;
    let page: ExportPage;
    do {
      page = (await ask({ writer, from })) as unknown as ExportPage;
      for (const record of page.records) yield JSON.stringify({ type: 'record', ...record });
      from = (page.records.at(-1)?.sequence ?? 0) + 1;
    } while (page.more);
    for (const head of page.heads)
      if (head.writer === writer && head.sequence < from) heads.set(head.signature, head);
  }
  for (const head of heads.values()) yield JSON.stringify({ type: 'head', ...head });
  yield JSON.stringify({ type: 'key', public_key: begun.public_key });
}

export interface AuditExport {
  readonly records: readonly AuditRecord[];
  readonly heads: readonly SignedHead[];
  readonly publicKey: KeyObject;
}

export async function readExport(path: string): Promise<AuditExport> {
  const lines = (await readText(path)).split('\n').filter((line) => line !== '');
  const parsed = lines.map((line, i) => parseLine(path, line, i + 1));
  const ofType = (type: string): unknown[] =>
    parsed.filter((line) => line.type === type).map(({ type: _, ...rest }) => rest);
  const [key] = ofType('key') as { public_key: unknown }[];
  const publicKey = readKey(path, key?.public_key);
  const heads = ofType('head') as SignedHead[];
  if (heads.length === 0)
    throw new SluiceError('integrity_failed', `"${path}" has no signed head; every export has one`);
  return { records: ofType('record') as AuditRecord[], heads, publicKey };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SluiceError('invalid_input', `"${path}" cannot be read`, {}, error);
  }
}

function parseLine(path: string, line: string, number: number): { type?: string } & Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new SluiceError(
    'invalid_input',
    `Line ${number} of "${path}" is no line of an export of the audit log`,
  );
}

function readKey(path: string, text: unknown): KeyObject {
  try {
    if (typeof text === 'string') return createPublicKey(text);
  } catch {
    // What is wrong with it does not matter: it is no key.
  }
  throw new SluiceError('invalid_input', `"${path}" is not an export of the audit log: it has no key`);
}

/**
 * By the same walk as the live log. The key comes from the file itself, so an earlier export that somebody kept
 * is what tells whether it is the right one.
 */
export async function verifyExport(path: string, earlier?: AuditExport): Promise<AuditVerification> {
  const { records, heads, publicKey } = await readExport(path);
  if (earlier && !earlier.publicKey.equals(publicKey))
    throw new SluiceError('integrity_failed', `"${path}" is signed with another key than the earlier export`);
  const byWriter = Map.groupBy(records, (record) => record.writer);
  const reader: Pick<AuditReader, 'writers' | 'chain'> = {
    writers: async () => [...byWriter.keys()],
    chain: async (_scope, writer, from, limit) =>
      (byWriter.get(writer) ?? [])
        .filter((record) => record.sequence >= from)
        .sort((a, b) => a.sequence - b.sequence)
        .slice(0, limit),
  };
  return verifyAudit({ reader, publicKey }, {} as ReadScope, [...heads, ...(earlier?.heads ?? [])]);
}
