/**
 * One access token for everybody: one request however many callers wait, renewed early in the background, and never
 * asked for so often that the account is locked.
 *
 * Only one renewal may run: a refresh token can be good for one use, and a second use ends the session.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { singleFlight } from '../../core/at-once.ts';
import type { AccessTokens, LoginStore, SharedLogin, TokenSet } from '../../domain/login-store.ts';
import { GrantError, type Grants, loginRefused, loginUnavailable, type OAuthError } from './token-request.ts';

export interface TokenCacheOptions {
  readonly grants: Grants;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

/** A token is used until so long before its stated end, milliseconds. */
const SAFETY_MS = 60_000;
/** How long the provider is left alone after a failure, milliseconds. It doubles with each failure in a row. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/**
 * A token may be declared invalid once in this time, milliseconds: an airline that rejects every token must not cause a
 * storm at the identity provider.
 */
const INVALIDATION_PAUSE_MS = 30_000;

interface Session {
  readonly tokens: TokenSet;
  /** Our own receive time: the provider's clock does not matter. */
  readonly receivedAt: number;
  /** Milliseconds that the access token is used for. */
  readonly life: number;
  /** By the same clock as `receivedAt`, as `renewAt` is. */
  readonly goodUntil: number;
  /** When it is renewed in the background. */
  readonly renewAt: number;
  /** Counts the sessions of a fleet; 0 for a process of its own. */
  readonly generation: number;
}

/** Spreads `renewAt` over 75 to 90 % of the life, so that a fleet does not renew all at once. */
function startSession(tokens: TokenSet, receivedAt: number, random: () => number, generation = 0): Session {
  const life = usableLife(tokens.expiresIn * 1_000);
  const renewAt = receivedAt + life * (0.75 + random() * 0.15);
  return { tokens, receivedAt, life, goodUntil: receivedAt + life, renewAt, generation };
}

/** Whether the token is good for `ms` more. Half of a short life is enough: the provider issues no longer ones. */
function hasLife({ life, goodUntil }: Session, ms: number, now: number): boolean {
  return now + Math.min(ms, life / 2) < goodUntil;
}

