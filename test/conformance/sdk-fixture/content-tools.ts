/** Tools of the suite that answer, report, log and fail, as a server of the SDK has them. */
import {
  type CallToolResult,
  fromJsonSchema,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG, pause, WAV } from '../fixture/samples.ts';
import type { Changed } from './new-server.ts';
import { WHOLE_SCHEMA } from './whole-schema.ts';

type Block = CallToolResult['content'][number];

export const words = (text: string): Block => ({ type: 'text', text });
export const picture: Block = { type: 'image', data: PNG, mimeType: 'image/png' };
const sound: Block = { type: 'audio', data: WAV, mimeType: 'audio/wav' };
const embedded = (uri: string, mimeType: string, text: string): Block => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

const ANSWERS: Readonly<Record<string, readonly Block[]>> = {
  test_simple_text: [words('This is a simple text response for testing.')],
  test_image_content: [picture],
  test_audio_content: [sound],
  test_embedded_resource: [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    words('Multiple content types test:'),
    picture,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_streaming_elicitation: [words('Nothing is asked on the stream of an answer.')],
};

export function registerContentTools(server: McpServer, changed: Changed): void {
  for (const [name, content] of Object.entries(ANSWERS))
    server.registerTool(name, about(name), async () => ({ content: [...content] }));
  server.registerTool('test_error_handling', about('test_error_handling'), async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    server.registerTool(name, about(name), logThrice);
  server.registerTool('test_tool_with_progress', about('test_tool_with_progress'), reportThrice);
  server.registerTool('test_trigger_tool_change', about('test_trigger_tool_change'), async () => {
    changed.tools();
    return { content: [words('The tools changed')] };
  });
  server.registerTool('test_trigger_prompt_change', about('test_trigger_prompt_change'), async () => {
    changed.prompts();
    return { content: [words('The prompts changed')] };
  });
  const inputSchema = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) });
  const mirrored = { ...about('test_mirrored_argument'), inputSchema };
  server.registerTool('test_mirrored_argument', mirrored, async ({ region }) => ({
    content: [words(`In ${region}`)],
  }));
  const whole = { ...about('json_schema_2020_12_tool'), inputSchema: fromJsonSchema(WHOLE_SCHEMA) };
  server.registerTool('json_schema_2020_12_tool', whole, async () => ({ content: [words('It fits')] }));
}

export const about = (name: string) => ({
  title: name.replaceAll('_', ' '),
  description: `Conformance fixture ${name}.`,
});

async function logThrice({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', line);
    await pause(50);
  }
  return { content: [words('Logged three lines')] };
}

async function reportThrice({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` },
      });
    await pause(50);
  }
  return { content: [words('Reported three steps')] };
}
