import { describe, expect, it } from 'vitest';
import { SluiceError } from './errors.ts';
import { createLog, faultFields, type LogFields, silentLog } from './log.ts';

function logTo(level: 'debug' | 'info' | 'warn' | 'error') {
  const lines: string[] = [];
  return { lines, log: createLog({ now: () => Date.UTC(2026, 0, 2) }, level, (line) => lines.push(line)) };
}

describe('[PIPE-03] a line of the log', () => {
  it('is one JSON object with time, level, event and the named fields', () => {
    const { lines, log } = logTo('info');
    log.info('started', { port: 7862, address: '127.0.0.1' });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        at: '2026-01-02T00:00:00.000Z',
        level: 'info',
        event: 'started',
        port: 7862,
        address: '127.0.0.1',
      },
    ]);
    expect(lines[0]).not.toContain('\n');
  });

  it('leaves out every field that is not on the list, whatever an object brings along', () => {
    const { lines, log } = logTo('info');
    const request: LogFields & Record<string, unknown> = {
      tool: 'read_page',
      token: 'a1b2',
      arguments: { page: 'x' },
      at: 'yesterday',
      level: 'debug',
      event: 'forged',
    };
    log.info('call', request);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      at: '2026-01-02T00:00:00.000Z',
      level: 'info',
      event: 'call',
      tool: 'read_page',
    });
  });

  it('is written from its level upwards', () => {
    const { lines, log } = logTo('warn');
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['warn', 'error']);
    expect(() => silentLog.error('nothing')).not.toThrow();
  });

  it('says of a fault where it happened and of what kind, never its message', () => {
    const fault = new TypeError('token a1b2 is wrong');
    const fields = faultFields(new SluiceError('internal', 'wrapped a1b2', {}, fault));
    expect(fields.reason).toBe('TypeError');
    expect(fields.stack).toContain('log.test.ts');
    expect(JSON.stringify(fields)).not.toContain('a1b2');
    expect(faultFields('a1b2')).toEqual({ reason: 'string' });
  });
});
