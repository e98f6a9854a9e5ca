/** The port to the home's master key: what is sealed can be kept in a store without being readable there. */
export interface SecretBox {
  /** `purpose` is bound in, so that a sealed value cannot be moved to another place. */
  seal(secret: string, purpose: string): string;
  open(sealed: string, purpose: string): string;
}
