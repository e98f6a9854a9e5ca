/** One PROV document from the parts that the tool answers. What is in several parts is the same in each. */
import type { CallTool } from './import-folder.ts';

type Section = Record<string, unknown>;
type Document = Record<string, Section>;

export async function collectProvenance(
  call: CallTool,
  wish: Readonly<Record<string, unknown>>,
): Promise<Readonly<Document>> {
  const whole: Document = {};
  let cursor: unknown;
  do {
    const part = await call('export_provenance', { ...wish, ...(cursor !== undefined && { cursor }) });
    for (const [name, section] of Object.entries(part.document as Document))
      whole[name] = { ...whole[name], ...section };
    cursor = part.next_cursor;
  } while (cursor !== undefined);
  return whole;
}
