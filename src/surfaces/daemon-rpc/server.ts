/** The admin socket: whoever can open it is the owner, because it lies in a folder that only the owner can enter. */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { onAbort } from '../../gateway/calls-in-flight.ts';
import type { Gateway, Grant } from '../../gateway/gateway.ts';
import { factsOf } from '../../gateway/request.ts';
import { asSluiceError, SluiceError } from '../../kernel/errors.ts';
import { readLines, writeLine } from './line-stream.ts';
import { type AnswerLine, type CallLine, type Greeting, NO_CALL } from './protocol.ts';
import { callLine, greeting } from './said-lines.ts';

export interface AdminOptions {
  readonly gateway: Gateway;
  readonly path: string;
  readonly owner: Grant;
  /** Gives the home up to whoever asks; throws when it does not. */
  handOver(): void;
  /** Serves MCP on a socket for a client by name; throws when it may not. */
  openMcp(socket: Socket, wish: Greeting & { readonly mode: 'mcp' }): void;
}

export interface AdminSurface {
  close(): Promise<void>;
}

export async function serveAdmin(options: AdminOptions): Promise<AdminSurface> {
  // The home's lock is ours, so a socket file that is still there belongs to a process that is gone.
  rmSync(options.path, { force: true });
  const open = new Set<Socket>();
  // A client that has said everything still waits for its answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    greet(options, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.path, () => resolve());
  });
  chmodSync(options.path, 0o600);
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.end();
      setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, 500).unref();
      await closed;
    },
  };
}

function greet(options: AdminOptions, socket: Socket): void {
  const left = (): void => {
    socket.end();
  };
  socket.once('end', left);
  const fault = (error: SluiceError): void => {
    writeLine(socket, { ok: false, error: error.toWire() });
    socket.end();
  };
  readLines(
    socket,
    (line) => {
      const wish = greeting.safeParse(line);
      if (!wish.success) {
        fault(new SluiceError('invalid_request', 'The first line must be a greeting'));
        return 'stop';
      }
      socket.off('end', left);
      queueMicrotask(() => {
        welcome(options, socket, wish.data).catch((error: unknown) => fault(asSluiceError(error)));
      });
      return 'stop';
    },
    fault,
  );
}

async function welcome(options: AdminOptions, socket: Socket, wish: Greeting): Promise<void> {
  if (wish.mode === 'mcp') options.openMcp(socket, wish);
  else if (wish.mode === 'watch') await serveWatch(options, socket, wish);
  else if (wish.mode === 'calls') serveCalls(options, socket);
  else options.handOver();
  writeLine(socket, { ok: true });
  socket.resume();
}

async function serveWatch(
  { gateway, owner }: AdminOptions,
  socket: Socket,
  { uri, workspace }: Greeting & { readonly mode: 'watch' },
): Promise<void> {
  const deliver = (): void => writeLine(socket, { changed: uri });
  const watch = await gateway.watch({ grant: owner, claims: { workspace }, source: 'admin', deliver });
  socket.once('close', () => watch.close());
  socket.once('end', () => socket.end());
  if (socket.destroyed) watch.close();
  await watch.follow(uri);
}

function serveCalls({ gateway, owner }: AdminOptions, socket: Socket): void {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  let [asked, ended] = [0, false];
  const endWhenDone = (): void => {
    if (ended && asked === 0) socket.end();
  };
  socket.once('end', () => {
    ended = true;
    endWhenDone();
  });
  const answer = async ({ id, tool, input, workspace, run }: CallLine): Promise<AnswerLine> => {
    const outcome = await gateway.call({
      target: { kind: 'tool', name: tool, arguments: input },
      presented: { kind: 'grant', grant: owner },
      claims: { workspace, run },
      source: 'admin',
      onCancel: onAbort(gone.signal),
    });
    if (outcome.ok && outcome.answer.kind === 'tool')
      return { id, ok: true, result: factsOf(outcome.answer) };
    return { id, ok: false, error: (outcome.ok ? asSluiceError(undefined) : outcome.error).toWire() };
  };
  const fault = (error: SluiceError): void => {
    writeLine(socket, { id: NO_CALL, ok: false, error: error.toWire() } satisfies AnswerLine);
    socket.end();
    // What is still on its way is passed over: cut off, the other end would not hear why.
    socket.resume();
  };
  readLines(
    socket,
    (line) => {
      const call = callLine.safeParse(line);
      if (!call.success) {
        socket.destroy();
        return 'stop';
      }
      asked += 1;
      void answer(call.data).then((done) => {
        writeLine(socket, done);
        asked -= 1;
        endWhenDone();
      });
      return 'more';
    },
    fault,
  );
}
