/** Checks access tokens as an OAuth 2.1 resource server: JWTs (RFC 9068) of one issuer for this server alone. */
import { hash } from 'node:crypto';
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  type LocalJWKSet,
} from 'jose';
import { singleFlight } from '../../core/at-once.ts';
import { own } from '../../core/own.ts';
import type { SignedIn, SignIn, TokenProblem, TokenVerdict } from '../../domain/people/caller.ts';
import { callerOfClaims, hasRole } from './caller.ts';
import { issuerMetadata, type ProviderFetch, providerFetch } from './identity-provider.ts';

interface SignInOptions {
  /** FARECLERK_ISSUER, to the letter as in tokens. */
  readonly issuer: string;
  /** FARECLERK_PUBLIC_URL, without a slash at the end. */
  readonly publicUrl: string;
  /** FARECLERK_AUDIENCE. Default: the canonical address of this server (RFC 8707). */
  readonly audience?: string;
  /** Claim that tells tenants of one issuer apart. Default: the issuer is the tenant. */
  readonly tenantClaim?: string;
  /** Role of supervisors. Default: there are none. */
  readonly deskRole?: string;
  readonly fetch?: ProviderFetch;
  /** Monotonic milliseconds. */
  readonly tick?: () => number;
}

/** Algorithms of signatures. Asymmetric ones only: neither `none` nor an HMAC with a public key as its secret. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** How far the clocks of the provider and of this machine may differ, seconds. */
export const LEEWAY_SECONDS = 60;
/**
 * The `typ` of an access token's header (RFC 9068, section 2.1); Keycloak and others write `JWT`. ID, logout, DPoP and
 * event tokens have other types.
 */
const ACCESS_TOKEN_TYPES = /^(?:application\/)?(?:at\+jwt|jwt)$/i;

/** How many verified tokens are remembered; the one that was used longest ago is forgotten first. */
const MOST_TOKENS = 5_000;
/**
 * Unknown key ids cause at most this many fetches at once, and then one in each interval (milliseconds): a new key is
 * found at once, and invented key ids do not reach the issuer.
 */
const FETCH_BURST = 4;
const FETCH_INTERVAL_MS = 10_000;
/** How long nothing is fetched after a failed fetch, milliseconds. */
const RETRY_MS = 5_000;
/** Keys older than this are fetched again in the background, milliseconds. */
const FRESH_MS = 10 * 60_000;
/** How long keys stay valid while the issuer is down, milliseconds: a withdrawn key must expire. */
const STALE_MS = 60 * 60_000;

/** Problems by the code of jose's error. All other errors mean that the token is malformed. */
const PROBLEM_BY_CODE: Readonly<Record<string, TokenProblem>> = {
  [errors.JWTExpired.code]: 'expired',
  [errors.JOSEAlgNotAllowed.code]: 'algorithm',
  [errors.JOSENotSupported.code]: 'algorithm',
  [errors.JWSSignatureVerificationFailed.code]: 'signature',
  [errors.JWKSNoMatchingKey.code]: 'signature',
  [errors.JWKSMultipleMatchingKeys.code]: 'signature',
};

/** Makes the check of access tokens for this server. */
export function createSignIn(options: SignInOptions): SignIn {
  const { issuer, tenantClaim, deskRole } = options;
  const resource = `${options.publicUrl}/mcp`;
  const audience = options.audience ?? resource;
  const tick = options.tick ?? (() => performance.now());
  const keys = createIssuerKeys({ issuer, fetch: options.fetch ?? providerFetch, now: tick });
  const verifiedTokens = new VerifiedTokens();

  return {
    issuer,
    resource,
    warm: () => keys.warm(),
    keysAge: () => keys.age(),
    async check(token): Promise<TokenVerdict> {
      try {
        const knownPerson = await verifiedTokens.find(token, keys.current, Date.now() / 1000, LEEWAY_SECONDS);
        if (knownPerson !== undefined) return { kind: 'good', who: knownPerson };
        const latestKeys = keys.latest();
        const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: LEEWAY_SECONDS,
          requiredClaims: ['exp', 'sub'],
        });
        const problem = kindProblem(payload, protectedHeader.typ) ?? timeProblem(payload);
        if (problem !== undefined) return { kind: 'bad', problem };
        const caller = callerOfClaims({ ...payload, iss: issuer }, tenantClaim);
        if (caller === undefined) return { kind: 'bad', problem: 'claims' };
        // A role of the calling application does not count: whoever administers that could give the role to themselves.
        const supervisor = hasRole(payload, undefined, deskRole);
        const who = { caller, scopes: grantedScopes(payload), supervisor: supervisor || undefined };
        if (latestKeys !== undefined) verifiedTokens.add(token, { keys: latestKeys, times: payload, who });
        return { kind: 'good', who };
      } catch (error) {
        if (error instanceof KeysUnavailable) return { kind: 'unavailable' };
        return { kind: 'bad', problem: tokenProblem(error) };
      }
    },
  };
}

/** What is wrong with the kind of a token: the keys that sign access tokens also sign others, which are refused. */
function kindProblem(payload: JWTPayload, typ: string | undefined): TokenProblem | undefined {
  if (typ !== undefined && !ACCESS_TOKEN_TYPES.test(typ)) return 'kind';
  // Keycloak names the kind in the body: Bearer, ID, Refresh, Offline, Logout.
  if (payload.typ !== undefined && payload.typ !== 'Bearer') return 'kind';
  // Only ID tokens carry these (OpenID Connect Core, sections 2 and 3.1.3.6).
  if (payload.nonce !== undefined || payload.at_hash !== undefined) return 'kind';
  // A token that is bound to a key (RFC 9449, section 7.1; RFC 8705, section 3), which this server cannot check.
  if (payload.cnf !== undefined) return 'bound';
  return undefined;
}

