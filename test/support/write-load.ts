/** Several MCP clients that write at once over HTTP and remember what they were told: the half of a crash test that is outside. */
import type { Client } from '@modelcontextprotocol/client';
import type { Random } from './random.ts';

/** A call that was answered with success. */
export interface Acknowledged {
  readonly run: string;
  readonly tool: string;
  readonly page: string;
  /** The version the page then had, where the answer tells. */
  readonly version?: string;
  /** False for a read, and when the answer said that nothing changed. */
  readonly changed: boolean;
}

/** What a client knows of a page that only it writes to. */
export interface KnownPage {
  readonly id: string;
  title: string;
  version: string;
  /** In its text and nowhere else. */
  word: string;
  batch: string | undefined;
  /** A write is under way whose answer never came: anything about the page may be older or newer than this. */
  uncertain: boolean;
}

export class WriteLoad {
  readonly acknowledged: Acknowledged[] = [];
  readonly pages: KnownPage[] = [];
  /** Why clients stopped writing. */
  readonly ends: unknown[] = [];
  /** Answers other than success and conflict. */
  readonly surprises: string[] = [];
  readonly #random: Random;
  #runs = 0;
  #signal: AbortSignal | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Writes until the connection breaks or the signal fires; not every client notices that its server is gone. */
  async writeWith(client: Client, name: string, signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const own = this.pages.filter((page) => page.title.startsWith(name));
    while (!signal.aborted) {
      try {
        await this.#writeOnce(client, name, own);
      } catch (error) {
        // The server is gone; what was under way is uncertain, and marked so.
        this.ends.push(error);
        return;
      }
    }
  }

  async #writeOnce(client: Client, name: string, own: KnownPage[]): Promise<void> {
    const certain = own.filter((page) => !page.uncertain);
    const live = certain.filter((page) => page.batch === undefined);
    const kind = live.length < 3 ? 1 : this.#random.between(1, 14);
    if (kind <= 2) await this.#create(client, name, own, live);
    else if (kind <= 6) await this.#update(client, this.#random.pick(live));
    else if (kind <= 8) await this.#rename(client, name, this.#random.pick(live));
    else if (kind === 9) await this.#trash(client, this.#random.pick(live));
    else if (kind === 10) await this.#restore(client, certain);
    else await this.#call(client, 'read_page', { page: this.#random.pick(live).id });
  }

  async #create(client: Client, name: string, own: KnownPage[], live: readonly KnownPage[]): Promise<void> {
    const word = this.#newWord();
    const title = `${name} ${word}`;
    const parent = live.length > 0 && this.#random.oneIn(3) ? this.#random.pick(live).id : null;
    const answer = await this.#call(client, 'create_page', { title, content: this.#text(word), parent });
    if (!answer) return;
    const page = {
      id: String(answer.id),
      title,
      version: String(answer.version),
      word,
      batch: undefined,
      uncertain: false,
    };
    own.push(page);
    this.pages.push(page);
  }

  async #update(client: Client, page: KnownPage): Promise<void> {
    const word = this.#newWord();
    const input = { page: page.id, content: this.#text(word), base_version: page.version };
    const answer = await this.#about(page, client, 'update_page_content', input);
    if (answer) Object.assign(page, { word, version: String(answer.version) });
    else await this.#refresh(client, page);
  }

  async #rename(client: Client, name: string, page: KnownPage): Promise<void> {
    const title = `${name} ${this.#newWord()}`;
    const answer = await this.#about(page, client, 'rename_page', { page: page.id, title });
    if (answer) Object.assign(page, { title, version: String(answer.version) });
  }

  /** With what lies below it, which is of the same client. */
  async #trash(client: Client, page: KnownPage): Promise<void> {
    const answer = await this.#about(page, client, 'delete_page', { page: page.id });
    if (!answer) return;
    const gone = new Set((answer.pages as { id: string }[]).map(({ id }) => id));
    for (const one of this.pages) if (gone.has(one.id)) one.batch = String(answer.batch);
  }

  async #restore(client: Client, certain: readonly KnownPage[]): Promise<void> {
    const trashed = certain.filter((page) => page.batch !== undefined);
    if (trashed.length === 0) return;
    const { batch } = this.#random.pick(trashed);
    const inside = this.pages.filter((page) => page.batch === batch);
    for (const page of inside) page.uncertain = true;
    const answer = await this.#call(client, 'restore_page', { batch }, inside[0]?.id);
    for (const page of inside) Object.assign(page, { uncertain: false, ...(answer && { batch: undefined }) });
  }

  /** After a conflict: somebody's rename rewrote a link in it. */
  async #refresh(client: Client, page: KnownPage): Promise<void> {
    const call = { name: 'read_page', arguments: { page: page.id } };
    const { structuredContent } = await client.callTool(call, this.#signal && { signal: this.#signal });
    const version = (structuredContent as Record<string, unknown> | undefined)?.version;
    if (typeof version === 'string') page.version = version;
  }

  /** A call about one page; if no answer comes, nothing is certain about that page any more. */
  async #about(
    page: KnownPage,
    client: Client,
    tool: string,
    input: Record<string, unknown>,
  ): Promise<Record<string, unknown> | undefined> {
    // Everything below goes with it.
    page.uncertain = true;
    const answer = await this.#call(client, tool, input, page.id);
    page.uncertain = false;
    return answer;
  }

  /** The answer, or undefined for a conflict. Throws when none came. */
  async #call(
    client: Client,
    tool: string,
    input: Record<string, unknown>,
    page?: string,
  ): Promise<Record<string, unknown> | undefined> {
    this.#runs += 1;
    const run = `load-${this.#runs}-${Math.floor(this.#random.next() * 2 ** 32).toString(16)}`;
    const call = { name: tool, arguments: input, _meta: { 'dev.sluice/run': run } };
    const answer = await client.callTool(call, this.#signal && { signal: this.#signal });
    const content = (answer.structuredContent ?? {}) as Record<string, unknown>;
    if (answer.isError) {
      if (content.code !== 'conflict')
        this.surprises.push(`${tool}: ${JSON.stringify(answer).slice(0, 300)}`);
      return undefined;
    }
    const version = typeof content.version === 'string' ? { version: content.version } : {};
    this.acknowledged.push({
      run,
      tool,
      page: page ?? String(content.id),
      ...version,
      changed: tool !== 'read_page' && content.changed !== false,
    });
    return content;
  }

  #newWord(): string {
    const letters = Array.from({ length: 12 }, () => this.#random.pick([...'bcdfghjklmnpqrtvwxz'])).join('');
    return `q${letters}`;
  }

  /** One block, so that two texts of a page never merge into a third. */
  #text(word: string): string {
    const link = this.pages.length > 0 ? ` See [[${this.#random.pick(this.pages).title}]].` : '';
    return `Unique ${word} text.${link}\n`;
  }
}
