/** Looks for what is wrong and says how to mend it. */
import { SluiceError } from '../../kernel/errors.ts';
import { defineCommand } from '../command.ts';

export const doctor = defineCommand({
  path: ['doctor'],
  summary: 'Check the home, the store, the audit log and the server, and name the fix for each problem',
  examples: ['doctor', 'doctor --json'],
  async run({ home, output }) {
    const { diagnose } = await import('../../app/doctor/diagnose.ts');
    const findings = await diagnose(home);
    const wrong = findings.filter(({ ok }) => !ok);
    output.data({ ok: wrong.length === 0, findings }, () =>
      findings
        .map(
          ({ ok, id, finding, fix }) =>
            `${ok ? 'ok  ' : 'FAIL'}  ${id}: ${finding}${fix === undefined ? '' : `\n      fix: ${fix}`}`,
        )
        .join('\n'),
    );
    if (wrong.length === 0) return;
    throw new SluiceError(
      wrong.some(({ damage }) => damage) ? 'integrity_failed' : 'unavailable',
      `${wrong.length} of ${findings.length} checks failed: ${wrong.map(({ id }) => id).join(', ')}`,
    );
  },
});
