/** What is piped into a command. */
import { SluiceError } from '../kernel/errors.ts';
import { utf8Text } from './utf8-text.ts';

/** More than any tool takes; the tool itself says how much it does. */
const MAX_BYTES = 16 * 1024 * 1024;

/** As a stream: a synchronous read fails where whoever writes is slower than we are. */
export async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES)
      throw new SluiceError('payload_too_large', `Standard input has more than ${MAX_BYTES} bytes`);
  }
  return utf8Text(Buffer.concat(chunks), 'Standard input');
}
