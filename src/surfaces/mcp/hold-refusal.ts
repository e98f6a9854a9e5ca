/** Keeps a refusal of the SDK back until it is recorded; every other answer goes out as it comes. */
import type { ServerResponse } from 'node:http';
import { asSluiceError } from '../../kernel/errors.ts';
import { refuseWith } from './http-answer.ts';

type Chunk = string | Uint8Array;

/** The SDK answers on the response itself, so that is where it is held. */
export function holdRefusal(response: ServerResponse, record: () => Promise<void>): void {
  const { writeHead, write, end } = response;
  const held: Chunk[] = [];
  const letGo = (): void => void Object.assign(response, { writeHead, write, end });

  const hold = (status: number, ...rest: unknown[]): void => {
    const add = (chunk: unknown): void => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) held.push(chunk);
    };
    const finish = async (): Promise<void> => {
      try {
        await record();
        response.writeHead(status, ...(rest as [Record<string, string>]));
        response.end(Buffer.concat(held.map((chunk) => Buffer.from(chunk))));
      } catch (error) {
        refuseWith(response, asSluiceError(error));
      }
    };
    Object.assign(response, {
      write(chunk: unknown) {
        add(chunk);
        return true;
      },
      end(chunk?: unknown) {
        add(chunk);
        letGo();
        void finish();
        return response;
      },
    });
  };

  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      letGo();
      if (status < 400) return response.writeHead(status, ...(rest as [Record<string, string>]));
      hold(status, ...rest);
      return response;
    },
  });
}
