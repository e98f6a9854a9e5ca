/** The configuration in force. */
import { CONFIG_KEYS, type ConfigKey } from '../../../config/keys.ts';
import { configNames } from '../../../config/load-config.ts';
import { defineCommand } from '../../command.ts';
import { table } from '../../output.ts';

export const show = defineCommand({
  path: ['config', 'show'],
  summary: 'Show every configuration key, its value and where it comes from',
  examples: ['config show', 'config show --json'],
  async run({ loadConfig, home, output }) {
    const { config, sources } = loadConfig();
    const rows = configNames().map((name) => {
      const { secret }: ConfigKey = CONFIG_KEYS[name];
      const value = secret && config[name] !== null ? '***' : config[name];
      return { key: name, value, source: sources[name] };
    });
    output.data({ home, config: rows }, () =>
      table(
        ['KEY', 'VALUE', 'FROM'],
        rows.map((row) => [row.key, JSON.stringify(row.value), row.source]),
      ),
    );
  },
});
