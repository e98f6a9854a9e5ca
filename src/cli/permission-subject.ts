/** Naming on the command line whom a permission is about, and where. */
import { invalidInput } from '../kernel/errors.ts';
import { type CommandArgument, type CommandInput, textOf } from './command.ts';

export const WHERE: CommandArgument = { name: 'page', summary: 'A page, or "/" for the whole workspace' };
export const WHO: CommandArgument = { name: 'who', summary: 'role:, client: or agent: and a name' };

export function readGrant(input: CommandInput): {
  page: string | null;
  subject_type: string;
  subject: string;
} {
  const [page, who] = [textOf(input, 'page') ?? '', textOf(input, 'who') ?? ''];
  const at = who.indexOf(':');
  if (at < 1) throw invalidInput('who', 'must be for example role:client or client:cursor');
  return {
    page: page === '/' ? null : page,
    subject_type: who.slice(0, at),
    subject: who.slice(at + 1),
  };
}
