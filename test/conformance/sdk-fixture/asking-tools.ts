/** Tools and a prompt of the suite that ask for something before they answer, written once for both eras. */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { about, words } from './content-tools.ts';
import { DEFAULTS, ENUMERATIONS } from './forms.ts';

/** What is left with the one who calls is signed; what was changed there is refused. */
export const states = createRequestStateCodec<{ readonly round: number; readonly name?: string }>({
  key: 'a key of the tests, long enough for HMAC',
});

type Request = InputRequests[string];
type Answer = string | { readonly ask: InputRequests; readonly state?: { round: number; name?: string } };

const ask = (message: string, field: string): Request =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });
const sampling = (text: string, maxTokens = 100): Request =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens,
  });

async function answered(answer: Answer) {
  if (typeof answer === 'string') return { content: [words(answer)] };
  const requestState = answer.state && (await states.mint(answer.state));
  return inputRequired({ inputRequests: answer.ask, ...(requestState !== undefined && { requestState }) });
}

const said = ({ mcpReq }: ServerContext, key: string, field: string): unknown =>
  acceptedContent(mcpReq.inputResponses, key)?.[field];

function sampled({ mcpReq }: ServerContext, key: string): string | undefined {
  const answer = inputResponse(mcpReq.inputResponses, key);
  if (answer.kind !== 'sampling') return undefined;
  const blocks = [answer.result.content].flat();
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

const roots = ({ mcpReq }: ServerContext, key: string): readonly string[] | undefined => {
  const answer = inputResponse(mcpReq.inputResponses, key);
  return answer.kind === 'roots' ? answer.roots.map(({ uri }) => uri) : undefined;
};

/** By name; without arguments. */
const ASKING: Readonly<Record<string, (context: ServerContext) => Answer>> = {
  test_missing_capability: (context) =>
    sampled(context, 'answer') ?? { ask: { answer: sampling('Anything') } },
  test_elicitation_sep1034_defaults: (context) => formAnswer(context, 'Defaults', DEFAULTS),
  test_elicitation_sep1330_enums: (context) => formAnswer(context, 'Enumerations', ENUMERATIONS),
  test_input_required_result_elicitation(context) {
    const name = z.string().safeParse(said(context, 'user_name', 'name')).data;
    return name === undefined ? { ask: { user_name: ask('What is your name?', 'name') } } : `Hello, ${name}!`;
  },
  test_input_required_result_sampling: (context) =>
    sampled(context, 'capital_question') ?? {
      ask: { capital_question: sampling('What is the capital of France?') },
    },
  test_input_required_result_list_roots: (context) =>
    roots(context, 'client_roots')?.join(', ') ?? { ask: { client_roots: inputRequired.listRoots() } },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multi_round(context) {
    const before = context.mcpReq.requestState<{ name?: string }>();
    const name = said(context, 'step1', 'name') ?? before?.name;
    if (typeof name !== 'string')
      return { ask: { step1: ask('Step 1: What is your name?', 'name') }, state: { round: 1 } };
    const color = said(context, 'step2', 'color');
    if (typeof color !== 'string')
      return {
        ask: { step2: ask('Step 2: What is your favorite color?', 'color') },
        state: { round: 2, name },
      };
    return `${name} likes ${color}`;
  },
  test_input_required_result_multiple_inputs(context) {
    const name = said(context, 'user_name', 'name');
    const greeting = sampled(context, 'greeting');
    const folders = roots(context, 'client_roots');
    if (typeof name === 'string' && greeting !== undefined && folders)
      return `${greeting}, ${name} of ${folders.length} roots`;
    return {
      ask: {
        user_name: ask('What is your name?', 'name'),
        greeting: sampling('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      state: { round: 1 },
    };
  },
  test_input_required_result_capabilities(context) {
    if (Object.keys(context.mcpReq.inputResponses ?? {}).length > 0) return 'Answered';
    const envelope = (context.mcpReq.envelope ?? {}) as Record<string, ClientCapabilities | undefined>;
    const can = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
    return {
      ask: {
        ...(can.elicitation && { name: ask('What is your name?', 'name') }),
        ...(can.sampling && { greeting: sampling('Generate a greeting') }),
      },
    };
  },
};

function confirmed(context: ServerContext): Answer {
  const asked = context.mcpReq.requestState<{ round: number }>() !== undefined;
  if (asked && said(context, 'confirm', 'ok') !== undefined) return 'state-ok';
  const requestedSchema = z.object({ ok: z.boolean() });
  const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema });
  return { ask: { confirm }, state: { round: 1 } };
}

type Form = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];

/** Says what came back, however the person answered. */
function formAnswer({ mcpReq }: ServerContext, message: string, requestedSchema: Form): Answer {
  const answer = inputResponse(mcpReq.inputResponses, 'form');
  if (answer.kind !== 'elicit') return { ask: { form: inputRequired.elicit({ message, requestedSchema }) } };
  return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`;
}

export function registerAskingTools(server: McpServer): void {
  for (const [name, answer] of Object.entries(ASKING))
    server.registerTool(name, about(name), (context) => answered(answer(context)));
  server.registerTool(
    'test_sampling',
    { ...about('test_sampling'), inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, context) => {
      const answer = sampled(context, 'answer');
      return answered(
        answer === undefined ? { ask: { answer: sampling(prompt) } } : `LLM response: ${answer}`,
      );
    },
  );
  server.registerTool(
    'test_elicitation',
    { ...about('test_elicitation'), inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) =>
      answered(
        formAnswer(context, message, { type: 'object', properties: { response: { type: 'string' } } }),
      ),
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    about('test_input_required_result_prompt'),
    (context) => {
      const given = said(context, 'user_context', 'context');
      const question = { user_context: ask('What context should the prompt use?', 'context') };
      if (given === undefined) return inputRequired({ inputRequests: question });
      return {
        messages: [{ role: 'user', content: { type: 'text', text: `In the context of ${given}` } }],
      };
    },
  );
}
