/** The port to a model that turns text into vectors. Vectors of different models are never compared. */
export interface Embedder {
  /** Names the model and how texts are given to it; another name means that everything is embedded anew. */
  readonly model: string;
  /** Unit vectors, one a text, in order. A query goes before passages that wait. */
  embed(texts: readonly string[], purpose: 'query' | 'passage'): Promise<readonly Float32Array[]>;
  /** Whether the model can make sense of a text at all. */
  reads(text: string): boolean;
}
