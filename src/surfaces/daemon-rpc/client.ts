/** The other end of the admin socket. */
import { connect, type Socket } from 'node:net';
import { ERROR_TABLE, type ErrorCode, SluiceError } from '../../kernel/errors.ts';
import { MAX_LINE, readLines, writeLine } from './line-stream.ts';
import { type AnswerLine, type Greeting, NO_CALL } from './protocol.ts';

export interface AdminClient {
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    workspace?: string,
    /** Calls that belong together; left out = those of the same half hour. */
    run?: string,
  ): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Undefined when nobody listens there. */
export async function connectAdmin(path: string): Promise<AdminClient | undefined> {
  const socket = await openSocket(path, { mode: 'calls' });
  return socket && callsOver(socket);
}

/** A socket that speaks MCP for a client; undefined when nobody listens there. */
export function connectMcp(
  path: string,
  wish: Omit<Greeting & { mode: 'mcp' }, 'mode'>,
): Promise<Socket | undefined> {
  return openSocket(path, { mode: 'mcp', ...wish });
}

/** Tells of every change of a resource until it is closed; undefined when nobody listens there. */
export async function watchAdmin(
  path: string,
  wish: Omit<Greeting & { mode: 'watch' }, 'mode'>,
  onChange: () => void,
  onEnd: () => void,
): Promise<(() => void) | undefined> {
  const socket = await openSocket(path, { mode: 'watch', ...wish });
  if (!socket) return undefined;
  const take = (): 'more' => {
    onChange();
    return 'more';
  };
  readLines(socket, take, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.once('close', onEnd);
  socket.resume();
  return () => {
    socket.destroy();
  };
}

/** Asks whoever has the home open to give it up. Throws what stands against it; nobody there is fine. */
export async function askHandOver(path: string): Promise<void> {
  const socket = await openSocket(path, { mode: 'handover' });
  socket?.destroy();
}

async function openSocket(path: string, wish: Greeting): Promise<Socket | undefined> {
  const socket = connect(path);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  }
  await new Promise<void>((resolve, reject) => {
    const lost = (): void =>
      reject(new SluiceError('unavailable', 'The running Sluice closed the connection'));
    socket.once('close', lost);
    readLines(
      socket,
      (line) => {
        const answer = line as Pick<AnswerLine, 'ok'> & {
          readonly error?: Readonly<Record<string, unknown>>;
        };
        socket.off('close', lost);
        if (answer.ok) resolve();
        else reject(toError(answer.error ?? {}));
        return 'stop';
      },
      reject,
    );
    writeLine(socket, wish);
  });
  return socket;
}

function callsOver(socket: Socket): AdminClient {
  const waiting = new Map<
    number,
    { resolve(result: Record<string, unknown>): void; reject(error: Error): void }
  >();
  let last = 0;
  const failWith = (error: SluiceError): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const fail = (): void =>
    failWith(new SluiceError('unavailable', 'The running Sluice closed the connection'));
  readLines(
    socket,
    (line) => {
      const answer = line as AnswerLine;
      if (answer.id === NO_CALL && !answer.ok) failWith(toError(answer.error));
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.ok) asked?.resolve(answer.result);
      else asked?.reject(toError(answer.error));
      return 'more';
    },
    fail,
  );
  socket.once('close', fail);
  socket.on('error', fail);
  socket.resume();
  return {
    call(tool, input, workspace, run) {
      last += 1;
      const id = last;
      const line = { id, tool, input, workspace, run };
      const bytes = Buffer.byteLength(JSON.stringify(line));
      if (bytes > MAX_LINE) return Promise.reject(tooLarge(bytes));
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        writeLine(socket, line);
      });
    },
    async close() {
      socket.end();
    },
  };
}

/** In the words of the gateway, which has a limit of its own below this one. */
const tooLarge = (bytes: number): SluiceError =>
  new SluiceError('payload_too_large', `The call has ${bytes} bytes, at most ${MAX_LINE} are taken`);

function toError({ code, message, retry: _, ...details }: Readonly<Record<string, unknown>>): SluiceError {
  const known = typeof code === 'string' && Object.hasOwn(ERROR_TABLE, code);
  return new SluiceError(known ? (code as ErrorCode) : 'internal', String(message), details);
}
