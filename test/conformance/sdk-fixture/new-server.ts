/** What the suite asks for, on a server of the SDK; run by Node.js, over standard input and output. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { registerAskingTools, states } from './asking-tools.ts';
import { registerContentTools } from './content-tools.ts';
import { registerPrompts, registerResources } from './resources-and-prompts.ts';

/** The path of this file, to be run as a program. */
export const SDK_PROGRAM = import.meta.filename;

/** Told when the server is made to say that its lists changed. */
export interface Changed {
  tools(): void;
  prompts(): void;
}

export function newServer(changed?: Changed): McpServer {
  const server = new McpServer(
    { name: 'sdk-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  const itself: Changed = {
    tools: () => server.sendToolListChanged(),
    prompts: () => server.sendPromptListChanged(),
  };
  registerContentTools(server, changed ?? itself);
  registerAskingTools(server);
  registerResources(server);
  registerPrompts(server);
  return server;
}

if (import.meta.main) serveStdio(() => newServer());
