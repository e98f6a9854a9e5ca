/** A W3C PROV document as PROV-JSON. Whatever is named is also declared, so that no reference leads nowhere. */
import { canonicalJson, sha256Hex } from '../../../kernel/canonical-json.ts';

type Attributes = Readonly<Record<string, unknown>>;

export class ProvDocument {
  readonly #sections = new Map<string, Map<string, Attributes>>();

  /** Answers the name it is known by. What is said twice is said together. */
  declare(kind: 'entity' | 'activity' | 'agent', name: string, attributes: Attributes = {}): string {
    const section = this.#section(kind);
    const id = `sluice:${name}`;
    section.set(id, { ...section.get(id), ...attributes });
    return id;
  }

  /** A relation has no name of its own; what it says is its name, so that parts can be put together. */
  relate(kind: string, attributes: Attributes): void {
    const digest = sha256Hex(canonicalJson([kind, attributes])).slice(0, 16);
    this.#section(kind).set(`_:${digest}`, attributes);
  }

  toJson(): Record<string, Record<string, unknown>> {
    const sections = [...this.#sections].map(
      ([kind, entries]) => [kind, Object.fromEntries(entries)] as const,
    );
    return {
      prefix: { sluice: 'urn:sluice:', xsd: 'http://www.w3.org/2001/XMLSchema#' },
      ...Object.fromEntries(sections),
    };
  }

  #section(kind: string): Map<string, Attributes> {
    const known = this.#sections.get(kind) ?? new Map<string, Attributes>();
    this.#sections.set(kind, known);
    return known;
  }
}

/** A value that is itself a name. */
export const qualified = (name: string): Attributes => ({ $: name, type: 'prov:QUALIFIED_NAME' });
