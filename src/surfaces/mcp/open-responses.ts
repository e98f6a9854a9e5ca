/** The responses that are under way, by credential, so that streams end with the right they were opened with. */
import type { ServerResponse } from 'node:http';

export interface OpenResponses {
  add(credential: string, response: ServerResponse): void;
  /** Ends what is open of one credential, or of all; answers on their way get `graceMs` to leave. */
  end(credential: string | undefined, graceMs: number): void;
  /** Resolves when no answer to a request is under way any more, or after a while. */
  settled(waitMs: number): Promise<void>;
}

export function createOpenResponses(): OpenResponses {
  const open = new Map<ServerResponse, string>();
  return {
    add(credential, response) {
      open.set(response, credential);
      response.once('close', () => open.delete(response));
    },
    end(credential, graceMs) {
      const doomed = [...open].filter(([, owner]) => credential === undefined || owner === credential);
      const timer = setTimeout(() => {
        for (const [response] of doomed) response.destroy();
      }, graceMs);
      timer.unref();
    },
    async settled(waitMs) {
      // A GET is a stream that stays open by itself; nobody waits for its end.
      const answers = [...open.keys()].filter((response) => response.req.method !== 'GET');
      const closed = answers.map(
        (response) => new Promise<void>((resolve) => response.once('close', () => resolve())),
      );
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitMs);
      });
      await Promise.race([Promise.all(closed), late]);
      clearTimeout(timer);
    },
  };
}
