/** The provider family: upstream MCP servers under control. */
import { defineFamily } from '../../catalogue/family.ts';
import { discover } from './discover.ts';
import { beginDiscoveryTool, noteDiscoveryTool, quarantineForDriftTool } from './internal.ts';
import { inspect, list, logs } from './look.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { disable, quarantine, release, remove } from './move.ts';
import { register } from './register.ts';
import { review } from './review.ts';

export const providerFamily = defineFamily<ProviderFamilyMeans>('provider', {
  tools: [
    register,
    discover,
    review,
    list,
    inspect,
    logs,
    quarantine,
    release,
    disable,
    remove,
    beginDiscoveryTool,
    noteDiscoveryTool,
    quarantineForDriftTool,
  ],
});
