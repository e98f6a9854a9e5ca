/** The firewall as everybody uses it: with the rules in force, and knowing how the last thing said and sent ended. */
import { Turns } from '../../../kernel/turns.ts';
import type { SurfaceFinding } from '../check-surface.ts';
import type { LongAnswers } from '../ports/long-answers.ts';
import type { ProviderProfile } from '../profile.ts';
import type { ProviderResult } from '../result.ts';
import type { ProviderSurface, Shown } from '../surface.ts';
import { checkArguments } from './check-arguments.ts';
import { inspect, inspectText } from './inspect.ts';
import { isLong } from './is-long.ts';
import { RecentEnds } from './recent-ends.ts';
import type { FirewallRules } from './rules.ts';
import { screenSurface } from './screen-surface.ts';
import type { Inspection } from './verdict.ts';

export interface ProviderFirewall {
  rules(): FirewallRules;
  screen(surface: ProviderSurface, allowedHosts?: readonly string[]): readonly SurfaceFinding[];
  /** `run` tells callers apart, so that what was said to one is not taken for a piece of what is said to another. */
  inspect(
    profile: ProviderProfile,
    result: ProviderResult,
    run?: string,
    signal?: AbortSignal,
  ): Promise<Inspection>;
  /** A line such as progress; undefined when it is not passed on. */
  inspectText(profile: ProviderProfile, text: string): string | undefined;
  /** Throws when something in it must not leave; answers the rules for what was found and may. */
  checkArguments(profile: ProviderProfile, input: Shown, run: string): readonly string[];
}

export function createProviderFirewall(
  rules: () => FirewallRules,
  longAnswers: LongAnswers,
): ProviderFirewall {
  /** Where a long answer is being looked at, the next of the same run waits: it may be the rest of it. */
  const turns = new Turns();
  const said = new RecentEnds();
  const sent = new RecentEnds();
  const means = () => ({ rules: rules(), allowedHosts: [] });
  return {
    rules,
    screen: (surface, allowedHosts) => screenSurface(rules(), surface, allowedHosts),
    async inspect(profile, result, run, signal) {
      const look = (before: string): Inspection | Promise<Inspection> =>
        isLong(result)
          ? longAnswers.inspect({ rules: rules(), profile, result, before, signal })
          : inspect(means(), profile, result, before);
      if (run === undefined) return look('');
      const key = `${profile.id} ${run}`;
      return turns.take(key, async () => {
        const inspection = await look(said.of(key));
        said.note(key, inspection.ending);
        return inspection;
      });
    },
    inspectText: (profile, text) => inspectText(means(), profile, text),
    checkArguments(profile, input, run) {
      const key = `${profile.id} ${run}`;
      const { passed, ending } = checkArguments(rules(), profile, input, sent.of(key));
      sent.note(key, ending);
      return passed;
    },
  };
}
