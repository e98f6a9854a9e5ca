/** Whether two providers are one program, for two folders for example. What a server says of itself proves nothing. */
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { ProviderProfile, Transport } from './profile.ts';

type Who = Pick<ProviderProfile, 'id' | 'transport' | 'sameAs'>;

/** Run by the same command line in the same place, reached at the same origin, or the same by a person's word. */
export const isSameProgram = (one: Who, other: Who): boolean =>
  (one.sameAs ?? one.id) === (other.sameAs ?? other.id) ||
  canonicalJson(whatRuns(one.transport)) === canonicalJson(whatRuns(other.transport));

const whatRuns = (transport: Transport): unknown =>
  transport.kind === 'streamable_http'
    ? { origin: new URL(transport.url).origin }
    : { command: [transport.command, ...transport.args], folder: transport.folder };
