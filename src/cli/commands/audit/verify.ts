/** Checks the audit log, or an export of it. */
import { SluiceError } from '../../../kernel/errors.ts';
import { defineCommand, given, textOf } from '../../command.ts';

interface Verification {
  readonly ok: boolean;
  readonly records: number;
  readonly heads: number;
  readonly faults: readonly {
    readonly writer: string;
    readonly sequence: number;
    readonly problem: string;
  }[];
}

export const verify = defineCommand({
  path: ['audit', 'verify'],
  summary: 'Check every record against its chain and its signed heads',
  options: [
    { name: 'heads', value: 'file', summary: 'Also against the heads in an earlier export', choices: 'path' },
    { name: 'file', value: 'file', summary: 'Check an export instead of the log', choices: 'path' },
  ],
  examples: ['audit verify', 'audit verify --heads last-month.ndjson', 'audit verify --file export.ndjson'],
  async run({ call, output }, input) {
    const { readExport, verifyExport } = await import('../../../app/audit-export.ts');
    const [file, heads] = [textOf(input, 'file'), textOf(input, 'heads')];
    const earlier = heads === undefined ? undefined : await readExport(heads);
    const answer = (file === undefined
      ? await call('audit.verify', given({ heads: earlier?.heads }))
      : await verifyExport(file, earlier)) as unknown as Verification;
    output.data(
      answer,
      () =>
        `${answer.records} records and ${answer.heads} signed heads checked${answer.ok ? ': all is well' : ''}`,
    );
    const [first] = answer.faults;
    if (!first) return;
    throw new SluiceError(
      'integrity_failed',
      `Record ${first.sequence} of chain ${first.writer} is bad: ${first.problem}`,
      {
        writer: first.writer,
        sequence: first.sequence,
      },
    );
  },
});
