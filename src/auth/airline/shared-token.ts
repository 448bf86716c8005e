/**
 * One access token for a fleet: whoever needs a new one first asks for it, all others wait for what comes of that or go
 * on with the old one. The provider sees one request, however many processes wait; a refresh token that is good for one
 * use is used once.
 *
 * Where the shelf is away, each process logs in for itself, with a session of its own: the shared refresh token stays
 * untouched, since two who use it end the session for all.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { LoginStore, SharedLogin, SharedTokens } from '../../domain/login-store.ts';
import {
  type AccessTokens,
  createTokenCache,
  INVALIDATION_PAUSE_MS,
  pauseAfter,
  renewalPoint,
  usable,
} from './token-cache.ts';
import {
  GrantError,
  type Grants,
  loginRefused,
  loginUnavailable,
  type OAuthError,
  type TokenSet,
} from './token-request.ts';

export interface SharedTokenOptions {
  readonly grants: Grants;
  readonly shelf: LoginStore;
  /** Tells this login from others; no secret. */
  readonly name: string;
  /** This process, unlike every other. */
  readonly holder: string;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** A refresh that fails and a password login after it, each within the 5 s that a request may take. */
const LEASE_MS = 12_000;
/** Somebody else's request is waited for this long: two who die asking one after the other, and one who does not. */
const PATIENCE_MS = 30_000;
const POLL_MS = 100;
/** After the shelf failed it is left alone for so long. */
const AWAY_MS = 5_000;
/** A no to somebody else, this young, holds here too; and so many within the hour hold for everybody. */
const REFUSAL_MS = 60_000;
const MOST_REFUSALS = 5;

interface Held {
  readonly generation: number;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds that it is used for. */
  readonly life: number;
  readonly receivedAt: number;
  readonly goodUntil: number;
  readonly renewAt: number;
}

class ShelfAway extends Error {}

export function createSharedTokens(options: SharedTokenOptions): AccessTokens {
  return new SharedTokenCache(options);
}

class SharedTokenCache implements AccessTokens {
  readonly #grants: Grants;
  readonly #shelf: LoginStore;
  readonly #name: string;
  readonly #holder: string;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #alone: AccessTokens;
  #held: Held | undefined;
  #renewal: Promise<void> | undefined;
  #refused: GrantError | undefined;
  #awayUntil = Number.NEGATIVE_INFINITY;

  constructor({ grants, shelf, name, holder, ...given }: SharedTokenOptions) {
    this.#grants = grants;
    this.#shelf = shelf;
    this.#name = name;
    this.#holder = holder;
    this.#now = given.now ?? (() => performance.now());
    this.#random = given.random ?? Math.random;
    this.#sleep = given.sleep ?? wait;
    this.#alone = createTokenCache({ grants, now: this.#now, random: this.#random });
  }

  token(): Promise<string> {
    return this.ensureLife(0);
  }

