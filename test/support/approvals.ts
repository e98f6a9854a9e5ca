/** Shorthands for tests of approvals: tools that wait for a yes, and the owner who gives it. */
import type { ProviderHome } from './provider-home.ts';
import { BENIGN, echoTool, type Script } from './scripted-upstream.ts';
import { refusalOf } from './wires.ts';

/** Says of itself that it destroys something, so that every call of it waits. */
const sendTool = {
  name: 'send',
  description: 'Sends a text away.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string' }, text: { type: 'string' } },
  },
  annotations: { destructiveHint: true },
};

export const WITH_SEND: Script = { ...BENIGN, tools: [echoTool, sendTool] };

export interface Waiting {
  readonly code: string;
  /** The approval that was asked for. */
  readonly approval: string;
  readonly message: string;
}

/** The refusal of a call of the provider, with the approval it names. */
export async function refused(
  at: ProviderHome,
  tool: string,
  input: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
): Promise<Waiting> {
  const message = await at.client().ask('tools/call', { name: `up.${tool}`, arguments: input, _meta: meta });
  return refusalOf(message) as unknown as Waiting;
}

export const approve = (at: ProviderHome, id: string, decision = 'APPROVED_ONCE') =>
  at.asOwner('approval.decide', { id, decision, reason: 'a test' });

/** How often the upstream server was really asked to run a tool. */
export const timesCalled = (at: ProviderHome, tool: string): number =>
  at
    .upstream()
    .requests()
    .filter(({ method, params }) => method === 'tools/call' && (params as { name?: string }).name === tool)
    .length;
