/** The two forms of a name on the wire. Dots are ours; some clients refuse them, so underscores work as well. */
import { MAX_NAME_LENGTH, withoutDots } from '../kernel/provider-names.ts';
import { BUILT_IN } from './registration.ts';

export { MAX_NAME_LENGTH };

export type NameForm = 'dotted' | 'underscore';

/** Two underscores in a row are left to providers, whose names then are never ours. */
const NAME = /^(?!.*__)[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

export const isToolName = (name: string): boolean => name.length <= MAX_NAME_LENGTH && NAME.test(name);

/** A provider's id and, after the first dot, its own name for the tool. */
const PROVIDER_NAME = /^[a-z][a-z0-9_]*\.[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;

export const isProviderToolName = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && PROVIDER_NAME.test(name);

export function nameInForm(name: string, form: NameForm, server: string = BUILT_IN): string {
  if (form === 'dotted') return name;
  return server === BUILT_IN ? name.replaceAll('.', '_') : withoutDots(name);
}
