/**
 * Keeps one access token for all callers: asks for it once however many callers wait, renews it early in the background, and never
 * asks so often that the account is locked. Only one renewal may run: a refresh token can be good for one use, and a second use ends
 * the session. How tokens are requested: token-request.ts.
 *
 * First the cache of sessions, then the login of one process alone, then that of a fleet, which a store shares (domain/login-store.ts).
 */

import { setTimeout as wait } from 'node:timers/promises';
import { singleFlight } from '../../core/at-once.ts';
import type { AccessTokens, LoginStore, SharedLogin, TokenSet } from '../../domain/login-store.ts';
import {
  GrantError,
  type Grants,
  getTokens,
  isRefusal,
  loginRefused,
  loginUnavailable,
  type OAuthError,
  pauseAfter,
  usableLife,
} from './token-request.ts';

export interface TokenCacheOptions {
  readonly grants: Grants;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

/** The part of its life after which a token is renewed. A random spread keeps a fleet from renewing all at once. */
const EARLIEST_RENEWAL = 0.75;
const RENEWAL_SPREAD = 0.15;
/**
 * A token may be declared invalid once in this time, milliseconds: an airline that rejects every token must not cause a
 * storm at the identity provider.
 */
const INVALIDATION_PAUSE_MS = 30_000;

/** How long one process may take to renew, milliseconds: a refresh that fails and a password login, 5 s each at most. */
const LEASE_MS = 12_000;
/** How long to wait for other processes, milliseconds: two that die while asking, and one that does not. */
const PATIENCE_MS = 30_000;
/** How often the store is read while another process may get a new token, milliseconds. */
const POLL_MS = 100;
/** How long the store is left alone after a failure, milliseconds. */
const STORE_PAUSE_MS = 5_000;
/** A refusal younger than this counts for every process, milliseconds. */
const REFUSAL_MS = 60_000;
/** After this many refusals within an hour no process asks again, so that the account is not locked. */
const MOST_REFUSALS = 5;

/** The tokens of one login, and how long they are used. Times by the monotonic clock, milliseconds. */
interface Session {
  readonly tokens: TokenSet;
  /** By our own clock: the provider's does not matter. */
  readonly receivedAt: number;
  /** How long the access token is used, milliseconds. */
  readonly lifeMs: number;
  readonly goodUntil: number;
  /** When the token is renewed in the background. */
  readonly renewAt: number;
  /** Counts the sessions of a fleet; 0 for a process that shares no tokens. */
  readonly generation: number;
}

function startSession(tokens: TokenSet, receivedAt: number, random: () => number, generation = 0): Session {
  const lifeMs = usableLife(tokens.expiresIn * 1_000);
  const renewAt = receivedAt + lifeMs * (EARLIEST_RENEWAL + random() * RENEWAL_SPREAD);
  return { tokens, receivedAt, lifeMs, goodUntil: receivedAt + lifeMs, renewAt, generation };
}

/** Whether the token is good for `wantedMs` more milliseconds. Of a short life half is enough: the provider issues no longer lives. */
function isGoodFor(wantedMs: number, { lifeMs, goodUntil }: Session, now: number): boolean {
  return now + Math.min(wantedMs, lifeMs / 2) < goodUntil;
}

interface RenewalRequest {
  /** The session to replace; undefined before the first login. */
  readonly current: Session | undefined;
  /** How long the new token should be valid, if the provider issues such, milliseconds. */
  readonly wantedMs: number;
  /**
   * Makes the next renewal log in with the password, if this one gets no tokens. Only {@link OwnLogin} calls it: a fleet has
   * its refresh token in the store.
   */
  forgetRefreshToken(): void;
}

/** Returns a session that replaces the current one. */
type Renewal = (request: RenewalRequest) => Promise<Session>;

/** Holds the current session and renews it, for all callers at once. */
class SessionCache {
  current: Session | undefined;
  readonly #now: () => number;
  readonly #renewOnce: (wantedMs: number) => Promise<Session>;