/** Holds the current session and renews it, for all callers at once. */
class SessionCache {
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

/** The access tokens of one process, which shares them with no other. */
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
      return startSession(tokens, now(), random);
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
async function newTokens(
  grants: Grants,
  now: () => number,
  old: TokenSet | undefined,
  age: number,
  onRefusedRefresh = () => {},
): Promise<TokenSet> {
  if (old?.refreshToken !== undefined && age < refreshLife(old)) {
    const askedAt = now();
    try {
      return keepRefreshToken(await grants.refresh(old.refreshToken), old, age + now() - askedAt);
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
  const secondsLeft = refreshExpiresIn && Math.max(0, refreshExpiresIn - age / 1_000);
  return { ...fresh, refreshToken, refreshExpiresIn: secondsLeft ?? fresh.refreshExpiresIn };
}

function refreshLife({ refreshExpiresIn }: TokenSet): number {
  return refreshExpiresIn === undefined ? Number.POSITIVE_INFINITY : usableLife(refreshExpiresIn * 1_000);
}

function isRefusal(error: unknown): error is GrantError {
  return error instanceof GrantError && error.kind === 'refused';
}

/** How long the provider is left alone after this many earlier failures in a row. */
function pauseAfter(failures: number, random: () => number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return Math.min(pause * (1 + random() * 0.1), LONGEST_PAUSE_MS);
}

/** A stated life less a minute, or less a quarter if it is short. */
function usableLife(ms: number): number {
  return ms - Math.min(SAFETY_MS, ms / 4);
}

interface SharedTokenOptions extends TokenCacheOptions {
  readonly store: LoginStore;
  /** Identifies the login; no secret. */
  readonly name: string;
  /** Identifies this process. */
  readonly holder: string;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** How long one process may take to renew, milliseconds: a refresh that fails and a password login, 5 s each at most. */
const LEASE_MS = 12_000;
/** How long to wait for other processes, milliseconds: two that die while asking, and one that does not. */
const PATIENCE_MS = 30_000;
/** How often to look whether another process has a new token, milliseconds. */
const POLL_MS = 100;
/** How long the store is left alone after it failed, milliseconds. */
const AWAY_MS = 5_000;
/** A refusal younger than this counts for every process, milliseconds. */
const REFUSAL_MS = 60_000;
/** After so many refusals within an hour no process asks again, so that the account is not locked. */
const MOST_REFUSALS = 5;

/** The store of the shared login cannot be reached: this process logs in for itself. */
class StoreAway extends Error {}

/**
 * One access token for a fleet: the first process that needs a new one asks for it, the others wait for the result or keep
 * using the old one. The provider sees one request, and each refresh token is used once.
 *
 * If the store cannot be reached, each process logs in for itself with its own session. It leaves the shared refresh token
 * alone, because a second use would end the session for all.
 */
export function createSharedTokens(options: SharedTokenOptions): AccessTokens {
  const now = options.now ?? (() => performance.now());
  const random = options.random ?? Math.random;
  const fleet: FleetLogin = new FleetLogin({ sleep: wait, ...options, now, random }, () => cache.current);
  const cache = new SessionCache(now, (ms) => fleet.renew(ms));
  const ownTokens = createTokenCache(options);
  const ensureLife = (ms: number): Promise<string> =>
    cache.ensureLife(ms).catch((error: unknown) => {
      if (error instanceof StoreAway) return ownTokens.ensureLife(ms);
      throw error;
    });
  return {
    token: () => ensureLife(0),
    ensureLife,
    refreshToken() {
      const { current } = cache;
      return current && cache.hasLife(current, 0) ? current.tokens.refreshToken : ownTokens.refreshToken?.();
    },
    invalidate(value) {
      const { current } = cache;
      if (current?.tokens.accessToken !== value) ownTokens.invalidate(value);
      // A token that any process received a moment ago is kept: the next would be no better.
      else if (now() - current.receivedAt >= INVALIDATION_PAUSE_MS) cache.expire();
    },
  };
}

/** Gets sessions from the store or, as the only process of the fleet, from the provider. */
class FleetLogin {
  readonly #options: Required<SharedTokenOptions>;
  readonly #current: () => Session | undefined;
  #refused: GrantError | undefined;
  #awayUntil = Number.NEGATIVE_INFINITY;

  constructor(options: Required<SharedTokenOptions>, current: () => Session | undefined) {
    this.#options = options;
    this.#current = current;
  }

  async renew(ms: number): Promise<Session> {
    const { now, name, holder, sleep } = this.#options;
    if (this.#refused !== undefined) throw loginRefused(this.#refused);
    if (now() < this.#awayUntil) throw new StoreAway();
    const until = now() + PATIENCE_MS;
    while (now() < until) {
      const { login, session } = await this.#read(ms);
      if (session !== undefined) return session;
      assertMayAsk(login);
      const claim = (store: LoginStore) => store.claim(name, login.generation, holder, LEASE_MS);
      if (!login.busy && (await this.#ask(claim))) return this.#fetch(login, ms);
      await sleep(POLL_MS);
    }
    throw loginUnavailable(POLL_MS);
  }

  /** What the store has of the login, and a session from it that is newer than the current one and lives long enough. */
  async #read(ms: number): Promise<{ login: SharedLogin; session?: Session }> {
    const { now, random, name } = this.#options;
    const askedAt = now();
    const login = await this.#ask((store) => store.read(name));
    const { tokens, generation, ageMs } = login;
    if (tokens === undefined || generation <= (this.#current()?.generation ?? 0)) return { login };
    const session = startSession(tokens, askedAt - ageMs, random, generation);
    return hasLife(session, ms, now()) ? { login, session } : { login };
  }

  async #fetch(login: SharedLogin, ms: number): Promise<Session> {
    const { grants, now, random, name, holder } = this.#options;
    const { tokens: old, ageMs, generation } = login;
    const tokens = await newTokens(grants, now, old, ageMs).catch((error: unknown) => this.#failed(login, error));
    const receivedAt = now();
    const session = startSession(tokens, receivedAt, random, generation + 1);
    // A token that cannot be shared is still good.
    const isStored = await this.#ask((store) => store.put(name, generation, holder, tokens, now() - receivedAt)).catch(
      () => true,
    );
    if (isStored) return session;
    // This process was slow and another one asked meanwhile: the newer session is the one that lasts.
    const newer = await this.#read(ms).catch(() => undefined);
    return newer?.session ?? session;
  }

  /** Tells the fleet about the failure, so that no other process asks in turn. */
  async #failed({ generation, failures }: SharedLogin, error: unknown): Promise<never> {
    const { name, holder, random } = this.#options;
    const tell = (message: (store: LoginStore) => Promise<void>) => this.#ask(message).catch(() => {});
    if (isRefusal(error)) {
      this.#refused = error;
      const refusal = { status: error.status, oauthError: error.oauthError };
      await tell((store) => store.refuse(name, generation, holder, refusal));
      throw loginRefused(error);
    }
    const pauseMs = pauseAfter(failures, random);
    await tell((store) => store.pause(name, generation, holder, pauseMs));
    throw loginUnavailable(pauseMs);
  }

  async #ask<T>(ask: (store: LoginStore) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#options.store);
    } catch (cause) {
      this.#awayUntil = this.#options.now() + AWAY_MS;
      throw new StoreAway('the store is away', { cause });
    }
  }
}

/** @throws ClerkError if the fleet has agreed to leave the provider alone now */
function assertMayAsk({ pauseMs, refusal }: SharedLogin): void {
  if (pauseMs > 0) throw loginUnavailable(pauseMs);
  if (refusal !== undefined && (refusal.ageMs < REFUSAL_MS || refusal.inAnHour >= MOST_REFUSALS)) {
    throw loginRefused(new GrantError('refused', refusal.status, refusal.oauthError as OAuthError));
  }
}
