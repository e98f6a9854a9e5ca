/** Resources and prompts of the suite, as a server of the SDK has them. */
import { completable, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG } from '../fixture/samples.ts';
import { about, picture, words } from './content-tools.ts';

export function registerResources(server: McpServer): void {
  const text = (name: string, uri: string, said: string): void => {
    const mimeType = 'text/plain';
    server.registerResource(name, uri, { ...about(name), mimeType }, async () => ({
      contents: [{ uri, mimeType, text: said }],
    }));
  };
  text('static_text', 'test://static-text', 'This is the content of the static text resource.');
  text('watched_resource', 'test://watched-resource', 'Watched resource content');
  const [uri, mimeType] = ['test://static-binary', 'image/png'];
  server.registerResource('static_binary', uri, { ...about('static_binary'), mimeType }, async () => ({
    contents: [{ uri, mimeType, blob: PNG }],
  }));
  const complete = { id: (value: string) => ['123', '124'].filter((id) => id.startsWith(value)) };
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined, complete }),
    { ...about('template'), mimeType: 'application/json' },
    async ({ href }, { id }) => {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri: href, mimeType: 'application/json', text: data }] };
    },
  );
}

export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', about('test_simple_prompt'), async () => ({
    messages: [{ role: 'user', content: words('This is a simple prompt for testing.') }],
  }));
  const cities = completable(z.string().describe('First test argument'), (value) =>
    ['paris', 'park', 'party'].filter((city) => city.startsWith(value)),
  );
  const two = z.object({ arg1: cities, arg2: z.string().describe('Second test argument') });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...about('test_prompt_with_arguments'), argsSchema: two },
    async ({ arg1, arg2 }) => ({
      messages: [{ role: 'user', content: words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...about('test_prompt_with_embedded_resource'), argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri: uri }) => {
      const text = 'Embedded resource content for testing.';
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource: { uri, mimeType: 'text/plain', text } } },
          { role: 'user', content: words('Please process the embedded resource above.') },
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', about('test_prompt_with_image'), async () => ({
    messages: [
      { role: 'user', content: picture },
      { role: 'user', content: words('Please analyze the image above.') },
    ],
  }));
}
