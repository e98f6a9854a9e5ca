/** The public API of Sluice in process. */
export {
  type CallOptions,
  createSluice,
  type Sluice,
  type SluiceCaller,
  type SluiceClient,
  type SluiceOptions,
} from './app/create-sluice.ts';
export { type ErrorCode, SluiceError } from './kernel/errors.ts';
export { SCOPES, type Scope } from './kernel/scopes.ts';
export type { Origin } from './kernel/submission.ts';
