/** The reference page of configuration and settings, from their declarations. */
import { CONFIG_KEYS, type ConfigKey } from '../../src/config/keys.ts';

export async function renderConfigurationPage(): Promise<string> {
  const rows = Object.entries(CONFIG_KEYS).map(([name, key]: [string, ConfigKey]) => {
    const env = key.env === undefined ? '–' : `\`${key.env}\``;
    return `| \`${name}\` | ${key.meaning} | \`${JSON.stringify(key.fallback)}\` | ${env} |`;
  });
  return [
    '# Configuration',
    '',
    'A home may hold a `config.json`: one JSON object with the keys below, for example `{"server.port": 8080}`.',
    'An environment variable beats the file, an option of a command beats both. `sluice config show` prints what is',
    'in force and where it comes from.',
    '',
    '| key | meaning | default | environment |',
    '|---|---|---|---|',
    ...rows,
    '',
    'The home itself is `--home`, else `SLUICE_HOME`, else `$XDG_DATA_HOME/sluice`, else `~/.local/share/sluice`.',
    '',
  ].join('\n');
}
