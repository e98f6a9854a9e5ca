/** Text of others, as they wrote it: what is no UTF-8 is refused, for its bytes would come back as others. */
import { SluiceError } from '../kernel/errors.ts';

/** A byte order mark is kept as well. */
export function utf8Text(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new SluiceError('invalid_input', `${source} is not text in UTF-8`, { field: 'file' }, error);
  }
}
