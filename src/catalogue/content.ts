/** What a tool may answer with besides structure, and what a prompt's messages hold. Bytes are base64. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: EmbeddedResource }
  | ResourceLink;

export type EmbeddedResource = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

export interface ResourceLink {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export const text = (words: string): Content => ({ type: 'text', text: words });

/** An answer in blocks. With `isError` the tool says to the model that it failed, in its own words. */
export class Reply {
  readonly content: readonly Content[];
  readonly isError: boolean;
  /** The same facts as structure, where a provider gave some. */
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  /** What the firewall said of it; null for what is ours. */
  readonly verdict: string | null;

  constructor(
    content: readonly Content[],
    isError = false,
    structured?: Readonly<Record<string, unknown>>,
    verdict: string | null = null,
  ) {
    this.content = content;
    this.isError = isError;
    this.structured = structured;
    this.verdict = verdict;
  }
}

/** What a provider answered to something else than a call of a tool, with what the firewall said of it. */
export class Judged<Value> {
  readonly value: Value;
  readonly verdict: string;

  constructor(value: Value, verdict: string) {
    this.value = value;
    this.verdict = verdict;
  }
}

/** Shown beside a name; only what a client can show without asking anybody else than a named https host. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

export const isSafeIcon = ({ src }: Icon): boolean => /^(https:\/\/|data:image\/)/.test(src);
