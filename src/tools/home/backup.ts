/** Backs the home up. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { invalidInput, SluiceError } from '../../kernel/errors.ts';

export interface HomeMeans {
  backup(target: string): Promise<{
    readonly created_at: string;
    readonly files: Readonly<Record<string, { readonly bytes: number }>>;
  }>;
}

export const backup = defineTool({
  ...OWNER_ONLY,
  name: 'home.backup',
  title: 'Back up',
  summary:
    'Writes a complete copy of the home into a new folder while everything goes on. It holds keys: keep it safe.',
  scopes: ['settings.manage'],
  effect: 'external_side_effect',
  limits: { timeoutMs: 600_000 },
  example: { path: '/backups/sluice-2026-11-15' },
  input: z.object({
    path: z.string().min(1).max(4_000).describe('An absolute path that does not exist yet'),
  }),
  output: z.object({ path: z.string(), created_at: z.string(), files: z.int(), bytes: z.int() }),
  async handler(use: HomeMeans, input, call) {
    // Whoever speaks over the network must not write files on this machine.
    if (call.caller.surface !== 'admin')
      throw new SluiceError('denied', 'Backups are made at the machine itself');
    // Relative to what? The process that writes it need not be the one that was asked.
    if (!isAbsolute(input.path)) throw invalidInput('path', 'must be an absolute path');
    const { created_at, files } = await use.backup(input.path);
    const sizes = Object.values(files).map((file) => file.bytes);
    return {
      path: input.path,
      created_at,
      files: sizes.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    };
  },
});
