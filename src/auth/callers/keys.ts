/**
 * The issuer's signing keys. Unlike jose's remote set, it waits after a failed fetch and keeps known keys meanwhile, so
 * that an issuer that is down is not asked by every call and callers with known keys still get in.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { singleFlight } from '../../core/single-flight.ts';
import { issuerMetadata } from './discovery.ts';
import type { ProviderFetch } from './provider-fetch.ts';

/**
 * Unknown key ids cause at most so many fetches at once, and then one in this time: a new key is found at once, and
 * invented key ids do not reach the issuer.
 */
const BURST = 4;
const REFRESH_MS = 10_000;
/** After a failed fetch nothing is fetched in this time. */
const RETRY_MS = 5_000;
/** Older keys are fetched again in the background. */
const FRESH_MS = 10 * 60_000;
/** How long keys stay valid while the issuer is down: a withdrawn key must expire. */
const STALE_MS = 60 * 60_000;

/** The issuer's keys cannot be fetched. */
export class KeysUnavailable extends Error {}

interface IssuerKeys {
  /** @throws KeysUnavailable, or jose's errors (no key fits). */
  readonly find: JWTVerifyGetKey;
  /** All keys, another object after each fetch. @throws KeysUnavailable */
  current(): Promise<object>;
  /** Those of the last fetch, however old. */
  latest(): object | undefined;
  /** Fetches the keys if none are usable, and in the background if they are old. Never throws. */
  warm(): Promise<boolean>;
  /** Milliseconds since the keys were fetched; undefined before. */
  age(): number | undefined;
}

interface IssuerKeysOptions {
  readonly issuer: string;
  readonly fetch: ProviderFetch;
  /** Monotonic milliseconds. */
  now(): number;
}

export function createIssuerKeys({ issuer, fetch, now }: IssuerKeysOptions): IssuerKeys {
  let known: { readonly set: LocalJWKSet; readonly at: number } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Fetches that may begin now, as of `countedAt`. */
  let allowed = BURST;
  let countedAt = now();

  const isUsable = () => known !== undefined && now() - known.at <= STALE_MS;

  async function load(): Promise<void> {
    const { jwks_uri: address } = await issuerMetadata(issuer, fetch);
    const keys = (await (await fetch(address)).json()) as JSONWebKeySet;
    known = { set: createLocalJWKSet(keys), at: now() };
  }

  /** One fetch for all who wait. Resolves even if it failed. */
  const refresh = singleFlight(async () => {
    allowed = Math.min(BURST, allowed + (now() - countedAt) / REFRESH_MS);
    countedAt = now();
    if (now() - failedAt < RETRY_MS || (isUsable() && allowed < 1)) return;
    allowed = Math.max(0, allowed - 1);
    await load().catch(() => {
      failedAt = now();
    });
  });

  async function current(): Promise<LocalJWKSet> {
    if (known === undefined) await refresh();
    else if (now() - known.at > STALE_MS) await refresh();
    else if (now() - known.at > FRESH_MS) void refresh();
    if (known === undefined || now() - known.at > STALE_MS) throw new KeysUnavailable('no keys of the issuer');
    return known.set;
  }

  return {
    current,
    latest: () => known?.set,
    async find(header, token) {
      const set = await current();
      try {
        return await set(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        await refresh();
        const renewed = await current();
        if (renewed === set) throw error;
        return renewed(header, token);
      }
    },
    warm: () =>
      current().then(
        () => true,
        () => false,
      ),
    age: () => known && now() - known.at,
  };
}
