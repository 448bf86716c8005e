/**
 * Asks the identity provider for JSON, such as its metadata (OpenID Connect Discovery 1.0, else RFC 8414): https only (http on
 * loopback), no redirects, 5 seconds, 512 KB.
 */
import {
  allowInsecureRequests,
  type CustomFetchOptions,
  customFetch,
  discovery,
  type ServerMetadata,
} from 'openid-client';
import { isLoopback } from '../../core/hosts.ts';

export type ProviderFetch = (url: string, options?: Partial<CustomFetchOptions>) => Promise<Response>;

/** Limits of each request. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;
/** Stands for the client that the library requires and metadata does not need. */
const NO_CLIENT = 'none';

/** The provider cannot be reached, or answers with something other than JSON. */
export class ProviderUnavailable extends Error {}

/** Whether an address is https, or http on loopback, and holds no credentials. */
export function isSafeAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/**
 * Returns replies with status 200, and client errors of the token endpoint: those are JSON too (RFC 6749, section 5.2).
 * @throws ProviderUnavailable in all other cases.
 */
export const providerFetch: ProviderFetch = async (url, options = {}) => {
  if (!isSafeAddress(url)) throw new ProviderUnavailable('not an https address');

  try {
    const { method = 'GET', headers, body = null } = options;
    const reply = await fetch(url, {
      method,
      body,
      headers: { ...headers, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });

    const { status } = reply;
    if (status !== 200 && (method === 'GET' || status >= 500 || status === 429)) {
      await reply.body?.cancel();
      throw new ProviderUnavailable(`HTTP ${status}`);
    }

    return Response.json(JSON.parse(await readText(reply)), { status });
  } catch (error) {
    throw error instanceof ProviderUnavailable ? error : new ProviderUnavailable('no JSON came back', { cause: error });
  }
};

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;

  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new ProviderUnavailable(`the reply is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }

  return Buffer.concat(chunks).toString('utf8');
}

export type IssuerMetadata = ServerMetadata & { readonly jwks_uri: string };

/** Gets the metadata of an issuer. @throws AggregateError if neither place has metadata of this issuer (RFC 8414, section 3.3) with an address of its keys. */
export async function issuerMetadata(issuer: string, safeFetch: ProviderFetch): Promise<IssuerMetadata> {
  const failures: unknown[] = [];
  for (const algorithm of ['oidc', 'oauth2'] as const) {
    try {
      // `safeFetch` decides which addresses are safe: https, and http on loopback.
      const configuration = await discovery(new URL(issuer), NO_CLIENT, undefined, undefined, {
        algorithm,
        [customFetch]: safeFetch,
        execute: [allowInsecureRequests],
      });
      return checkedMetadata(configuration.serverMetadata(), issuer);
    } catch (error) {
      failures.push(error);
    }
  }

  throw new AggregateError(failures, 'no metadata of the issuer');
}

/** The library compares addresses after normalizing them; tokens carry the issuer to the letter. */
function checkedMetadata(metadata: ServerMetadata, issuer: string): IssuerMetadata {
  const { jwks_uri } = metadata;
  if (metadata.issuer !== issuer) throw new Error('metadata of another issuer');
  if (jwks_uri === undefined || !isSafeAddress(jwks_uri)) throw new Error('no address of keys');
  return { ...metadata, jwks_uri };
}
