/** Gives audit entries their place in this writer's chain and puts them into the store, within the batch's transaction. */
import { type ChainHead, headOf, sealEntry, startOfChain } from '../../domain/governance/audit-chain.ts';
import type { TrailNote } from '../../domain/governance/audit-log.ts';
import type { AuditEntry, AuditRecord } from '../../domain/governance/audit-record.ts';

export interface PendingEntry {
  readonly entry: AuditEntry;
  readonly trail?: TrailNote | undefined;
}

/** The statements behind it, on the writer's connection. */
export interface AuditStatements {
  insertRecords(records: readonly AuditRecord[]): Promise<void>;
  insertTrail(notes: readonly TrailNote[]): Promise<void>;
  /** The last record of this writer that is in the store. */
  readHead(writer: string): Promise<ChainHead | undefined>;
}

export class AuditWriter {
  readonly #statements: AuditStatements;
  #head: ChainHead;

  constructor(statements: AuditStatements, head: ChainHead) {
    this.#statements = statements;
    this.#head = head;
  }

  get head(): ChainHead {
    return this.#head;
  }

  async storedHead(): Promise<ChainHead> {
    return (await this.#statements.readHead(this.#head.writer)) ?? startOfChain(this.#head.writer);
  }

  /** Takes the chain back to where it was, after the statements since then were rolled back. */
  reset(head: ChainHead): void {
    this.#head = head;
  }

  async append(pending: readonly PendingEntry[]): Promise<void> {
    let head = this.#head;
    const records = pending.map(({ entry }) => {
      const record = sealEntry(head, entry);
      head = headOf(record);
      return record;
    });
    await this.#statements.insertRecords(records);
    const notes = pending.flatMap(({ trail }) => trail ?? []);
    if (notes.length > 0) await this.#statements.insertTrail(notes);
    this.#head = head;
  }
}
