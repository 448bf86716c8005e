/** Roles in verified tokens. */
import type { JWTPayload } from 'jose';

/** @param role absent: nobody has it */
export function hasRole(claims: JWTPayload, clientId: string | undefined, role: string | undefined): boolean {
  return role !== undefined && rolesIn(claims, clientId).includes(role);
}

/** `roles` or `groups`; Keycloak: `realm_access.roles` and `resource_access.<client>.roles`. */
function rolesIn(claims: JWTPayload, clientId: string | undefined): readonly unknown[] {
  const { roles, groups, realm_access: realm, resource_access: clients } = claims;
  const ofClient = clientId === undefined ? undefined : field(field(clients, clientId), 'roles');
  const lists = [roles, groups, field(realm, 'roles'), ofClient];
  return lists.flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
