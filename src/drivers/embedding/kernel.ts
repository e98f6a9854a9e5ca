/** The WebAssembly kernel over a memory of its own; `scripts/kernel.mjs` says what its functions do. */
import { readFileSync } from 'node:fs';

/** As much of it as is used here; the types of Node.js leave it to those of the browser. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}

export interface KernelFunctions {
  matmul(
    a: number,
    b: number,
    out: number,
    rows: number,
    depth: number,
    columns: number,
    scaleA: number,
    sumA: number,
    scale: number,
    min: number,
    bias: number,
  ): void;
  attention(
    q: number,
    k: number,
    v: number,
    out: number,
    count: number,
    rowBytes: number,
    scores: number,
    scale: number,
  ): void;
  gelu(at: number, count: number): void;
  scan(query: number, rows: number, out: number, count: number, depth: number): void;
}

export interface Kernel {
  readonly memory: WebAssembly.Memory;
  readonly run: KernelFunctions;
}

const WASM_PAGE = 65_536;
let compiled: WebAssembly.Module | undefined;

export function createKernel(bytes: number): Kernel {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('./kernel.wasm', import.meta.url)));
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / WASM_PAGE) });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return { memory, run: exports as unknown as KernelFunctions };
}

/** Hands out places in the memory one behind the other, none of them ever back. */
export function createAllotment(): { take(bytes: number): number; readonly used: number } {
  let used = 1024;
  return {
    take(bytes) {
      const at = used;
      used += (bytes + 15) & ~15;
      return at;
    },
    get used() {
      return used;
    },
  };
}
