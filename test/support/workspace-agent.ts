/** An agent that writes to a workspace over MCP while it is synced: with versions it read, taking no for an answer. */
import type { Client } from '@modelcontextprotocol/client';
import type { Random } from './random.ts';
import { Tokens, tokensIn } from './tokens.ts';

interface Seen {
  readonly id: string;
  readonly path: string;
}

export class WorkspaceAgent {
  readonly tokens: Tokens;
  /** Pages it wanted gone, with all below them. */
  readonly deleted: string[] = [];
  readonly #random: Random;
  readonly #name: string;
  #names = 0;

  constructor(random: Random, name: string) {
    this.#random = random;
    this.#name = name;
    this.tokens = new Tokens(name);
  }

  /** False when the server is gone. */
  async step(client: Client): Promise<boolean> {
    try {
      const pages = await this.#pages(client);
      const kind = pages.length < 4 ? 0 : this.#random.between(0, 9);
      if (kind <= 1) await this.#create(client, pages);
      else if (kind <= 6) await this.#edit(client, this.#random.pick(pages));
      else if (kind === 7) await this.#rename(client, this.#random.pick(pages));
      else if (kind === 8) await this.#move(client, this.#random.pick(pages), this.#random.pick(pages));
      else await this.#remove(client, this.#random.pick(pages));
      return true;
    } catch {
      return false;
    }
  }

  async #pages(client: Client): Promise<readonly Seen[]> {
    const answer = await call(client, 'list_page_files', {});
    const files = (answer?.files ?? []) as { page: string; path: string }[];
    return files.filter(({ path }) => !path.startsWith('Still')).map(({ page: id, path }) => ({ id, path }));
  }

  #paragraph(): string {
    return `A paragraph with ${this.tokens.next()} in it.`;
  }

  async #create(client: Client, pages: readonly Seen[]): Promise<void> {
    this.#names += 1;
    const parent = pages.length > 0 && this.#random.oneIn(3) ? this.#random.pick(pages).id : null;
    const content = `# Made by ${this.#name}\n\n${this.#paragraph()}\n`;
    const made = await call(client, 'create_page', {
      title: `${this.#name} ${this.#names}`,
      content,
      parent,
    });
    if (made) this.tokens.replaced('', content);
  }

  async #edit(client: Client, { id }: Seen): Promise<void> {
    const page = await call(client, 'read_page', { page: id, max_tokens: 100_000 });
    if (!page || page.next_cursor !== undefined) return;
    const before = String(page.content);
    const blocks = before.split('\n\n');
    const at = this.#random.between(0, blocks.length);
    if (this.#random.oneIn(5) && blocks.length > 2) blocks.splice(Math.min(at, blocks.length - 1), 1);
    else blocks.splice(at, 0, this.#paragraph());
    const content = `${blocks.join('\n\n').replace(/\n*$/, '')}\n`;
    const input = { page: id, content, base_version: page.version };
    try {
      if (await call(client, 'update_page_content', input)) this.tokens.replaced(before, content);
    } catch (error) {
      // Nobody can tell whether it landed: what it wrote need not be there, what it took out need not either.
      for (const token of tokensIn(before)) if (!content.includes(token)) this.tokens.removed.add(token);
      throw error;
    }
  }

  async #rename(client: Client, { id }: Seen): Promise<void> {
    this.#names += 1;
    await call(client, 'rename_page', { page: id, title: `${this.#name} renamed ${this.#names}` });
  }

  async #move(client: Client, page: Seen, parent: Seen): Promise<void> {
    await call(client, 'move_page', { page: page.id, parent: this.#random.oneIn(2) ? null : parent.id });
  }

  async #remove(client: Client, { id }: Seen): Promise<void> {
    try {
      if (await call(client, 'delete_page', { page: id })) this.deleted.push(id);
    } catch (error) {
      this.deleted.push(id);
      throw error;
    }
  }
}

/** Undefined when it is refused or has to wait for an author; throws when nobody answers. */
async function call(
  client: Client,
  name: string,
  input: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const { isError, structuredContent } = await client.callTool({ name, arguments: input });
  const facts = structuredContent as Record<string, unknown> | undefined;
  return isError || facts?.proposal !== undefined ? undefined : facts;
}
