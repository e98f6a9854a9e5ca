/**
 * Pictures that are fetched when they are shown, markup that acts by itself and addresses that carry data away become
 * words. One way through the text: each place is looked at once, and what was read is not read again.
 */
import { type AddressRules, parse, shortened } from './addresses.ts';

export interface Neutralised {
  readonly text: string;
  readonly count: number;
}

/** Where something may begin that somebody who shows the text would act on. */
const STARTS = /!\[|\]\(|<|url\(|(?:https?|ftp|wss?):[/\\]|data:[a-z]|mailto:/gi;

/** Tags that run something or show another page. */
const RUNNING_TAG =
  /<\/?\s{0,4}(?:script|iframe|frame|frameset|embed|object|applet|base|meta|foreignobject)\b[^>]{0,4000}>?/iy;
/** Any tag, and what in it asks somebody else or runs: an address outside, a handler, a script as an address. */
const TAG = /<[a-z][a-z0-9:-]{0,30}(?=[\s/>])[^<>]{0,4000}>?/iy;
const HANDLER =
  /[\s/"']on[a-z]{3,30}\s{0,4}=\s{0,4}["'\w]|=\s{0,4}["']?\s{0,4}(?:javascript|vbscript|data:(?!image\/(?:png|jpeg|gif|webp))|blob):?/i;
const FETCHED =
  /(?:\s|["'/])(?:src|srcset|poster|background|data|action|formaction|ping|xlink:href|style)\s{0,4}=\s{0,4}["']?[^"'>]{0,2000}?(?:[a-z]{2,6}:)?[/\\]{2}/i;
/** Of these tags also what they refer to is fetched. */
const FETCHING_TAG =
  /^<\s{0,4}(?:link|image|use|feimage|svg|set|animate)\b[^<>]{0,4000}href\s{0,4}=[^<>]{0,2000}?[/\\]{2}/i;
const OUTSIDE = /(?:[a-z]{2,6}:)?[/\\]{2}[^\s"'<>)]{1,2000}/gi;

const STYLE_ADDRESS = /url\(\s{0,4}["']?\s{0,4}(?:(?:https?|ftp):)?[/\\]{2}[^)\s]{0,2000}\)?/iy;
/** Up to where a picture may begin. */
const ADDRESS = /(?:https?|ftp|wss?):[/\\]{1,4}(?:!(?!\[)|[^\s<>()"'`[\]!]){1,4000}/iy;
const ACTIVE_DATA =
  /data:(?:text\/(?:html|xml|javascript|css)|image\/svg|application\/)[^\s"'<>()]{0,8000}/iy;
/** A mail that is written already: whom to, and what it would say. */
const MAIL = /mailto:([^\s"'<>()?]{0,300})\?([^\s"'<>()[\]]{0,4000})/iy;
const MAIL_TEXT = /(?:^|&|&amp;)(?:body|attach(?:ment)?)=/i;
/** What a link or picture leads to; enough of it to know the host. */
const DESTINATION = /\]\([ \t\n]{0,4}<?([^)\s>]{0,300})/y;
const SCRIPT_LINK = /\]\([ \t\n]{0,4}<?(?:javascript|vbscript|data|file|blob):[^)\s>]{0,4000}>?/iy;
/** Up to the end of a picture, on the same line. */
const REST = /[^)\n]{0,4600}\)/y;
/** A file beside the text; nobody else is asked for it. */
const BESIDE = /^(?![/\\]{2})[\w./#?=&%~-]*$/;
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:/gm;

export interface LinkRules extends AddressRules {
  /** Names that addresses were given somewhere in the same answer, for pictures that only name one. */
  readonly named: ReadonlySet<string>;
}

export const namedAddresses = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => Array.from(text.matchAll(DEFINITION), ([, name = '']) => plainName(name))));

const plainName = (name: string): string => name.trim().toLowerCase();

export function neutraliseLinks(text: string, rules: LinkRules): Neutralised {
  if (text.search(STARTS) < 0) return { text, count: 0 };
  const scan = new Scan(text, rules);
  STARTS.lastIndex = 0;
  for (let start = STARTS.exec(text); start; start = STARTS.exec(text)) {
    scan.lookAt(start.index, start[0]);
    STARTS.lastIndex = Math.max(scan.read, start.index + 1);
  }
  return scan.done();
}

class Scan {
  readonly #text: string;
  readonly #rules: LinkRules;
  readonly #parts: string[] = [];
  #kept = 0;
  #count = 0;
  /** Up to here everything is decided. */
  read = 0;
  /** The next end of a label after where it was last asked for, and what is behind it. */
  #close = { from: -1, at: -1 };
  #opening = { from: -1, at: -1, leaves: false };

  constructor(text: string, rules: LinkRules) {
    this.#text = text;
    this.#rules = rules;
  }

  lookAt(at: number, start: string): void {
    if (start === '![') this.#picture(at);
    else if (start === '](') this.#link(at);
    else if (start === '<') this.#tag(at);
    else if (start.toLowerCase() === 'url(') this.#styleAddress(at);
    else if (start.toLowerCase() === 'mailto:') this.#mail(at);
    else this.#address(at);
  }

  done(): Neutralised {
    this.#parts.push(this.#text.slice(this.#kept));
    return { text: this.#parts.join(''), count: this.#count };
  }

  #put(from: number, to: number, words: string): void {
    this.#parts.push(this.#text.slice(this.#kept, from), words);
    this.#kept = to;
    this.read = to;
    this.#count += 1;
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#text);
  }

  #picture(at: number): void {
    const close = this.#nextClose(at);
    const alt = close < 0 ? '' : this.#text.slice(at + 2, Math.min(close, at + 502));
    if (close >= 0 && close - at <= 500 && this.#text[close + 1] === '(' && !alt.includes('['))
      this.#inlinePicture(at, close, alt);
    // Whatever is between them: a picture whose address comes later, or has a name.
    else if (this.#leadsAway(at) || (close >= 0 && this.#isNamed(close, alt))) this.#put(at, at + 2, '! [');
  }

  #inlinePicture(at: number, close: number, alt: string): void {
    const found = this.#match(DESTINATION, close);
    if (!found || this.#mayBeShown(found[1] ?? '')) return;
    const rest = this.#match(REST, close + found[0].length);
    const words = alt.replaceAll(/[^\p{L}\p{N} .,_-]+/gu, ' ').trim();
    this.#put(
      at,
      close + found[0].length + (rest?.[0].length ?? 0),
      words === '' ? '(picture not loaded)' : `(picture not loaded: ${words})`,
    );
  }

  #mayBeShown(url: string): boolean {
    if (BESIDE.test(url)) return true;
    const host = parse(url)?.hostname;
    return host !== undefined && host !== '' && this.#rules.allowed(host);
  }

  #isNamed(close: number, alt: string): boolean {
    const label = this.#text[close + 1] === '[' ? this.#text.slice(close + 2, close + 203) : '';
    const end = label.indexOf(']');
    const name = end > 0 ? label.slice(0, end) : alt;
    return this.#rules.named.has(plainName(name));
  }

  #nextClose(at: number): number {
    if (this.#close.from < 0 || (this.#close.at >= 0 && this.#close.at < at))
      this.#close = { from: at, at: this.#text.indexOf(']', at) };
    return this.#close.at;
  }

  /** Whether the next thing with an address after here, not far away, is one that is not let through. */
  #leadsAway(at: number): boolean {
    if (this.#opening.from < 0 || (this.#opening.at >= 0 && this.#opening.at < at)) {
      const next = this.#text.indexOf('](', at);
      const url = next < 0 ? '' : (this.#match(DESTINATION, next)?.[1] ?? '');
      this.#opening = { from: at, at: next, leaves: next >= 0 && !this.#mayBeShown(url) };
    }
    return this.#opening.leaves && this.#opening.at - at < 4_000;
  }

  #link(at: number): void {
    const script = this.#match(SCRIPT_LINK, at);
    if (script) this.#put(at, at + script[0].length, '](removed');
  }

  #tag(at: number): void {
    const running = this.#match(RUNNING_TAG, at)?.[0];
    const tag = running ?? this.#match(TAG, at)?.[0];
    if (tag !== undefined && (running !== undefined || this.#acts(tag)))
      this.#put(at, at + tag.length, '(markup removed)');
  }

  #acts(tag: string): boolean {
    if (HANDLER.test(tag)) return true;
    if (!FETCHED.test(tag) && !FETCHING_TAG.test(tag)) return false;
    return (tag.match(OUTSIDE) ?? []).some((address) => {
      const host = parse(address.replace(/^[/\\]{2}/, 'https://'))?.hostname;
      return host === undefined || host === '' || !this.#rules.allowed(host);
    });
  }

  #styleAddress(at: number): void {
    const found = this.#match(STYLE_ADDRESS, at);
    if (found) this.#put(at, at + found[0].length, '(address removed)');
  }

  #mail(at: number): void {
    const found = this.#match(MAIL, at);
    if (!found) return;
    this.read = at + found[0].length;
    const [whole, to = '', fields = ''] = found;
    if (MAIL_TEXT.test(fields)) this.#put(at, at + whole.length, `mailto:${to} (text of the mail removed)`);
  }

  #address(at: number): void {
    const data = this.#match(ACTIVE_DATA, at)?.[0];
    if (data !== undefined) this.#put(at, at + data.length, '(data removed)');
    const url = this.#match(ADDRESS, at)?.[0];
    if (url === undefined) return;
    this.read = at + url.length;
    const cut = shortened(this.#rules, url);
    if (cut !== undefined) this.#put(at, at + url.length, cut);
  }
}
