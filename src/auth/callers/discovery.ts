/**
 * Where the issuer has what, from its own metadata: OpenID Connect Discovery 1.0, else RFC 8414.
 */
import { type GetJson, isSafeAddress } from './get-json.ts';

export interface IssuerMetadata {
  /** Of its JSON Web Key Set. */
  readonly keys: string;
  /** Where browsers sign in, and where their codes are exchanged; absent at issuers without browsers. */
  readonly authorize?: string;
  readonly token?: string;
  /** How clients may say who they are at the token endpoint. */
  readonly clientAuth: readonly string[];
  /** It names itself when it sends a browser back (RFC 9207). */
  readonly namesItself: boolean;
}

/** Both addresses of an issuer's metadata: appended (OpenID), or inserted before the path (RFC 8414, section 3.1). */
export function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/** @throws Error where no metadata can be had, or it is another issuer's (RFC 8414, section 3.3). */
export async function issuerMetadata(issuer: string, get: GetJson): Promise<IssuerMetadata> {
  const failures: unknown[] = [];
  for (const address of metadataAddresses(issuer)) {
    try {
      return metadataIn(await get(address), issuer);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(failures, 'no metadata of the issuer');
}

/** RFC 8414, section 2: what is meant where nothing is said. */
const DEFAULT_CLIENT_AUTH = ['client_secret_basic'];

function metadataIn(metadata: unknown, issuer: string): IssuerMetadata {
  if (typeof metadata !== 'object' || metadata === null) throw new Error('not an object');
  const fields = metadata as Readonly<Record<string, unknown>>;
  if (fields.issuer !== issuer) throw new Error('metadata of another issuer');
  const keys = addressIn(fields.jwks_uri);
  if (keys === undefined) throw new Error('no address of keys');
  const [authorize, token] = [fields.authorization_endpoint, fields.token_endpoint].map(addressIn);
  const methods = fields.token_endpoint_auth_methods_supported;
  return {
    keys,
    ...(authorize !== undefined && { authorize }),
    ...(token !== undefined && { token }),
    clientAuth: Array.isArray(methods) ? methods.map(String) : DEFAULT_CLIENT_AUTH,
    namesItself: fields.authorization_response_iss_parameter_supported === true,
  };
}

function addressIn(value: unknown): string | undefined {
  return typeof value === 'string' && isSafeAddress(value) ? value : undefined;
}
