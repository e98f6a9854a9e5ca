/** Hears what a server says unasked: keeps the stream open on which it says so. */
import type { Connection } from './connection.ts';
import type { HttpWire } from './http-wire.ts';
import { type Greeting, LISTS, MODERN } from './protocol.ts';
import type { Wire } from './wire.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * A server need not offer a stream; without one a change is seen when what was read gets old. Back when it can be heard
 * what a server of the older protocol says unasked, or when it is known that it cannot.
 */
export async function followChanges(connection: Connection, wire: Wire, greeting: Greeting): Promise<void> {
  const stands = Promise.withResolvers<void>();
  const open = opener(connection, wire, greeting, stands.resolve);
  if (!open) return;
  const isOver = (): boolean => connection.ended;
  const again = (): void => connection.mayHaveChanged();
  void keepOpen(() => open().catch(() => false), isOver, again).finally(stands.resolve);
  await stands.promise;
}

/** Opens a stream anew whenever it has ended, as long as that is worth it; `again` because something may be missing. */
export async function keepOpen(
  open: () => Promise<boolean>,
  isOver: () => boolean,
  again: () => void,
): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const worthIt = await open();
    if (!worthIt || isOver()) return;
    await new Promise((resolve) => setTimeout(resolve, pause).unref());
    if (isOver()) return;
    // What was said in between was said to nobody.
    again();
  }
}

/** Opens the stream and is back when it has ended: true when it is worth opening again. */
function opener(
  connection: Connection,
  wire: Wire,
  { revision }: Greeting,
  onOpen: () => void,
): (() => Promise<boolean>) | undefined {
  if (revision === MODERN) return () => connection.listen(LISTS);
  return isHttp(wire) ? () => wire.listen({ 'mcp-protocol-version': revision }, onOpen) : undefined;
}

const isHttp = (wire: Wire): wire is HttpWire => 'listen' in wire;
