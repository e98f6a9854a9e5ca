/** The port to the home's master key: what is sealed can be kept in a store without being readable there. */
export interface SecretBox {
  /** `purpose` is bound in, so that a sealed value cannot be moved to another place. */
  seal(secret: string, purpose: string): string;
  open(sealed: string, purpose: string): string;
}

/** The master key, and those it has taken the place of. */
export interface KeyRing extends SecretBox {
  /** Sealed with the newest key: as it is where it is so already, or where no key of this home opens it. */
  reseal(sealed: string, purpose: string): string;
  /** Makes a new key, durable, and seals with it from now on; what was sealed before still opens. */
  renew(now: number): void;
  /** Whether there are keys that were exchanged longer ago than that, or by a clock that was ahead of this one. */
  hasFormer(now: number, keptMs: number): boolean;
  /** Takes the old ones away; nothing that is to stay may be sealed with them. Those of a wrong clock count from now. */
  forgetFormer(now: number, keptMs: number): void;
}
