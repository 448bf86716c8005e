/** Checks access tokens as an OAuth 2.1 resource server: JWTs (RFC 9068) of one issuer for this server alone. */

import { hash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { own } from '../../core/own.ts';
import type { SignedIn, SignIn, TokenProblem, TokenVerdict } from '../../domain/people/access-token.ts';
import { callerOfClaims } from './caller.ts';
import { createIssuerKeys, KeysUnavailable } from './keys.ts';
import { type ProviderFetch, providerFetch } from './provider-fetch.ts';
import { hasRole } from './roles.ts';

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
export const LEEWAY_SECONDS = 60;
/** RFC 9068, section 2.1; Keycloak and others write `JWT`. ID, logout, DPoP and event tokens have other names. */
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
        const who = { caller, scopes: scopesOf(payload), ...(supervisor && { supervisor }) };
        if (latest !== undefined) verified.add(token, { keys: latest, times: payload, who });
        return { kind: 'good', who };
      } catch (error) {
        if (error instanceof KeysUnavailable) return { kind: 'unavailable' };
        return { kind: 'bad', problem: problemOf(error) };
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

function timeProblem({ iat = 0 }: JWTPayload): TokenProblem | undefined {
  return iat > Date.now() / 1000 + LEEWAY_SECONDS ? 'not_yet_valid' : undefined;
}

/** `scope` is one text (RFC 9068); some issuers write `scp`, as a text or a list. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const granted = scope ?? scp;
  const listed: readonly unknown[] = Array.isArray(granted) ? granted : [];
  const list = typeof granted === 'string' ? granted.split(' ') : listed;
  return new Set(list.filter((one): one is string => typeof one === 'string' && one !== ''));
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

function problemOf(error: unknown): TokenProblem {
  if (!(error instanceof errors.JOSEError)) return 'malformed';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return own(PROBLEMS, error.code) ?? 'malformed';
  if (error.claim === 'iss') return 'issuer';
  if (error.claim === 'aud') return 'audience';
  return error.claim === 'nbf' && error.reason === 'check_failed' ? 'not_yet_valid' : 'claims';
}

/**
 * Tokens that were verified already: a signature costs more processor time than most calls. The answer is the same as long
 * as the issuer's keys are the ones it was verified with, and the token's times hold.
 */
interface VerifiedToken {
  /** The issuer's keys from before it was verified: another object after each fetch. */
  readonly keys: object;
  readonly times: Pick<JWTPayload, 'exp' | 'nbf' | 'iat'>;
  readonly who: SignedIn;
}

/** Above this number the one that was used longest ago is dropped. */
const MOST = 5_000;

class VerifiedTokens {
  /** By SHA-256: no token is kept. */
  readonly #known = new Map<string, VerifiedToken>();

  /** @param now seconds since 1970 */
  async find(token: string, keys: () => Promise<object>, now: number, leeway: number): Promise<SignedIn | undefined> {
    const id = hash('sha256', token, 'base64url');
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    this.#known.delete(id);
    const { exp = 0, nbf = 0, iat = 0 } = known.times;
    if (exp <= now - leeway || Math.max(nbf, iat) > now + leeway || (await keys()) !== known.keys) return undefined;
    this.#known.set(id, known);
    return known.who;
  }

  add(token: string, verified: VerifiedToken): void {
    this.#known.set(hash('sha256', token, 'base64url'), verified);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }
}
