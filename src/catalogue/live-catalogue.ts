/** A catalogue whose families can change while it is in use: everybody who asks sees the newest. */
import { type Catalogue, createCatalogue } from './catalogue.ts';
import type { Family } from './family.ts';

export interface LiveCatalogue extends Catalogue {
  /** Puts these families beside the fixed ones, in place of those put there before. */
  setFamilies(families: readonly Family[]): void;
  onChange(listener: () => void): () => void;
}

export function createLiveCatalogue(fixed: readonly Family[]): LiveCatalogue {
  const listeners = new Set<() => void>();
  let current = createCatalogue(fixed);
  return {
    get tools() {
      return current.tools;
    },
    get resources() {
      return current.resources;
    },
    get prompts() {
      return current.prompts;
    },
    get version() {
      return current.version;
    },
    tool: (name) => current.tool(name),
    prompt: (name) => current.prompt(name),
    resource: (uri) => current.resource(uri),
    template: (uri) => current.template(uri),
    setFamilies(families) {
      current = createCatalogue([...fixed, ...families]);
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
