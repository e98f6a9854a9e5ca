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
    const facts = { url: daemon.url, home: context.home, pid: process.pid };
    context.output.data(facts, () => connectHints(daemon.url ?? '', context.home));
    const signal = await waitForStop();
    log.info('stopping', { signal });
    await daemon.close();
    log.info('stopped');
  },
});
