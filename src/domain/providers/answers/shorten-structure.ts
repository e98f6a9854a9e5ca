/** A structure cut to a size without another shape: long texts and lists lose their ends, and everything else stays. */

/** Tried one after another until it is small enough. */
const STEPS = [
  { text: 2_000, items: 50 },
  { text: 500, items: 20 },
  { text: 200, items: 5 },
  { text: 50, items: 1 },
  { text: 0, items: 0 },
] as const;

export function shortenStructure(structured: unknown, bytes: number): unknown {
  for (const step of STEPS) {
    const shorter = shorten(structured, step);
    if (Buffer.byteLength(JSON.stringify(shorter)) <= bytes) return shorter;
  }
  // Made of so many fields that not even their names fit.
  return undefined;
}

function shorten(value: unknown, step: (typeof STEPS)[number]): unknown {
  if (typeof value === 'string')
    return value.length > step.text ? value.slice(0, step.text).toWellFormed() : value;
  if (Array.isArray(value)) return value.slice(0, step.items).map((item) => shorten(item, step));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner, step)]));
}
