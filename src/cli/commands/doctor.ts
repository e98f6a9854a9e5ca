/** Looks for what is wrong and says how to mend it. */
import { diagnose } from '../../app/doctor.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { defineCommand } from '../command.ts';

export const doctor = defineCommand({
  path: ['doctor'],
  summary: 'Check the home, the store, the audit log and the server, and name the fix for each problem',
  examples: ['doctor', 'doctor --json'],
  async run({ home, output }) {
    const findings = await diagnose(home);
    output.data({ findings }, () =>
      findings
        .map(
          ({ ok, check, detail, fix }) =>
            `${ok ? 'ok  ' : 'FAIL'}  ${check}: ${detail}${fix ? `\n      fix: ${fix}` : ''}`,
        )
        .join('\n'),
    );
    const failed = findings.filter((finding) => !finding.ok).length;
    if (failed > 0)
      throw new SluiceError('integrity_failed', `${failed} of ${findings.length} checks failed`);
  },
});
