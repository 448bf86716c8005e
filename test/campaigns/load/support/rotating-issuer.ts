/** A real OpenID provider (oidc-provider) that goes away, comes back and changes its keys. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

const SCOPES = 'air:read air:book air:pay air:refund air:names';
const SECRET = 'robot-secret-robot-secret-robot';

export interface RotatingIssuer {
  readonly issuer: string;
  /** An access token of a client by name, for `resource`. @throws if the issuer is away */
  token(client: string, resource: string): Promise<string>;
  /** Signs with a new key from now on; the old key is withdrawn. */
  rotate(): Promise<void>;
  /** No connection is accepted and none is kept. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startRotatingIssuer(clients: readonly string[]): Promise<RotatingIssuer> {
  let handle: RequestListener = (_, response) => void response.writeHead(503).end();
  let server: Server;
  const listen = async (port: number) => {
    server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const issuer = `http://127.0.0.1:${port}`;
  let keys = 0;
  const rotate = async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: `key-${++keys}` };
    handle = providerWith(issuer, key, clients).callback();
  };
  await rotate();
  return {
    issuer,
    rotate,
    async token(client, resource) {
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES, resource });
      const authorization = `Basic ${Buffer.from(`${client}:${SECRET}`).toString('base64')}`;
      const reply = await fetch(`${issuer}/token`, { method: 'POST', body, headers: { authorization } });
      const { access_token: token } = (await reply.json()) as { access_token?: string };
      if (token === undefined) throw new Error(`no token: HTTP ${reply.status}`);
      return token;
    },
    goAway: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    async comeBack() {
      await listen(port);
    },
  };
}

function providerWith(issuer: string, key: object, clients: readonly string[]): Provider {
  return new Provider(issuer, {
    clients: clients.map((id) => ({
      client_id: id,
      client_secret: SECRET,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [key] },
    cookies: { keys: ['one'] },
    ttl: { ClientCredentials: 600 },
    scopes: SCOPES.split(' '),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx: unknown, asked: string) => ({
          audience: asked,
          scope: SCOPES,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
        useGrantedResource: () => true,
      },
    },
  });
}
