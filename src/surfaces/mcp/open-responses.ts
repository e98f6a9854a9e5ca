/** The responses that are under way, by credential, so that streams end with the right they were opened with. */
import type { ServerResponse } from 'node:http';
import type { OnCancel } from '../../gateway/calls-in-flight.ts';
import { Roll, type RollMember } from '../../kernel/roll.ts';

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

class Open implements OpenResponse, RollMember {
  place = -1;
  readonly credential: string;
  readonly response: ServerResponse;
  readonly #all: Roll<Open>;
  #cancel: (() => void) | undefined;

  constructor(credential: string, response: ServerResponse, all: Roll<Open>) {
    this.credential = credential;
    this.response = response;
    this.#all = all;
    all.add(this);
    response.on('close', this.#closed);
  }

  readonly onCancel: OnCancel = (cancel) => {
    this.#cancel = cancel;
    return this.#forget;
  };

  readonly #forget = (): void => {
    this.#cancel = undefined;
  };

  readonly #closed = (): void => {
    this.#all.remove(this);
    this.#cancel?.();
  };
}

export function createOpenResponses(): OpenResponses {
  const open = new Roll<Open>();
  return {
    add: (credential, response) => new Open(credential, response, open),
    end(credential, graceMs) {
      const doomed = [...open].filter((one) => credential === undefined || one.credential === credential);
      const timer = setTimeout(() => {
        for (const { response } of doomed) response.destroy();
      }, graceMs);
      timer.unref();
    },
    async settled(waitMs) {
      // A GET is a stream that stays open by itself; nobody waits for its end.
      const answers = [...open].filter(({ response }) => response.req.method !== 'GET');
      const closing = answers.map(
        ({ response }) => new Promise<void>((resolve) => response.once('close', () => resolve())),
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
