/**
 * Holds rules and tests together: every rule is cited by a test, every cited id is a rule, no id is given twice.
 * Usage: node scripts/requirements/check.ts [root]
 */
import { readCitations } from './read-citations.ts';
import { readRules } from './read-rules.ts';

export function checkRequirements(root: string): string[] {
  const rules = readRules(root);
  const citations = readCitations(root);
  const cited = new Set(citations.map(({ id }) => id));
  const places = new Map<string, string>();
  const findings: string[] = [];
  for (const { id, sentence, where } of rules) {
    const earlier = places.get(id);
    if (earlier !== undefined) findings.push(`${where} rule-twice ${id} is already given at ${earlier}`);
    if (sentence === '') findings.push(`${where} rule-empty ${id} says nothing`);
    if (!cited.has(id)) findings.push(`${where} rule-untested ${id} is cited by no test`);
    places.set(id, where);
  }
  for (const { id, where } of citations) {
    if (!places.has(id))
      findings.push(`${where} rule-unknown ${id} is cited but is no rule of docs/requirements`);
  }
  return findings;
}

if (import.meta.main) {
  const findings = checkRequirements(process.argv[2] ?? '.');
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
