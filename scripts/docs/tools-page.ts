/** The reference pages of the catalogue, from the declarations themselves. */
import { describeCatalogue, describePrompts, describeResources } from '../../src/app/describe-catalogue.ts';

type ToolFacts = ReturnType<typeof describeCatalogue>[number];

interface Property {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly Property[];
}

export async function renderToolsPage(): Promise<string> {
  const families = Map.groupBy(describeCatalogue(), (tool) => tool.family);
  const sections = [...families].map(([family, tools]) =>
    [`## ${family}`, '', ...tools.flatMap((tool) => [...renderTool(tool), ''])].join('\n'),
  );
  return [
    '# Tools',
    '',
    'Every built-in tool with its arguments, as the catalogue declares them. Dotted names may also be written with',
    'underscores. `sluice tool describe` prints the same for one tool, with its whole schemas.',
    '',
    ...sections,
    renderResources(),
    '',
    renderPrompts(),
  ].join('\n');
}

function renderTool(tool: ToolFacts): string[] {
  const { properties = {}, required = [] } = tool.inputSchema as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(([name, property]) => {
    const notes = [property.description ?? '', defaultNote(property)]
      .filter((note) => note !== '')
      .join('; ');
    return `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${typeOf(property)} | ${cell(notes)} |`;
  });
  return [
    `### \`${tool.name}\``,
    '',
    tool.description,
    '',
    `Effect ${tool.effect}; scopes ${tool.scopes.length > 0 ? tool.scopes.map((scope) => `\`${scope}\``).join(', ') : 'none'}; roles ${
      tool.roles === 'any' ? 'any' : tool.roles.join(', ')
    }; reach ${tool.reach}${tool.write ? `; writes ${tool.write.kind}` : ''}.`,
    '',
    ...(rows.length > 0 ? ['| argument | type | |', '|---|---|---|', ...rows] : ['No arguments.']),
    '',
    'Example:',
    '',
    '```json',
    JSON.stringify(tool.example),
    '```',
  ];
}

function typeOf(property: Property): string {
  if (property.enum) return property.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (property.anyOf) return property.anyOf.map(typeOf).join(' or ');
  return [property.type ?? 'any'].flat().join(' or ');
}

const defaultNote = ({ default: value }: Property): string =>
  value === undefined ? '' : `default \`${JSON.stringify(value)}\``;

const cell = (text: string): string => text.replaceAll('|', '\\|');

function renderResources(): string {
  const rows = describeResources().map((one) => `| \`${one.uri}\` | ${one.mimeType} | ${one.summary} |`);
  return [
    '## Resources',
    '',
    'The scheme `inklings://` is accepted as well.',
    '',
    '| URI | type | |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

function renderPrompts(): string {
  const rows = describePrompts().map((one) => {
    const args = one.arguments
      .map(({ name, required }) => `\`${name}\`${required ? '' : ' (optional)'}`)
      .join(', ');
    return `| \`${one.name}\` | ${args || '–'} | ${one.summary} |`;
  });
  return ['## Prompts', '', '| prompt | arguments | |', '|---|---|---|', ...rows].join('\n');
}
