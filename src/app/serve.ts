/** The long-lived program: a home with its HTTP server and its admin socket, until it is told to stop. */

import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { clampPort } from '../domain/governance/settings.ts';
import { homeLayout, makePrivate } from '../drivers/home/home-layout.ts';
import { unusableHome } from '../drivers/home/unusable-home.ts';
import { SluiceError } from '../kernel/errors.ts';
import { askHandOver } from '../surfaces/daemon-rpc/client.ts';
import { serveAdmin } from '../surfaces/daemon-rpc/server.ts';
import { type HttpSurface, serveHttp } from '../surfaces/mcp/http.ts';
import { serveStream } from '../surfaces/mcp/stdio.ts';
import { type App, type AppOptions, composeApp } from './compose.ts';
import { clientGrant, ownerGrant } from './local-grants.ts';

export interface Daemon {
  readonly app: App;
  /** Undefined without an HTTP server. */
  readonly url: string | undefined;
  close(): Promise<void>;
}

export interface DaemonOptions extends AppOptions {
  /** False: only the admin socket, for programs over stdio. */
  readonly http: boolean;
}

/** How long a process that gives the home up may take over it; its calls under way finish first. */
const HAND_OVER_MS = 20_000;

export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  if (options.http) await askHandOver(homeLayout(options.home).socket);
  const app = await composeApp({ lockWaitMs: HAND_OVER_MS, indexes: true, ...options });
  const closing: (() => void | Promise<void>)[] = [() => app.close()];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const http = options.http ? await openHttp(app) : undefined;
    if (http) closing.push(() => http.close());
    const admin = await openAdmin(app, () => {
      if (http) throw new SluiceError('home_locked', `Sluice already runs for this home, at ${http.url}`);
      setImmediate(() => void close());
    });
    closing.push(() => admin.close());
    app.reportStatus(() => ({ running: true, url: http?.url ?? null, sessions: http?.sessions ?? 0 }));
    announce(app, http);
    closing.push(() => rmSync(app.layout.running, { force: true }));
    // First of all: nothing new comes in. Calls under way end with the gateway, before sockets are closed.
    closing.push(async () => {
      http?.stop();
      await app.gateway.close(app.config['server.shutdown_grace_ms']);
    });
    return { app, url: http?.url, close };
  } catch (error) {
    await close();
    throw error instanceof SluiceError ? error : (unusableHome(app.layout.root, error) ?? error);
  }
}

function openHttp(app: App): Promise<HttpSurface> {
  const { config, gateway, clock, log } = app;
  return serveHttp({
    gateway,
    clock,
    log,
    host: config['server.host'],
    port: clampPort(config['server.port'] ?? app.governance().settings.mcp_port),
    allowedHosts: config['server.allowed_hosts'],
    maxConnections: config['server.max_connections'],
  });
}

function openAdmin(app: App, handOver: () => void) {
  const { gateway, layout, log, clock } = app;
  makePrivate(dirname(layout.socket));
  return serveAdmin({
    gateway,
    path: layout.socket,
    owner: ownerGrant('admin'),
    handOver,
    openMcp(socket, wish) {
      const grant = () => {
        const known = clientGrant(app.governance(), wish.client, clock.now(), 'mcp-stdio');
        return wish.names === undefined ? known : { ...known, nameForm: wish.names };
      };
      serveStream(socket, { gateway, log, grant, connection: randomUUID() });
    },
  });
}

/** For others on the machine: which process it is and where it listens. Nothing secret. */
function announce(app: App, http: HttpSurface | undefined): void {
  const facts = {
    pid: process.pid,
    url: http?.url ?? null,
    socket: app.layout.socket,
    started_at: new Date(app.clock.now()).toISOString(),
  };
  const draft = `${app.layout.running}.draft`;
  writeFileSync(draft, `${JSON.stringify(facts)}\n`, { mode: 0o600 });
  renameSync(draft, app.layout.running);
}
