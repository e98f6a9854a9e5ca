/** The types of architecture.config.js, how it is loaded, and which place of the table a path belongs to. */
import { readFileSync } from 'node:fs';

export interface Layer {
  readonly name: string;
  readonly path: string;
  readonly parts?: true;
  /** Parts a part may import besides itself. */
  readonly siblings?: Readonly<Record<string, readonly string[]>>;
  /** Entries are `layer` or `layer/part`. */
  readonly mayImport: readonly string[];
  readonly mustNotKnow: string;
}

export type Reservation = { readonly only: readonly string[] } & (
  | { readonly module: string; readonly global?: undefined }
  | { readonly global: string; readonly module?: undefined }
);

export interface LayerTable {
  readonly layers: readonly Layer[];
  readonly reserved: readonly Reservation[];
  /** Packages that product code may import: the dependencies of package.json. */
  readonly packages: ReadonlySet<string>;
}

const project = new URL('../../', import.meta.url);

export async function loadLayerTable(): Promise<LayerTable> {
  const { layers, reserved } = await import(new URL('architecture.config.js', project).href);
  const manifest = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'));
  const packages = { ...manifest.dependencies, ...manifest.optionalDependencies };
  return { layers, reserved, packages: new Set(Object.keys(packages)) };
}

export interface Place {
  readonly layer: Layer;
  /** The sub-folder of a layer with parts; undefined for files that lie directly in such a layer. */
  readonly part: string | undefined;
}

/** Undefined for index.ts of the root and for whatever lies in no layer. */
export function placeOf(path: string, table: LayerTable): Place | undefined {
  const [folder, ...rest] = path.split('/');
  const layer = table.layers.find((candidate) => candidate.path === folder);
  if (!layer || rest.length === 0) return undefined;
  return { layer, part: layer.parts && rest.length > 1 ? rest[0] : undefined };
}

/** Whether `path` is one of `places`, each a layer, a part or a file. */
export function isWithin(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}
