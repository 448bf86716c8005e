/** Checks access tokens as an OAuth 2.1 resource server: JWTs (RFC 9068) of one issuer for this server alone. */
import { hash } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type ExportedJWKSCache,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwksCache,
  jwtVerify,
} from 'jose';
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
 * For how long after a fetch an unknown key id causes no other one, milliseconds: a new key is found soon, and invented key ids do not
 * reach the issuer.
 */
const COOLDOWN_MS = 10_000;
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
  const keys = createIssuerKeys(issuer, options.fetch ?? providerFetch);
  const verifiedTokens = new VerifiedTokens();

  return {
    issuer,
    resource,
    warm: keys.warm,
    keysAge: keys.age,
    async check(token): Promise<TokenVerdict> {
      try {
        const known = verifiedTokens.find(token, Date.now() / 1000, LEEWAY_SECONDS);
        if (known !== undefined && (await keys.warm()) && known.keys === keys.latest())
          return { kind: 'good', who: known.who };

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
  find(token: string, now: number, leeway: number): VerifiedToken | undefined {
    const tokenHash = hash('sha256', token, 'base64url');
    const verified = this.#byHash.get(tokenHash);
    if (verified === undefined) return undefined;

    this.#byHash.delete(tokenHash);
    const { exp = 0, nbf = 0, iat = 0 } = verified.times;
    if (exp <= now - leeway || Math.max(nbf, iat) > now + leeway) return undefined;

    // Set again, the token is the last in the order in which the oldest are forgotten.
    this.#byHash.set(tokenHash, verified);
    return verified;
  }

  add(token: string, verified: VerifiedToken): void {
    this.#byHash.set(hash('sha256', token, 'base64url'), verified);
    const [oldest] = this.#byHash.keys();
    if (this.#byHash.size > MOST_TOKENS && oldest !== undefined) this.#byHash.delete(oldest);
  }
}

/** The issuer's keys cannot be fetched. */
class KeysUnavailable extends Error {}

/**
 * Fetches and keeps the issuer's signing keys. Known keys are renewed before they end, and no call asks again soon after a failed fetch: callers
 * with known keys still get in while the issuer is down.
 */
function createIssuerKeys(issuer: string, fetch: ProviderFetch) {
  /** What jose keeps of the last fetch. */
  const fetched: Partial<ExportedJWKSCache> = {};
  let failedAt = Number.NEGATIVE_INFINITY;

  async function fetchKeys(): Promise<Response> {
    if (performance.now() - failedAt < RETRY_MS) throw new KeysUnavailable('the last fetch failed just now');

    try {
      const { jwks_uri: address } = await issuerMetadata(issuer, fetch);
      const keys = (await (await fetch(address)).json()) as JSONWebKeySet;
      createLocalJWKSet(keys);
      return Response.json(keys);
    } catch (cause) {
      failedAt = performance.now();
      throw new KeysUnavailable('no keys of the issuer', { cause });
    }
  }

  const keySet = createRemoteJWKSet(new URL(issuer), {
    cacheMaxAge: STALE_MS,
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: fetchKeys,
    [jwksCache]: fetched as ExportedJWKSCache,
  });

  /** Milliseconds since the keys were fetched; undefined before the first fetch. */
  const age = () => fetched.uat && Math.max(0, Date.now() - fetched.uat);

  /** Fetches the keys if none are usable, and in the background if they are old. Whether some are usable. Never throws. */
  async function warm(): Promise<boolean> {
    const isOld = (age() ?? FRESH_MS) >= FRESH_MS;
    const renewed = isOld ? keySet.reload().catch(() => undefined) : undefined;
    if (!keySet.fresh) await renewed;
    return keySet.fresh;
  }

  /** Finds the key of a token. @throws KeysUnavailable, or jose's errors if no key fits */
  const find: JWTVerifyGetKey = (header, token) => {
    void warm();
    return keySet(header, token);
  };

  return {
    /** The keys of the last fetch, however old they are. Each fetch makes another object. */
    latest: (): object | undefined => fetched.jwks,
    warm,
    age,
    find,
  };
}
