/** Suggestions of a provider for an argument: inspected like everything it says, and none rather than a doubtful one. */
import type { BoundCompleter } from '../../catalogue/completion.ts';
import type { ProviderAsk } from '../../domain/providers/ask-provider.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';
import { readSuggestions } from '../../domain/providers/rest-results.ts';
import { passes } from './held-back.ts';
import type { ProviderFamilyMeans } from './means.ts';

type Of = (ProviderAsk & { readonly kind: 'completion' })['of'];

export const suggestions =
  (use: ProviderFamilyMeans, { profile }: Provider, of: Of, argument: string): BoundCompleter =>
  async (value, others, { signal, caller }) => {
    const raw = await use.live.ask(
      profile.id,
      { kind: 'completion', of, argument, value, others },
      { signal, user: caller.principal.name },
    );
    const content = readSuggestions(raw).map((text) => ({ type: 'text' as const, text }));
    const inspection = await use.inspect(profile, { content, structured: undefined, isError: false });
    if (!passes(inspection)) return [];
    return inspection.result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  };
