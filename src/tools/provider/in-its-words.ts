/** What a provider says about its own failure, as far as the firewall lets it through: often all that helps the caller. */

import type { ProviderProfile } from '../../domain/providers/profile.ts';
import { RefusedInWords } from '../../domain/providers/refusals.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { passes } from './held-back.ts';
import type { ProviderFamilyMeans } from './means.ts';

const MAX_WORDS = 1_000;

/** What the work brings; its failure with the provider's words, where there are some that pass. */
export async function inItsWords<T>(
  use: Pick<ProviderFamilyMeans, 'inspect'>,
  profile: ProviderProfile,
  run: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedInWords)) throw error;
    const text = error.words.slice(0, MAX_WORDS).toWellFormed();
    const content = [{ type: 'text', text }] as const;
    const inspection = await use.inspect(profile, { content, structured: undefined, isError: true }, run);
    const [said] = inspection.result.content;
    if (!passes(inspection) || said?.type !== 'text' || said.text.trim() === '') throw error;
    throw new SluiceError(error.code, `${error.message}: ${said.text.trim()}`, {
      ...error.details,
      untrusted: true,
    });
  }
}
