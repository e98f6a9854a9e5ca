/** One command as it is used: told once with a running server and once without, in the same words. */
import { expect } from 'vitest';
import { type Ended, runSluice, startSluice } from './process.ts';

export interface Cli {
  readonly home: string;
  /** A name that no other story uses. */
  readonly name: string;
  /** True when a server has the home open. */
  readonly served: boolean;
  /** With --json: ends with 0 and says one document. */
  json<T = Record<string, unknown>>(...args: readonly string[]): Promise<T>;
  /** Without: ends with 0; answers what it says on standard output. */
  text(...args: readonly string[]): Promise<string>;
  /** Ends with this code, as one document for programs, which is answered, and where a server runs also in words. */
  fails(code: number, ...args: readonly string[]): Promise<Record<string, unknown>>;
  run(args: readonly string[], input?: string): Promise<Ended>;
  /** One that is spoken to before it ends. */
  start(args: readonly string[]): ReturnType<typeof startSluice>;
}

export type Story = (cli: Cli) => Promise<void>;

/** By the words of the command. */
export type Stories = Readonly<Record<string, Story>>;

export function cliOn(home: string, name: string, served: boolean): Cli {
  const run = (args: readonly string[], input?: string): Promise<Ended> =>
    runSluice(home, args, input === undefined ? {} : { input });
  const failsInWords = async (code: number, args: readonly string[]): Promise<void> => {
    const { code: ended, stderr } = await run(args);
    expect([ended, stderr], args.join(' ')).toEqual([code, expect.stringMatching(/^sluice: \S/m)]);
    expect(stderr).not.toMatch(/^ {4}at /m);
  };
  return {
    home,
    name,
    served,
    run,
    start: (args) => startSluice(home, args),
    async json<T>(...args: readonly string[]) {
      const ended = await run([...args, '--json']);
      expect([ended.code, ended.stderr], args.join(' ')).toEqual([0, expect.not.stringContaining('"error"')]);
      return oneDocument(ended.stdout) as T;
    },
    async text(...args) {
      const ended = await run(args);
      expect([ended.code, ended.stderr], args.join(' ')).toEqual([0, expect.not.stringContaining('sluice:')]);
      expect(ended.stdout).toMatch(/\S\n$/);
      return ended.stdout;
    },
    async fails(code, ...args) {
      if (served) await failsInWords(code, args);
      const ended = await run([...args, '--json']);
      expect(ended.code, args.join(' ')).toBe(code);
      const { error } = oneDocument(ended.stderr) as { error: Record<string, unknown> };
      expect(error).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/\S/) });
      return error;
    },
  };
}

/** One line of JSON and nothing else. */
export function oneDocument(text: string): unknown {
  expect(text).toMatch(/^[^\n]+\n$/);
  return JSON.parse(text);
}
