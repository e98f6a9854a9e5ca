/** Tools by what they mean. Their vectors are made when somebody first asks, and are ready for whoever asks next. */
import type { Tool } from '../../../catalogue/tool-definition.ts';
import type { Embedder } from '../../../domain/workspace/ports/embedder.ts';

/** Below this two texts have too little to do with each other to be shown for that alone. */
const NEAR = 0.35;
/** As many as are waited for; more are made in the background, and meanwhile words have to do. */
const WAITED_FOR = 24;
const MAX_TEXT = 600;

export interface NearestTools {
  /** Nearest first; undefined when meaning cannot be asked just now. */
  find(tools: readonly Tool[], question: string): Promise<readonly Tool[] | undefined>;
}

export function createNearestTools(embedder: Embedder): NearestTools {
  const vectors = new WeakMap<Tool, Float32Array>();
  let making: Promise<void> | undefined;

  const make = async (tools: readonly Tool[]): Promise<void> => {
    const made = await embedder.embed(tools.map(textOf), 'passage');
    for (const [at, tool] of tools.entries()) {
      const vector = made[at];
      if (vector) vectors.set(tool, vector);
    }
  };
  const makeOnce = (tools: readonly Tool[]): Promise<void> => {
    making ??= make(tools).finally(() => {
      making = undefined;
    });
    return making;
  };

  return {
    async find(tools, question) {
      if (!embedder.reads(question)) return undefined;
      const missing = tools.filter((tool) => !vectors.has(tool));
      const ready = missing.length > 0 ? makeOnce(missing) : Promise.resolve();
      if (missing.length > WAITED_FOR) {
        // Who asks next time has them; a model that cannot be had leaves the search by words as it is.
        ready.catch(() => undefined);
        return undefined;
      }
      try {
        await ready;
        const [asked] = await embedder.embed([question], 'query');
        return asked && rank(tools, vectors, asked);
      } catch {
        return undefined;
      }
    },
  };
}

function rank(
  tools: readonly Tool[],
  vectors: WeakMap<Tool, Float32Array>,
  asked: Float32Array,
): readonly Tool[] {
  return tools
    .map((tool) => ({ tool, near: cosine(vectors.get(tool), asked) }))
    .filter(({ near }) => near >= NEAR)
    .sort((a, b) => b.near - a.near || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

/** Of unit vectors. */
const cosine = (a: Float32Array | undefined, b: Float32Array): number =>
  a ? a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) : 0;

const textOf = ({ name, title, summary }: Tool): string =>
  `${title}. ${name.replaceAll(/[._]/g, ' ')}. ${summary}`.slice(0, MAX_TEXT);
