import type { Shown } from '../../../src/domain/providers/surface.ts';

/** A value that fits a schema, as far as the suite needs one. */
export function sampleOf(schema: unknown): unknown {
  const { type, properties, default: given, enum: choices } = (schema ?? {}) as Shown;
  if (given !== undefined) return given;
  if (Array.isArray(choices)) return choices[0];
  if (type === 'object' || properties)
    return Object.fromEntries(
      Object.entries((properties ?? {}) as Shown).map(([name, inner]) => [name, sampleOf(inner)]),
    );
  if (type === 'array') return [];
  if (type === 'boolean') return true;
  return type === 'number' || type === 'integer' ? 5 : 'text';
}
