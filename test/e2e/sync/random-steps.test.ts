/**
 * A folder edited by hand, by git and by agents at once, while a real sync runs, is killed and starts again: in the end
 * both sides are equal, and every paragraph that somebody wrote and nobody removed is somewhere.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, expect, it, vi } from 'vitest';
import { FolderHand } from '../../support/folder-hand.ts';
import { connectHttp } from '../../support/mcp-clients.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { freePort, type RunningServer, runSluice, sluiceJson, startServer } from '../../support/process.ts';
import { type Random, randomFor, soaking, times } from '../../support/random.ts';
import { skipUnless } from '../../support/skip.ts';
import { type RunningSync, startSync } from '../../support/sync-process.ts';
import { age, pathsIn, workspaceFiles, writeFiles } from '../../support/synced-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { WorkspaceAgent } from '../../support/workspace-agent.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000 });

const STEPS = times(80, 1_000);

skipUnless(hasGit(), 'git is not installed');

function hasGit(): boolean {
  try {
    execFileSync('git', ['--version']);
    return true;
  } catch {
    return false;
  }
}

const STILL = Object.fromEntries(
  Array.from({ length: 8 }, (_, i) => [`Still/Still ${i}.md`, `Nobody touches this one, ${i}.\r\n`]),
);

const running: (RunningServer | RunningSync)[] = [];
afterAll(() => Promise.all(running.map((one) => one.kill('SIGKILL'))));

it(`[SYNC-12][SYNC-02] ${STEPS} random steps by hand, git and agents come together`, async () => {
  const world = await World.create('steps');
  await world.run(STEPS, () => undefined);
  await world.check();
});

it(`[SYNC-11][SYNC-12] and so they do when sync and server are killed in between`, async () => {
  const world = await World.create('kills');
  await world.run(STEPS, async (random) => {
    if (random.oneIn(8)) await world.restartSync();
    if (random.oneIn(40)) await world.restartServer();
  });
  await world.check();
});

class World {
  readonly #folder = temporaryFolder('sluice-folder-');
  readonly #home = temporaryFolder();
  readonly #random: Random;
  readonly #hand: FolderHand;
  readonly #agents: WorkspaceAgent[];
  readonly #port: number;
  #server: RunningServer | undefined;
  #sync: RunningSync | undefined;
  #tokens: string[] = [];
  #clients: Client[] = [];
  #still: string[] = [];

  constructor(name: string, port: number) {
    this.#random = randomFor(`sync ${name}`);
    this.#port = port;
    writeFiles(this.#folder, STILL);
    const desk = temporaryFolder('sluice-desk-');
    this.#hand = new FolderHand(this.#folder, desk, randomFor(`hand ${name}`), 'hand', Object.keys(STILL));
    this.#agents = ['ada', 'bob', 'eve'].map(
      (agent) => new WorkspaceAgent(randomFor(`${agent} ${name}`), agent),
    );
  }

  static async create(name: string): Promise<World> {
    const world = new World(name, await freePort());
    for (let i = 0; i < 6; i += 1) world.#hand.step();
    world.#hand.startGit();
    age(world.#folder);
    world.#still = world.#looks();
    await world.restartServer();
    await world.restartSync();
    await world.#sync?.ready();
    return world;
  }

  async restartServer(): Promise<void> {
    await this.#server?.kill('SIGKILL');
    this.#server = await startServer(this.#home, { port: this.#port });
    running.push(this.#server);
    if (this.#tokens.length === 0) {
      const owner = (await runSluice(this.#home, ['token', 'show'])).stdout.trim();
      // Two speak for the author; what the third one writes is not accepted by anybody.
      this.#tokens = [owner, owner, await addClient(this.#home, 'eve')];
    }
    this.#clients = await Promise.all(
      this.#tokens.map((token) => connectHttp(this.#server?.url ?? '', token, 'modern')),
    );
  }

  async restartSync(): Promise<void> {
    await this.#sync?.kill('SIGKILL');
    this.#sync = startSync(this.#home, this.#folder);
    running.push(this.#sync);
  }

  async run(steps: number, between: (random: Random) => Promise<void> | void): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      await between(this.#random);
      const actor = this.#random.between(0, 9);
      if (actor <= 4) this.#hand.step();
      else if (actor === 5 && this.#random.oneIn(3)) this.#hand.gitStep();
      // All at once, one of them without waiting for the hand.
      await Promise.all(
        this.#agents.map((agent, i) => {
          const client = this.#clients[i];
          return client && this.#random.oneIn(3) ? agent.step(client) : undefined;
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, this.#random.between(0, 120)));
      if (this.#sync?.process.exitCode != null) throw new Error(`sync ended: ${this.#sync.output()}`);
    }
  }

  async check(): Promise<void> {
    await this.#sync?.kill('SIGTERM');
    const report = await sluiceJson(this.#home, 'sync', this.#folder, '--once');
    expect(report, this.#sync?.output().slice(-2_000)).toMatchObject({ settled: true });
    const again = await sluiceJson(this.#home, 'sync', this.#folder, '--once');
    const nothing = { created: 0, updated: 0, moved: 0, removed: 0 };
    expect(again).toMatchObject({ taken: nothing, written: nothing, conflicts: [] });

    const call = (tool: string, input: Record<string, unknown>) => asOwner(this.#home, tool, input);
    const { files } = await call('list_page_files', {});
    const listed = files as { path: string; lifecycle: string }[];
    const withheld = new Set(
      listed.filter(({ lifecycle }) => lifecycle === 'candidate').map(({ path }) => path),
    );
    const pages = await workspaceFiles(call);
    const texts = Object.values(pages);
    for (const path of withheld) delete pages[path];
    expect(this.#onDisk(pages)).toEqual(pages);
    expect(this.#looks()).toEqual(this.#still);

    // What an agent wanted gone is in the trash, whatever it held by then.
    for (const page of this.#agents.flatMap(({ deleted }) => deleted))
      await call('restore_page', { page }).catch(() => undefined);
    texts.push(...Object.values(await workspaceFiles(call)));
    const everybody = [this.#hand, ...this.#agents];
    const removed = everybody.flatMap(({ tokens }) => [...tokens.removed]);
    for (const { tokens } of everybody) for (const token of removed) tokens.removed.add(token);
    expect(everybody.flatMap(({ tokens }) => tokens.missing(texts))).toEqual([]);
    expect(everybody.reduce((sum, { tokens }) => sum + tokens.written.size, 0)).toBeGreaterThan(STEPS / 8);
  }

  /** Notes as text, everything else as its digest. */
  #onDisk(like: Readonly<Record<string, string>>): Record<string, string> {
    const read = (path: string): string => {
      const bytes = readFileSync(join(this.#folder, path));
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      return like[path] === digest ? digest : bytes.toString('utf8');
    };
    return Object.fromEntries(pathsIn(this.#folder).map((path) => [path, read(path)]));
  }

  #looks(): string[] {
    return Object.keys(STILL).map((path) => {
      const { mtimeNs, ino } = statSync(join(this.#folder, path), { bigint: true });
      return `${path} ${mtimeNs} ${ino} ${readFileSync(join(this.#folder, path), 'utf8')}`;
    });
  }
}
