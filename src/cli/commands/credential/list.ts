/** Lists credentials that are kept for providers. */
import { defineCommand } from '../../command.ts';
import { table } from '../../output.ts';

interface Listed {
  readonly ref: string;
  readonly user: string | null;
  readonly kind: string;
  readonly expires_at: string | null;
  readonly providers: readonly string[];
}

export const list = defineCommand({
  path: ['credential', 'list'],
  summary: 'List the credentials that are kept for providers; never what they are',
  examples: ['credential list', 'credential list --json'],
  async run({ call, output }) {
    const answer = await call('credential.list');
    output.data(answer, () => {
      const credentials = answer.credentials as Listed[];
      if (credentials.length === 0) return 'No credentials yet; "sluice credential set" keeps one';
      const rows = credentials.map(({ ref, user, kind, expires_at, providers }) => [
        ref,
        user ?? '(all)',
        kind,
        expires_at ?? '',
        providers.join(', '),
      ]);
      return table(['REFERENCE', 'WHOSE', 'KIND', 'EXPIRES', 'PROVIDERS'], rows);
    });
  },
});
