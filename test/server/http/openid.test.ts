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
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSignIn } from '../../../src/auth/callers/sign-in.ts';
import type { HttpServing } from '../../../src/server/http/server.ts';
import { DESK, freePort, type OpenId, ROBOT, signInAs, startOpenId } from './support/openid.ts';
import { serve } from './support/serve.ts';

let openId: OpenId;
let serving: HttpServing;

beforeAll(async () => {
  // The provider says that it is meant for development; so are we.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  openId = await startOpenId(`${publicUrl}/mcp`);
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

it('lets a person sign in by code and PKCE, and call in their own name', async () => {
  const provider = browserProvider();
  const first = new StreamableHTTPClientTransport(new URL(serving.url), { authProvider: provider });
  const refused = new Client({ name: 'desk', version: '1' }, pinned).connect(first);
  await expect(refused).rejects.toThrow(UnauthorizedError);
  const { asked } = provider;
  expect(asked?.searchParams.get('resource')).toBe(serving.url);
  expect(asked?.searchParams.get('scope')).toBe('air:read air:book');
  expect(asked?.searchParams.get('code_challenge_method')).toBe('S256');
  const back = await signInAs('ann', asked ?? new URL('about:blank'), DESK.redirect);
  await first.finishAuth(back.searchParams);
  const client = new Client({ name: 'desk', version: '1' }, pinned);
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url), { authProvider: provider }));
  expect(await whoAmI(client)).toMatchObject({ tenant: openId.issuer, id: 'oauth:ann:desk' });
  await client.close();
});

function browserProvider() {
  const kept: { tokens?: never; verifier?: string; discovery?: never } = {};
  const provider = {
    asked: undefined as URL | undefined,
    redirectUrl: DESK.redirect,
    clientMetadata: { redirect_uris: [DESK.redirect], token_endpoint_auth_method: 'none' },
    clientInformation: () => ({ client_id: DESK.clientId }),
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
  return provider satisfies OAuthClientProvider as OAuthClientProvider & { readonly asked: URL | undefined };
}
