/** Finds the addresses of an issuer in its metadata: OpenID Connect Discovery 1.0, else RFC 8414. */
import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from 'openid-client';
import { isSafeAddress, type ProviderFetch } from './provider-fetch.ts';

export type IssuerMetadata = ServerMetadata & { readonly jwks_uri: string };

/** The library wants a client, although metadata needs none. */
const NO_CLIENT = 'none';

/** @throws AggregateError if neither place has metadata of this issuer (RFC 8414, section 3.3) with an address of its keys. */
export async function issuerMetadata(issuer: string, fetch: ProviderFetch): Promise<IssuerMetadata> {
  const failures: unknown[] = [];
  for (const algorithm of ['oidc', 'oauth2'] as const) {
    try {
      // `fetch` decides which addresses are safe: https, and http on loopback.
      const found = await discovery(new URL(issuer), NO_CLIENT, undefined, undefined, {
        algorithm,
        [customFetch]: fetch,
        execute: [allowInsecureRequests],
      });
      return checked(found.serverMetadata(), issuer);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'no metadata of the issuer');
}

/** The library compares addresses after normalizing them; tokens carry the issuer to the letter. */
function checked(metadata: ServerMetadata, issuer: string): IssuerMetadata {
  const { jwks_uri: keys } = metadata;
  if (metadata.issuer !== issuer) throw new Error('metadata of another issuer');
  if (keys === undefined || !isSafeAddress(keys)) throw new Error('no address of keys');
  return { ...metadata, jwks_uri: keys };
}
