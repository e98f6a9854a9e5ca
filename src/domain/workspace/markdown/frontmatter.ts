/** Finds the YAML frontmatter of a page. */

import { BYTE_ORDER_MARK } from './char-codes.ts';

const fence = /---[ \t]*(?:\r\n|\n|\r|$)/y;
const closingFence = /(?:\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|$)/g;

/** The offset after the line that closes the frontmatter, or 0. Frontmatter that nothing closes is none. */
export function frontmatterEnd(text: string): number {
  fence.lastIndex = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  if (!fence.test(text)) return 0;
  // The break that ends the opening line may be the one before the closing fence.
  closingFence.lastIndex = fence.lastIndex - 1;
  return closingFence.test(text) ? closingFence.lastIndex : 0;
}
