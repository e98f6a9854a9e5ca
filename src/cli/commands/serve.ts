/** Runs the server. */
import { waitForStop } from '../../app/signals.ts';
import { defineCommand, numberOf } from '../command.ts';
import { connectHints } from '../connect-hints.ts';

export const serve = defineCommand({
  path: ['serve'],
  summary: 'Run the server: MCP over HTTP on this machine, and the socket for the command line',
  options: [
    { name: 'port', value: 'number', summary: 'Listen here this time (1024 to 65535); default 7862' },
  ],
  examples: ['serve', 'serve --port 8080 --home ./my-home'],
  async run(context, input) {
    const port = numberOf(input, 'port');
    const { config } = context.loadConfig(port === undefined ? {} : { 'server.port': port });
    const log = context.log(config);
    const { startDaemon } = await import('../../app/serve.ts');
    const daemon = await startDaemon({ home: context.home, config, log, http: true });
    // Before anybody hears that it runs: whoever does may stop it at once.
    const stopped = waitForStop();
    const moved = movedFrom(config['server.port'], daemon.url ?? '');
    const facts = { url: daemon.url, home: context.home, pid: process.pid, ...moved };
    if (moved)
      context.output.note(`Ports are 1024 to 65535, so not ${moved.asked_port}: see the address below`);
    context.output.data(facts, () => connectHints(daemon.url ?? '', context.home));
    const signal = await stopped;
    log.info('stopping', { signal });
    await daemon.close();
    log.info('stopped');
  },
});

/** The port that was asked for, where another is listened on. */
function movedFrom(asked: number | null, url: string): { readonly asked_port: number } | undefined {
  return asked === null || String(asked) === new URL(url).port ? undefined : { asked_port: asked };
}
