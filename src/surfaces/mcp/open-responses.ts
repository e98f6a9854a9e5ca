/** The responses that are under way, by credential, so that streams end with the right they were opened with. */
import type { ServerResponse } from 'node:http';
import type { OnCancel } from '../../gateway/calls-in-flight.ts';

export interface OpenResponse {
  readonly response: ServerResponse;
  /** Closing the connection is how a client without a session cancels. */
  readonly onCancel: OnCancel;
}

export interface OpenResponses {
  add(credential: string, response: ServerResponse): OpenResponse;
  /** Ends what is open of one credential, or of all; answers on their way get `graceMs` to leave. */
  end(credential: string | undefined, graceMs: number): void;
  /** Resolves when no answer to a request is under way any more, or after a while. */
  settled(waitMs: number): Promise<void>;
}

class Open implements OpenResponse {
  readonly credential: string;
  readonly response: ServerResponse;
  #cancel: (() => void) | undefined;

  constructor(credential: string, response: ServerResponse) {
    this.credential = credential;
    this.response = response;
  }

  readonly onCancel: OnCancel = (cancel) => {
    this.#cancel = cancel;
    return this.#forget;
  };

  readonly #forget = (): void => {
    this.#cancel = undefined;
  };

  closed(): void {
    this.#cancel?.();
  }
}

export function createOpenResponses(): OpenResponses {
  const open = new Map<ServerResponse, Open>();
  /** One listener for all of them: it is told which by `this`. */
  function closed(this: ServerResponse): void {
    const one = open.get(this);
    open.delete(this);
    one?.closed();
  }
  return {
    add(credential, response) {
      const one = new Open(credential, response);
      open.set(response, one);
      response.on('close', closed);
      return one;
    },
    end(credential, graceMs) {
      const doomed = [...open.values()].filter(
        (one) => credential === undefined || one.credential === credential,
      );
      const timer = setTimeout(() => {
        for (const { response } of doomed) response.destroy();
      }, graceMs);
      timer.unref();
    },
    async settled(waitMs) {
      // A GET is a stream that stays open by itself; nobody waits for its end.
      const answers = [...open.keys()].filter((response) => response.req.method !== 'GET');
      const closing = answers.map(
        (response) => new Promise<void>((resolve) => response.once('close', () => resolve())),
      );
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitMs);
      });
      await Promise.race([Promise.all(closing), late]);
      clearTimeout(timer);
    },
  };
}
