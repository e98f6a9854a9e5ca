/** The reference page of the layers, from architecture.config.js. */
import { loadLayerTable, type Reservation } from '../architecture/layer-table.ts';
import { renderLayerTable } from '../architecture/render-layer-table.ts';

export async function renderLayersPage(): Promise<string> {
  const { layers, reserved } = await loadLayerTable();
  const rows = reserved.map((entry) => `| \`${nameOf(entry)}\` | ${entry.only.map(quoted).join(', ')} |`);
  return [
    '# Layers',
    '',
    'Each layer is a folder below `src/`. One written with `/*` is divided into parts, its sub-folders, which do not',
    'import each other unless the table says so. `npm run check` holds every import to this table.',
    '',
    renderLayerTable(layers),
    '',
    '## Reserved',
    '',
    'These modules and globals may be touched only in the places named.',
    '',
    '| what | only in |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const nameOf = (entry: Reservation): string => entry.module ?? entry.global;
const quoted = (place: string): string => `\`${place}\``;
