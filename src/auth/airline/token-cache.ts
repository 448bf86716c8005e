/**
 * Keeps one access token for all callers of a process: asks for it once however many callers wait, renews it early in the background,
 * and never asks so often that the account is locked. Before it asks, it takes the token that another process of the same state got.
 * A refresh token can be good for one use, so that it stays in this process. How tokens are requested: token-request.ts.
 */

import { singleFlight } from '../../core/at-once.ts';
import type { AccessTokens, TokenSet } from '../../domain/login-store.ts';
import type { SharedAccess, SharedToken } from './shared-token.ts';
import {
  type GrantError,
  type Grants,
  isRefusal,
  loginRefused,
  loginUnavailable,
  pauseAfter,
  usableLife,
} from './token-request.ts';

export interface TokenCacheOptions {
  readonly grants: Grants;
  /** Where processes share the token. Absent: this process shares it with no other. */
  readonly shared?: SharedToken | undefined;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

/** The part of its life after which a token is renewed. A random spread keeps many processes from renewing all at once. */
const EARLIEST_RENEWAL = 0.75;
const RENEWAL_SPREAD = 0.15;
/**
 * A token may be declared invalid once in this time, milliseconds: an airline that rejects every token must not cause a
 * storm at the identity provider.
 */
const INVALIDATION_PAUSE_MS = 30_000;

/** An access token, and how long it is used. Times by the monotonic clock, milliseconds. */
interface Session extends SharedAccess {
  /** By our own clock: the provider's does not matter. */
  readonly receivedAt: number;
  readonly goodUntil: number;
  /** When the token is renewed in the background. */
  readonly renewAt: number;
  /** Came with the access token. Absent if another process got it. */
  readonly refreshToken?: string;
  /** How long the refresh token may be used. */
  readonly refreshUntil?: number;
}

export class TokenCache implements AccessTokens {
  readonly #grants: Grants;
  readonly #shared: SharedToken | undefined;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #renewOnce: (wantedMs: number) => Promise<Session>;
  #current: Session | undefined;
  #invalidatedAt = Number.NEGATIVE_INFINITY;
  #refusal: GrantError | undefined;
  #failures = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor({ grants, shared, now = () => performance.now(), random = Math.random }: TokenCacheOptions) {
    this.#grants = grants;
    this.#shared = shared;
    this.#now = now;
    this.#random = random;

