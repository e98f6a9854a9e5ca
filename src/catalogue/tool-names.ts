/** The two forms of a name on the wire. Dots are ours; some clients refuse them, so underscores work as well. */
export type NameForm = 'dotted' | 'underscore';

export const MAX_NAME_LENGTH = 64;

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

export const isToolName = (name: string): boolean => name.length <= MAX_NAME_LENGTH && NAME.test(name);

/** A provider's id and, after the first dot, its own name for the tool. */
const PROVIDER_NAME = /^[a-z][a-z0-9_]*\.[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;

export const isProviderToolName = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && PROVIDER_NAME.test(name);

export function nameInForm(name: string, form: NameForm): string {
  return form === 'dotted' ? name : name.replaceAll('.', '_');
}
