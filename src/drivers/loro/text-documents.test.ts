import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import type { StoredDocument } from '../../domain/workspace/ports/text-documents.ts';
import { createTextDocuments } from './text-documents.ts';

const note = { by: 'owner', call: 'c1', at: 1_700_000_000_000 };
const texts = createTextDocuments();

/** A document as a store would keep it. */
function kept(text: string) {
  const { snapshot, version } = texts.create(text, note);
  let stored: StoredDocument = { snapshot, updates: [] };
  const add = ({ update, version: next }: { update: Uint8Array; version: string }): string => {
    stored = { ...stored, updates: [...stored.updates, update] };
    return next;
  };
  return {
    first: version,
    stored: () => stored,
    rewrite: (to: string) => add(texts.rewrite(stored, to, note)),
    splice: (splices: Parameters<typeof texts.splice>[1]) => add(texts.splice(stored, splices, note)),
    at: (wanted: string) => texts.textAt(stored, wanted),
    compact: () => {
      stored = { snapshot: texts.compact(stored), updates: [] };
    },
  };
}

describe('[MERGE-08] a document', () => {
  it('has every text it ever had, under its version', () => {
    const doc = kept('one\n');
    const versions = [doc.first, doc.rewrite('one\ntwo\n'), doc.rewrite('two\n'), doc.rewrite('')];
    expect(new Set(versions).size).toBe(4);
    expect(versions.map(doc.at)).toEqual(['one\n', 'one\ntwo\n', 'two\n', '']);
    doc.compact();
    expect(versions.map(doc.at)).toEqual(['one\n', 'one\ntwo\n', 'two\n', '']);
    const later = doc.rewrite('three');
    expect([...versions, later].map(doc.at)).toEqual(['one\n', 'one\ntwo\n', 'two\n', '', 'three']);
  });

  it('may be empty', () => {
    const doc = kept('');
    expect(doc.at(doc.first)).toBe('');
    const next = doc.rewrite('text');
    expect(next).not.toBe(doc.first);
    expect([doc.at(doc.first), doc.at(next)]).toEqual(['', 'text']);
  });

  it('is spliced at the places that are named, counted as the program counts', () => {
    const doc = kept('a🚀b日c');
    const version = doc.splice([
      { start: 0, end: 1, text: 'A' },
      { start: 3, end: 4, text: '' },
      { start: 5, end: 6, text: '🚀🚀' },
      { start: 6, end: 6, text: '!' },
    ]);
    expect(doc.at(version)).toBe('A🚀日🚀🚀!');
  });

  it('does not know a version of another document, however alike the two are', () => {
    const [one, other] = [kept('same length'), kept('SAME LENGTH')];
    expect(one.first).not.toBe(other.first);
    expect(one.at(other.first)).toBeUndefined();
    const [changed, changedToo] = [one.rewrite('same length!'), other.rewrite('SAME LENGTH!')];
    expect(changed).not.toBe(changedToo);
    expect(one.at(changedToo)).toBeUndefined();
    expect(kept('').first).not.toBe(kept('').first);
  });

  it.each(['', 'v1', 'v1.', 'v2.AA', 'nonsense', 'v1.!!!', 'v1.AAAA', `v1.${'A'.repeat(2_000)}`])(
    'does not know the version "%s"',
    (version) => expect(kept('text').at(version)).toBeUndefined(),
  );

  it('does not know a version that is still to come', () => {
    const doc = kept('a');
    const stored = doc.stored();
    const next = doc.rewrite('b');
    expect(texts.textAt(stored, next)).toBeUndefined();
  });

  it('becomes any text, byte for byte, also by two processes in turn', () => {
    const others = createTextDocuments();
    const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((one) => !one.includes('\0'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (all) => {
        const [first = '', ...rest] = all;
        const made = texts.create(first, note);
        let stored: StoredDocument = { snapshot: made.snapshot, updates: [] };
        const versions = [made.version];
        for (const [i, one] of rest.entries()) {
          const change = (i % 2 === 0 ? others : texts).rewrite(stored, one, note);
          stored = { ...stored, updates: [...stored.updates, change.update] };
          versions.push(change.version);
        }
        expect(versions.map((version) => texts.textAt(stored, version))).toEqual(all);
      }),
      { seed: testSeed(), numRuns: 50 },
    );
  });

  it('becomes an enormous other text, for which there is no time to compare', () => {
    const before = Array.from({ length: 40_000 }, (_, i) => `line ${i} of the old text`).join('\n');
    const after = Array.from({ length: 40_000 }, (_, i) => `${i * 7} quite another text`).join('\n');
    const doc = kept(before);
    const version = doc.rewrite(after);
    expect(doc.at(version) === after).toBe(true);
    expect(doc.at(doc.first) === before).toBe(true);
    const wide = kept('x'.repeat(60_000));
    const rewritten = wide.rewrite('yz'.repeat(30_000));
    expect(wide.at(rewritten) === 'yz'.repeat(30_000)).toBe(true);
  });
});
