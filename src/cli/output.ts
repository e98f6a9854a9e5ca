/** Everything the command line says: data on standard output, talk on standard error. */
import { styleText } from 'node:util';

export interface Output {
  /** With --json the value itself, otherwise the text made of it. */
  data(value: unknown, text: () => string): void;
  /** The same for text that holds a diff: where somebody looks on, what comes and what goes is coloured. */
  diff(value: unknown, text: () => string): void;
  /** For programs to read byte for byte; a terminal is shown what it would obey otherwise. */
  raw(text: string): void;
  talk(text: string): void;
  /** Talk for people only: with --json it is a part of the data. */
  note(text: string): void;
  /** Not all of what was asked for came about; what did is in the data. The command ends with 1. */
  shortfall(text: string): void;
  /** One line that the next one replaces, where somebody looks on; empty takes it away. */
  progress(text: string): void;
}

export function createOutput(json: boolean): Output {
  // Whoever reads has seen enough, as in `sluice page tree | head`; the command still ends in order.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    data(value, text) {
      console.log(json ? JSON.stringify(value) : visible(text()));
    },
    diff(value, text) {
      console.log(json ? JSON.stringify(value) : visible(text()).split('\n').map(coloured).join('\n'));
    },
    raw(text) {
      process.stdout.write(process.stdout.isTTY ? visible(text) : text);
    },
    talk(text) {
      console.error(visible(text));
    },
    note(text) {
      if (!json) console.error(visible(text));
    },
    shortfall(text) {
      if (!json) console.error(visible(`sluice: ${text}`));
      process.exitCode = 1;
    },
    progress(text) {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${visible(text)}`);
    },
  };
}

/**
 * Names and texts of others are shown, not obeyed: what would move the cursor, colour the terminal or turn the
 * direction of writing becomes visible instead.
 */
const visible = (text: string): string => text.replace(UNSEEN, written);

/** The same where a line break or a tab would forge a row. */
const inOneLine = (text: string): string => text.replace(/[\t\n\r\u2028\u2029]/g, written);

/** Control characters but line break and tab; what sets the direction of writing. */
const UNSEEN = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

const written = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Nothing but colours, and only where they are wanted: on a terminal, unless its owner said otherwise. */
function coloured(line: string): string {
  const colour = COLOURS[line[0] ?? ''];
  return colour === undefined ? line : styleText(colour, line, { stream: process.stdout });
}

const COLOURS: Readonly<Record<string, 'green' | 'red' | 'cyan'>> = { '+': 'green', '-': 'red', '@': 'cyan' };

/** Columns as wide as their widest cell, two spaces apart. */
export function table(headings: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(inOneLine));
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => (row[i] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
}

/** Names and values below each other. */
export function facts(values: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${name.padEnd(width)}  ${show(value)}`)
    .join('\n');
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(show).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : inOneLine(String(value));
}
