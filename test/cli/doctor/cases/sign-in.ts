/**
 * A team server with its identity provider (oidc-provider) and a public address, and what is wrong with one of them.
 */
import { createSignIn } from '../../../../src/auth/callers/sign-in.ts';
import { APPROVER_ROLE, freePort, PAGE, startOpenId } from '../../../server/http/support/openid.ts';
import { serve } from '../../../server/http/support/serve.ts';
import { type Case, type Env, json, type SetUp, type World } from '../world.ts';

interface Team {
  readonly publicUrl: string;
  readonly issuer: string;
  readonly env: Env;
}

/** `redirect`: what the provider has registered. `served`: the issuer that the running server has. */
export async function teamOf(world: World, more: { redirect?: string; served?: string } = {}): Promise<Team> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const pageRedirect = more.redirect ?? `${publicUrl}/approve/signed-in`;
  const { issuer, close } = await startOpenId(`${publicUrl}/mcp`, { pageRedirect });
  world.later(close);
  const signIn = createSignIn({ issuer: more.served ?? issuer, publicUrl });
  const { serving } = await serve({ port, publicUrl, signIn });
  world.later(() => serving.stop());
  const env = {
    ...world.env,
    FARECLERK_PUBLIC_URL: publicUrl,
    FARECLERK_ISSUER: issuer,
    FARECLERK_PAGE_CLIENT_ID: PAGE.clientId,
    FARECLERK_PAGE_CLIENT_SECRET: PAGE.clientSecret,
    FARECLERK_APPROVER_ROLE: APPROVER_ROLE,
  };
  return { publicUrl, issuer, env };
}

async function changed(world: World, change: (team: Team) => Env): Promise<SetUp> {
  const team = await teamOf(world);
  return { env: { ...team.env, ...change(team) } };
}

const KEY = { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'one' };

/** A provider of hand-written metadata, and a running server that uses it; no approval page. */
async function provider(world: World, metadata: object, key: object = KEY): Promise<SetUp> {
  const front = await world.front(({ url }) => {
    if (url.pathname === '/keys') return json(200, { keys: [key] });
    const own = { issuer: front.origin, jwks_uri: `${front.origin}/keys`, code_challenge_methods_supported: ['S256'] };
    return url.pathname.includes('/.well-known/') ? json(200, { ...own, ...metadata }) : json(404, {});
  });
  const { env } = await teamOf(world, { served: front.origin });
  const { FARECLERK_PAGE_CLIENT_ID: _, FARECLERK_PAGE_CLIENT_SECRET: __, FARECLERK_APPROVER_ROLE: ___, ...rest } = env;
  return { env: { ...rest, FARECLERK_ISSUER: front.origin } };
}

export const SIGN_IN: readonly Case[] = [
  {
    name: 'an issuer with a slash too many',
    check: 'issuer',
    finding: 'issuer_wrong',
    level: 'fail',
    advice: /Set FARECLERK_ISSUER=http:\/\/127\.0\.0\.1:\d+$/,
    setUp: (world) => changed(world, ({ issuer }) => ({ FARECLERK_ISSUER: `${issuer}/` })),
  },
  {
    name: 'an issuer without metadata',
    check: 'issuer',
    finding: 'issuer_wrong',
    level: 'fail',
    advice: /to the letter/,
    setUp: (world) => changed(world, ({ publicUrl }) => ({ FARECLERK_ISSUER: `${publicUrl}/realms/air` })),
  },
  {
    name: 'an issuer that signs with a shared secret',
    check: 'issuer',
    finding: 'issuer_keys',
    level: 'fail',
    advice: /RS256, PS256, ES256 or EdDSA/,
    setUp: (world) => provider(world, {}, { kty: 'oct', alg: 'HS256' }),
  },
  {
    name: 'an issuer without PKCE',
    check: 'issuer',
    finding: 'issuer_incomplete',
    level: 'warn',
    advice: /MCP clients refuse/,
    setUp: (world) => provider(world, { code_challenge_methods_supported: ['plain'] }),
  },
  {
    name: 'an issuer without our scopes',
    check: 'audience',
    finding: 'scopes_unknown',
    level: 'warn',
    advice: /Define these scopes/,
    setUp: (world) => provider(world, { scopes_supported: ['openid', 'air:read'] }),
  },
  {
    name: 'a wrong secret of the page client',
    check: 'page_client',
    finding: 'page_client_refused',
    level: 'fail',
    advice: /FARECLERK_PAGE_CLIENT_SECRET/,
    setUp: (world) => changed(world, () => ({ FARECLERK_PAGE_CLIENT_SECRET: 'hunter2-page' })),
  },
  {
    name: 'a redirect address that is not registered',
    check: 'page_client',
    finding: 'page_redirect_refused',
    level: 'fail',
    advice: /Register http:\/\/127\.0\.0\.1:\d+\/approve\/signed-in/,
    setUp: async (world) => ({ env: (await teamOf(world, { redirect: 'https://air.example/approve/signed-in' })).env }),
  },
  {
    name: 'a public address that leads elsewhere',
    check: 'public_url',
    finding: 'public_not_here',
    level: 'fail',
    advice: /Have the proxy forward/,
    async setUp(world) {
      const front = await world.front(() => ({ status: 404, body: '<h1>Welcome to nginx!</h1>' }));
      const { env } = await teamOf(world, { redirect: `${front.origin}/approve/signed-in` });
      return { env: { ...env, FARECLERK_PUBLIC_URL: front.origin } };
    },
  },
  {
    name: 'a running server with another issuer',
    check: 'public_url',
    finding: 'public_not_here',
    level: 'fail',
    advice: /Restart it with these settings/,
    setUp: async (world) => ({ env: (await teamOf(world, { served: 'https://id.example' })).env }),
  },
];
