/** Step 5: the tool, resource or prompt as this caller sees it. What it may not see is absent, in the same words. */
import { SluiceError } from '../../kernel/errors.ts';
import type { Gate } from '../means.ts';
import type { Target } from '../request.ts';
import { type Found, learn, type Sized } from '../stages.ts';
import { isThere } from '../visible-entries.ts';

export function findEntry(use: Gate, sized: Sized): Found {
  const { target } = sized.request;
  const found = lookUp(use, target);
  if (!found || !isThere(use, found.entry, sized.caller)) {
    sized.draft.refusedBy('unknown');
    throw use.governance.current().policy.enabled ? absent(target) : switchedOff();
  }
  sized.draft.entry(found.entry);
  return learn(learn(sized, 'entry', found.entry), 'variables', found.variables);
}

function lookUp(use: Gate, target: Target): Pick<Found, 'entry' | 'variables'> | undefined {
  if (target.kind === 'resource' || target.kind === 'subscription') {
    const found = use.catalogue.resource(target.uri);
    return found && { entry: found.resource, variables: found.variables };
  }
  if (target.kind === 'completion') {
    const { of } = target;
    const entry = of.kind === 'prompt' ? use.catalogue.prompt(of.name) : use.catalogue.template(of.uri);
    return entry && { entry, variables: {} };
  }
  const entry = target.kind === 'tool' ? use.catalogue.tool(target.name) : use.catalogue.prompt(target.name);
  return entry && { entry, variables: {} };
}

/** What a caller hears of something that does not exist for it, whatever the reason. */
export function absent(target: Target): SluiceError {
  if (target.kind === 'completion') {
    const what = target.of.kind === 'prompt' ? `prompt: ${target.of.name}` : `template: ${target.of.uri}`;
    return new SluiceError('unknown_tool', `Unknown ${shorten(what)}`);
  }
  if (target.kind === 'resource' || target.kind === 'subscription') {
    return new SluiceError('resource_not_found', `Resource not found: ${shorten(target.uri)}`);
  }
  return new SluiceError('unknown_tool', `Unknown ${target.kind}: ${shorten(target.name)}`);
}

export const switchedOff = (): SluiceError =>
  new SluiceError('disabled', 'Sluice is switched off; its owner can switch it on with "sluice enable"');

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
