/**
 * One access token for everybody: one request however many callers wait, renewed early in the background, and never
 * asked for so often that the account is locked.
 *
 * Only one renewal may run: a refresh token can be good for one use, and a second use ends the session.
 */
import { singleFlight } from '../../core/single-flight.ts';
import type { AccessTokens, TokenSet } from '../../domain/login-store.ts';
import { GrantError, type Grants, loginRefused, loginUnavailable } from './token-request.ts';

export interface TokenCacheOptions {
  readonly grants: Grants;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

const SAFETY_MS = 60_000;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** An airline that rejects every token must not cause a storm at the identity provider. */
export const INVALIDATION_PAUSE_MS = 30_000;

export interface Session {
  readonly tokens: TokenSet;
  /** Our own receive time: the provider's clock does not matter. */
  readonly receivedAt: number;
  /** Milliseconds that the access token is used for. */
  readonly life: number;
  readonly goodUntil: number;
  readonly renewAt: number;
  readonly generation: number;
}

/** Spreads `renewAt` over 75 to 90 % of the life, so that a fleet does not renew all at once. */
export function sessionOf(tokens: TokenSet, receivedAt: number, random: () => number, generation = 0): Session {
  const life = usable(tokens.expiresIn * 1_000);
  const renewAt = receivedAt + life * (0.75 + random() * 0.15);
  return { tokens, receivedAt, life, goodUntil: receivedAt + life, renewAt, generation };
}

/** Half of a short life is enough: the provider issues no longer ones. */
export function hasLife({ life, goodUntil }: Session, ms: number, now: number): boolean {
  return now + Math.min(ms, life / 2) < goodUntil;
}

/** Holds the current session and renews it, for all callers at once. */
export class SessionCache {
  current: Session | undefined;
  readonly #now: () => number;
  readonly #renewOnce: (ms: number) => Promise<Session>;

  /** `renew` returns a session, if possible one whose token is valid for `ms` more. */
  constructor(now: () => number, renew: (ms: number) => Promise<Session>) {
    this.#now = now;
    this.#renewOnce = singleFlight(async (ms: number) => {
      this.current = await renew(ms);
      return this.current;
    });
  }

  async ensureLife(ms: number): Promise<string> {
    const { current } = this;
    if (current !== undefined && this.hasLife(current, ms)) {
      // Callers keep the old token meanwhile. A failure shows when the old one ends.
      if (this.#now() >= current.renewAt) this.#renewOnce(ms).catch(() => {});
      return current.tokens.accessToken;
    }
    try {
      const renewed = await this.#renewOnce(ms);
      // A renewal that was already running may have been asked for less life.
      const session = this.hasLife(renewed, ms) ? renewed : await this.#renewOnce(ms);
      return session.tokens.accessToken;
    } catch (error) {
      if (this.current === undefined || !this.hasLife(this.current, 0)) throw error;
      return this.current.tokens.accessToken;
    }
  }

  hasLife(session: Session, ms: number): boolean {
    return hasLife(session, ms, this.#now());
  }

  expire(): void {
    if (this.current !== undefined) this.current = { ...this.current, goodUntil: Number.NEGATIVE_INFINITY };
  }
}

export function createTokenCache(options: TokenCacheOptions): AccessTokens {
  const { grants, now = () => performance.now(), random = Math.random } = options;
  let refused: GrantError | undefined;
  let failures = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let invalidatedAt = Number.NEGATIVE_INFINITY;

  const cache = new SessionCache(now, async () => {
    if (refused !== undefined) throw loginRefused(refused);
    if (now() < notBefore) throw loginUnavailable(notBefore - now());
    const { current } = cache;
    try {
      const age = current === undefined ? 0 : now() - current.receivedAt;
      const tokens = await newTokens(grants, now, current?.tokens, age, forgetRefreshToken);
      failures = 0;
      return sessionOf(tokens, now(), random);
    } catch (error) {
      if (isRefusal(error)) {
        refused = error;
        throw loginRefused(error);
      }
      notBefore = now() + pauseAfter(failures, random);
      failures += 1;
      throw loginUnavailable(notBefore - now());
    }
  });

  function forgetRefreshToken(): void {
    if (cache.current === undefined) return;
    const { refreshToken: _, ...tokens } = cache.current.tokens;
    cache.current = { ...cache.current, tokens };
  }

  return {
    token: () => cache.ensureLife(0),
    ensureLife: (ms) => cache.ensureLife(ms),
    refreshToken: () => cache.current?.tokens.refreshToken,
    invalidate(value) {
      if (cache.current?.tokens.accessToken !== value || now() - invalidatedAt < INVALIDATION_PAUSE_MS) return;
      invalidatedAt = now();
      cache.expire();
    },
  };
}

/**
 * Refreshes the session if its refresh token is still good, and logs in with the password if that is refused.
 * @param age milliseconds since the old tokens were received
 */
export async function newTokens(
  grants: Grants,
  now: () => number,
  old: TokenSet | undefined,
  age: number,
  onRefusedRefresh = () => {},
): Promise<TokenSet> {
  if (old?.refreshToken !== undefined && age < refreshLife(old)) {
    const asked = now();
    try {
      return keepRefreshToken(await grants.refresh(old.refreshToken), old, age + now() - asked);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      onRefusedRefresh();
    }
  }
  return grants.password();
}

/** A provider that sends no new refresh token means the old one to stay valid, for the rest of its life. */
function keepRefreshToken(fresh: TokenSet, { refreshToken, refreshExpiresIn }: TokenSet, age: number): TokenSet {
  if (fresh.refreshToken !== undefined || refreshToken === undefined) return fresh;
  const left = refreshExpiresIn && Math.max(0, refreshExpiresIn - age / 1_000);
  return { ...fresh, refreshToken, ...(left !== undefined && { refreshExpiresIn: left }) };
}

function refreshLife({ refreshExpiresIn }: TokenSet): number {
  return refreshExpiresIn === undefined ? Number.POSITIVE_INFINITY : usable(refreshExpiresIn * 1_000);
}

export function isRefusal(error: unknown): error is GrantError {
  return error instanceof GrantError && error.kind === 'refused';
}

/** How long the provider is left alone after this many earlier failures in a row. */
export function pauseAfter(failures: number, random: () => number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return Math.min(pause * (1 + random() * 0.1), LONGEST_PAUSE_MS);
}

/** A stated life less a minute, or less a quarter if it is short. */
function usable(ms: number): number {
  return ms - Math.min(SAFETY_MS, ms / 4);
}
