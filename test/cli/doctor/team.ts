/**
 * A team server with its identity provider (oidc-provider) and a public address.
 */
import { createSignIn } from '../../../src/auth/callers/access-tokens.ts';
import { APPROVER_ROLE, freePort, PAGE, startOpenId } from '../../http/support/openid.ts';
import { serve } from '../../http/support/serve.ts';
import { type Env, json, type SetUp, type World } from './world.ts';

type Team = Awaited<ReturnType<typeof teamOf>>;

interface TeamOptions {
  /** What the provider has registered for the approval page. */
  readonly redirect?: string;
  /** The issuer that the running server has. */
  readonly served?: string;
}

/** By default hosts register themselves at its provider. */
export async function teamOf(world: World, more: TeamOptions = {}) {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const pageRedirect = more.redirect ?? `${publicUrl}/approve/signed-in`;
  const takes = { registrations: true };
  const { issuer, close } = await startOpenId(`${publicUrl}/mcp`, { pageRedirect, takes });
  world.later(close);
  const signIn = createSignIn({ issuer: more.served ?? issuer, publicUrl });
  const { serving } = await serve({ port, publicUrl, signIn });
  world.later(() => serving.stop());
  const env: Env = {
    ...world.env,
    FARECLERK_PUBLIC_URL: publicUrl,
    FARECLERK_ISSUER: issuer,
    FARECLERK_PAGE_CLIENT_ID: PAGE.clientId,
    FARECLERK_PAGE_CLIENT_SECRET: PAGE.clientSecret,
    FARECLERK_APPROVER_ROLE: APPROVER_ROLE,
  };
  return { publicUrl, issuer, env };
}

export const changedTeam =
  (change: (team: Team) => Env) =>
  async (world: World): Promise<SetUp> => {
    const team = await teamOf(world);
    return { env: { ...team.env, ...change(team) } };
  };

const KEY = { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'one' };

/** A provider of hand-written metadata, and a running server that uses it; no approval page. */
export const provider =
  (metadata: object, key: object = KEY) =>
  async (world: World): Promise<SetUp> => {
    const front = await world.front(({ url }) => {
      if (url.pathname === '/keys') return json(200, { keys: [key] });
      const standard = {
        issuer: front.origin,
        jwks_uri: `${front.origin}/keys`,
        code_challenge_methods_supported: ['S256'],
        registration_endpoint: `${front.origin}/register`,
      };
      return url.pathname.includes('/.well-known/') ? json(200, { ...standard, ...metadata }) : json(404, {});
    });
    const { env } = await teamOf(world, { served: front.origin });
    const withoutPage = Object.entries(env).filter(([name]) => !/_PAGE_|_ROLE$/.test(name));
    return { env: { ...Object.fromEntries(withoutPage), FARECLERK_ISSUER: front.origin } };
  };
