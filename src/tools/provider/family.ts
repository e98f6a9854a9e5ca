/** The provider family: upstream MCP servers under control. */
import { defineFamily } from '../../catalogue/family.ts';
import { beginDiscoveryTool } from './begin-discovery.ts';
import { disable } from './disable.ts';
import { discover } from './discover.ts';
import { enable } from './enable.ts';
import { inspect } from './inspect.ts';
import { keepAnswerTool } from './keep-answer.ts';
import { list } from './list.ts';
import { logs } from './logs.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { noteDiscoveryTool } from './note-discovery.ts';
import { quarantine } from './quarantine.ts';
import { quarantineForDriftTool } from './quarantine-for-drift.ts';
import { quarantineForPoisonTool } from './quarantine-for-poison.ts';
import { register } from './register.ts';
import { release } from './release.ts';
import { remove } from './remove.ts';
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
    enable,
    remove,
    beginDiscoveryTool,
    noteDiscoveryTool,
    quarantineForDriftTool,
    keepAnswerTool,
    quarantineForPoisonTool,
  ],
});
