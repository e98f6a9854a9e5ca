/**
 * Servers that speak of others: a copy of a tool that was admitted from somewhere else, or a descriptor that names
 * tools which are not its own. A model that reads it could be led from one server to another.
 */
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { SurfaceFinding } from './check-surface.ts';
import { looksLike } from './look-alike.ts';
import type { Provider } from './ports/provider-store.ts';
import { isSameProgram } from './same-program.ts';
import { nameOf, type ProviderSurface, type Shown } from './surface.ts';

/** Shorter descriptions are alike by chance. */
const SHORTEST_COPIED = 20;

export function findShadowing(
  surface: ProviderSurface,
  id: string,
  all: readonly Provider[],
  ownNames: readonly string[],
): readonly SurfaceFinding[] {
  const others = all.filter(({ profile }) => profile.id !== id);
  const self = all.find(({ profile }) => profile.id === id);
  const theirs = new Map([
    ...ownNames.filter(isTelling).map((name): [string, string] => [name, name]),
    ...others.flatMap(namesOf),
  ]);
  for (const tool of surface.tools) theirs.delete(nameOf(tool));
  const { twins = [], strangers = [] } = Object.groupBy(strangersTo(self, others), (other) =>
    isTwin(surface, other) ? 'twins' : 'strangers',
  );
  return [
    ...twins.map(({ profile }) => twinOf(profile.id)),
    ...findCopies(surface, strangers),
    ...surface.tools.flatMap((tool) => mentions(nameOf(tool), tool, theirs)),
    ...mentions('*', restOf(surface), theirs),
    ...others.flatMap((other) => mentionsOfNewcomer(other, surface)),
  ];
}

/** Words that mean a tool and nothing else; `search` and `list` are words of everybody. */
const isTelling = (name: string): boolean => name.length >= 6 && /[_.-]|[a-z][A-Z]/.test(name);

/** By what a descriptor could call them: as on the wire, and by the tool's own name where that is telling. */
const namesOf = ({ profile }: Provider): readonly [string, string][] =>
  profile.allowedTools.flatMap(({ name }): [string, string][] => {
    const wire = `${profile.id}.${name}`;
    return [wire, `${profile.id}__${name}`, ...(isTelling(name) ? [name] : [])].map((said) => [said, wire]);
  });

/** The same program twice is nobody's copy. */
const strangersTo = (self: Provider | undefined, others: readonly Provider[]): readonly Provider[] =>
  others.filter((other) => !self || !isSameProgram(self.profile, other.profile));

/**
 * The same server once more, for another folder or behind a proxy, shows all that the other shows and calls itself the
 * same. So may a copy of all of it, which is for a person to tell; whoever copies a part is held.
 */
const isTwin = (surface: ProviderSurface, { admitted }: Provider): boolean =>
  admitted !== null &&
  admitted !== undefined &&
  nameOf(admitted.identity) === nameOf(surface.identity) &&
  canonicalJson(admitted.tools) === canonicalJson(surface.tools);

const twinOf = (id: string): SurfaceFinding => ({
  severity: 'note',
  about: '*',
  field: 'tools',
  problem: `are all of "${id}" and no others: the same program again, or a copy of it; --same-as ${id} says that you know`,
});

function findCopies(surface: ProviderSurface, others: readonly Provider[]): readonly SurfaceFinding[] {
  return surface.tools.flatMap((tool) =>
    others
      .flatMap((other) => admittedTools(other).map((known) => ({ known, id: other.profile.id })))
      .filter(({ known }) => isCopy(tool, known))
      .map(({ known, id }) => hold(nameOf(tool), 'description', copied(id, nameOf(known)))),
  );
}

const copied = (id: string, tool: string): string =>
  `is that of "${id}.${tool}"; if both are one program, remove this one and add it with --same-as ${id}`;

const isCopy = (tool: Shown, known: Shown): boolean =>
  looksLike(nameOf(tool)) === looksLike(nameOf(known)) &&
  wordsIn(tool).length >= SHORTEST_COPIED &&
  looksLike(wordsIn(tool)) === looksLike(wordsIn(known));

const wordsIn = ({ description }: Shown): string => (typeof description === 'string' ? description : '');

function admittedTools({ profile, admitted }: Provider): readonly Shown[] {
  const names = new Set(profile.allowedTools.map(({ name }) => name));
  return (admitted?.tools ?? []).filter((tool) => names.has(nameOf(tool)));
}

function mentions(
  about: string,
  shown: unknown,
  theirs: ReadonlyMap<string, string>,
): readonly SurfaceFinding[] {
  const found = new Map<string, SurfaceFinding>();
  eachText('', shown, (field, text) => {
    for (const word of text.match(/[A-Za-z0-9_.-]+/g) ?? []) {
      const meant = theirs.get(word) ?? theirs.get(word.replace(/[.-]+$/, ''));
      if (meant !== undefined) found.set(`${field} ${meant}`, hold(about, field, `speaks of "${meant}"`));
    }
  });
  return [...found.values()];
}

/** One that was admitted before, and spoke of this one before it was there. */
function mentionsOfNewcomer(other: Provider, surface: ProviderSurface): readonly SurfaceFinding[] {
  const own = new Set(admittedTools(other).map(nameOf));
  const names = surface.tools.map(nameOf).filter((name) => isTelling(name) && !own.has(name));
  const found = mentions(other.profile.id, admittedTools(other), new Map(names.map((name) => [name, name])));
  return found.slice(0, 1).map(({ problem }) => ({
    severity: 'note',
    about: '*',
    field: 'tools',
    problem: `are spoken of by "${other.profile.id}", which ${problem}; look at that one again`,
  }));
}

const restOf = ({ instructions, prompts, resourceTemplates }: ProviderSurface) => ({
  instructions,
  prompts,
  resource_templates: resourceTemplates,
});

function eachText(path: string, value: unknown, look: (field: string, text: string) => void): void {
  if (typeof value === 'string') look(path, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    eachText(path === '' ? key : `${path}.${key}`, inner, look);
}

const hold = (about: string, field: string, problem: string): SurfaceFinding => ({
  severity: 'hold',
  about,
  field,
  problem,
});
