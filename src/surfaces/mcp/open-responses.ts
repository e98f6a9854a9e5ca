/** The responses that are under way, by credential, so that streams end with the right they were opened with. */
import type { ServerResponse } from 'node:http';

/** Answers that are already on their way get this long; the law is one second. */
const GRACE_MS = 250;

export interface OpenResponses {
  add(credential: string, response: ServerResponse): void;
  /** Ends what is open of one credential, or of all. */
  end(credential?: string): void;
  readonly count: number;
}

export function createOpenResponses(): OpenResponses {
  const open = new Map<ServerResponse, string>();
  return {
    add(credential, response) {
      open.set(response, credential);
      response.once('close', () => open.delete(response));
    },
    end(credential) {
      const doomed = [...open].filter(([, owner]) => credential === undefined || owner === credential);
      const timer = setTimeout(() => {
        for (const [response] of doomed) response.destroy();
      }, GRACE_MS);
      timer.unref();
    },
    get count() {
      return open.size;
    },
  };
}