  constructor(now: () => number, renew: Renewal) {
    this.#now = now;
    this.#renewOnce = singleFlight(async (wantedMs: number) => {
      const forgetRefreshToken = () => this.#forgetRefreshToken();
      this.current = await renew({ current: this.current, wantedMs, forgetRefreshToken });
      return this.current;
    });
  }

  /**
   * Returns a token that is valid for `wantedMs` more milliseconds, if the provider issues one.
   *
   *   the current token is good for so long    the current token; from `renewAt` on, also renews it in the background
   *   it is not, and the renewal succeeds      the new token
   *   it is not, and the renewal fails         the current token while it is good at all; then throws
   */
  async ensureLife(wantedMs: number): Promise<string> {
    const { current } = this;
    if (current !== undefined && isGoodFor(wantedMs, current, this.#now())) {
      // A failure in the background is reported when the current token ends.
      if (this.#now() >= current.renewAt) this.#renewOnce(wantedMs).catch(() => {});
      return current.tokens.accessToken;
    }
    try {
      const renewed = await this.#renewOnce(wantedMs);
      // A renewal that was already running may have been asked for less life.
      const session = isGoodFor(wantedMs, renewed, this.#now()) ? renewed : await this.#renewOnce(wantedMs);
      return session.tokens.accessToken;
    } catch (error) {
      const stillGood = this.goodSession();
      if (stillGood === undefined) throw error;
      return stillGood.tokens.accessToken;
    }
  }

  /** Returns the current session while its token is good. */
  goodSession(): Session | undefined {
    return this.current !== undefined && isGoodFor(0, this.current, this.#now()) ? this.current : undefined;
  }

  /** Makes the next caller renew the token. */
  expire(): void {
    if (this.current !== undefined) this.current = { ...this.current, goodUntil: Number.NEGATIVE_INFINITY };
  }

  #forgetRefreshToken(): void {
    if (this.current === undefined) return;
    const { refreshToken: _, ...tokens } = this.current.tokens;
    this.current = { ...this.current, tokens };
  }
}

/** Keeps the access token of one process, which shares it with no other. */
export function createTokenCache(options: TokenCacheOptions): AccessTokens {
  const { grants, now = () => performance.now(), random = Math.random } = options;
  const login = new OwnLogin({ grants, now, random });
  const cache = new SessionCache(now, (request) => login.renew(request));
  let invalidatedAt = Number.NEGATIVE_INFINITY;
  return {
    token: () => cache.ensureLife(0),
    ensureLife: (wantedMs) => cache.ensureLife(wantedMs),
    refreshToken: () => cache.current?.tokens.refreshToken,
    invalidate(value) {
      if (cache.current?.tokens.accessToken !== value) return;
      // Counts from the last time: the first invalid token may be new. A fleet goes by the age of the token instead.
      if (now() - invalidatedAt < INVALIDATION_PAUSE_MS) return;
      invalidatedAt = now();
      cache.expire();
    },
  };
}

/** Gets sessions from the provider. After a refusal it never asks again, after any other failure only after a pause. */
class OwnLogin {
  readonly #options: Required<TokenCacheOptions>;
  #refusal: GrantError | undefined;
  #failures = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: Required<TokenCacheOptions>) {
    this.#options = options;
  }

  async renew({ current, forgetRefreshToken }: RenewalRequest): Promise<Session> {
    const { grants, now, random } = this.#options;
    if (this.#refusal !== undefined) throw loginRefused(this.#refusal);
    if (now() < this.#pausedUntil) throw loginUnavailable(this.#pausedUntil - now());
    const age = current === undefined ? 0 : now() - current.receivedAt;
    const request = { grants, now, old: current?.tokens, age, onRefreshRefused: forgetRefreshToken };
    const tokens = await getTokens(request).catch((error: unknown) => this.#fail(error));
    this.#failures = 0;
    return startSession(tokens, now(), random);
  }

  #fail(error: unknown): never {
    const { now, random } = this.#options;
    if (isRefusal(error)) {
      this.#refusal = error;
      throw loginRefused(error);
    }
    this.#pausedUntil = now() + pauseAfter(this.#failures, random);
    this.#failures += 1;
    throw loginUnavailable(this.#pausedUntil - now());
  }
}

interface SharedTokenOptions extends TokenCacheOptions {
  readonly store: LoginStore;
  /** Identifies the login. It is not secret. */
  readonly name: string;
  /** Identifies this process. */
  readonly holder: string;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** The store cannot be reached, or is left alone after a failure: this process logs in for itself. */
class StoreUnavailable extends Error {}

/**
 * Keeps one access token for a fleet: the first process that needs a new one asks for it, the others wait for the result or keep
 * using the old one. The provider sees one request, and each refresh token is used once.
 *
 * If the store cannot be reached and the shared token is no longer good, each process logs in for itself with its own session. It
 * leaves the shared refresh token alone, because a second use would end the session for all.
 */
export function createSharedTokens(options: SharedTokenOptions): AccessTokens {
  const now = options.now ?? (() => performance.now());
  const random = options.random ?? Math.random;
  const fleet = new FleetLogin({ sleep: wait, ...options, now, random });
  const cache = new SessionCache(now, (request) => fleet.renew(request));
  const ownTokens = createTokenCache(options);
  const ensureLife = (wantedMs: number): Promise<string> =>
    cache.ensureLife(wantedMs).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return ownTokens.ensureLife(wantedMs);
      throw error;
    });
  return {
    token: () => ensureLife(0),
    ensureLife,
    refreshToken() {
      const shared = cache.goodSession();
      return shared === undefined ? ownTokens.refreshToken?.() : shared.tokens.refreshToken;
    },
    invalidate(value) {
      const { current } = cache;
      if (current?.tokens.accessToken !== value) return ownTokens.invalidate(value);
      // A token that any process received a moment ago is kept: the next would be no better. This process does not know
      // when another one last found a token invalid.
      if (now() - current.receivedAt >= INVALIDATION_PAUSE_MS) cache.expire();
    },
  };
}

/** Gets sessions from the store or, as the only process of the fleet, from the provider. */
class FleetLogin {
  readonly #options: Required<SharedTokenOptions>;
  #refusal: GrantError | undefined;
  #storePausedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: Required<SharedTokenOptions>) {
    this.#options = options;
  }

  /**
   * Returns a session that is newer than the current one. Reads the store until one of these holds:
   *
   *   it has a newer session                           returns that
   *   the fleet leaves the provider alone              throws
   *   this process gets the lease: no other asks       asks the provider
   *   others have asked for too long                   throws
   */
  async renew({ current, wantedMs }: RenewalRequest): Promise<Session> {
    const { now, name, holder, sleep } = this.#options;
    if (this.#refusal !== undefined) throw loginRefused(this.#refusal);
    if (now() < this.#storePausedUntil) throw new StoreUnavailable();
    const giveUpAt = now() + PATIENCE_MS;
    while (now() < giveUpAt) {
      const { login, newer } = await this.#read(current, wantedMs);
      if (newer !== undefined) return newer;
      assertMayAsk(login);
      const claim = (store: LoginStore) => store.claim(name, login.generation, holder, LEASE_MS);
      if (!login.busy && (await this.#useStore(claim))) return this.#askProvider(login, current, wantedMs);
      await sleep(POLL_MS);
    }
    throw loginUnavailable(POLL_MS);
  }

  /** Reads the login from the store. `newer`: its session, if that is newer than the current one and its token good for so long. */
  async #read(
    current: Session | undefined,
    wantedMs: number,
  ): Promise<{ readonly login: SharedLogin; readonly newer?: Session }> {
    const { now, random, name } = this.#options;
    const askedAt = now();
    const login = await this.#useStore((store) => store.read(name));
    const { tokens, generation, ageMs } = login;
    if (tokens === undefined || generation <= (current?.generation ?? 0)) return { login };
    const session = startSession(tokens, askedAt - ageMs, random, generation);
    return isGoodFor(wantedMs, session, now()) ? { login, newer: session } : { login };
  }

  /** Gets tokens from the provider and shares them. Only the process that holds the lease may call this. */
  async #askProvider(login: SharedLogin, current: Session | undefined, wantedMs: number): Promise<Session> {
    const { grants, now, random, name, holder } = this.#options;
    const { tokens: old, ageMs, generation } = login;
    const tokens = await getTokens({ grants, now, old, age: ageMs }).catch((error: unknown) =>
      this.#fail(login, error),
    );
    const receivedAt = now();
    const session = startSession(tokens, receivedAt, random, generation + 1);
    const share = (store: LoginStore) => store.put(name, generation, holder, tokens, now() - receivedAt);
    // A token that cannot be shared is still good.
    const hadLease = await this.#useStore(share).catch(() => true);
    if (hadLease) return session;
    // This process was slow, and another one logged in meanwhile: the provider ends the older session. So this process
    // takes the other's session, or keeps its own if that cannot be read.
    const stored = await this.#read(current, wantedMs).catch(() => undefined);
    return stored?.newer ?? session;
  }

  /** Tells the fleet about the failure, so that the next process does not ask the provider at once. */
  async #fail({ generation, failures }: SharedLogin, error: unknown): Promise<never> {
    const { name, holder, random } = this.#options;
    const tellFleet = (report: (store: LoginStore) => Promise<void>) => this.#useStore(report).catch(() => {});
    if (isRefusal(error)) {
      this.#refusal = error;
      const refusal = { status: error.status, oauthError: error.oauthError };
      await tellFleet((store) => store.refuse(name, generation, holder, refusal));
      throw loginRefused(error);
    }
    const pauseMs = pauseAfter(failures, random);
    await tellFleet((store) => store.pause(name, generation, holder, pauseMs));
    throw loginUnavailable(pauseMs);
  }

  /** @throws StoreUnavailable if the store fails */
  async #useStore<T>(use: (store: LoginStore) => Promise<T>): Promise<T> {
    try {
      return await use(this.#options.store);
    } catch (cause) {
      this.#storePausedUntil = this.#options.now() + STORE_PAUSE_MS;
      throw new StoreUnavailable('the store is away', { cause });
    }
  }
}

/** @throws ClerkError if the fleet leaves the provider alone now: after a failure, or after refusals */
function assertMayAsk({ pauseMs, refusal }: SharedLogin): void {
  if (pauseMs > 0) throw loginUnavailable(pauseMs);
  if (refusal !== undefined && (refusal.ageMs < REFUSAL_MS || refusal.inAnHour >= MOST_REFUSALS)) {
    throw loginRefused(new GrantError('refused', refusal.status, refusal.oauthError as OAuthError));
  }
}
