/** Writes the audit log out. */
import { writeFileSync } from 'node:fs';
import { exportLines } from '../../../app/audit-export.ts';
import { defineCommand, textOf } from '../../command.ts';

export const exportAudit = defineCommand({
  path: ['audit', 'export'],
  summary: 'Write records and signed heads as lines of JSON; a head kept elsewhere proves a rollback',
  options: [{ name: 'out', value: 'file', summary: 'Into this file instead of standard output' }],
  examples: ['audit export --out audit.ndjson'],
  async run({ withHome, output }, input) {
    const lines = await withHome((home) => exportLines((wish) => home.call('audit.export', wish)));
    const text = `${lines.join('\n')}\n`;
    const out = textOf(input, 'out');
    if (out === undefined) output.raw(text);
    else writeFileSync(out, text, { mode: 0o600 });
    output.talk(`${lines.length} lines`);
  },
});
