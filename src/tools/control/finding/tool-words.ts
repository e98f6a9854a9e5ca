/** The words by which a tool is found, each with how much it says of the tool: its name most, its arguments least. */
import { BUILT_IN } from '../../../catalogue/registration.ts';
import type { JsonSchema } from '../../../catalogue/schema.ts';
import type { Tool } from '../../../catalogue/tool-definition.ts';
import { analyze } from '../../../domain/workspace/search/analyze.ts';

export interface ToolWords {
  readonly weights: ReadonlyMap<string, number>;
  /** What it is called, without whose it is. */
  readonly name: readonly string[];
}

const NAME = 6;
const TITLE = 3;
const SUMMARY = 2;
const ARGUMENT = 1.2;
const ARGUMENT_TEXT = 0.6;
/** Said three times is not three times as much. */
const MOST = 10;
/** Of a schema; what is deeper or longer says nothing more about the tool. */
const MAX_DEPTH = 4;
const MAX_TEXT = 4_000;

const known = new WeakMap<Tool, ToolWords>();

export function wordsOf(tool: Tool): ToolWords {
  const before = known.get(tool);
  if (before) return before;
  const words = new Map<string, number>();
  const say = (text: string, weight: number): void => {
    for (const token of analyze(text.slice(0, MAX_TEXT)))
      words.set(token, Math.min(MOST, (words.get(token) ?? 0) + weight));
  };
  say(tool.name.replaceAll('.', ' '), NAME);
  say(tool.title, TITLE);
  say(tool.summary, SUMMARY);
  sayArguments(tool.input.json, say, 0);
  const own = tool.name.slice(tool.server === BUILT_IN ? 0 : tool.name.indexOf('.') + 1);
  const found = { weights: words, name: [...new Set(own.split(/[._-]/).flatMap((part) => analyze(part)))] };
  known.set(tool, found);
  return found;
}

function sayArguments(schema: unknown, say: (text: string, weight: number) => void, depth: number): void {
  if (depth > MAX_DEPTH || typeof schema !== 'object' || schema === null) return;
  const { properties, items, description } = schema as JsonSchema;
  if (depth > 0 && typeof description === 'string') say(description, ARGUMENT_TEXT);
  for (const [name, inner] of Object.entries((properties ?? {}) as JsonSchema)) {
    say(name, ARGUMENT);
    sayArguments(inner, say, depth + 1);
  }
  if (items !== undefined) sayArguments(items, say, depth + 1);
}
