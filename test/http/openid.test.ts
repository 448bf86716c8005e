/**
 * The whole sign-in with a real OpenID provider and the real client: refused, challenged, signed in, served.
 */
import {
  Client,
  ClientCredentialsProvider,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createSignIn } from '../../src/auth/callers/access-tokens.ts';
import type { HttpServing } from '../../src/http/server.ts';
import { PersonAt } from '../pages/approval/support/person.ts';
import { DESK, freePort, type OpenId, PAGE, ROBOT, signInAs, startOpenId } from './support/openid.ts';
import { serve } from './support/serve.ts';

let openId: OpenId;
let serving: HttpServing;

beforeAll(async () => {
  // The provider says that it is meant for development; so are we.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  openId = await startOpenId(`${publicUrl}/mcp`, { takes: { registrations: true } });
  const signIn = createSignIn({ issuer: openId.issuer, publicUrl });
  ({ serving } = await serve({ port, publicUrl, signIn }));
});
afterAll(async () => {
  await serving.stop();
  await openId.close();
});

const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' as const } } };

async function whoAmI(client: Client) {
  const { structuredContent } = await client.callTool({ name: 'who_am_i', arguments: {} });
  return structuredContent as { tenant: string; id: string };
}

it('lets a program find the issuer by the challenge, get a token and call a tool', async () => {
  const authProvider = new ClientCredentialsProvider({ ...ROBOT, expectedIssuer: openId.issuer });
  const client = new Client({ name: 'robot', version: '1' }, pinned);
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url), { authProvider }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['who_am_i', 'wait_for']);
  expect(await whoAmI(client)).toMatchObject({ tenant: openId.issuer, id: 'oauth:robot:robot' });
  await client.close();
});

it.each([
  ['the client that the provider knows', { client_id: DESK.clientId }],
  ['a client that registers itself', undefined],
] as const)('lets a person sign in with %s, by code and PKCE, and call in their own name', async (_, client) => {
  const provider = browserProvider(client);
  const first = new StreamableHTTPClientTransport(new URL(serving.url), { authProvider: provider });
  const refused = new Client({ name: 'desk', version: '1' }, pinned).connect(first);
  await expect(refused).rejects.toThrow(UnauthorizedError);
  const { asked } = provider;
  expect(asked?.searchParams.get('resource')).toBe(serving.url);
  expect(asked?.searchParams.get('scope')).toBe('air:read air:book');
  expect(asked?.searchParams.get('code_challenge_method')).toBe('S256');
  const back = await signInAs('ann', asked ?? new URL('about:blank'), DESK.redirect);
  await first.finishAuth(back.searchParams);
  const host = new Client({ name: 'desk', version: '1' }, pinned);
  await host.connect(new StreamableHTTPClientTransport(new URL(serving.url), { authProvider: provider }));
  const { client_id: id } = provider.clientInformation() ?? {};
  expect(await whoAmI(host)).toMatchObject({ tenant: openId.issuer, id: `oauth:ann:${id}` });
  expect(id === DESK.clientId).toBe(client !== undefined);
  await host.close();
});

const PUBLIC = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

/** As hosts were seen to register; docs/guides/keycloak.md, Hosts, has the sources. */
it.each([
  ['Claude', { ...PUBLIC, redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] }],
  ['Claude Code', { ...PUBLIC, application_type: 'native', redirect_uris: ['http://localhost:3118/callback'] }],
  ['Codex', { ...PUBLIC, application_type: 'native', redirect_uris: ['http://127.0.0.1:37819/callback/u0X8'] }],
  [
    'VS Code',
    {
      ...{ ...PUBLIC, application_type: 'native' },
      redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/'],
    },
  ],
  [
    'Cursor',
    {
      ...PUBLIC,
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
    },
  ],
  [
    'LibreChat',
    {
      ...{ ...PUBLIC, token_endpoint_auth_method: 'client_secret_basic', scope: 'air:read air:book' },
      redirect_uris: ['http://localhost:3080/api/mcp/air/oauth/callback'],
    },
  ],
])('the provider of demo:team takes the registration of %s', async (name, registration) => {
  const metadata = await fetch(`${openId.issuer}/.well-known/openid-configuration`);
  const { registration_endpoint: address } = (await metadata.json()) as { readonly registration_endpoint: string };
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, ...registration }),
  });
  expect([await reply.json(), reply.status]).toEqual([expect.objectContaining(registration), 201]);
});

it('asks people who are named once in a browser, and again only whether an application may act for them', async () => {
  const pageRedirect = 'http://127.0.0.1:1/approve/signed-in';
  const people = [{ login: 'ann', name: 'ann', password: 'secret', roles: [] }];
  const own = await startOpenId(serving.url, { people, pageRedirect, takes: { registrations: true } });
  onTestFinished(() => own.close());
  const person = new PersonAt('ann', own.issuer, 'secret');
  const address = (state: string, client_id: string, redirect_uri: string) => {
    const asked = { response_type: 'code', client_id, redirect_uri, scope: 'openid', state };
    const proof = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    return new URL(`${own.issuer}/auth?${new URLSearchParams({ ...asked, ...proof })}`);
  };
  const leadsTo = async (to: URL) => new URL((await person.step(to)).headers.get('location') ?? '', own.issuer);
  const signedIn = await person.open(address('first', PAGE.clientId, pageRedirect), {}, pageRedirect);
  expect(signedIn.url.searchParams.get('state')).toBe('first');
  const back = await leadsTo(address('second', PAGE.clientId, pageRedirect));
  expect([back.href.startsWith(pageRedirect), back.searchParams.get('state')]).toEqual([true, 'second']);
  expect(back.searchParams.get('code')).toMatch(/^.{20,}$/);

  const { body } = await person.step(await leadsTo(address('third', DESK.clientId, DESK.redirect)));
  expect(body).toContain('Allow this application?');
  expect(body).toContain('Sandbox: nothing here is real');
  expect(body).not.toContain('Password');
});

type Registered = { readonly client_id: string };

/** @param known absent: it registers */
function browserProvider(known?: Registered) {
  const kept: { client?: Registered; tokens?: never; verifier?: string; discovery?: never } = { client: known };
  const provider = {
    asked: undefined as URL | undefined,
    redirectUrl: DESK.redirect,
    clientMetadata: { redirect_uris: [DESK.redirect], token_endpoint_auth_method: 'none' },
    clientInformation: () => kept.client,
    saveClientInformation(client: Registered) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: unknown) {
      kept.tokens = tokens as never;
    },
    redirectToAuthorization(url: URL) {
      provider.asked = url;
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState(state: unknown) {
      kept.discovery = state as never;
    },
    discoveryState: () => kept.discovery,
  };
  return provider satisfies OAuthClientProvider as typeof provider;
}