    this.#renewOnce = singleFlight(async (wantedMs: number) => {
      this.#current = await this.#renew(wantedMs);
      return this.#current;
    });
  }

  token(): Promise<string> {
    return this.ensureLife(0);
  }

  /**
   * Returns a token that is valid for `wantedMs` more milliseconds, if the provider issues one.
   *
   *   the current token is good for so long    the current token; from `renewAt` on, also renews it in the background
   *   it is not, and the renewal succeeds      the new token
   *   it is not, and the renewal fails         the current token while it is good at all; then throws
   */
  async ensureLife(wantedMs: number): Promise<string> {
    const current = this.#current;
    if (current !== undefined && this.#isGood(current, wantedMs)) {
      // A failure in the background is reported when the current token ends.
      if (this.#now() >= current.renewAt) this.#renewOnce(wantedMs).catch(() => {});
      return current.accessToken;
    }

    try {
      const renewed = await this.#renewOnce(wantedMs);
      // A renewal that was already running may have been asked for less life.
      const session = this.#isGood(renewed, wantedMs) ? renewed : await this.#renewOnce(wantedMs);
      return session.accessToken;
    } catch (error) {
      const stillGood = this.#current;
      if (stillGood === undefined || !this.#isGood(stillGood, 0)) throw error;
      return stillGood.accessToken;
    }
  }

  refreshToken(): string | undefined {
    return this.#current?.refreshToken;
  }

  invalidate(value: string): void {
    if (this.#current?.accessToken !== value) return;
    // Counts from the last time: the first invalid token may be new.
    if (this.#now() - this.#invalidatedAt < INVALIDATION_PAUSE_MS) return;
    this.#invalidatedAt = this.#now();
    this.#current = { ...this.#current, goodUntil: Number.NEGATIVE_INFINITY };
  }

  /** Whether the token is good for `wantedMs` more milliseconds. Of a short life half is enough: the provider issues no longer lives. */
  #isGood({ lifeMs, goodUntil }: Session, wantedMs: number): boolean {
    return this.#now() + Math.min(wantedMs, lifeMs / 2) < goodUntil;
  }

  /** After a refusal it never asks again, after any other failure only after a pause. */
  async #renew(wantedMs: number): Promise<Session> {
    if (this.#refusal !== undefined) throw loginRefused(this.#refusal);

    const newer = await this.#findNewer(wantedMs);
    if (newer !== undefined) return newer;
    if (this.#now() < this.#pausedUntil) throw loginUnavailable(this.#pausedUntil - this.#now());

    const session = await this.#requestSession().catch((error: unknown) => this.#fail(error));
    this.#failures = 0;
    await this.#shared?.write(session);

    return session;
  }

  /** Returns the token that another process got, if it is newer than the current one and good for so long. */
  async #findNewer(wantedMs: number): Promise<Session | undefined> {
    const current = this.#current;
    const askedAt = this.#now();
    const stored = await this.#shared?.read();
    if (stored === undefined || stored.accessToken === current?.accessToken) return undefined;

    // A stored token that seems to come from the future was stored before the clock was set back.
    const receivedAt = askedAt - stored.ageMs;
    if (stored.ageMs < 0 || (current !== undefined && receivedAt < current.receivedAt)) return undefined;

    const session = this.#startSession(stored, receivedAt);
    return this.#isGood(session, wantedMs) ? session : undefined;
  }

  /** Refreshes the session if its refresh token is still good. Logs in with the password if it is not, or is refused. */
  async #requestSession(): Promise<Session> {
    const { refreshToken, refreshUntil = 0 } = this.#current ?? {};
    if (refreshToken !== undefined && this.#now() < refreshUntil) {
      try {
        const session = this.#toSession(await this.#grants.refresh(refreshToken));
        // Without a new one, the old one stays valid (RFC 6749, 6).
        return session.refreshToken === undefined ? { ...session, refreshToken, refreshUntil } : session;
      } catch (error) {
        this.#forgetRefreshToken();
        if (!isRefusal(error)) throw error;
      }
    }

    return this.#toSession(await this.#grants.password());
  }

  /** Makes the next renewal log in: the provider may have seen the refresh token, and a second use can end the session. */
  #forgetRefreshToken(): void {
    if (this.#current !== undefined) this.#current = { ...this.#current, refreshUntil: Number.NEGATIVE_INFINITY };
  }

  #toSession({ accessToken, expiresIn, refreshToken, refreshExpiresIn }: TokenSet): Session {
    const now = this.#now();
    const session = this.#startSession({ accessToken, lifeMs: usableLife(expiresIn * 1_000) }, now);
    if (refreshToken === undefined) return session;
    const refreshUntil =
      refreshExpiresIn === undefined ? Number.POSITIVE_INFINITY : now + usableLife(refreshExpiresIn * 1_000);
    return { ...session, refreshToken, refreshUntil };
  }

  #startSession({ accessToken, lifeMs }: SharedAccess, receivedAt: number): Session {
    const renewAt = receivedAt + lifeMs * (EARLIEST_RENEWAL + this.#random() * RENEWAL_SPREAD);
    return { accessToken, receivedAt, lifeMs, goodUntil: receivedAt + lifeMs, renewAt };
  }

  #fail(error: unknown): never {
    if (isRefusal(error)) {
      this.#refusal = error;
      throw loginRefused(error);
    }

    const pauseMs = pauseAfter(this.#failures, this.#random);
    this.#pausedUntil = this.#now() + pauseMs;
    this.#failures += 1;

    throw loginUnavailable(pauseMs);
  }
}
