/** Verified access tokens of callers over HTTP. */
import type { Caller } from './caller.ts';

export interface SignedIn {
  readonly caller: Caller;
  /** As listed in the token (RFC 6749, section 3.3). */
  readonly scopes: ReadonlySet<string>;
  /** May see, and only see, what all callers of the tenant did. */
  readonly supervisor?: boolean;
}

/** Why a token is refused. A closed list, so that no text of the token reaches a reply. */
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
  /** The issuer's keys cannot be fetched now, so the token cannot be judged. */
  | { readonly kind: 'unavailable' };

/** Checks tokens of one issuer (OAuth 2.1 resource server). */
export interface SignIn {
  /** Issuer identifier, exactly as tokens carry it. */
  readonly issuer: string;
  /** Canonical address of this server as a resource (RFC 8707). */
  readonly resource: string;
  check(token: string): Promise<TokenVerdict>;
  /** Fetches the issuer's keys if that is due. False: no token can be checked now. Never throws. */
  warm(): Promise<boolean>;
  /** Age of the issuer's keys in milliseconds; undefined before the first. */
  keysAge(): number | undefined;
}
