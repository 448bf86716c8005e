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

/** Asymmetric ones only: neither `none` nor an HMAC with a public key as its secret. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** How far clocks of the provider and of this machine may differ. */
export const LEEWAY_SECONDS = 60;
/**
 * The `typ` of an access token's header (RFC 9068, section 2.1); Keycloak and others write `JWT`. ID, logout, DPoP and event
 * tokens have other names.
 */
const KINDS = /^(?:application\/)?(?:at\+jwt|jwt)$/i;

export function createSignIn(options: SignInOptions): SignIn {
  const { issuer, tenantClaim, deskRole } = options;
  const resource = `${options.publicUrl}/mcp`;
  const audience = options.audience ?? resource;
  const tick = options.tick ?? (() => performance.now());
  const keys = createIssuerKeys({ issuer, fetch: options.fetch ?? providerFetch, now: tick });
  const verified = new VerifiedTokens();

  return {
    issuer,
    resource,
    warm: () => keys.warm(),
    keysAge: () => keys.age(),
    async check(token): Promise<TokenVerdict> {
      try {
        const known = await verified.find(token, keys.current, Date.now() / 1000, LEEWAY_SECONDS);
        if (known !== undefined) return { kind: 'good', who: known };
        const latest = keys.latest();
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
        // Not a role of the calling application: whoever administers it would give it to themselves.
        const supervisor = hasRole(payload, undefined, deskRole);
        const who = { caller, scopes: grantedScopes(payload), supervisor: supervisor || undefined };
        if (latest !== undefined) verified.add(token, { keys: latest, times: payload, who });
        return { kind: 'good', who };
      } catch (error) {
        if (error instanceof KeysUnavailable) return { kind: 'unavailable' };
        return { kind: 'bad', problem: tokenProblem(error) };
      }
    },
  };
}

/** Accepts bearer access tokens, and no other token that the same keys sign. */
function kindProblem(payload: JWTPayload, typ: string | undefined): TokenProblem | undefined {
  if (typ !== undefined && !KINDS.test(typ)) return 'kind';
  // Keycloak names the kind in the body: Bearer, ID, Refresh, Offline, Logout.
  if (payload.typ !== undefined && payload.typ !== 'Bearer') return 'kind';
  // Only ID tokens carry these (OpenID Connect Core, sections 2 and 3.1.3.6).
  if (payload.nonce !== undefined || payload.at_hash !== undefined) return 'kind';
  // RFC 9449, section 7.1 and RFC 8705, section 3: bound to a key, which is not checked here.
  if (payload.cnf !== undefined) return 'bound';
  return undefined;
}

/** A token that claims to be issued in the future; the library checks the other times. */
function timeProblem({ iat = 0 }: JWTPayload): TokenProblem | undefined {
  return iat > Date.now() / 1000 + LEEWAY_SECONDS ? 'not_yet_valid' : undefined;
}

