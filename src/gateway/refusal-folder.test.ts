import { describe, expect, it } from 'vitest';
import { type AuditEntry, auditEntry } from '../domain/governance/audit-record.ts';
import { createRefusalFolder } from './refusal-folder.ts';

const MINUTE = 60_000;

const refusal = (at: number): AuditEntry =>
  auditEntry({
    created_at: at,
    call_id: `call-${at}`,
    kind: 'tool',
    surface: 'mcp-http',
    tool_name: 'read_page',
    decision: 'deny',
    status: 'error',
    error_code: 'unauthenticated',
    duration_ms: 1,
  });

function folder() {
  const written: AuditEntry[] = [];
  let broken = false;
  const fold = createRefusalFolder(async (entry) => {
    if (broken) throw new Error('disk full');
    written.push(entry);
  });
  return {
    ...fold,
    written,
    breaks: (now: boolean) => {
      broken = now;
    },
    told: () => written.map(({ source, repeat_count, created_at }) => [source, repeat_count, created_at]),
  };
}

describe('[PIPE-09] refusals without an identity', () => {
  it('are recorded in full once, then counted, one record a minute', async () => {
    const { note, told, written } = folder();
    for (const at of [0, 1_000, 2_000, MINUTE - 1]) await note(refusal(at), '10.0.0.1');
    expect(told()).toEqual([['10.0.0.1', 1, 0]]);
    await note(refusal(MINUTE), '10.0.0.1');
    expect(told()).toEqual([
      ['10.0.0.1', 1, 0],
      ['10.0.0.1', 3, 0],
      ['10.0.0.1', 1, MINUTE],
    ]);
    expect(
      written.every(({ kind, error_code }) => kind === 'refused_source' && error_code === 'unauthenticated'),
    ).toBe(true);
  });

  it('are told apart by source', async () => {
    const { note, told } = folder();
    for (const source of ['a', 'b', 'a']) await note(refusal(5), source);
    expect(told()).toEqual([
      ['a', 1, 5],
      ['b', 1, 5],
    ]);
  });

  it('settle when their minute is over and nobody comes again', async () => {
    const { note, settle, told } = folder();
    await note(refusal(0), 'a');
    await note(refusal(1), 'a');
    await settle(MINUTE - 1);
    expect(told()).toHaveLength(1);
    await settle(MINUTE);
    await settle(MINUTE * 2);
    expect(told()).toEqual([
      ['a', 1, 0],
      ['a', 1, 0],
    ]);
  });

  it('are not lost when Sluice stops', async () => {
    const { note, flush, told } = folder();
    for (let i = 0; i < 4; i += 1) await note(refusal(i), 'a');
    await flush();
    await flush();
    expect(told()).toEqual([
      ['a', 1, 0],
      ['a', 3, 0],
    ]);
  });

  it('share one record beyond a thousand sources', async () => {
    const { note, told } = folder();
    for (let i = 0; i < 1_500; i += 1) await note(refusal(i), `source ${i}`);
    expect(told()).toHaveLength(1_001);
    expect(told().at(-1)).toEqual(['(many)', 1, 1_000]);
  });

  it('stay counted while the log cannot be written', async () => {
    const { note, settle, breaks, told } = folder();
    await note(refusal(0), 'a');
    await note(refusal(1), 'a');
    await note(refusal(2), 'b');
    await note(refusal(3), 'b');
    breaks(true);
    await expect(settle(MINUTE * 2)).rejects.toThrow('disk full');
    breaks(false);
    await settle(MINUTE * 3);
    expect(told().slice(2).sort()).toEqual([
      ['a', 1, 0],
      ['b', 1, 2],
    ]);
  });
});
