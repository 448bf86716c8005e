/**
 * The issuer's signing keys. jose's own remote set neither waits after a failed fetch nor outlives one, so that an issuer
 * that is down would be asked by every call and refuse callers whose keys are known; this one holds both.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { issuerMetadata } from './discovery.ts';
import type { GetJson } from './get-json.ts';

/** An unknown key id asks the issuer at most this often, milliseconds. */
const REFRESH_MS = 60_000;
/** Before the first keys came. */
const RETRY_MS = 5_000;
/** Older keys are looked after in the background. */
const FRESH_MS = 10 * 60_000;
/** Keys of an issuer that cannot be asked any more are good for so long: a withdrawn key must die. */
const STALE_MS = 60 * 60_000;

/** The issuer's keys cannot be had. */
export class KeysUnavailable extends Error {}

export interface IssuerKeys {
  /** @throws KeysUnavailable, or jose's errors (no key fits). */
  readonly find: JWTVerifyGetKey;
  /** Fetches the keys now, where there are none yet. Never throws. */
  warm(): Promise<boolean>;
}

export interface IssuerKeysOptions {
  readonly issuer: string;
  readonly get: GetJson;
  /** Monotonic milliseconds. */
  now(): number;
}

export function createIssuerKeys({ issuer, get, now }: IssuerKeysOptions): IssuerKeys {
  let known: { readonly set: LocalJWKSet; readonly at: number } | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  async function load(): Promise<void> {
    triedAt = now();
    const { keys } = await issuerMetadata(issuer, get);
    known = { set: createLocalJWKSet((await get(keys)) as JSONWebKeySet), at: now() };
  }

  /** One fetch for all who wait. Resolves also where it failed: what is known then decides. */
  function refresh(): Promise<void> {
    if (fetching !== undefined) return fetching;
    if (now() - triedAt < (known === undefined ? RETRY_MS : REFRESH_MS)) return Promise.resolve();
    fetching = load()
      .catch(() => undefined)
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  }

  async function current(): Promise<LocalJWKSet> {
    if (known === undefined) await refresh();
    else if (now() - known.at > STALE_MS) await refresh();
    else if (now() - known.at > FRESH_MS) void refresh();
    if (known === undefined || now() - known.at > STALE_MS) throw new KeysUnavailable('no keys of the issuer');
    return known.set;
  }

  return {
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
    async warm() {
      if (known === undefined) await refresh();
      return known !== undefined;
    },
  };
}
