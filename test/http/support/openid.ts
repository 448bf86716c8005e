/**
 * A real OpenID provider on loopback (oidc-provider), and a person at a browser who signs in there and consents.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type GrantContext } from 'oidc-provider';
import { PersonAt } from '../../pages/approval/support/person.ts';
import { answerSignIn, isSignIn, signInAddress } from './sign-in-pages.ts';

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

/** Somebody whom the provider knows. */
export interface OpenIdPerson {
  readonly login: string;
  readonly password: string;
  readonly name: string;
  readonly roles: readonly string[];
}

export interface OpenIdOptions {
  /**
   * Default: everybody, with any password, and the program `robot`; `boss…` approves, `lead…` is a supervisor. People who are named sign in
   * once a day in a browser, and are not asked whether the approval page may know them.
   */
  readonly people?: readonly OpenIdPerson[];
  /** How applications that it does not know may identify themselves. Default: in no way. */
  readonly takes?: {
    readonly registrations?: boolean;
  };
  /** Where the approval page is sent back to; absent: it is no client. */
  readonly pageRedirect?: string;
  /** Default: that of `PAGE`. */
  readonly pageSecret?: string;
  /** How the page's client says who it is: `none` for a public one. */
  readonly pageAuth?: 'client_secret_basic' | 'client_secret_post' | 'none';
}

const ROBOT_CLIENT = {
  client_id: ROBOT.clientId,
  client_secret: ROBOT.clientSecret,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
};

function pageClient({ pageRedirect, pageSecret = PAGE.clientSecret, pageAuth = 'client_secret_basic' }: OpenIdOptions) {
  if (pageRedirect === undefined) return [];
  return [
    {
      client_id: PAGE.clientId,
      // A native one on this machine would be asked for again and again (RFC 8252, section 8.6).
      application_type: 'web',
      ...(pageAuth !== 'none' && { client_secret: pageSecret }),
      token_endpoint_auth_method: pageAuth,
      grant_types: ['authorization_code'],
      redirect_uris: [pageRedirect],
      response_types: ['code'],
    },
  ];
}

/** What a person has allowed an application. The approval page is of the same house, and may know who signed in. */
async function ownGrant({ oidc }: GrantContext): Promise<unknown> {
  const { client, session, provider, result } = oidc;
  const id = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  if (id !== undefined || client.clientId !== PAGE.clientId) return id && provider.Grant.find(id);
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope('openid');
  await grant.save();
  return grant;
}

export async function startOpenId(resource: string, options: OpenIdOptions = {}): Promise<OpenId> {
  const { people, takes = {} } = options;
  const life = people === undefined ? 600 : 86_400;
  const personOf = (login: string) => people?.find((person) => person.login === login);
  const knows = (login: string, password: string) =>
    login !== '' && (people === undefined || isSame(password, personOf(login)?.password));
  const rolesOf = (login: string) => (people === undefined ? rolesByName(login) : (personOf(login)?.roles ?? []));
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = new Provider(issuer, {
    // Without one of its own the provider writes a notice to stdout.
    renderError(page: { body?: string }, found: { error: string; error_description?: string }) {
      page.body = `${found.error}: ${found.error_description}`;
    },
    // Cursor registers an address of its own scheme, and names no type.
    clientDefaults: {
      id_token_signed_response_alg: 'ES256',
      ...(takes.registrations && { application_type: 'native' }),
    },
    clients: [
      ...(people === undefined ? [ROBOT_CLIENT] : []),
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
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    ttl: {
      AccessToken: life,
      ClientCredentials: life,
      Grant: life,
      IdToken: life,
      Interaction: 600,
      RefreshToken: life,
      Session: life,
    },
    scopes: [...SCOPES, ...(takes.registrations ? ['offline_access'] : [])],
    issueRefreshToken: (_ctx: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    pkce: { required: () => true },
    ...(people !== undefined && { loadExistingGrant: ownGrant }),
    interactions: { url: signInAddress },
    // Roles of supervisors are looked for in the access token.
    extraTokenClaims: (_ctx: unknown, { accountId }: { accountId?: string }) =>
      accountId === undefined ? undefined : { roles: rolesOf(accountId) },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: takes.registrations === true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx: unknown, asked: string) => {
          return {
            // What anybody may ask tokens for; each names it as its audience.
            audience: asked,
            scope: SCOPES.join(' '),
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
        defaultResource: () => resource,
        useGrantedResource: () => true,
      },
    },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, name: personOf(sub)?.name ?? `${sub} <b>`, roles: rolesOf(sub) }),
    }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!isSignIn(request)) return answer(request, response);
    void answerSignIn(provider, knows, request, response).catch(() =>
      response.writeHead(400).end('This page is over.'),
    );
  });
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
export const signInAs = async (login: string, address: URL, redirect: string, password?: string): Promise<URL> =>
  (await new PersonAt(login, address.origin, password).open(address, {}, redirect)).url;

/** An access token for `resource` with every scope, of a person who signs in with the application `desk`. */
export async function tokenOf(openId: OpenId, login: string, resource: string, password?: string): Promise<string> {
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
  const back = await signInAs(login, address, DESK.redirect, password);
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

function isSame(password: string, expected = ''): boolean {
  const [given, wanted] = [password, expected].map((text) => createHash('sha256').update(text).digest());
  return expected !== '' && given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

function rolesByName(login: string): readonly string[] {
  if (login.startsWith('lead')) return [DESK_ROLE];
  return login.startsWith('boss') ? [APPROVER_ROLE] : [];
}
