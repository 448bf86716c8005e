/** Names callers over HTTP by the claims of their verified token. */

import type { JWTPayload } from 'jose';
import { field } from '../../core/own.ts';
import type { Caller } from '../../domain/people/caller.ts';

/** Claims of the issuer; none is trusted to be short or well-formed. */
interface CallerClaims {
  readonly iss: string;
  readonly [claim: string]: unknown;
}

/** The most characters of `sub` (OpenID Connect Core, section 2). */
const MAX_CHARACTERS = 255;
const PREFIX = 'oauth';
/** Stands for the client of a token that names none. */
const NO_CLIENT = '-';

/**
 * Names a caller by claims. Tenant: the claim configured for it, qualified by the issuer, else the issuer. Id: subject and client, so that one
 * application cannot spend an approval given to another.
 * @returns undefined if a required claim is missing or invalid.
 */
export function callerOfClaims(claims: CallerClaims, tenantClaim?: string): Caller | undefined {
  const subject = claimText(claims.sub);
  const client = claimText(claims.client_id ?? claims.azp ?? NO_CLIENT);
  const tenant = tenantClaim === undefined ? '' : claimText(claims[tenantClaim]);
  if (subject === undefined || client === undefined || tenant === undefined) return undefined;

  return {
    tenant: tenantClaim === undefined ? claims.iss : `${claims.iss}#${tenant}`,
    id: `${PREFIX}:${encodeURIComponent(subject)}:${encodeURIComponent(client)}`,
  };
}

/**
 * The claims in a caller's name: the value of the tenant claim, unless the issuer is the tenant, the subject, and the client, unless
 * the token named none. Undefined if no token named the caller.
 */
export function callerWords(caller: Caller) {
  const [prefix, subject, client, ...rest] = caller.id.split(':');
  if (prefix !== PREFIX || subject === undefined || client === undefined || rest.length > 0) return undefined;

  // An issuer is an address without a fragment (OpenID Connect Core, section 2).
  const hash = caller.tenant.indexOf('#');
  return {
    tenant: hash < 0 ? undefined : caller.tenant.slice(hash + 1),
    subject: decodeURIComponent(subject),
    client: client === NO_CLIENT ? undefined : decodeURIComponent(client),
  };
}

/** Whether both are the same person of the same tenant, in whatever application. */
export function isSameSubject(a: Caller, b: Caller): boolean {
  const subject = callerWords(a)?.subject;
  return a.tenant === b.tenant && subject !== undefined && subject === callerWords(b)?.subject;
}

/** Reads a claim. Undefined unless it is a text of ordinary length without control characters. */
function claimText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_CHARACTERS) return undefined;
  return value.isWellFormed() && !/\p{Cc}/u.test(value) ? value : undefined;
}

/** Whether the claims grant a role. Nobody has an absent role. */
export function hasRole(claims: JWTPayload, clientId: string | undefined, role: string | undefined): boolean {
  return role !== undefined && rolesIn(claims, clientId).includes(role);
}

/** Reads `roles` and `groups`; of Keycloak `realm_access.roles` and `resource_access.<client>.roles`. */
function rolesIn(claims: JWTPayload, clientId: string | undefined): readonly unknown[] {
  const { roles, groups, realm_access, resource_access } = claims;
  const clientRoles = clientId === undefined ? undefined : field(field(resource_access, clientId), 'roles');
  const lists = [roles, groups, field(realm_access, 'roles'), clientRoles];
  return lists.flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
}
