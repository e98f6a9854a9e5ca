/** What a tool may answer with besides structure, and what a prompt's messages hold. Bytes are base64. */
export type Content = { readonly annotations?: Annotations } & Block;

/** For whom a block is and how much it matters, from 0 to 1. */
interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  readonly lastModified?: string;
}

type Block =
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

/** Who said it, for whoever shows it or gives it to a model; goes beside every answer that is not ours. */
export interface Label {
  readonly provider: string;
  readonly untrusted: true;
  readonly verdict: string;
  /** The gravest class of what was found, masked or not; left out where nothing was looked at. */
  readonly sensitivity?: string;
  /** What the firewall found and did; no excerpts. */
  readonly findings: readonly {
    readonly rule: string;
    readonly family: string;
    readonly action: string;
    readonly count: number;
  }[];
  /** Where to read on in what was too long. */
  readonly kept?: {
    readonly handle: string;
    readonly until: string;
    readonly parts: readonly { readonly name: string; readonly mimeType: string; readonly bytes: number }[];
  };
}

/** An answer in blocks. With `isError` the tool says to the model that it failed, in its own words. */
export class Reply {
  readonly content: readonly Content[];
  readonly isError: boolean;
  /** The same facts as structure, where a provider gave some. */
  readonly structured: unknown;
  /** What the firewall said of it; null for what is ours. */
  readonly verdict: string | null;
  readonly label: Label | undefined;

  constructor(
    content: readonly Content[],
    isError = false,
    structured?: unknown,
    verdict: string | null = null,
    label?: Label,
  ) {
    this.content = content;
    this.isError = isError;
    this.structured = structured;
    this.verdict = verdict;
    this.label = label;
  }
}

/** What a provider answered to something else than a call of a tool, with what the firewall said of it. */
export class Judged<Value> {
  readonly value: Value;
  readonly label: Label;
  /** As it is recorded. */
  readonly verdict: string;

  constructor(value: Value, label: Label, verdict: string) {
    this.value = value;
    this.verdict = verdict;
    this.label = label;
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
