/** What follows changes is told of them, on every store, and by another gateway on the same database as well. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, composeApp } from '../../src/app/compose.ts';
import { ownerGrant } from '../../src/app/local-grants.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { CallClaims } from '../../src/gateway/request.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TREE = 'sluice://workspace/tree';
const PAGE = 'sluice://workspace/page/followed';
const PROPOSALS = 'sluice://workspace/proposals';

onEachStore('watches', (under) => {
  const homes = [temporaryFolder(), temporaryFolder()];
  const apps: App[] = [];
  const open = (home = ''): Promise<App> =>
    composeApp({ home, config: loadConfig(home, {}, under.config()).config, log: silentLog });
  beforeAll(async () => {
    if (!under.available()) return;
    apps.push(await open(homes[0]));
    if (under.kind === 'postgres') apps.push(await open(homes[1]));
    await call('create_page', { title: 'Followed', content: 'one' });
    await call('create_page', { title: 'Other', content: 'one' });
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
  });

  const grant = ownerGrant('in-process');
  async function call(
    name: string,
    input: object,
    app = apps[0],
    claims: CallClaims = {},
  ): Promise<Record<string, unknown>> {
    const outcome = await app?.gateway.call({
      target: { kind: 'tool', name, arguments: input },
      presented: { kind: 'grant', grant },
      claims,
      source: 'test',
    });
    if (!outcome?.ok) throw outcome?.error;
    return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
  }
  async function write(page: string, app = apps[0]): Promise<void> {
    const { version, content } = await call('read_page', { page }, app);
    await call('update_page_content', { page, content: `${content}.`, base_version: version }, app);
  }
  async function watch(...uris: string[]) {
    const heard: string[] = [];
    const opened = await apps[0]?.gateway.watch({
      grant,
      claims: {},
      source: 'test',
      deliver: (change) => heard.push(change.kind === 'resource' ? change.uri : change.list),
    });
    for (const uri of uris) await opened?.follow(uri);
    return { heard, opened };
  }

  it('[PROTO-08] tell of the page that changed and not of others, by whatever gateway', async () => {
    const { heard, opened } = await watch(PAGE);
    for (const app of apps) {
      await write('other', app);
      await write('followed', app);
      await expect.poll(() => heard.splice(0)).toEqual([PAGE]);
    }
    opened?.close();
  });

  it('[PROTO-08] tell when a name means another page, or none', async () => {
    const { heard, opened } = await watch(PAGE);
    await call('delete_page', { page: 'followed' });
    await expect.poll(() => heard.splice(0)).toEqual([PAGE]);
    await call('create_page', { title: 'Followed', content: 'another' });
    await expect.poll(() => heard.splice(0)).toEqual([PAGE]);
    opened?.close();
  });

  it('[PROP-24] tell what waits for review and what was decided, and not of pages, by whatever gateway', async () => {
    const { heard, opened } = await watch(PROPOSALS);
    const told = () => expect.poll(() => heard.splice(0)).toEqual([PROPOSALS]);
    const asProgram = { origin: 'agent-produced' };
    for (const app of apps) {
      await write('other', app);
      const { proposal } = await call(
        'update_page_metadata',
        { page: 'other', icon: app.layout.root },
        app,
        asProgram,
      );
      await told();
      await write('other', app);
      await call('accept_proposal', { proposal: (proposal as { id: string }).id }, app);
      await told();
      const { id } = await call('create_page', { title: 'Candidate' }, app, asProgram);
      await told();
      await call('reject_proposal', { proposal: id }, app);
      await told();
    }
    opened?.close();
  });

  it('[PROTO-19] are bounded for one caller, in number and in resources', async () => {
    const { opened } = await watch();
    for (let i = 0; i < 256; i += 1) await opened?.follow(`sluice://workspace/search?q=${i}`);
    await expect(opened?.follow(TREE)).rejects.toMatchObject({ code: 'rate_limited' });
    opened?.unfollow('sluice://workspace/search?q=0');
    await opened?.follow(TREE);
    opened?.close();
    const many = [];
    for (let i = 0; i < 256; i += 1) many.push((await watch()).opened);
    await expect(watch()).rejects.toMatchObject({ code: 'rate_limited' });
    for (const one of many) one?.close();
    (await watch()).opened?.close();
  });
});
