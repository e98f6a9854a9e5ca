/** Pictures that are fetched when they are shown, and addresses that carry data away, become words. */
export interface Neutralised {
  readonly text: string;
  readonly count: number;
}

/** A picture in Markdown or HTML is asked for by whoever shows it, with whatever its address says. */
const MARKDOWN_IMAGE = /!\[([^\]\n]{0,500})\]\(\s{0,4}<?([^)\s>]{1,4000})>?[^)\n]{0,500}\)/g;
const REFERENCE_IMAGE = /!\[([^\]\n]{0,500})\]\[([^\]\n]{0,200})\]/g;
const ACTIVE_HTML =
  /<\/?\s{0,4}(?:img|image|picture|source|video|audio|iframe|embed|object|script|link|meta|svg|form|input|style|base)\b[^>]{0,4000}>?/gi;
const LONG_LINK = /\]\(\s{0,4}<?(https?:\/\/[^)\s>]{1,4000})>?[^)\n]{0,500}\)/gi;
const BARE_URL = /\bhttps?:\/\/[^\s<>()"'`\]]{1,4000}/gi;
const SCRIPT_LINK = /\]\(\s{0,4}<?(?:javascript|data|vbscript|file):[^)\n]{0,4000}\)/gi;

/** Longer than this, what follows the path is no address of anything. */
const MAX_QUERY = 120;

export function neutraliseLinks(
  text: string,
  allowed: (host: string) => boolean,
  redirectors: readonly string[],
): Neutralised {
  let count = 0;
  const put = (words: string): string => {
    count += 1;
    return words;
  };
  const image = (whole: string, alt: string, url: string): string =>
    isAllowed(url, allowed) ? whole : put(`[picture not loaded${alt === '' ? '' : `: ${alt}`}]`);
  const link = (whole: string, url: string): string => {
    const cut = shortened(url, allowed, redirectors);
    return cut === undefined ? whole : put(`](${cut})`);
  };
  const now = text
    .replace(MARKDOWN_IMAGE, image)
    .replace(REFERENCE_IMAGE, (_, alt: string) => put(`[picture not loaded${alt === '' ? '' : `: ${alt}`}]`))
    .replace(ACTIVE_HTML, () => put('[markup removed]'))
    .replace(SCRIPT_LINK, () => put('](link removed)'))
    .replace(LONG_LINK, link)
    .replace(BARE_URL, (url) => {
      const cut = shortened(url, allowed, redirectors);
      return cut === undefined ? url : put(cut);
    });
  return { text: now, count };
}

/** The address without what it would carry along; undefined when it may stay. */
function shortened(
  text: string,
  allowed: (host: string) => boolean,
  redirectors: readonly string[],
): string | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return '[address removed]';
  }
  if (allowed(url.hostname)) return undefined;
  if (redirectors.some((known) => `${url.hostname}${url.pathname}`.includes(known)))
    return `[address of ${url.hostname} removed]`;
  if (url.username !== '' || url.search.length + url.hash.length > MAX_QUERY || url.hostname.length > 80)
    return `${url.origin}${url.pathname.slice(0, 200)} [rest of the address removed]`;
  return undefined;
}

function isAllowed(url: string, allowed: (host: string) => boolean): boolean {
  try {
    return allowed(new URL(url).hostname);
  } catch {
    return false;
  }
}
