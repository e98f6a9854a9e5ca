/**
 * Documents as Loro texts. One peer id a process, never reused: two histories under one id lose edits silently.
 * Whatever Loro hands out is given back at once: its memory is not seen by the garbage collector, and grows slow.
 */
import { randomBytes } from 'node:crypto';
import { decodeFrontiers, encodeFrontiers, LoroDoc, type LoroText } from 'loro-crdt';
import type {
  ChangeNote,
  DocumentChange,
  StoredDocument,
  TextDocuments,
} from '../../domain/workspace/ports/text-documents.ts';

type Frontiers = ReturnType<typeof decodeFrontiers>;

const BODY = 'body';
/** Where the document keeps what tells it from every other one. */
const [ABOUT, MARK] = ['about', 'mark'];
/** Longer texts are compared by line; a comparison by character may not take longer than this either. */
const BY_LINE_ABOVE = 50_000;
const DIFF_LIMIT_MS = 200;

export function createTextDocuments(): TextDocuments {
  const peer = randomBytes(8).readBigUInt64BE() >> 1n;

  const open = (stored: StoredDocument): LoroDoc => {
    const doc = LoroDoc.fromSnapshot(stored.snapshot);
    if (stored.updates.length > 0) doc.importBatch([...stored.updates]);
    doc.setPeerId(peer);
    return doc;
  };

  const change = (
    stored: StoredDocument,
    note: ChangeNote,
    edit: (text: LoroText) => void,
  ): DocumentChange => {
    using doc = lent(open(stored));
    using before = lent(doc.version());
    using body = lent(doc.getText(BODY));
    edit(body);
    commit(doc, note);
    return { update: doc.export({ mode: 'update', from: before }), version: versionOf(doc) };
  };

  return {
    create(text, note) {
      using doc = lent(new LoroDoc());
      doc.setPeerId(peer);
      using about = lent(doc.getMap(ABOUT));
      about.set(MARK, randomBytes(6).toString('base64url'));
      using body = lent(doc.getText(BODY));
      body.insert(0, text);
      commit(doc, note);
      return { snapshot: doc.export({ mode: 'snapshot' }), version: versionOf(doc) };
    },
    rewrite: (stored, text, note) => change(stored, note, (body) => becomeText(body, text)),
    splice: (stored, splices, note) =>
      change(stored, note, (body) => {
        // In this order Loro takes a hundredth of the time that it takes backwards, or for deleting first.
        let shift = 0;
        for (const { start, end, text } of splices) {
          if (text !== '') body.insert(start + shift, text);
          if (end > start) body.delete(start + shift + text.length, end - start);
          shift += text.length - (end - start);
        }
      }),
    textAt(stored, version) {
      using doc = lent(open(stored));
      const frontiers = readVersion(doc, version);
      if (!frontiers) return undefined;
      try {
        using past = lent(asItWas(doc, frontiers));
        using body = lent(past.getText(BODY));
        return body.toString();
      } catch {
        // Loro throws for frontiers that this document never had.
        return undefined;
      }
    },
    compact(stored) {
      using doc = lent(open(stored));
      return doc.export({ mode: 'snapshot' });
    },
  };
}

/**
 * The document with nothing after that version, made from the operations up to it: going back from the end takes
 * minutes where a long text was once replaced as a whole.
 */
function asItWas(doc: LoroDoc, frontiers: Frontiers): LoroDoc {
  using until = lent(doc.frontiersToVV(frontiers));
  const counters = until.toJSON();
  const spans = [...counters].map(([peer, len]) => ({ id: { peer, counter: 0 }, len }));
  const past = new LoroDoc();
  past.import(doc.export({ mode: 'updates-in-range', spans }));
  return past;
}

/** Freed at the end of the scope that holds it. */
function lent<T extends { free(): void }>(thing: T): T & Disposable {
  return Object.assign(thing, { [Symbol.dispose]: () => thing.free() });
}

function commit(doc: LoroDoc, note: ChangeNote): void {
  const message = JSON.stringify({ by: note.by, call: note.call });
  doc.commit({ message, timestamp: Math.floor(note.at / 1000) });
}

/** The finest comparison that ends in time; the last resort forgets which characters stayed. */
function becomeText(body: LoroText, text: string): void {
  if (text.length <= BY_LINE_ABOVE && tryDiff(() => body.update(text, { timeoutMs: DIFF_LIMIT_MS }))) return;
  if (tryDiff(() => body.updateByLine(text, { timeoutMs: DIFF_LIMIT_MS }))) return;
  body.delete(0, body.length);
  body.insert(0, text);
}

function tryDiff(diff: () => void): boolean {
  try {
    diff();
    return true;
  } catch (error) {
    if (String(error).includes('timeout')) return false;
    throw error;
  }
}

const VERSION_FORM = 'v1';

/** Begins with the document's own mark: two pages of equal length otherwise have equal versions. */
function versionOf(doc: LoroDoc): string {
  const frontiers = Buffer.from(encodeFrontiers(doc.frontiers())).toString('base64url');
  return [VERSION_FORM, markOf(doc), frontiers].join('.');
}

function markOf(doc: LoroDoc): string {
  using about = lent(doc.getMap(ABOUT));
  return String(about.get(MARK));
}

function readVersion(doc: LoroDoc, version: string): Frontiers | undefined {
  const [form, mark, frontiers = ''] = version.split('.');
  if (form !== VERSION_FORM || mark !== markOf(doc)) return undefined;
  try {
    return decodeFrontiers(Buffer.from(frontiers, 'base64url'));
  } catch {
    return undefined;
  }
}
