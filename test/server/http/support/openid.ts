/**
 * A real OpenID provider on loopback (oidc-provider), and a person at a browser who signs in there and consents.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { PersonAt } from '../../approval-page/support/person.ts';

export interface OpenId {
  readonly issuer: string;
  close(): Promise<void>;
}

export const ROBOT = { clientId: 'robot', clientSecret: 'robot-secret-robot-secret-robot' };
export const DESK = { clientId: 'desk', redirect: 'http://127.0.0.1/callback' };

/** The application that people sign in with on the approval page. */
export const PAGE = { clientId: 'page', clientSecret: 'page-secret with spaces & signs: %+' };
export const APPROVER_ROLE = 'air-approver';
export const DESK_ROLE = 'air-desk';

const SCOPES = ['air:read', 'air:book', 'air:pay', 'air:refund', 'air:names'];

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

export interface OpenIdOptions {
  /** Where the approval page is sent back to; absent: it is no client. */
  readonly pageRedirect?: string;
  /** How the page's client says who it is: `none` for a public one. */
  readonly pageAuth?: 'client_secret_basic' | 'client_secret_post' | 'none';
}

function pageClient({ pageRedirect, pageAuth = 'client_secret_basic' }: OpenIdOptions) {
  if (pageRedirect === undefined) return [];
  return [
    {
      client_id: PAGE.clientId,
      ...(pageAuth !== 'none' && { client_secret: PAGE.clientSecret }),
      token_endpoint_auth_method: pageAuth,
      grant_types: ['authorization_code'],
      redirect_uris: [pageRedirect],
      response_types: ['code'],
    },
  ];
}

/** People whose names begin with `boss` have the role of approvers. */
export async function startOpenId(resource: string, options: OpenIdOptions = {}): Promise<OpenId> {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = new Provider(issuer, {
    // Without one of its own the provider writes a notice to stdout.
    renderError(page: { body?: string }, found: { error: string; error_description?: string }) {
      page.body = `${found.error}: ${found.error_description}`;
    },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clients: [
      {
        client_id: ROBOT.clientId,
        client_secret: ROBOT.clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: DESK.clientId,
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        grant_types: ['authorization_code'],
        redirect_uris: [DESK.redirect],
        response_types: ['code'],
      },
      ...pageClient(options),
    ],
    claims: { openid: ['sub', 'roles', 'name'] },
    conformIdTokenClaims: false,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'one' }] },
    cookies: { keys: ['one'] },
    ttl: { AccessToken: 600, ClientCredentials: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    scopes: SCOPES,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx: unknown, asked: string) => ({
          // What anybody may ask tokens for; each names it as its audience.
          audience: asked,
          scope: SCOPES.join(' '),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
        defaultResource: () => resource,
        useGrantedResource: () => true,
      },
    },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, name: `${sub} <b>`, roles: rolesOf(sub) }),
    }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signs in with this name, consents, and gives the address that the browser is sent back to. */
export const signInAs = async (login: string, address: URL, redirect: string): Promise<URL> =>
  (await new PersonAt(login, address.origin).open(address, {}, redirect)).url;

/** An access token for `resource` with every scope, of a person who signs in with the application `desk`. */
export async function tokenOf(openId: OpenId, login: string, resource: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const address = new URL(`${openId.issuer}/auth`);
  const asked = {
    response_type: 'code',
    client_id: DESK.clientId,
    redirect_uri: DESK.redirect,
    scope: `openid ${SCOPES.join(' ')}`,
    resource,
    state: 'any',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  const back = await signInAs(login, address, DESK.redirect);
  const reply = await fetch(`${openId.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: DESK.clientId,
      redirect_uri: DESK.redirect,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
      resource,
    }),
  });
  const { access_token: token } = (await reply.json()) as { access_token?: string };
  if (token === undefined) throw new Error('no token was given');
  return token;
}

function rolesOf(login: string): readonly string[] {
  if (login.startsWith('lead')) return [DESK_ROLE];
  return login.startsWith('boss') ? [APPROVER_ROLE] : [];
}
