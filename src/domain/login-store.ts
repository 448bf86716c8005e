/**
 * The tokens of one login at the airline's identity provider, and the port of the store that shares them between
 * processes. Times are of the store's clock, so callers see only ages and waits.
 */

/**
 * The tokens of a login, in one process or shared by a fleet. All throw ClerkError: E_AUTH (refused, the operator must
 * act) or E_AIRLINE_DOWN (none at present).
 */
export interface AccessTokens {
  /** A token that is still good. */
  token(): Promise<string>;
  /** A token that stays good for `ms` milliseconds, if the provider issues such. Asked before a send. */
  ensureLife(ms: number): Promise<string>;
  /** The airline answered 401 to this value. Ignored unless the value is the current one. */
  invalidate(value: string): void;
  /** The refresh token that came with the current one. */
  refreshToken?(): string | undefined;
}

/** As received from the provider. Lives are seconds from then. */
export interface TokenSet {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken?: string;
  /** Absent: no known end (Keycloak sends 0 for a token that does not expire). */
  readonly refreshExpiresIn?: number;
}

/** The provider's refusal: HTTP status, and the error code of RFC 6749, 5.2, or `other`. */
export interface OAuthRefusal {
  readonly status?: number;
  readonly oauthError: string;
}

export interface SharedLogin {
  /** Counts new tokens; 0 before the first. */
  readonly generation: number;
  readonly tokens?: TokenSet;
  /** Milliseconds since the tokens were received. */
  readonly ageMs: number;
  /** Whether a process is requesting a new token. */
  readonly busy: boolean;
  /** Milliseconds until the provider may be asked again. */
  readonly pauseMs: number;
  /** Consecutive requests without any answer. */
  readonly failures: number;
  /** The newest refusal, and the number of refusals within the hour. */
  readonly refusal?: OAuthRefusal & { readonly ageMs: number; readonly inAnHour: number };
}

/** Every call is one atomic transaction. `name` identifies the login and contains no secret. */
export interface LoginStore {
  read(name: string): Promise<SharedLogin>;
  /** Leases the right to request a token: only if nobody has it, no pause is on and the generation is unchanged. */
  claim(name: string, generation: number, holder: string, leaseMs: number): Promise<boolean>;
  /** Stores tokens received `ageMs` ago and ends the lease; false if the lease was lost. */
  put(name: string, generation: number, holder: string, tokens: TokenSet, ageMs: number): Promise<boolean>;
  /** Ends the lease after a request without an answer; nobody asks for `pauseMs`. */
  pause(name: string, generation: number, holder: string, pauseMs: number): Promise<void>;
  /** Ends the lease after a refusal. */
  refuse(name: string, generation: number, holder: string, refusal: OAuthRefusal): Promise<void>;
}
