/** The output firewall: everything a provider says passes here before anybody sees it. */
import type { ProviderProfile } from '../profile.ts';
import type { ProviderResult } from '../result.ts';
import { isTooDeep } from '../too-deep.ts';
import { takesDataAlong } from './addresses.ts';
import { findInjections } from './find-injections.ts';
import { findSecrets } from './find-secrets.ts';
import { Findings } from './findings.ts';
import { removeInvisible } from './invisible.ts';
import { namedAddresses, neutraliseLinks } from './neutralise-links.ts';
import { openBlocks } from './open-blocks.ts';
import { actionFor, type FirewallRules } from './rules.ts';
import { mapTexts } from './texts-of-result.ts';
import { MAX_TEXT_BYTES, textBytesOf, tooLong } from './too-long.ts';
import type { FirewallFinding, Inspection, Verdict } from './verdict.ts';

export interface FirewallMeans {
  readonly rules: FirewallRules;
  /** Hosts whose pictures and addresses pass as they are. */
  readonly allowedHosts: readonly string[];
}

export type InspectedProfile = Pick<ProviderProfile, 'trust'> &
  Partial<Pick<ProviderProfile, 'allowedHosts'>>;

/** `before` is how the last answer of the same provider to the same run ended. */
export function inspect(
  use: FirewallMeans,
  profile: InspectedProfile,
  result: ProviderResult,
  before = '',
): Inspection {
  const { rules } = use;
  const findings = new Findings();
  const act = (rule: string, family: Parameters<typeof actionFor>[1], count: number): void =>
    findings.add(rule, family, actionFor(rules, family, profile.trust), count);

  const tooDeep = isTooDeep(result.structured, MAX_DEPTH);
  if (tooDeep) findings.add('too-deep', 'SIZE', 'block', 1);
  // What is too deep cannot even be measured.
  const size = textBytesOf({ ...result, structured: tooDeep ? undefined : result.structured });
  if (size > MAX_TEXT_BYTES) return tooLong(size, rules.version);
  const { content, heard, removed } = openBlocks(result.content);
  if (removed > 0) act('picture-data', 'HIDDEN_TEXT', removed);
  const opened: ProviderResult = { ...result, content, structured: tooDeep ? undefined : result.structured };

  const allowed = allowedBy(use, profile);
  const given: string[] = [];
  const said: string[] = [];
  mapTexts(opened, (text, kind) => {
    given.push(text);
    if (kind !== 'key') said.push(text);
    return text;
  });
  // Each of them costs something, however short it is.
  if (given.length > MAX_TEXTS) return tooLong(size, rules.version);
  const cleaned = cleanTexts(use, profile, given, before, act);
  let next = 0;
  const passed = mapTexts(opened, (_, kind) => {
    const [was = '', text = ''] = [given[next], cleaned[next]];
    next += 1;
    if (kind !== 'uri' && kind !== 'link') return text;
    if (text !== was) return 'removed:';
    if (kind !== 'link' || !takesDataAlong(text, allowed)) return text;
    act('links', 'EXFILTRATION', 1);
    return 'removed:';
  });

  for (const { rule, family } of findInPieces(rules, [...given, ...heard], said)) act(rule, family, 1);
  const all = findings.all();
  return {
    verdict: verdictOf(all, result.isError),
    result: passed,
    findings: all,
    rules: rules.version,
    ending: given.at(-1) ?? '',
  };
}

/** As it came, and all of it at once: pieces may be harmless one by one, apart or put together, with names between. */
function findInPieces(
  rules: FirewallRules,
  all: readonly string[],
  withoutNames: readonly string[],
): ReturnType<typeof findInjections> {
  if (all.length < 2) return all.flatMap((text) => findInjections(rules, text));
  const joined = [all.join(' '), all.join('')];
  if (withoutNames.length < all.length) joined.push(withoutNames.join(' '));
  const found = new Map(
    joined.flatMap((text) => findInjections(rules, text)).map((one) => [one.rule, one] as const),
  );
  return [...found.values()];
}

/** Names and values together. */
const MAX_TEXTS = 100_000;

/** Deeper than anybody writes. */
const MAX_DEPTH = 100;

/** One text of ours around words of theirs, such as progress; undefined when it is not passed on. */
export function inspectText(use: FirewallMeans, profile: InspectedProfile, text: string): string | undefined {
  const { verdict, result } = inspect(use, profile, {
    content: [{ type: 'text', text: text.slice(0, MAX_LINE) }],
    structured: undefined,
    isError: false,
  });
  const [block] = result.content;
  return verdict === 'ACCEPTED_OBSERVATION' && block?.type === 'text' ? block.text : undefined;
}

const MAX_LINE = 1_000;

function cleanTexts(
  use: FirewallMeans,
  profile: InspectedProfile,
  given: readonly string[],
  before: string,
  act: (rule: string, family: Parameters<typeof actionFor>[1], count: number) => void,
): readonly string[] {
  const { rules } = use;
  const seen = given.map((text) => {
    const { text: clean, removed } = removeInvisible(text);
    if (removed > 0) act('invisible', 'HIDDEN_TEXT', removed);
    return clean;
  });
  const masks = (found: Parameters<typeof actionFor>[1]): boolean =>
    actionFor(rules, found, profile.trust) !== 'annotate';
  const secrets = findSecrets(rules, seen, masks, before);
  for (const { rule, class: family, count } of secrets.found) act(rule, family, count);
  // What needed the sign before it, which is gone now.
  const masked = secrets.texts.map((text, at) => (text === seen[at] ? text : removeInvisible(text).text));
  const links = {
    allowed: allowedBy(use, profile),
    redirectors: rules.redirectors,
    named: namedAddresses(masked),
  };
  return masked.map((text) => {
    const { text: clean, count } = neutraliseLinks(text, links);
    if (count > 0) act('links', 'EXFILTRATION', count);
    return clean;
  });
}

const allowedBy =
  ({ allowedHosts }: FirewallMeans, { allowedHosts: own = [] }: InspectedProfile) =>
  (host: string): boolean =>
    allowedHosts.includes(host) || own.includes(host);

function verdictOf(findings: readonly FirewallFinding[], isError: boolean): Verdict {
  if (findings.some(({ family, action }) => family === 'SIZE' && action === 'block')) return 'SCHEMA_INVALID';
  if (findings.some(({ action }) => action === 'block')) return 'POLICY_BLOCKED';
  if (findings.some(({ action }) => action === 'withhold')) return 'QUARANTINED';
  return isError ? 'REJECTED' : 'ACCEPTED_OBSERVATION';
}
