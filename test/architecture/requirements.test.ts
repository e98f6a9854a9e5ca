import { describe, expect, it } from 'vitest';
import { checkRequirements } from '../../scripts/requirements/check.ts';
import { readCitations } from '../../scripts/requirements/read-citations.ts';
import { readRules } from '../../scripts/requirements/read-rules.ts';
import { plantTree } from '../support/planted-tree.ts';

// The planted ids are put together here, so that the gate over our own tests does not take them for citations.
const cite = (id: string): string => `[${id}]`;
const rulesIn = (text: string): string[] =>
  readRules(plantTree({ 'docs/requirements/audit.md': text })).map(({ id }) => id);
const citationsIn = (text: string): string[] =>
  readCitations(plantTree({ 'test/e2e/a.test.ts': text })).map(({ id }) => id);

describe('[ARCH-19] rules and tests', () => {
  it('agree in ours', () => {
    expect(checkRequirements('.')).toEqual([]);
  });

  it('are held together both ways', () => {
    const root = plantTree({
      'docs/requirements/README.md': '- AUD-99 An example, not a rule.',
      'docs/requirements/audit.md': '- AUD-01 Cited.\n- AUD-02 Not cited.\n- AUD-03\n| AUD-01 | Again. |',
      'src/gateway/audit.test.ts': `it('${cite('AUD-01')} x'); it('${cite('AUD-09')} y');`,
      'test/contract/audit.contract.ts': `\nit('${cite('AUD-03')} x');`,
      'test/fixtures/b.test.ts': `it('${cite('AUD-08')} is a fixture');`,
    });
    expect(checkRequirements(root)).toEqual([
      'docs/requirements/audit.md:2 rule-untested AUD-02 is cited by no test',
      'docs/requirements/audit.md:3 rule-empty AUD-03 says nothing',
      'docs/requirements/audit.md:4 rule-twice AUD-01 is already given at docs/requirements/audit.md:1',
      'src/gateway/audit.test.ts:1 rule-unknown AUD-09 is cited but is no rule of docs/requirements',
    ]);
  });

  it.each([
    '- AUD-07 A sentence.',
    '* **AUD-07** A sentence.',
    '  + `AUD-07`: A sentence.',
    '1. AUD-07 – A sentence.',
    '| AUD-07 | A sentence. |',
    '| **AUD-07** | A sentence. | more |',
  ])('%s is a rule', (line) => {
    expect(rulesIn(line)).toEqual(['AUD-07']);
  });

  it.each([
    'AUD-07 A sentence.',
    '- See AUD-07.',
    '- AUD-7 A sentence.',
    '- AUD-0701 A sentence.',
    '- aud-07 A sentence.',
    '- A-07 A sentence.',
  ])('%s is no rule', (line) => {
    expect(rulesIn(line)).toEqual([]);
  });

  const title = `${cite('AUD-07')} x`;
  it.each([
    `it('${title}', () => {})`,
    `test("${title}")`,
    `describe('${title}')`,
    `it(\`${title} \${store}\`)`,
    `it('x ' + '${title}')`,
    `it.only('${title}')`,
    `it.each([1])('${title}')`,
    `it.each\`a\`('${title}')`,
    `it.for([1])('${title}')`,
    `it.skipIf(process.platform === 'win32')('${title}')`,
    `describe.runIf(1).each([1])('${title}')`,
    `export const suite = () => { describe('x', () => { it('${title}'); }); };`,
  ])('%s cites', (text) => {
    expect(citationsIn(text)).toEqual(['AUD-07']);
  });

  it('may be cited several at once', () => {
    expect(citationsIn(`it('${cite('AUD-07')}${cite('PIPE-01')} x')`)).toEqual(['AUD-07', 'PIPE-01']);
  });

  it.each([
    `it.skip('${title}')`,
    `it.todo('${title}')`,
    `describe.skip('${title}')`,
    `expect('${title}')`,
    `it('x', () => '${title}')`,
    `it('AUD-07 without brackets')`,
    `// it('${title}')`,
  ])('%s does not cite', (text) => {
    expect(citationsIn(text)).toEqual([]);
  });
});
