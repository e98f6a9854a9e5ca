/** How long the trash keeps what was deleted. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { changeSetting } from '../../domain/governance/manage-policy.ts';
import type { SettingsMeans } from './means.ts';

export const setTrashRetention = defineTool({
  ...OWNER_ONLY,
  name: 'set_trash_retention',
  title: 'Set how long the trash keeps things',
  summary:
    'Sets for how many days the trash keeps deleted pages, and the store files that nothing needs; after that they go for good.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'setting', contentArgument: 'days', derivation: 'none' },
  example: { days: 90 },
  input: z.object({ days: z.int().min(1).max(36_500).describe('30 unless it was set') }),
  output: z.object({ days: z.int() }),
  async handler(use: SettingsMeans, input, call) {
    const settings = await changeSetting(use, call.ticket, 'trash_retention_days', input.days);
    return { days: settings.trash_retention_days };
  },
});
