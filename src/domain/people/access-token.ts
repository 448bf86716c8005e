/**
 * Who calls over HTTP, as a verified access token says.
 */
import type { Caller } from './caller.ts';

export interface SignedIn {
  readonly caller: Caller;
  /** What the token was granted, as it lists it (RFC 6749, section 3.3). */
  readonly scopes: ReadonlySet<string>;
}

/** Why a token is not taken. Closed, so that no text of the token reaches an answer. */
export type TokenProblem =
  | 'malformed'
  | 'algorithm'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'kind'
  | 'bound'
  | 'claims';

export type TokenVerdict =
  | { readonly kind: 'good'; readonly who: SignedIn }
  | { readonly kind: 'bad'; readonly problem: TokenProblem }
  /** The issuer's keys cannot be had just now: nothing can be said of the token. */
  | { readonly kind: 'unavailable' };

/** An OAuth 2.1 resource server's view of its issuer. */
export interface SignIn {
  /** Issuer identifier, exactly as tokens carry it. */
  readonly issuer: string;
  /** Canonical address of this server as a resource (RFC 8707). */
  readonly resource: string;
  check(token: string): Promise<TokenVerdict>;
}
