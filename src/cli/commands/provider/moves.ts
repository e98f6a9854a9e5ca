/** Holding, releasing, switching off and removing providers. */
import { moveCommand } from '../../move-provider.ts';

export const quarantine = moveCommand(
  'quarantine',
  'Hold a provider: nothing of it can be called',
  'odd answers',
);
export const release = moveCommand(
  'release',
  'Let a quarantined provider go on with what it shows now, after looking at the differences',
  'new version, looked at',
);
export const disableProvider = moveCommand(
  'disable',
  'Switch a provider off and end what runs of it',
  'not needed',
);
export const removeProvider = moveCommand('remove', 'Take a provider away; its history stays', 'replaced');
