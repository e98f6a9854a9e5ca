/** How far a provider says it is. Its words pass the firewall as well; those that do not are left out. */
import type { Progress } from '../../catalogue/call-context.ts';
import type { ProviderProfile } from '../../domain/providers/profile.ts';
import type { ProviderFamilyMeans } from './means.ts';

export function passedProgress(
  use: Pick<ProviderFamilyMeans, 'inspectText'>,
  profile: ProviderProfile,
  { message, ...step }: Progress,
): Progress {
  const passed = message === undefined ? undefined : use.inspectText(profile, message);
  return passed === undefined ? step : { ...step, message: passed };
}
