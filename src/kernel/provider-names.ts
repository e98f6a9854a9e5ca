/**
 * Names of providers' tools on the wire. Each is worked out from its provider's id and its own name alone, so that it
 * stays the same whoever else joins or leaves, and nothing else can ever answer to it.
 */
import { sha256Hex } from './canonical-json.ts';

export const MAX_NAME_LENGTH = 64;

/** Between id and tool where dots are refused; ids have no two in a row, so it always means the same place. */
const JOINT = '__';
const DIGEST_LENGTH = 8;

/** `files.read_file`; what would be too long in either form is cut, and its digest tells it from its like. */
export function providerToolName(id: string, tool: string): string {
  const fits = id.length + JOINT.length + tool.length <= MAX_NAME_LENGTH;
  return `${id}.${fits ? tool : told(tool, tool, id)}`;
}

/** `files__read_file`. A dot that becomes an underscore could become another tool's name; the digest keeps them apart. */
export function withoutDots(name: string): string {
  const at = name.indexOf('.');
  if (at < 0) return name;
  const [id, tool] = [name.slice(0, at), name.slice(at + 1)];
  return id + JOINT + (tool.includes('.') ? told(tool, tool.replaceAll('.', '_'), id) : tool);
}

function told(tool: string, shown: string, id: string): string {
  const room = MAX_NAME_LENGTH - id.length - JOINT.length - DIGEST_LENGTH - 1;
  return `${shown.slice(0, room)}_${sha256Hex(tool).slice(0, DIGEST_LENGTH)}`;
}
