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

/** Chain by chain, then the heads as they stood at the end, then the key they are signed with. */
export async function exportLines(
  ask: (wish: Record<string, unknown>) => Promise<Record<string, unknown>>,
): Promise<string[]> {
  const lines: string[] = [];
  let last = (await ask({})) as unknown as ExportPage;
  for (const writer of last.writers) {
    let from = 1;
    do {
      last = (await ask({ writer, from })) as unknown as ExportPage;
      lines.push(...last.records.map((record) => JSON.stringify({ type: 'record', ...record })));
      from = (last.records.at(-1)?.sequence ?? 0) + 1;
    } while (last.more);
  }
  lines.push(...last.heads.map((head) => JSON.stringify({ type: 'head', ...head })));
  lines.push(JSON.stringify({ type: 'key', public_key: last.public_key }));
  return lines;
}

export interface AuditExport {
  readonly records: readonly AuditRecord[];
  readonly heads: readonly SignedHead[];
  readonly publicKey: KeyObject;
}

export async function readExport(path: string): Promise<AuditExport> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  const parsed = lines.map((line, i) => parseLine(path, line, i + 1));
  const ofType = (type: string): unknown[] =>
    parsed.filter((line) => line.type === type).map(({ type: _, ...rest }) => rest);
  const [key] = ofType('key') as { public_key: string }[];
  if (!key)
    throw new SluiceError('invalid_input', `"${path}" is not an export of the audit log: it has no key`);
  return {
    records: ofType('record') as AuditRecord[],
    heads: ofType('head') as SignedHead[],
    publicKey: createPublicKey(key.public_key),
  };
}

function parseLine(path: string, line: string, number: number): { type?: string } & Record<string, unknown> {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new SluiceError('invalid_input', `Line ${number} of "${path}" is not JSON`);
    throw error;
  }
}

/** By the same walk as the live log. The key comes from the file: compare it with one you trust. */
export async function verifyExport(path: string): Promise<AuditVerification> {
  const { records, heads, publicKey } = await readExport(path);
  const byWriter = Map.groupBy(records, (record) => record.writer);
  const reader: Pick<AuditReader, 'writers' | 'chain'> = {
    writers: async () => [...byWriter.keys()],
    chain: async (_scope, writer, from, limit) =>
      (byWriter.get(writer) ?? [])
        .filter((record) => record.sequence >= from)
        .sort((a, b) => a.sequence - b.sequence)
        .slice(0, limit),
  };
  return verifyAudit({ reader, publicKey }, {} as ReadScope, heads);
}
