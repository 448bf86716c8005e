/**
 * An issuer of tokens on loopback: its metadata and keys over real HTTP, and tokens of every kind, good and bad.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

export interface IssuerOptions {
  /** Path of the issuer, for example `/realms/air`. */
  readonly path?: string;
  /** Serves metadata only at the address of RFC 8414. */
  readonly rfc8414?: boolean;
  /** Its first keys; each has the name of its algorithm. Default: ES256. RSA keys are slow to make. */
  readonly algorithms?: readonly string[];
}

const seconds = () => Math.floor(Date.now() / 1000);

interface Pair {
  readonly secret: CryptoKey;
  readonly jwk: JWK;
}

/** All issuers of a test file share one key for each kid. */
const made = new Map<string, Promise<Pair>>();

async function make(alg: string, kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export async function startIssuer({ path = '', rfc8414 = false, algorithms = ['ES256'] }: IssuerOptions = {}) {
  const keys = new Map<string, Pair>();
  const add = async (alg: string, kid: string) => {
    const making = made.get(kid) ?? make(alg, kid);
    made.set(kid, making);
    const { secret, jwk } = await making;
    keys.set(kid, { secret, jwk: { ...jwk } });
  };
  for (const alg of algorithms) await add(alg, alg);
  const server = createServer((request, response) => {
    if (issuer.silent) return;
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (issuer.down) return send(503, {});
    const metadata = rfc8414
      ? `/.well-known/oauth-authorization-server${path}`
      : `${path}/.well-known/openid-configuration`;
    if (request.url === metadata) {
      return send(200, { issuer: issuer.lies ? 'https://evil.example' : issuer.issuer, jwks_uri: `${address}/keys` });
    }
    if (request.url !== '/keys') return send(404, {});
    issuer.keysFetched++;
    return send(200, { keys: [...keys.values()].map(({ jwk }) => jwk) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keyOf = (kid: string) => {
    const key = keys.get(kid);
    if (key === undefined) throw new Error(`no key ${kid}`);
    return key;
  };
  let rotations = 0;
  const issuer = {
    issuer: `${address}${path}`,
    address,
    /** How often the keys were fetched. */
    keysFetched: 0,
    /** Answers 503 to everything while true. */
    down: false,
    /** Names another issuer in the metadata while true. */
    lies: false,
    /** Never answers while true. */
    silent: false,
    /** Adds a new ES256 key; returns its kid. */
    async rotate(): Promise<string> {
      const kid = `rotated-${++rotations}`;
      await add('ES256', kid);
      return kid;
    },
    withdraw: (kid: string) => keys.delete(kid),
    publicJwk: (kid: string) => keyOf(kid).jwk,
    sign(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
      const { alg = 'ES256' } = header as { alg?: string };
      const { kid = alg } = header as { kid?: string };
      const now = seconds();
      const claimed = { iss: issuer.issuer, sub: 'ann', client_id: 'desk', iat: now, exp: now + 300, ...claims };
      const present = Object.fromEntries(Object.entries(claimed).filter(([, value]) => value !== undefined));
      return new SignJWT(present).setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header }).sign(keyOf(kid).secret);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return issuer;
}