  async ensureLife(ms: number): Promise<string> {
    // Twice: the renewal that runs already may be content with less life than this caller.
    for (let round = 1; round <= 2; round++) {
      const held = this.#held;
      if (held !== undefined && this.#hasLife(held, ms)) {
        // Callers keep the old one meanwhile; a failure shows when the old one ends.
        if (this.#now() >= held.renewAt) this.#renewOnce(ms).catch(() => {});
        return held.accessToken;
      }
      try {
        await this.#renewOnce(ms);
      } catch (error) {
        if (this.#held !== undefined && this.#hasLife(this.#held, 0)) return this.#held.accessToken;
        if (error instanceof ShelfAway) return this.#alone.ensureLife(ms);
        throw error;
      }
    }
    return this.#held?.accessToken ?? this.#alone.ensureLife(ms);
  }

  refreshToken(): string | undefined {
    const held = this.#held;
    return held !== undefined && this.#hasLife(held, 0) ? held.refreshToken : this.#alone.refreshToken();
  }

  /** A token that was received a moment ago, by anybody, is not given up: the next would be no better. */
  invalidate(value: string): void {
    const held = this.#held;
    if (held?.accessToken !== value) this.#alone.invalidate(value);
    else if (this.#now() - held.receivedAt >= INVALIDATION_PAUSE_MS) {
      this.#held = { ...held, goodUntil: Number.NEGATIVE_INFINITY };
    }
  }

  /** Of a short-lived token half its life is enough: the provider issues no longer ones. */
  #hasLife(held: Held, ms: number): boolean {
    return this.#now() + Math.min(ms, held.life / 2) < held.goodUntil;
  }

  #renewOnce(ms: number): Promise<void> {
    this.#renewal ??= this.#renew(ms).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(ms: number): Promise<void> {
    if (this.#refused !== undefined) throw loginRefused(this.#refused);
    if (this.#now() < this.#awayUntil) throw new ShelfAway();
    const until = this.#now() + PATIENCE_MS;
    while (this.#now() < until) {
      const asked = this.#now();
      const login = await this.#ask((shelf) => shelf.read(this.#name));
      if (this.#adopt(login, asked, ms)) return;
      assertMayAsk(login);
      if (!login.busy && (await this.#claim(login))) return this.#fetch(login, ms);
      await this.#sleep(POLL_MS);
    }
    throw loginUnavailable(POLL_MS);
  }

  #claim({ generation }: SharedLogin): Promise<boolean> {
    return this.#ask((shelf) => shelf.claim(this.#name, generation, this.#holder, LEASE_MS));
  }

  /** Takes over what somebody else put there, where it is newer than what is held and lives long enough. */
  #adopt(login: SharedLogin, asked: number, ms: number): boolean {
    const { tokens, generation, ageMs } = login;
    if (tokens === undefined || generation <= (this.#held?.generation ?? 0)) return false;
    const held = this.#heldOf(tokens, generation, asked - ageMs);
    if (!this.#hasLife(held, ms)) return false;
    this.#held = held;
    return true;
  }

  /** Measured from when it was received, never by a clock of the provider. */
  #heldOf(tokens: SharedTokens, generation: number, receivedAt: number): Held {
    const life = usable(tokens.expiresIn * 1_000);
    return {
      generation,
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      life,
      receivedAt,
      goodUntil: receivedAt + life,
      renewAt: receivedAt + life * renewalPoint(this.#random),
    };
  }

  /** Asks the provider, as the only one in the fleet. */
  async #fetch(login: SharedLogin, ms: number): Promise<void> {
    const { generation } = login;
    const tokens = await this.#grant(login).catch((error: unknown) => this.#failed(login, error));
    const receivedAt = this.#now();
    const own = this.#heldOf(tokens, generation + 1, receivedAt);
    // Where it cannot be put on the shelf it is still a good token.
    const put = await this.#ask((shelf) => {
      return shelf.put(this.#name, generation, this.#holder, tokens, this.#now() - receivedAt);
    }).catch(() => true);
    if (put) {
      this.#held = own;
      return;
    }
    // This process was slow, and somebody else has asked meanwhile: theirs is the session that lasts.
    const looked = this.#now();
    const newer = await this.#ask((shelf) => shelf.read(this.#name)).catch(() => undefined);
    if (newer === undefined || !this.#adopt(newer, looked, ms)) this.#held = own;
  }

  async #grant({ tokens, ageMs }: SharedLogin): Promise<SharedTokens> {
    if (tokens?.refreshToken !== undefined && ageMs < refreshLife(tokens)) {
      const asked = this.#now();
      try {
        const set = await this.#grants.refresh(tokens.refreshToken);
        return goingOn(set, tokens, ageMs + this.#now() - asked);
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    return this.#grants.password();
  }

  /** Tells the fleet, so that it does not ask in turn. */
  async #failed({ generation, failures }: SharedLogin, error: unknown): Promise<never> {
    const told = <T>(tell: (shelf: LoginStore) => Promise<T>) => this.#ask(tell).catch(() => undefined);
    if (isRefusal(error)) {
      this.#refused = error;
      const refusal = { ...(error.status !== undefined && { status: error.status }), oauthError: error.oauthError };
      await told((shelf) => shelf.refuse(this.#name, generation, this.#holder, refusal));
      throw loginRefused(error);
    }
    const pauseMs = pauseAfter(failures, this.#random);
    await told((shelf) => shelf.pause(this.#name, generation, this.#holder, pauseMs));
    throw loginUnavailable(pauseMs);
  }

  async #ask<T>(ask: (shelf: LoginStore) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#shelf);
    } catch (cause) {
      this.#awayUntil = this.#now() + AWAY_MS;
      throw new ShelfAway('the shelf is away', { cause });
    }
  }
}

function assertMayAsk({ pauseMs, refusal }: SharedLogin): void {
  if (pauseMs > 0) throw loginUnavailable(pauseMs);
  if (refusal !== undefined && (refusal.ageMs < REFUSAL_MS || refusal.inAnHour >= MOST_REFUSALS)) {
    throw loginRefused(new GrantError('refused', refusal.status, refusal.oauthError as OAuthError));
  }
}

function isRefusal(error: unknown): error is GrantError {
  return error instanceof GrantError && error.kind === 'refused';
}

/** Milliseconds that the refresh token is used for; no end is known where none is stated. */
function refreshLife({ refreshExpiresIn }: SharedTokens): number {
  return refreshExpiresIn === undefined ? Number.POSITIVE_INFINITY : usable(refreshExpiresIn * 1_000);
}

/** A provider that sends no new refresh token means the old one to go on, for what is left of it. */
function goingOn(set: TokenSet, { refreshToken, refreshExpiresIn }: SharedTokens, ageMs: number): SharedTokens {
  if (set.refreshToken !== undefined || refreshToken === undefined) return set;
  const left = refreshExpiresIn && Math.max(0, refreshExpiresIn - ageMs / 1_000);
  return { ...set, refreshToken, ...(left !== undefined && { refreshExpiresIn: left }) };
}
