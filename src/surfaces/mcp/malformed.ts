/** Recognises messages that ask for a call but cannot become one, so that they are recorded like every refusal. */

/** What the message wanted, or undefined when it is well formed or no call at all. */
export function malformedCall(message: unknown): string | undefined {
  if (Array.isArray(message)) return message.map(malformedCall).find((found) => found !== undefined);
  if (typeof message !== 'object' || message === null) return '(no message)';
  const { method, params } = message as { method?: unknown; params?: unknown };
  if (method === undefined && ('result' in message || 'error' in message)) return undefined;
  if (typeof method !== 'string') return '(no method)';
  const given = (typeof params === 'object' && params !== null ? params : {}) as Record<string, unknown>;
  if (method === 'tools/call' || method === 'prompts/get') {
    const wellFormed = typeof given.name === 'string' && isObjectOrAbsent(given.arguments);
    return wellFormed ? undefined : method;
  }
  if (method === 'resources/read') return typeof given.uri === 'string' ? undefined : method;
  return undefined;
}

const isObjectOrAbsent = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
