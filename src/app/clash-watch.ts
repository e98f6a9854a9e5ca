/** Notices files that some systems cannot keep apart: names that differ only in case or in how they are composed. */
import type { Oddity } from './walk-folder.ts';

export class ClashWatch {
  readonly #seen = new Map<string, string>();
  readonly #odd: (oddity: Oddity) => void;

  constructor(odd: (oddity: Oddity) => void) {
    this.#odd = odd;
  }

  see(path: string): void {
    const key = path.normalize('NFC').toLowerCase();
    const other = this.#seen.get(key);
    if (other === undefined) this.#seen.set(key, path);
    else if (other.normalize('NFC') === path.normalize('NFC'))
      this.#odd({ path, problem: `differs from "${other}" only in its Unicode form` });
    else this.#odd({ path, problem: `differs from "${other}" only in case` });
  }
}
