/** A server on a real socket, with a tiny clerk or another one, with or without an issuer. */
import { createSignIn } from '../../../src/auth/callers/access-tokens.ts';
import { startHttp } from '../../../src/http/server.ts';
import { startIssuer } from '../../auth/callers/issuer.ts';
import { mcpCaller } from '../../support/mcp-http.ts';
import { usualTokens } from './raw.ts';
import { openTinyClerk, type TinyClerk } from './tiny-clerk.ts';

type HttpOptions = Parameters<typeof startHttp>[1];
type Desk = Pick<TinyClerk, 'clerk' | 'close'>;
export type Served = Awaited<ReturnType<typeof serve<TinyClerk>>>;
export type SignedServed = Awaited<ReturnType<typeof serveSigned<TinyClerk>>>;

/** The token of calls where a test chooses none. */
export const TOKEN = 'calls-of-programs-that-were-given-it';
const ME = { tenant: 'local', id: 'os:me' };
export const ALL_SCOPES = 'air:read air:book air:pay air:refund air:names';
export const PUBLIC_URL = 'https://air.example';
/** For tests that send more than a caller may. */
export const UNLIMITED = { calls: { burst: 100_000, perSecond: 1 } };

/** `on`: the clerk that is served, and closed with the server. */
export async function serve<D extends Desk = TinyClerk>(options: Partial<HttpOptions> = {}, on?: D) {
  const tiny = on ?? ((await openTinyClerk()) as Desk as D);
  const failures: unknown[] = [];
  const serving = await startHttp(tiny.clerk, {
    version: '0',
    host: '127.0.0.1',
    port: 0,
    caller: ME,
    close: () => tiny.close(),
    log: { answered() {}, failure: ({ error }) => failures.push(error) },
    ...(options.signIn === undefined && { token: TOKEN, metricsToken: TOKEN }),
    ...options,
  });
  if (options.signIn === undefined && options.token === undefined) usualTokens.set(serving.port, TOKEN);
  return { tiny, serving, url: serving.url, port: serving.port, failures, close: () => serving.stop() };
}

interface SignedOptions
  extends Partial<HttpOptions>,
    Pick<Parameters<typeof createSignIn>[0], 'tenantClaim' | 'deskRole' | 'fetch'> {
  readonly audience?: string;
}

export async function serveSigned<D extends Desk = TinyClerk>(
  { tenantClaim, deskRole, audience, fetch, ...options }: SignedOptions = {},
  issuerOptions: Parameters<typeof startIssuer>[0] = {},
  on?: D,
) {
  const issuer = await startIssuer(issuerOptions);
  const publicUrl = options.publicUrl ?? PUBLIC_URL;
  const settings = Object.entries({ tenantClaim, deskRole, audience, fetch }).filter(([, value]) => value);
  const signIn = createSignIn({ issuer: issuer.issuer, publicUrl, ...Object.fromEntries(settings) });
  const served = await serve({ publicUrl, signIn, ...options }, on);
  const token = (claims: object = {}, header: Record<string, unknown> = {}) =>
    issuer.sign({ aud: audience ?? `${publicUrl}/mcp`, scope: ALL_SCOPES, ...claims }, header);
  return {
    ...served,
    issuer,
    signIn,
    /** An access token for this server. */
    token,
    /** A caller with such a token. */
    caller: async (claims: object = {}) => mcpCaller(served.url, await token(claims)),
    async close() {
      await served.close();
      await issuer.close();
    },
  };
}
