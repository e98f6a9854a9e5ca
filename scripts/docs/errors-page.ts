/** The reference page of errors, from the closed table. */
import { ERROR_TABLE, type ErrorCode, errorRow } from '../../src/kernel/errors.ts';

export async function renderErrorsPage(): Promise<string> {
  const rows = (Object.keys(ERROR_TABLE) as ErrorCode[]).map((code) => {
    const { mcp, http, exit, retry, meaning } = errorRow(code);
    const wire =
      mcp === 'result'
        ? 'result with `isError`'
        : mcp.modern === mcp.legacy
          ? `${mcp.modern}`
          : `${mcp.modern} (2026-07-28), ${mcp.legacy} (before)`;
    return `| \`${code}\` | ${meaning} | ${wire} | ${http} | ${exit} | ${retry} |`;
  });
  return [
    '# Errors',
    '',
    'Everything that can go wrong, and how it looks on each wire. A result carries the code in',
    '`structuredContent.code`, a JSON-RPC error in `data.code`. For resources and prompts, what is a result for a',
    'tool is the error -32602 or -32603. Retry: `later` the same call may work, `changed` only another call can,',
    '`never` none of this caller will.',
    '',
    'Two kinds of errors have no `data.code`. A resource that is not there has nothing but its `uri` in `data`, by',
    'which clients know it. What HTTP refuses before there is a call — a token that is missing, wrong or revoked',
    '(401), a host or origin that is not allowed (403), a path, a session id or a method that does not exist here',
    '(404, 405), a session id or a body in another form (400, 415) — is -32000 with a message and no `data`; go by the',
    'status. So over HTTP `unauthenticated` as it stands below is only for a token that is revoked during a call.',
    '',
    '| code | meaning | MCP | HTTP | exit | retry |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
