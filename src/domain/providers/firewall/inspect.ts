/** The output firewall: everything a provider says passes here before anybody sees it. */
import type { ProviderProfile, TrustTier } from '../profile.ts';
import type { ProviderContent, ProviderResult } from '../result.ts';
import type { Shown } from '../surface.ts';
import { findInjections } from './find-injections.ts';
import { findSecrets, type Sensitivity } from './find-secrets.ts';
import { removeInvisible } from './invisible.ts';
import { neutraliseLinks } from './neutralise-links.ts';
import type { FirewallRules } from './rules.ts';
import { MAX_TEXT_BYTES, textBytesOf, tooLong } from './too-long.ts';
import type { FirewallFinding, Inspection, Verdict } from './verdict.ts';

export interface FirewallMeans {
  readonly rules: FirewallRules;
  /** Hosts whose pictures and addresses pass as they are. */
  readonly allowedHosts: readonly string[];
}

export function inspect(
  use: FirewallMeans,
  { trust }: Pick<ProviderProfile, 'trust'>,
  result: ProviderResult,
): Inspection {
  const size = textBytesOf(result);
  if (size > MAX_TEXT_BYTES) return tooLong(size);
  const findings = new Findings();
  const texts: string[] = [];
  const clean = (text: string): string => {
    texts.push(text);
    return cleanText(use, trust, text, findings);
  };
  const passed: ProviderResult = {
    ...result,
    content: result.content.map((block) => cleanBlock(block, clean)),
    structured: result.structured && (cleanValue(result.structured, clean) as Shown),
  };
  // As it came, and all of it at once: pieces may be harmless one by one.
  for (const { rule, family } of findInjections(use.rules, texts.join(' ')))
    findings.add(rule, family, actionFor(trust), 1);
  return { verdict: verdictOf(findings.all()), result: passed, findings: findings.all() };
}

function verdictOf(findings: readonly FirewallFinding[]): Verdict {
  if (findings.some(({ action }) => action === 'block')) return 'POLICY_BLOCKED';
  return findings.some(({ action }) => action === 'withhold') ? 'QUARANTINED' : 'ACCEPTED_OBSERVATION';
}

/** What speaks to the model is held back, whoever said it; a person may have a look. */
const actionFor = (trust: TrustTier): FirewallFinding['action'] =>
  trust === 'BLOCKED' ? 'block' : 'withhold';

/** Credentials and what the law protects are never passed on; what only looks so, not from strangers. */
const masks =
  (trust: TrustTier) =>
  (found: Sensitivity): boolean =>
    found === 'CREDENTIAL_LIKE' ||
    found === 'REGULATED' ||
    (found === 'UNKNOWN_SENSITIVE' && trust !== 'CONTROLLED_LOCAL');

function cleanText(use: FirewallMeans, trust: TrustTier, given: string, findings: Findings): string {
  const { text: seen, removed } = removeInvisible(given);
  if (removed > 0) findings.add('invisible', 'HIDDEN_TEXT', 'redact', removed);
  const secrets = findSecrets(seen, masks(trust));
  for (const { rule, class: family, count } of secrets.found)
    findings.add(rule, family, masks(trust)(family) ? 'redact' : 'annotate', count);
  const allowed = (host: string): boolean => use.allowedHosts.includes(host);
  const links = neutraliseLinks(secrets.text, allowed, use.rules.redirectors);
  if (links.count > 0) findings.add('links', 'EXFILTRATION', 'redact', links.count);
  return links.text;
}

class Findings {
  readonly #found = new Map<string, FirewallFinding>();

  add(rule: string, family: string, action: FirewallFinding['action'], count: number): void {
    const known = this.#found.get(rule);
    this.#found.set(rule, { rule, family, action, count: count + (known?.count ?? 0) });
  }

  all(): readonly FirewallFinding[] {
    return [...this.#found.values()];
  }
}

function cleanBlock(block: ProviderContent, clean: (text: string) => string): ProviderContent {
  switch (block.type) {
    case 'text':
      return { ...block, text: clean(block.text) };
    case 'resource':
      return {
        ...block,
        resource: {
          ...block.resource,
          ...('text' in block.resource && { text: clean(block.resource.text) }),
        },
      };
    case 'resource_link':
      return {
        ...block,
        name: clean(block.name),
        ...(block.title !== undefined && { title: clean(block.title) }),
        ...(block.description !== undefined && { description: clean(block.description) }),
      };
    default:
      return block;
  }
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [clean(key), cleanValue(inner, clean)]),
  );
}
