/** Hears what a server says unasked: keeps the stream open on which it says so. */
import type { Connection } from './connection.ts';
import type { HttpWire } from './http-wire.ts';
import type { Greeting } from './protocol.ts';
import type { Wire } from './wire.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
const MODERN = '2026-07-28';

/** A server need not offer a stream; without one a change is seen when what was read gets old. */
export async function followChanges(connection: Connection, wire: Wire, greeting: Greeting): Promise<void> {
  const open = opener(connection, wire, greeting);
  for (let pause = FIRST_PAUSE_MS; open; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const again = await open().catch(() => false);
    if (!again || connection.ended) return;
    await new Promise((resolve) => setTimeout(resolve, pause).unref());
    if (connection.ended) return;
    // What was said in between was said to nobody.
    connection.mayHaveChanged();
  }
}

/** Opens the stream and is back when it has ended: true when it is worth opening again. */
function opener(
  connection: Connection,
  wire: Wire,
  { revision }: Greeting,
): (() => Promise<boolean>) | undefined {
  if (revision === MODERN) return () => connection.listen();
  return isHttp(wire) ? () => wire.listen({ 'mcp-protocol-version': revision }) : undefined;
}

const isHttp = (wire: Wire): wire is HttpWire => 'listen' in wire;
