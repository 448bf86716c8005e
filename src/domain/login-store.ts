/**
 * One login at the airline's identity provider, shared by a fleet: who may ask for a token, and what came of it. Times
 * are of the store's own clock; callers only ever see ages and waits.
 */

/** As the provider gave it; lives in seconds from when it was received. */
export interface SharedTokens {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken?: string;
  readonly refreshExpiresIn?: number;
}

/** The provider said no: status of its reply, and its error in words of RFC 6749, 5.2, or `other`. */
export interface Refusal {
  readonly status?: number;
  readonly oauthError: string;
}

export interface SharedLogin {
  /** Goes up with every new token: 0 while there was none. */
  readonly generation: number;
  readonly tokens?: SharedTokens;
  /** Milliseconds since the tokens were received. */
  readonly ageMs: number;
  /** Somebody is asking for a new one. */
  readonly busy: boolean;
  /** The provider is not to be asked for so long, milliseconds; 0: it may be. */
  readonly pauseMs: number;
  /** Failures in a row to get any answer. */
  readonly failures: number;
  /** The newest refusal, its age, and how many there were within the hour. */
  readonly refusal?: Refusal & { readonly ageMs: number; readonly inAnHour: number };
}

/** Every call is one atomic transaction. `name` tells logins apart and holds no secret. */
export interface LoginStore {
  read(name: string): Promise<SharedLogin>;
  /** Takes the right to ask for `leaseMs`: only where nobody has it, no pause holds and the generation is still that. */
  claim(name: string, generation: number, holder: string, leaseMs: number): Promise<boolean>;
  /** Puts new tokens, received `ageMs` ago, and gives the right back; false where it was lost meanwhile. */
  put(name: string, generation: number, holder: string, tokens: SharedTokens, ageMs: number): Promise<boolean>;
  /** Gives the right back after a failure to get any answer; nobody asks for `pauseMs`. */
  pause(name: string, generation: number, holder: string, pauseMs: number): Promise<void>;
  /** Gives the right back after a no. */
  refuse(name: string, generation: number, holder: string, refusal: Refusal): Promise<void>;
}