/** `scope` is one text (RFC 9068); some issuers write `scp`, as a text or a list. */
function grantedScopes({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const granted = scope ?? scp;
  const listed: readonly unknown[] = Array.isArray(granted) ? granted : [];
  const list = typeof granted === 'string' ? granted.split(' ') : listed;
  return new Set(list.filter((name): name is string => typeof name === 'string' && name !== ''));
}

/** Problems by the code of jose's error. All other errors mean that the token is malformed. */
const PROBLEMS: Readonly<Record<string, TokenProblem>> = {
  [errors.JWTExpired.code]: 'expired',
  [errors.JOSEAlgNotAllowed.code]: 'algorithm',
  [errors.JOSENotSupported.code]: 'algorithm',
  [errors.JWSSignatureVerificationFailed.code]: 'signature',
  [errors.JWKSNoMatchingKey.code]: 'signature',
  [errors.JWKSMultipleMatchingKeys.code]: 'signature',
};

function tokenProblem(error: unknown): TokenProblem {
  if (!(error instanceof errors.JOSEError)) return 'malformed';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return own(PROBLEMS, error.code) ?? 'malformed';
  if (error.claim === 'iss') return 'issuer';
  if (error.claim === 'aud') return 'audience';
  return error.claim === 'nbf' && error.reason === 'check_failed' ? 'not_yet_valid' : 'claims';
}

interface VerifiedToken {
  /** The issuer's keys from before it was verified: another object after each fetch. */
  readonly keys: object;
  /** Seconds since 1970. */
  readonly times: Pick<JWTPayload, 'exp' | 'nbf' | 'iat'>;
  readonly who: SignedIn;
}

/** Above this number the one that was used longest ago is dropped. */
const MOST_TOKENS = 5_000;

/**
 * Tokens that were verified already: a signature costs more processor time than most calls. The answer is the same as long
 * as the issuer's keys are the ones it was verified with, and the token's times hold.
 */
class VerifiedTokens {
  /** By SHA-256: no token is kept. */
  readonly #known = new Map<string, VerifiedToken>();

  /** @param now seconds since 1970 */
  async find(token: string, keys: () => Promise<object>, now: number, leeway: number): Promise<SignedIn | undefined> {
    const tokenHash = hash('sha256', token, 'base64url');
    const known = this.#known.get(tokenHash);
    if (known === undefined) return undefined;
    this.#known.delete(tokenHash);
    const { exp = 0, nbf = 0, iat = 0 } = known.times;
    if (exp <= now - leeway || Math.max(nbf, iat) > now + leeway || (await keys()) !== known.keys) return undefined;
    this.#known.set(tokenHash, known);
    return known.who;
  }

  add(token: string, verified: VerifiedToken): void {
    this.#known.set(hash('sha256', token, 'base64url'), verified);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_TOKENS && oldest !== undefined) this.#known.delete(oldest);
  }
}

/**
 * Unknown key ids cause at most so many fetches at once, and then one in this time: a new key is found at once, and
 * invented key ids do not reach the issuer.
 */
const FETCH_BURST = 4;
const REFRESH_MS = 10_000;
/** After a failed fetch nothing is fetched in this time, milliseconds. */
const RETRY_MS = 5_000;
/** Keys older than this are fetched again in the background, milliseconds. */
const FRESH_MS = 10 * 60_000;
/** How long keys stay valid while the issuer is down, milliseconds: a withdrawn key must expire. */
const STALE_MS = 60 * 60_000;

/** The issuer's keys cannot be fetched. */
class KeysUnavailable extends Error {}

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

/**
 * The issuer's signing keys. Unlike jose's remote set, it waits after a failed fetch and keeps known keys meanwhile, so that an
 * issuer that is down is not asked by every call and callers with known keys still get in.
 */
function createIssuerKeys({ issuer, fetch, now }: IssuerKeysOptions): IssuerKeys {
  let fetched: { readonly set: LocalJWKSet; readonly at: number } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Fetches that may begin now, as of `countedAt`. */
  let allowed = FETCH_BURST;
  let countedAt = now();

  const isUsable = () => fetched !== undefined && now() - fetched.at <= STALE_MS;

  async function load(): Promise<void> {
    const { jwks_uri: address } = await issuerMetadata(issuer, fetch);
    const keys = (await (await fetch(address)).json()) as JSONWebKeySet;
    fetched = { set: createLocalJWKSet(keys), at: now() };
  }

  /** One fetch for all who wait. Resolves even if it failed. */
  const refresh = singleFlight(async () => {
    allowed = Math.min(FETCH_BURST, allowed + (now() - countedAt) / REFRESH_MS);
    countedAt = now();
    if (now() - failedAt < RETRY_MS || (isUsable() && allowed < 1)) return;
    allowed = Math.max(0, allowed - 1);
    await load().catch(() => {
      failedAt = now();
    });
  });

  async function current(): Promise<LocalJWKSet> {
    if (fetched === undefined) await refresh();
    else if (now() - fetched.at > STALE_MS) await refresh();
    else if (now() - fetched.at > FRESH_MS) void refresh();
    if (fetched === undefined || now() - fetched.at > STALE_MS) throw new KeysUnavailable('no keys of the issuer');
    return fetched.set;
  }

  return {
    current,
    latest: () => fetched?.set,
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
    age: () => fetched && now() - fetched.at,
  };
}
