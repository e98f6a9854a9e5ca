/** The two template forms resources use: `{name}` for one path segment and `?key={name}` for one query value. */
export interface UriTemplate {
  readonly text: string;
  readonly variables: readonly string[];
  /** The variables' decoded values, or undefined when the URI is not of this form. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

export function parseUriTemplate(text: string): UriTemplate {
  const variables: string[] = [];
  const pattern = text
    .split(/(\{[a-z_]+\})/)
    .map((piece) => {
      if (!piece.startsWith('{')) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      variables.push(piece.slice(1, -1));
      // A query value may hold slashes; a path segment may not.
      return text.includes('?') ? '([^&#]*)' : '([^/?#]+)';
    })
    .join('');
  const expression = new RegExp(`^${pattern}$`);
  return {
    text,
    variables,
    match(uri) {
      const found = expression.exec(uri);
      if (!found) return undefined;
      const values: Record<string, string> = {};
      for (const [i, name] of variables.entries()) {
        const value = decode(found[i + 1] ?? '');
        if (value === undefined) return undefined;
        values[name] = value;
      }
      return values;
    },
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
