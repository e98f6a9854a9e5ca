/** What a tool declared about its answers when it was admitted holds for each of them, after all that was taken out. */
import type { Schema } from '../../catalogue/schema.ts';
import type { Inspection } from '../../domain/providers/firewall/verdict.ts';
import { refusal } from '../../domain/providers/refusals.ts';

export function requireShape(provider: string, schema: Schema | undefined, inspection: Inspection): void {
  const { result, rules } = inspection;
  // Who failed says so in words of its own.
  if (!schema || result.isError) return;
  const checked = schema.check(result.structured);
  if (checked.ok) return;
  const problems = checked.issues.map(({ field, wanted }) =>
    // Names that the schema does not have are the provider's own words.
    wanted === 'is not known' ? 'something that is not declared' : `"${field}" ${wanted}`,
  );
  throw refusal(
    'DELEG_FIREWALL_SCHEMA_INVALID',
    provider,
    `the answer of "${provider}" is not what its tool declares (${[...new Set(problems)].join('; ')}); ` +
      'do without it, or tell the owner of Sluice',
    { verdict: 'SCHEMA_INVALID', rules: ['output-schema'], rules_version: rules },
  );
}
