/** The port to authorization servers. What they give is secret; what they say is untrusted. */
import type { Challenge, CustodyTarget } from './custody-desk.ts';

/** How we are known to an authorization server, and to no other one. */
export interface OAuthRegistration {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly authMethod: 'none' | 'client_secret_basic' | 'client_secret_post';
}

/** Kept sealed as a whole. */
export interface OAuthGrant {
  readonly registration: OAuthRegistration;
  readonly tokenEndpoint: string;
  /** Exactly as the server writes it. */
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: number | null;
}

export interface ConnectWish {
  readonly redirectUri: string;
  /** Besides what the server asks for. */
  readonly scopes: readonly string[];
  /** From an earlier grant; it counts only for the issuer that gave it. */
  readonly known?: OAuthRegistration | undefined;
  /** Given by a person, who registered us by hand or hosts a metadata document of us. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly challenge?: Challenge | undefined;
}

/** Where a person has to say yes. Everything but the address stays with us. */
export interface OAuthFlow {
  readonly authorizationUrl: string;
  readonly issuer: string;
  /** The server says that it names itself in its answers. */
  readonly namesItself: boolean;
  readonly registration: OAuthRegistration;
  readonly tokenEndpoint: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
}

export interface OAuthClient {
  begin(target: CustodyTarget, wish: ConnectWish): Promise<OAuthFlow>;
  /** `answer` is what came to the redirect address, by name. */
  finish(
    target: CustodyTarget,
    flow: OAuthFlow,
    answer: Readonly<Record<string, string>>,
  ): Promise<OAuthGrant>;
  refresh(target: CustodyTarget, grant: OAuthGrant): Promise<OAuthGrant>;
}

/** Which step did not work; `refused` when the server was reached and said no. */
export class OAuthFailure extends Error {
  readonly step: 'discovery' | 'registration' | 'authorization' | 'token';
  readonly refused: boolean;

  constructor(step: OAuthFailure['step'], message: string, refused = false) {
    super(message);
    this.name = 'OAuthFailure';
    this.step = step;
    this.refused = refused;
  }
}
