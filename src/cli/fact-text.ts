/** What a proposal would change besides texts, as the terminal shows it. */

export interface ShownFact {
  readonly page: string;
  readonly what: string;
  readonly path?: string;
  readonly before: string | null;
  readonly now: string | null;
  readonly after: string | null;
  readonly overlaps: boolean;
  readonly impossible?: boolean;
}

/** `title`: of the page. */
export function factText(fact: ShownFact, title: string): string {
  const { what, path, before, after, overlaps, impossible } = fact;
  const said = path === undefined ? what : `${what} ${path}`;
  const change =
    what === 'position' ? 'another place among its siblings' : `${say(fact, before)} → ${say(fact, after)}`;
  const lines = [`=== ${title}`, `${said}: ${change}`];
  if (impossible) lines.push('It cannot come there: that page is gone, or stands below it by now');
  else if (overlaps) lines.push(clash(fact));
  return lines.join('\n');
}

function clash(fact: ShownFact): string {
  const now = fact.what === 'position' ? 'It was moved among them' : `It is ${say(fact, fact.now)} by now`;
  return `${now}; --despite-changes changes it all the same`;
}

function say({ what }: ShownFact, value: string | null): string {
  if (value !== null) return what === 'title' ? `"${value}"` : value;
  return what === 'parent' ? 'the root' : 'none';
}
