/**
 * Who calls us over HTTP: the caller that a verified token names.
 */
import type { Caller } from '../../domain/people/caller.ts';

/** Claims that name a caller. Values are the issuer's; none is trusted to be short or well-formed. */
export interface CallerClaims {
  readonly iss: string;
  readonly sub?: unknown;
  readonly client_id?: unknown;
  readonly azp?: unknown;
  readonly [claim: string]: unknown;
}

/** OpenID Connect Core, section 2: `sub` has at most 255 characters. */
const MAX_CHARACTERS = 255;
const PREFIX = 'oauth';
/** A token that names no client. */
const NO_CLIENT = '-';

/**
 * Tenant: the claim set for it, qualified by the issuer, or else the issuer. Id: subject and client, so that an approval
 * given to one application cannot be spent by another.
 * @returns undefined where a claim that is needed is missing or unfit.
 */
export function callerOfClaims(claims: CallerClaims, tenantClaim?: string): Caller | undefined {
  const subject = word(claims.sub);
  const client = claims.client_id ?? claims.azp;
  const clientWord = client === undefined ? NO_CLIENT : word(client);
  const tenant = tenantClaim === undefined ? '' : word(claims[tenantClaim]);
  if (subject === undefined || clientWord === undefined || tenant === undefined) return undefined;
  return {
    tenant: tenantClaim === undefined ? claims.iss : `${claims.iss}#${tenant}`,
    id: [PREFIX, ...[subject, clientWord].map(encodeURIComponent)].join(':'),
  };
}

interface Words {
  /** Value of the claim that tells tenants apart; absent where the issuer is the tenant. */
  readonly tenant?: string;
  readonly subject: string;
  /** Absent where the token named no client. */
  readonly client?: string;
}

/** What a caller's name is made of; undefined for one that no token named. */
export function wordsOf(caller: Caller): Words | undefined {
  const [prefix, subject, client, ...rest] = caller.id.split(':');
  if (prefix !== PREFIX || subject === undefined || client === undefined || rest.length > 0) return undefined;
  // An issuer is an address without a fragment (OpenID Connect Core, section 2).
  const at = caller.tenant.indexOf('#');
  return {
    ...(at >= 0 && { tenant: caller.tenant.slice(at + 1) }),
    subject: decodeURIComponent(subject),
    ...(client !== NO_CLIENT && { client: decodeURIComponent(client) }),
  };
}

/** The subject within a caller's id: an approval's page asks whether the same person signed in. */
export function subjectOf(caller: Pick<Caller, 'id'>): string | undefined {
  return wordsOf({ tenant: '', id: caller.id })?.subject;
}

/** The same person of the same tenant, whatever application they call with. */
export function isSameSubject(one: Caller, other: Caller): boolean {
  const subject = subjectOf(one);
  return one.tenant === other.tenant && subject !== undefined && subject === subjectOf(other);
}

function word(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_CHARACTERS) return undefined;
  return value.isWellFormed() && !/\p{Cc}/u.test(value) ? value : undefined;
}
