/** What was sent on a session's streams, the newest of it, so that a client that lost its connection gets the rest. */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Of a whole session; what is older is gone, and a client that asks for it begins anew. */
const MAX_EVENTS = 256;
const MAX_CHARACTERS = 4 * 1024 * 1024;

interface KeptEvent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly characters: number;
}

export function createEventStore(): EventStore {
  let kept: KeptEvent[] = [];
  let [last, characters] = [0, 0];

  const makeRoom = (): void => {
    let gone = 0;
    while (kept.length - gone > MAX_EVENTS || characters > MAX_CHARACTERS) {
      characters -= kept[gone]?.characters ?? 0;
      gone += 1;
    }
    if (gone > 0) kept = kept.slice(gone);
  };

  return {
    async storeEvent(stream, message) {
      last += 1;
      const event = { id: `${stream}.${last}`, stream, message, characters: JSON.stringify(message).length };
      kept.push(event);
      characters += event.characters;
      makeRoom();
      return event.id;
    },
    async getStreamIdForEventId(id) {
      return kept.find((event) => event.id === id)?.stream;
    },
    async replayEventsAfter(id, { send }) {
      const from = kept.findIndex((event) => event.id === id);
      const { stream } = kept[from] ?? {};
      if (stream === undefined) throw new Error('The event is not kept any more');
      for (const event of kept.slice(from + 1)) {
        // A stream begins with an event that holds nothing.
        if (event.stream === stream && Object.keys(event.message).length > 0)
          await send(event.id, event.message);
      }
      return stream;
    },
  };
}