/** Refuses a token that claims to be issued in the future. The library checks its other times. */
function timeProblem({ iat = 0 }: JWTPayload): TokenProblem | undefined {
  return iat > Date.now() / 1000 + LEEWAY_SECONDS ? 'not_yet_valid' : undefined;
}

/** Reads the scopes: `scope` is one text (RFC 9068); some issuers write `scp`, as a text or a list. */
function grantedScopes({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const claim = scope ?? scp;
  const list: readonly unknown[] = Array.isArray(claim) ? claim : [];
  const names = typeof claim === 'string' ? claim.split(' ') : list;
  return new Set(names.filter((name): name is string => typeof name === 'string' && name !== ''));
}

function tokenProblem(error: unknown): TokenProblem {
  if (!(error instanceof errors.JOSEError)) return 'malformed';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return own(PROBLEM_BY_CODE, error.code) ?? 'malformed';
  if (error.claim === 'iss') return 'issuer';
  if (error.claim === 'aud') return 'audience';
  return error.claim === 'nbf' && error.reason === 'check_failed' ? 'not_yet_valid' : 'claims';
}

interface VerifiedToken {
  /** The issuer's keys from before the token was verified. Each fetch makes another object. */
  readonly keys: object;
  /** Seconds since 1970. */
  readonly times: Pick<JWTPayload, 'exp' | 'nbf' | 'iat'>;
  readonly who: SignedIn;
}

/**
 * Remembers tokens that were verified, because checking a signature costs more processor time than most calls. A token
 * stays verified while the issuer's keys are the same and the token's times hold.
 */
class VerifiedTokens {
  /** By their SHA-256, so that no token is kept in memory. */
  readonly #byHash = new Map<string, VerifiedToken>();

  /** `now` is in seconds since 1970, `leeway` in seconds. */
  async find(token: string, keys: () => Promise<object>, now: number, leeway: number): Promise<SignedIn | undefined> {
    const tokenHash = hash('sha256', token, 'base64url');
    const verified = this.#byHash.get(tokenHash);
    if (verified === undefined) return undefined;
    this.#byHash.delete(tokenHash);
    const { exp = 0, nbf = 0, iat = 0 } = verified.times;
    if (exp <= now - leeway || Math.max(nbf, iat) > now + leeway || (await keys()) !== verified.keys) return undefined;
    // Set again, the token is the last in the order in which the oldest are forgotten.
    this.#byHash.set(tokenHash, verified);
    return verified.who;
  }

  add(token: string, verified: VerifiedToken): void {
    this.#byHash.set(hash('sha256', token, 'base64url'), verified);
    const [oldest] = this.#byHash.keys();
    if (this.#byHash.size > MOST_TOKENS && oldest !== undefined) this.#byHash.delete(oldest);
  }
}

/** The issuer's keys cannot be fetched. */
class KeysUnavailable extends Error {}

interface IssuerKeys {
  /** Finds the key of a token. @throws KeysUnavailable, or jose's errors if no key fits */
  readonly find: JWTVerifyGetKey;
  /** All keys. Each fetch makes another object. @throws KeysUnavailable */
  current(): Promise<object>;
  /** The keys of the last fetch, however old they are. */
  latest(): object | undefined;
  /** Fetches the keys if none are usable, and in the background if they are old. Never throws. */
  warm(): Promise<boolean>;
  /** Milliseconds since the keys were fetched; undefined before the first fetch. */
  age(): number | undefined;
}

interface IssuerKeysOptions {
  readonly issuer: string;
  readonly fetch: ProviderFetch;
  /** Monotonic milliseconds. */
  now(): number;
}

/**
 * Fetches and keeps the issuer's signing keys. Unlike jose's remote set, it waits after a failed fetch and keeps known keys meanwhile, so that an
 * issuer that is down is not asked by every call and callers with known keys still get in.
 */
function createIssuerKeys({ issuer, fetch, now }: IssuerKeysOptions): IssuerKeys {
  let fetched: { readonly keySet: LocalJWKSet; readonly at: number } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** How many fetches may begin, as of `countedAt`. */
  let allowedFetches = FETCH_BURST;
  let countedAt = now();

  const isUsable = () => fetched !== undefined && now() - fetched.at <= STALE_MS;

  async function load(): Promise<void> {
    const { jwks_uri: address } = await issuerMetadata(issuer, fetch);
    const keys = (await (await fetch(address)).json()) as JSONWebKeySet;
    fetched = { keySet: createLocalJWKSet(keys), at: now() };
  }

  /** One fetch for all who wait. Resolves even if it failed. */
  const refresh = singleFlight(async () => {
    allowedFetches = Math.min(FETCH_BURST, allowedFetches + (now() - countedAt) / FETCH_INTERVAL_MS);
    countedAt = now();
    if (now() - failedAt < RETRY_MS || (isUsable() && allowedFetches < 1)) return;
    allowedFetches = Math.max(0, allowedFetches - 1);
    await load().catch(() => {
      failedAt = now();
    });
  });

  async function current(): Promise<LocalJWKSet> {
    if (!isUsable()) await refresh();
    else if (fetched !== undefined && now() - fetched.at > FRESH_MS) void refresh();
    if (fetched === undefined || !isUsable()) throw new KeysUnavailable('no keys of the issuer');
    return fetched.keySet;
  }

  return {
    current,
    latest: () => fetched?.keySet,
    async find(header, token) {
      const keySet = await current();
      try {
        return await keySet(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        await refresh();
        const newKeySet = await current();
        if (newKeySet === keySet) throw error;
        return newKeySet(header, token);
      }
    },
    warm: () =>
      current().then(
        () => true,
        () => false,
      ),
    age: () => fetched && now() - fetched.at,
  };
}
