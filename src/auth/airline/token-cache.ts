/**
 * One access token for everybody: a single request however many wait, renewed early in the background, never asked for
 * in a way that locks an account out.
 *
 * Single flight is correctness, not tuning: a refresh token can be good for one use, and two refreshers end the session.
 */
import { GrantError, type Grants, loginRefused, loginUnavailable, type TokenSet } from './token-request.ts';

/**
 * What the rest of the product knows of tokens. A fleet can share one behind the same four words.
 * All throw ClerkError: E_AUTH (refused, the operator must act) or E_AIRLINE_DOWN (none to be had now).
 */
export interface AccessTokens {
  /** A token that is still good. */
  token(): Promise<string>;
  /** A token that stays good for `ms` milliseconds, as far as the provider issues such. Asked before a send. */
  ensureLife(ms: number): Promise<string>;
  /** The airline answered 401 to this value. A value that is no longer the current one is ignored. */
  invalidate(value: string): void;
  /** The refresh token that came with the current one. */
  refreshToken(): string | undefined;
}

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
/** An airline that rejects every token must not become a storm at the identity provider. */
export const INVALIDATION_PAUSE_MS = 30_000;

interface Held {
  readonly accessToken: string;
  /** Milliseconds that it is used for. */
  readonly life: number;
  readonly goodUntil: number;
  readonly renewAt: number;
  readonly refreshToken: string | undefined;
  readonly refreshUntil: number;
}

export function createTokenCache({
  grants,
  now = () => performance.now(),
  random = Math.random,
}: TokenCacheOptions): AccessTokens {
  let held: Held | undefined;
  let renewal: Promise<Held> | undefined;
  let refused: GrantError | undefined;
  let failures = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  let invalidatedAt = Number.NEGATIVE_INFINITY;

  const hasLife = (ms: number): boolean => held !== undefined && now() + ms < held.goodUntil;

  /** Measured from our own receive time, never from a clock of the provider. */
  const keep = (set: TokenSet, previous: Held | undefined): Held => {
    const life = usable(set.expiresIn * 1_000);
    const stated = set.refreshExpiresIn;
    const refreshUntil = now() + (stated === undefined ? Number.POSITIVE_INFINITY : usable(stated * 1_000));
    return {
      accessToken: set.accessToken,
      life,
      goodUntil: now() + life,
      renewAt: now() + life * renewalPoint(random),
      refreshToken: set.refreshToken ?? previous?.refreshToken,
      refreshUntil: set.refreshToken === undefined ? (previous?.refreshUntil ?? refreshUntil) : refreshUntil,
    };
  };

  const ask = async (): Promise<TokenSet> => {
    const refreshToken = held !== undefined && now() < held.refreshUntil ? held.refreshToken : undefined;
    if (refreshToken !== undefined) {
      try {
        return await grants.refresh(refreshToken);
      } catch (error) {
        if (!(error instanceof GrantError && error.kind === 'refused')) throw error;
        if (held !== undefined) held = { ...held, refreshToken: undefined };
      }
    }
    return grants.password();
  };

  const renew = async (): Promise<Held> => {
    if (refused !== undefined) throw loginRefused(refused);
    if (now() < notBefore) throw loginUnavailable(notBefore - now());
    try {
      held = keep(await ask(), held);
      failures = 0;
      return held;
    } catch (error) {
      if (error instanceof GrantError && error.kind === 'refused') {
        refused = error;
        throw loginRefused(error);
      }
      notBefore = now() + pauseAfter(failures, random);
      failures += 1;
      throw loginUnavailable(notBefore - now());
    }
  };

  const renewOnce = (): Promise<Held> => {
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  const ensureLife = async (ms: number): Promise<string> => {
    if (held !== undefined && hasLife(Math.min(ms, held.life / 2))) {
      // Callers keep the old one meanwhile; a failure shows when the old one ends.
      if (now() >= held.renewAt) renewOnce().catch(() => {});
      return held.accessToken;
    }
    try {
      return (await renewOnce()).accessToken;
    } catch (error) {
      if (held !== undefined && hasLife(0)) return held.accessToken;
      throw error;
    }
  };

  return {
    token: () => ensureLife(0),
    ensureLife,
    refreshToken: () => held?.refreshToken,
    invalidate(value) {
      if (held?.accessToken !== value || now() - invalidatedAt < INVALIDATION_PAUSE_MS) return;
      invalidatedAt = now();
      held = { ...held, goodUntil: Number.NEGATIVE_INFINITY };
    },
  };
}

/** How long the provider is left alone after so many failures in a row before this one. */
export function pauseAfter(failures: number, random: () => number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return Math.min(pause * (1 + random() * 0.1), LONGEST_PAUSE_MS);
}

/** When a token of that life is renewed, as a part of it: spread, so that a fleet does not ask all at once. */
export function renewalPoint(random: () => number): number {
  return 0.75 + random() * 0.15;
}

/** A stated life less a minute; of a short life, less a quarter. */
export function usable(ms: number): number {
  return ms - Math.min(SAFETY_MS, ms / 4);
}
