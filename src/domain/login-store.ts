/** The access tokens of a login at the airline's identity provider, and the port of the store through which processes share one. */

/**
 * The tokens of a login. All throw ClerkError: E_AUTH (refused, the operator must act) or E_AIRLINE_DOWN (none at
 * present).
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

/** A sealed access token, which only those who know the login can open. */
export interface StoredLogin {
  readonly sealed: string;
  /** Milliseconds since it was stored, by the store's clock. */
  readonly ageMs: number;
}

/** `name` identifies the login and contains no secret. */
export interface LoginStore {
  /** Returns what a process stored last. */
  read(name: string): Promise<StoredLogin | undefined>;
  write(name: string, sealed: string): Promise<void>;
}
