/** What the prompts and resources of a provider have in common as entries of the catalogue. */
import { completeRegistration, type Registration } from '../../catalogue/registration.ts';
import { isInvokable } from '../../domain/providers/lifecycle.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';
import { mostMsOf } from '../../domain/providers/profile.ts';
import type { Shown } from '../../domain/providers/surface.ts';
import type { ProviderFamilyMeans } from './means.ts';

export const upstreamRegistration = (
  { live }: Pick<ProviderFamilyMeans, 'live'>,
  { profile, state }: Provider,
  name: string,
  shown: Shown,
): Registration =>
  completeRegistration({
    name,
    title: textOf(shown.title) ?? textOf(shown.name) ?? name,
    summary: textOf(shown.description) ?? '',
    scopes: ['providers.call'],
    effect: 'read_only',
    needsWorkspace: false,
    server: profile.id,
    listed: isInvokable(state),
    staleSince: () => live.staleSince(profile.id),
    binding: [profile.surfacePin, 'READ_ONLY', profile.trust].join(' '),
    limits: {
      inputBytes: 1024 * 1024,
      outputBytes: 16 * 1024 * 1024,
      timeoutMs: mostMsOf(profile.limits) + 30_000,
    },
  });

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
