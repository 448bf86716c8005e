/**
 * One access token for a fleet: the first process that needs a new one asks for it, the others wait for the result or
 * keep using the old one. The provider sees one request, and each refresh token is used once.
 *
 * If the store cannot be reached, each process logs in for itself with its own session. It leaves the shared refresh
 * token alone, because a second use would end the session for all.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { AccessTokens, LoginStore, SharedLogin } from '../../domain/login-store.ts';
import {
  createTokenCache,
  hasLife,
  INVALIDATION_PAUSE_MS,
  isRefusal,
  newTokens,
  pauseAfter,
  type Session,
  SessionCache,
  sessionOf,
  type TokenCacheOptions,
} from './token-cache.ts';
import { GrantError, loginRefused, loginUnavailable, type OAuthError } from './token-request.ts';

interface SharedTokenOptions extends TokenCacheOptions {
  readonly store: LoginStore;
  /** Identifies the login; no secret. */
  readonly name: string;
  /** Identifies this process. */
  readonly holder: string;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** A refresh that fails and a password login, each within the 5 s that a request may take. */
const LEASE_MS = 12_000;
/** How long to wait for other processes: two that die while asking, and one that does not. */
const PATIENCE_MS = 30_000;
const POLL_MS = 100;
/** How long the store is left alone after it failed. */
const AWAY_MS = 5_000;
/** A refusal younger than this counts for every process; so do this many within the hour. */
const REFUSAL_MS = 60_000;
const MOST_REFUSALS = 5;

class StoreAway extends Error {}

export function createSharedTokens(options: SharedTokenOptions): AccessTokens {
  const now = options.now ?? (() => performance.now());
  const random = options.random ?? Math.random;
  const fleet: FleetLogin = new FleetLogin({ sleep: wait, ...options, now, random }, () => cache.current);
  const cache = new SessionCache(now, (ms) => fleet.renew(ms));
  const alone = createTokenCache(options);
  const ensureLife = (ms: number): Promise<string> =>
    cache.ensureLife(ms).catch((error: unknown) => {
      if (error instanceof StoreAway) return alone.ensureLife(ms);
      throw error;
    });
  return {
    token: () => ensureLife(0),
    ensureLife,
    refreshToken() {
      const { current } = cache;
      return current && cache.hasLife(current, 0) ? current.tokens.refreshToken : alone.refreshToken?.();
    },
    invalidate(value) {
      const { current } = cache;
      if (current?.tokens.accessToken !== value) alone.invalidate(value);
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

  /** The store, and its session if that is newer than the current one and lives long enough. */
  async #read(ms: number): Promise<{ login: SharedLogin; session?: Session }> {
    const { now, random, name } = this.#options;
    const asked = now();
    const login = await this.#ask((store) => store.read(name));
    const { tokens, generation, ageMs } = login;
    if (tokens === undefined || generation <= (this.#current()?.generation ?? 0)) return { login };
    const session = sessionOf(tokens, asked - ageMs, random, generation);
    return hasLife(session, ms, now()) ? { login, session } : { login };
  }

  async #fetch(login: SharedLogin, ms: number): Promise<Session> {
    const { grants, now, random, name, holder } = this.#options;
    const { tokens: old, ageMs, generation } = login;
    const tokens = await newTokens(grants, now, old, ageMs).catch((error: unknown) => this.#failed(login, error));
    const receivedAt = now();
    const session = sessionOf(tokens, receivedAt, random, generation + 1);
    // A token that cannot be shared is still good.
    const put = await this.#ask((store) => store.put(name, generation, holder, tokens, now() - receivedAt)).catch(
      () => true,
    );
    if (put) return session;
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

function assertMayAsk({ pauseMs, refusal }: SharedLogin): void {
  if (pauseMs > 0) throw loginUnavailable(pauseMs);
  if (refusal !== undefined && (refusal.ageMs < REFUSAL_MS || refusal.inAnHour >= MOST_REFUSALS)) {
    throw loginRefused(new GrantError('refused', refusal.status, refusal.oauthError as OAuthError));
  }
}
