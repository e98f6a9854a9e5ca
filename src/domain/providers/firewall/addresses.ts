/** What an address would carry away with it, and whether it may stay. */
import { decodedTexts } from './decoded-texts.ts';

export interface AddressRules {
  /** Hosts whose pictures and addresses pass as they are. */
  allowed(host: string): boolean;
  readonly redirectors: readonly string[];
}

/** Longer than this, what follows the path is no address of anything. */
const MAX_QUERY = 120;
const MAX_HOST = 80;
const MAX_SEGMENT = 200;
/** Part of a host name that nobody would give a machine. */
const WRAPPED_LABEL = /^[a-z0-9_]{32,}$/;

/** The address without what it would carry along; undefined when it may stay. */
export function shortened(rules: AddressRules, text: string): string | undefined {
  const url = parse(text);
  // What is no address leads nowhere.
  if (!url) return undefined;
  if (rules.allowed(url.hostname)) return undefined;
  if (redirects(rules, url)) return `(address at ${url.hostname.slice(0, MAX_HOST)} removed)`;
  if (url.hostname.length > MAX_HOST || url.hostname.split('.').some((label) => WRAPPED_LABEL.test(label)))
    return '(address removed)';
  if (url.username !== '' || url.search.length + url.hash.length > MAX_QUERY || carriesText(url))
    return `${url.origin}/ (rest of the address removed)`;
  return undefined;
}

/** An address of the web with more than a path behind its host, which is not among those allowed. */
export function takesDataAlong(text: string, allowed: AddressRules['allowed']): boolean {
  const url = /^(?:https?|ftp|wss?):/i.test(text) ? parse(text) : undefined;
  return url !== undefined && url.search + url.hash !== '' && !allowed(url.hostname);
}

export function parse(text: string): URL | undefined {
  // Browsers take a backslash for a slash.
  const plain = text.replaceAll('\\', '/');
  return URL.canParse(plain) ? new URL(plain) : undefined;
}

function redirects(rules: AddressRules, { hostname, pathname, searchParams }: URL): boolean {
  const known = rules.redirectors.some((redirector) => {
    const [host = '', ...path] = redirector.split('/');
    return (hostname === host || hostname.endsWith(`.${host}`)) && pathname.startsWith(`/${path.join('/')}`);
  });
  // Somebody's open redirector is as good as a known one when what it leads to would not stay itself.
  const inner = [...searchParams.values()].filter((value) => /^(?:https?:)?[/\\]{2}/i.test(value));
  return known || inner.some((value) => carriesText(parse(value.replace(/^[/\\]{2}/, 'https://'))));
}

/** Words that were wrapped up as base64 or hexadecimal, anywhere in it. */
function carriesText(url: URL | undefined): boolean {
  if (!url) return false;
  const parts = [
    ...url.hostname.split('.'),
    ...url.pathname.split('/'),
    ...url.searchParams.values(),
    url.hash.slice(1),
  ];
  return parts.some((part) => part.length > MAX_SEGMENT || (part.length >= 24 && wrapsWords(part)));
}

const wrapsWords = (part: string): boolean =>
  /^[A-Za-z0-9+/_=-]+$/.test(part) && decodedTexts(part).some((text) => /[a-z]{2}/i.test(text));
