/** A secret from standard input: what is typed is not shown, and what is piped loses the line break at its end. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Output } from './output.ts';
import { readStandardInput } from './standard-input.ts';

export async function readSecret(output: Output, what: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readStandardInput()).replace(/\r?\n$/, '');
  output.talk(`${what}, then the Enter key (it is not shown):`);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
  } finally {
    lines.close();
  }
}
