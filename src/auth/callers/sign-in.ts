/**
 * An OAuth 2.1 resource server's check of access tokens: JWTs (RFC 9068) signed by one issuer for this server alone.
 */
import { errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';
import type { SignIn, TokenProblem, TokenVerdict } from '../../domain/people/access-token.ts';
import { callerOfClaims } from './caller.ts';
import { type GetJson, getJson } from './get-json.ts';
import { createIssuerKeys, type IssuerKeys, KeysUnavailable } from './keys.ts';

export interface SignInOptions {
  /** FARECLERK_ISSUER, exactly as tokens carry it. */
  readonly issuer: string;
  /** FARECLERK_PUBLIC_URL, without a slash at the end. */
  readonly publicUrl: string;
  /** FARECLERK_AUDIENCE. Default: the canonical address of this server (RFC 8707). */
  readonly audience?: string;
  /** Claim that tells tenants of one issuer apart. Default: the issuer is the tenant. */
  readonly tenantClaim?: string;
  /** The issuer's keys, where something else looks after them too. Default: its own, by `get` and `tick`. */
  readonly keys?: IssuerKeys;
  readonly get?: GetJson;
  /** Seconds since 1970. */
  readonly now?: () => number;
  /** Monotonic milliseconds. */
  readonly tick?: () => number;
}

/** Asymmetric and in use. `none` and HMAC with a public key as the secret are not among them. */
export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];
export const LEEWAY_SECONDS = 60;
/** RFC 9068, section 2.1; `JWT` by Keycloak and others. ID, logout, DPoP and event tokens have other names. */
const KINDS = /^(?:application\/)?(?:at\+jwt|jwt)$/i;

export function createSignIn(options: SignInOptions): SignIn & { warm(): Promise<boolean> } {
  const { issuer, tenantClaim } = options;
  const resource = `${options.publicUrl}/mcp`;
  const audience = options.audience ?? resource;
  const seconds = options.now ?? (() => Math.floor(Date.now() / 1000));
  const tick = options.tick ?? (() => performance.now());
  const keys = options.keys ?? createIssuerKeys({ issuer, get: options.get ?? getJson, now: tick });

  function verify(token: string): Promise<JWTVerifyResult> {
    return jwtVerify(token, keys.find, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(seconds() * 1000),
      requiredClaims: ['exp', 'sub'],
    });
  }

  return {
    issuer,
    resource,
    warm: () => keys.warm(),
    async check(token): Promise<TokenVerdict> {
      try {
        const { payload, protectedHeader } = await verify(token);
        const problem = kindProblem(payload, protectedHeader.typ) ?? timeProblem(payload, seconds());
        if (problem !== undefined) return { kind: 'bad', problem };
        const caller = callerOfClaims({ ...payload, iss: issuer }, tenantClaim);
        if (caller === undefined) return { kind: 'bad', problem: 'claims' };
        return { kind: 'good', who: { caller, scopes: scopesOf(payload) } };
      } catch (error) {
        if (error instanceof KeysUnavailable) return { kind: 'unavailable' };
        return { kind: 'bad', problem: problemOf(error) };
      }
    },
  };
}

/** An access token for whoever bears it, and nothing else that the same keys sign. */
function kindProblem(payload: JWTPayload, typ: string | undefined): TokenProblem | undefined {
  if (typ !== undefined && !KINDS.test(typ)) return 'kind';
  // Keycloak names the kind in the body: Bearer, ID, Refresh, Offline, Logout.
  if (payload.typ !== undefined && payload.typ !== 'Bearer') return 'kind';
  // Only ID tokens carry these (OpenID Connect Core, sections 2 and 3.1.3.6).
  if (payload.nonce !== undefined || payload.at_hash !== undefined) return 'kind';
  // RFC 9449, section 7.1 and RFC 8705, section 3: bound to a key that we do not check, so no bearer token.
  if (payload.cnf !== undefined) return 'bound';
  return undefined;
}

function timeProblem({ iat }: JWTPayload, now: number): TokenProblem | undefined {
  if (iat === undefined) return undefined;
  return iat > now + LEEWAY_SECONDS ? 'not_yet_valid' : undefined;
}

/** `scope` is one text (RFC 9068); some issuers write `scp`, as a text or a list. */
function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const granted = scope ?? scp;
  const list = typeof granted === 'string' ? granted.split(' ') : Array.isArray(granted) ? granted : [];
  return new Set(list.filter((one): one is string => typeof one === 'string' && one !== ''));
}

const CLAIM_PROBLEMS: Readonly<Record<string, TokenProblem>> = {
  iss: 'issuer',
  aud: 'audience',
  nbf: 'not_yet_valid',
  exp: 'expired',
};

function problemOf(error: unknown): TokenProblem {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.reason === 'check_failed' ? (CLAIM_PROBLEMS[error.claim] ?? 'claims') : claimMissing(error.claim);
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return 'algorithm';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) return 'signature';
  return 'malformed';
}

function claimMissing(claim: string): TokenProblem {
  return claim === 'iss' || claim === 'aud' ? (CLAIM_PROBLEMS[claim] ?? 'claims') : 'claims';
}
