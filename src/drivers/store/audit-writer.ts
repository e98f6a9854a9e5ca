/** Gives audit entries their place in this writer's chain and puts them into the store, within the batch's transaction. */
import { type ChainHead, sealEntry, startOfChain } from '../../domain/governance/audit-chain.ts';
import type { TrailNote } from '../../domain/governance/audit-log.ts';
import type { AuditEntry, AuditRecord, AuditValue } from '../../domain/governance/audit-record.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { endOfSegment, type SegmentRow, SegmentSummary, segmentOf, summarise } from './audit-segments.ts';

export interface PendingEntry {
  readonly entry: AuditEntry;
  readonly trail?: TrailNote | undefined;
}

/** The statements behind it, on the writer's connection. */
export interface AuditStatements {
  /** Rows in the order of AUDIT_COLUMNS. */
  insertRecords(rows: readonly (readonly AuditValue[])[]): Promise<void>;
  insertTrail(notes: readonly TrailNote[]): Promise<void>;
  /** Puts the row of a segment there, or another in its place. */
  putSegment(row: SegmentRow): Promise<void>;
  /** Takes away what is said of segments from one on: they are not whole, or not any more. */
  dropSegments(writer: string, from: number): Promise<void>;
  /** The records of a writer from a sequence on. */
  readFrom(writer: string, sequence: number): Promise<readonly AuditRecord[]>;
  /** The last record of this writer that is in the store. */
  readHead(writer: string): Promise<ChainHead | undefined>;
}

export class AuditWriter {
  readonly #statements: AuditStatements;
  readonly #writer: string;
  #head: ChainHead;
  /** Where the chain stood when a commit was last known to have happened. */
  #committed: ChainHead;
  /** Where commits since then would have left it; whether they happened is not known. */
  #doubted: ChainHead[] = [];
  /** Of the segments that are not whole, or whose end is not known to be committed. */
  readonly #segments = new Map<number, SegmentSummary>();

  private constructor(statements: AuditStatements, head: ChainHead) {
    this.#statements = statements;
    this.#writer = head.writer;
    this.#head = head;
    this.#committed = head;
  }

  /** Goes on where the chain in the store stands. */
  static async open(statements: AuditStatements, writer: string): Promise<AuditWriter> {
    const head = (await statements.readHead(writer)) ?? startOfChain(writer);
    const opened = new AuditWriter(statements, head);
    const segment = segmentOf(head.sequence + 1);
    await statements.dropSegments(writer, segment);
    const begun = await statements.readFrom(writer, endOfSegment(segment - 1) + 1);
    opened.#segments.set(segment, summarise(begun));
    return opened;
  }

  get head(): ChainHead {
    return this.#head;
  }

  get inDoubt(): boolean {
    return this.#doubted.length > 0;
  }

  /** Takes the chain back to where it was, after the statements since then were rolled back. */
  reset(head: ChainHead): void {
    this.#head = head;
  }

  /** A commit is about to be asked for. */
  doubt(): void {
    this.#doubted.push(this.#head);
  }

  /** The commit happened, and so none that was in doubt before can happen any more. */
  settle(): void {
    this.#committed = this.#head;
    this.#doubted = [];
    const current = segmentOf(this.#head.sequence + 1);
    for (const segment of this.#segments.keys()) if (segment < current) this.#segments.delete(segment);
  }

  /** After a commit in doubt: goes on from where the chain stands, if it was this writer that brought it there. */
  async recover(): Promise<void> {
    const stored = await this.#stored();
    if (!this.#isOwn(stored)) {
      throw new SluiceError('unavailable', 'The audit chain of this home was continued by somebody else');
    }
    this.#head = stored;
  }

  /** True when a commit that was in doubt has happened after all, and the chain is now followed from there. */
  async catchUp(): Promise<boolean> {
    const stored = await this.#stored();
    if (stored.hash === this.#head.hash || !this.#isOwn(stored)) return false;
    this.#head = stored;
    return true;
  }

  async append(pending: readonly PendingEntry[]): Promise<void> {
    let head = this.#head;
    const rows = pending.map(({ entry }) => {
      const sealed = sealEntry(head, entry);
      head = sealed.head;
      return sealed.row;
    });
    await this.#statements.insertRecords(rows);
    await this.#summarise(rows);
    const notes = pending.flatMap(({ trail }) => trail ?? []);
    if (notes.length > 0) await this.#statements.insertTrail(notes);
    this.#head = head;
  }

  /** What is rolled back stays in the summary, which then promises too much and never too little. */
  async #summarise(rows: readonly (readonly AuditValue[])[]): Promise<void> {
    for (const row of rows) {
      const sequence = Number(row[1]);
      const segment = segmentOf(sequence);
      let summary = this.#segments.get(segment);
      if (!summary) {
        summary = new SegmentSummary();
        this.#segments.set(segment, summary);
      }
      summary.add(row);
      if (sequence === endOfSegment(segment))
        await this.#statements.putSegment(summary.row(this.#writer, segment));
    }
  }

  async #stored(): Promise<ChainHead> {
    return (await this.#statements.readHead(this.#writer)) ?? startOfChain(this.#writer);
  }

  #isOwn(stored: ChainHead): boolean {
    return [this.#committed, ...this.#doubted].some((head) => head.hash === stored.hash);
  }
}
