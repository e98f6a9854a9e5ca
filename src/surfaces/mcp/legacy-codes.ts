/**
 * The SDK answers a resource that is not there with −32602 in every revision. Before 2026-07-28 the code was
 * −32002, and clients of that time look for it, so it is put back where a message leaves for one of them.
 */
import { isJSONRPCErrorResponse, type JSONRPCMessage } from '@modelcontextprotocol/server';

const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32002;

/** Recognised as everywhere by data that holds nothing but the URI. */
export function withLegacyCode(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message) || message.error.code !== INVALID_PARAMS) return message;
  const data: unknown = message.error.data;
  const isMissing = typeof data === 'object' && data !== null && Object.keys(data).join() === 'uri';
  return isMissing ? { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } } : message;
}
