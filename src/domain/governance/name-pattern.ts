/** Patterns over dotted names: exact, `*` for any characters within one dotted part, `**` across parts. */
const compiled = new Map<string, RegExp>();
const MAX_COMPILED = 1_000;

export function matchesPattern(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  let expression = compiled.get(pattern);
  if (!expression) {
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    expression = compile(pattern);
    compiled.set(pattern, expression);
  }
  return expression.test(name);
}

export const matchesAny = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, name));

/** Words, dots, and stars; at most two stars in a row, so that a pattern cannot be made slow. */
export const isPattern = (text: string): boolean =>
  text.length <= 128 &&
  /^[A-Za-z0-9_.*-]+$/.test(text) &&
  !text.includes('***') &&
  text.split('*').length <= 9;

function compile(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((piece) => {
      if (piece === '**') return '.*';
      if (piece === '*') return '[^.]*';
      return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}
