/** Prints the layers as the Markdown table that ARCHITECTURE.md and docs/reference/layers.md show. */
import type { Layer } from './layer-table.ts';

export function renderLayerTable(layers: readonly Layer[]): string {
  const rows = layers.map(
    (layer) => `| ${nameOf(layer)} | ${importsOf(layer)} | ${layer.mustNotKnow.replaceAll('|', '\\|')} |`,
  );
  return ['| layer | may import | must not know |', '|---|---|---|', ...rows].join('\n');
}

function nameOf(layer: Layer): string {
  return layer.parts ? `\`${layer.name}/*\`` : `\`${layer.name}\``;
}

function importsOf(layer: Layer): string {
  const exceptions = Object.entries(layer.siblings ?? {}).map(
    ([part, siblings]) => `${part} also ${siblings.join(', ')}`,
  );
  const listed = layer.mayImport.length > 0 ? layer.mayImport.map((entry) => `\`${entry}\``).join(', ') : '–';
  return exceptions.length > 0 ? `${listed} (${exceptions.join('; ')})` : listed;
}
