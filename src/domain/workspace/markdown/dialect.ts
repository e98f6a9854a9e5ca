/** The ways in which programs write links and properties into Markdown. */
export const DIALECTS = ['obsidian', 'dendron', 'logseq', 'plain'] as const;

/**
 * `obsidian`: `[[path#part|display]]`. `dendron`: `[[display|a.b]]`, where dots are the hierarchy. `logseq`: as
 * Obsidian, with `name:: value` lines for properties. `plain`: Markdown links only.
 */
export type Dialect = (typeof DIALECTS)[number];
