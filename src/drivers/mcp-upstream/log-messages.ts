/** What a server says by log messages: the newest few, each in one line and cut. For its owner alone, never for callers. */
import type { Shown } from '../../domain/providers/surface.ts';

const LINES_KEPT = 100;
const LINE_CHARACTERS = 500;

export class LogMessages {
  readonly #lines: string[] = [];

  hear({ level, logger, data }: Shown): void {
    const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
    const from = typeof logger === 'string' ? `${logger}: ` : '';
    const line = `[${String(level)}] ${from}${text.slice(0, LINE_CHARACTERS)}`;
    this.#lines.push(line.slice(0, LINE_CHARACTERS).replaceAll(/\s+/g, ' '));
    if (this.#lines.length > LINES_KEPT) this.#lines.shift();
  }

  text(): string {
    return this.#lines.map((line) => `${line}\n`).join('');
  }
}
