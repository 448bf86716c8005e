/**
 * One login at the airline's identity provider, shared by all processes: who may request a token, and the result. Times
 * are of the store's own clock, so callers see only ages and waits.
 */

/** As received from the provider; `expiresIn` in seconds from then. */
export interface SharedTokens {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken?: string;
  readonly refreshExpiresIn?: number;
}

/** The provider's refusal: HTTP status, and the error code of RFC 6749, 5.2, or `other`. */
export interface Refusal {
  readonly status?: number;
  readonly oauthError: string;
}

export interface SharedLogin {
  /** Counts new tokens; 0 before the first. */
  readonly generation: number;
  readonly tokens?: SharedTokens;
  /** Milliseconds since the tokens were received. */
  readonly ageMs: number;
  /** A process is requesting a new token. */
  readonly busy: boolean;
  /** Milliseconds until the provider may be asked again. */
  readonly pauseMs: number;
  /** Consecutive requests without any answer. */
  readonly failures: number;
  /** The newest refusal, and the number of refusals within the hour. */
  readonly refusal?: Refusal & { readonly ageMs: number; readonly inAnHour: number };
}

/** Every call is one atomic transaction. `name` identifies the login and contains no secret. */
export interface LoginStore {
  read(name: string): Promise<SharedLogin>;
  /** Leases the right to request a token: only if nobody has it, no pause is on and the generation is unchanged. */
  claim(name: string, generation: number, holder: string, leaseMs: number): Promise<boolean>;
  /** Stores tokens received `ageMs` ago and ends the lease; false if the lease was lost. */
  put(name: string, generation: number, holder: string, tokens: SharedTokens, ageMs: number): Promise<boolean>;
  /** Ends the lease after a request without an answer; nobody asks for `pauseMs`. */
  pause(name: string, generation: number, holder: string, pauseMs: number): Promise<void>;
  /** Ends the lease after a refusal. */
  refuse(name: string, generation: number, holder: string, refusal: Refusal): Promise<void>;
}
