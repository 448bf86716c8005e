/**
 * An issuer of tokens on loopback: its metadata and keys over real HTTP, and tokens of every kind, good and bad.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

export const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

export interface Issuer {
  readonly issuer: string;
  readonly address: string;
  /** How often the keys were fetched. */
  readonly keysFetched: number;
  /** Answers 503 to everything while true. */
  down: boolean;
  /** Names another issuer in the metadata while true. */
  lies: boolean;
  /** Never answers while true. */
  silent: boolean;
  /** By how many seconds its clock is ahead: in replies, and in tokens. */
  aheadSeconds: number;
  /** Adds a new RS256 key; returns its kid. */
  rotate(): Promise<string>;
  /** Removes a key. */
  withdraw(kid: string): void;
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>;
  privateKey(kid: string): CryptoKey;
  publicJwk(kid: string): JWK;
  close(): Promise<void>;
}

export interface IssuerOptions {
  /** Path of the issuer, for example `/realms/air`. */
  readonly path?: string;
  /** Serves metadata only at the address of RFC 8414. */
  readonly rfc8414?: boolean;
}

const seconds = () => Math.floor(Date.now() / 1000);

interface Pair {
  readonly secret: CryptoKey;
  readonly jwk: JWK;
}

/** RSA keys are slow to generate, so all issuers of a test file share one key for each kid. */
const made = new Map<string, Promise<Pair>>();

async function make(alg: string, kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export async function startIssuer({ path = '', rfc8414 = false }: IssuerOptions = {}): Promise<Issuer> {
  const keys = new Map<string, Pair>();
  const add = async (alg: string, kid: string) => {
    const making = made.get(kid) ?? make(alg, kid);
    made.set(kid, making);
    const { secret, jwk } = await making;
    keys.set(kid, { secret, jwk: { ...jwk } });
  };
  for (const alg of ALGORITHMS) await add(alg, alg);
  let fetched = 0;
  let rotations = 0;
  const state = { down: false, lies: false, silent: false, aheadSeconds: 0 };
  const server = createServer((request, response) => {
    if (state.silent) return;
    const date = new Date(Date.now() + state.aheadSeconds * 1000).toUTCString();
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json', date });
      response.end(JSON.stringify(value));
    };
    if (state.down) return send(503, {});
    const metadata = rfc8414
      ? `/.well-known/oauth-authorization-server${path}`
      : `${path}/.well-known/openid-configuration`;
    if (request.url === metadata) {
      return send(200, { issuer: state.lies ? 'https://evil.example' : issuer, jwks_uri: `${address}/keys` });
    }
    if (request.url === '/keys') {
      fetched++;
      return send(200, { keys: [...keys.values()].map(({ jwk }) => jwk) });
    }
    return send(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${address}${path}`;
  const keyOf = (kid: string) => {
    const key = keys.get(kid);
    if (key === undefined) throw new Error(`no key ${kid}`);
    return key;
  };
  return {
    issuer,
    address,
    get keysFetched() {
      return fetched;
    },
    get down() {
      return state.down;
    },
    set down(value) {
      state.down = value;
    },
    get lies() {
      return state.lies;
    },
    set lies(value) {
      state.lies = value;
    },
    get silent() {
      return state.silent;
    },
    set silent(value) {
      state.silent = value;
    },
    get aheadSeconds() {
      return state.aheadSeconds;
    },
    set aheadSeconds(value) {
      state.aheadSeconds = value;
    },
    async rotate() {
      const kid = `rotated-${++rotations}`;
      await add('RS256', kid);
      return kid;
    },
    withdraw: (kid) => keys.delete(kid),
    privateKey: (kid) => keyOf(kid).secret,
    publicJwk: (kid) => keyOf(kid).jwk,
    sign(claims, header = {}) {
      const { alg = 'ES256' } = header as { alg?: string };
      const { kid = alg } = header as { kid?: string };
      const now = seconds() + state.aheadSeconds;
      const whole = { iss: issuer, sub: 'ann', client_id: 'desk', iat: now, exp: now + 300, ...claims };
      const present = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
      const protectedHeader = { alg, kid, typ: 'at+jwt', ...header };
      return new SignJWT(present).setProtectedHeader(protectedHeader).sign(keyOf(kid).secret);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
