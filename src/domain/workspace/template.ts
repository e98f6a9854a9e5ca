/** Templates are ordinary pages; a page made from one has its placeholders filled. */
export function fillTemplate(text: string, title: string, at: number): string {
  const now = new Date(at).toISOString();
  const values: Readonly<Record<string, string>> = {
    title,
    date: now.slice(0, 10),
    time: now.slice(11, 16),
  };
  return text.replace(/\{\{\s*(title|date|time)\s*\}\}/g, (whole, name: string) => values[name] ?? whole);
}
