/**
 * Where the issuer keeps its keys, from its own metadata: OpenID Connect Discovery 1.0, else RFC 8414.
 */
import { type GetJson, isSafeAddress } from './get-json.ts';

/** Both addresses of an issuer's metadata: appended (OpenID), or inserted before the path (RFC 8414, section 3.1). */
export function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/**
 * Address of the issuer's JSON Web Key Set.
 * @throws Error where no metadata can be had, or it is another issuer's (RFC 8414, section 3.3).
 */
export async function keysAddress(issuer: string, get: GetJson): Promise<string> {
  const failures: unknown[] = [];
  for (const address of metadataAddresses(issuer)) {
    try {
      return keysIn(await get(address), issuer);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'no metadata of the issuer');
}

function keysIn(metadata: unknown, issuer: string): string {
  if (typeof metadata !== 'object' || metadata === null) throw new Error('not an object');
  const { issuer: named, jwks_uri: keys } = metadata as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer) throw new Error('metadata of another issuer');
  if (typeof keys !== 'string' || !isSafeAddress(keys)) throw new Error('no address of keys');
  return keys;
}
