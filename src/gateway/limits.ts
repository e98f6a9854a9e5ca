/** The numbers that bound every call, whatever the tool. Configurable; these are the defaults. */
export interface GatewayLimits {
  /** Of a whole request. */
  readonly requestBytes: number;
  readonly requestDepth: number;
  /** Sustained calls a second and burst, a principal. */
  readonly callsPerSecond: number;
  readonly callBurst: number;
  readonly concurrentPerPrincipal: number;
  readonly concurrentInAll: number;
  /** Entries on one page of a list. */
  readonly listPage: number;
  /** A run of a client that names none ends after this long without a call. */
  readonly idleRunMs: number;
}

export const DEFAULT_GATEWAY_LIMITS: GatewayLimits = {
  requestBytes: 8 * 1024 * 1024,
  requestDepth: 64,
  callsPerSecond: 1_000,
  callBurst: 2_000,
  concurrentPerPrincipal: 128,
  concurrentInAll: 1_024,
  listPage: 100,
  idleRunMs: 30 * 60 * 1000,
};
