/** What one configuration key means. */
import { CONFIG_KEYS, type ConfigKey, type ConfigName } from '../../../config/keys.ts';
import { configNames } from '../../../config/load-config.ts';
import { SluiceError } from '../../../kernel/errors.ts';
import { defineCommand, textOf } from '../../command.ts';
import { facts } from '../../output.ts';

export const explain = defineCommand({
  path: ['config', 'explain'],
  summary: 'Say what a configuration key means, what it is and where that comes from',
  args: [{ name: 'key', summary: 'For example server.port', choices: configNames() }],
  examples: ['config explain server.port'],
  async run({ loadConfig, output }, input) {
    const name = textOf(input, 'key') ?? '';
    if (!configNames().includes(name as ConfigName)) {
      throw new SluiceError('not_found', `There is no key "${name}"; there is ${configNames().join(', ')}`);
    }
    const key: ConfigKey = CONFIG_KEYS[name as ConfigName];
    const { config, sources } = loadConfig();
    const value = key.secret ? '***' : config[name as ConfigName];
    const answer = {
      key: name,
      meaning: key.meaning,
      value,
      from: sources[name as ConfigName],
      default: key.fallback,
      env: key.env ?? null,
    };
    output.data(answer, () => facts(answer));
  },
});
