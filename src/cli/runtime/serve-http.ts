/**
 * `fareclerk serve --http`: the same server on Streamable HTTP.
 */

import type { Claims } from '../../approvals/booking-access.ts';
import { type Config, SettingsError } from '../../config/load.ts';
import { isLoopback } from '../../domain/time-and-text/loopback-host.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { knowsPeers } from '../../server/approval-page/peer.ts';
import { createPublicPage, type PublicPage } from '../../server/approval-page/public-page.ts';
import { serveOverHttp } from '../../server/http/server.ts';
import { createMetrics } from '../../server/metrics/metrics.ts';
import { outgoingTrace } from '../../server/trace.ts';
import { VERSION } from '../../version.ts';
import type { Terminal } from '../commands/command.ts';
import { type Composed, type ComposeOptions, composeClerk } from './compose.ts';
import { openProvider, type Provider } from './identity-provider.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** A balancer that looks every two seconds has seen by then that no more calls should come here. */
const DRAIN_MS = 5_000;

const ALL_THREE = 'FARECLERK_PUBLIC_URL, FARECLERK_ISSUER and FARECLERK_AUDIENCE, so that callers sign in';

/** Other machines can reach this address, so callers must sign in. */
function assertSignIn({ http }: Config, host: string): void {
  if (isLoopback(host)) return;
  const needed = [
    ['FARECLERK_PUBLIC_URL', http.publicUrl],
    ['FARECLERK_ISSUER', http.issuer],
    ['FARECLERK_AUDIENCE', http.audience],
  ] as const;
  const problems = needed.flatMap(([setting, value]) =>
    value === undefined
      ? [{ setting, wrong: `is not set, and --host ${host} is reached from other machines.`, expected: ALL_THREE }]
      : [],
  );
  if (problems.length > 0) throw new SettingsError(problems);
}

/** Where the system cannot tell whose connection it is, every call must carry a token. */
function assertToken({ http }: Config): void {
  if (knowsPeers || http.issuer !== undefined || http.token !== undefined) return;
  throw new SettingsError([
    {
      setting: 'FARECLERK_HTTP_TOKEN',
      wrong: 'is not set, and this system does not tell which user calls over loopback.',
      expected: 'a long random token that clients send as `Authorization: Bearer …`, or FARECLERK_ISSUER for sign-in',
    },
  ]);
}

/** The file is read with the first call; here too, so that one that is wrong ends the start. */
async function assertCallers({ http }: Config): Promise<void> {
  if (http.callersFile === undefined) return;
  const { readCallersFile } = await import('../../config/callers.ts');
  const { callers } = readCallersFile(http.callersFile);
  if (http.tenantClaim !== undefined || callers.every(({ tenant }) => tenant === undefined)) return;
  throw new SettingsError([
    {
      setting: 'FARECLERK_CALLERS_FILE',
      wrong: 'tells callers apart by tenant, and FARECLERK_TENANT_CLAIM is not set.',
      expected: 'the claim that names the tenant, or rows by subject and client alone',
    },
  ]);
}

interface Signed {
  readonly composed: Composed;
  readonly page?: PublicPage;
}

type Extras = NonNullable<ComposeOptions['extras']>;

/** For people and programs that sign in: questions are put on the page of the public address. */
function composeSigned(config: Config, { publicUrl, login }: Provider, extras: Extras): Signed {
  let page: PublicPage | undefined;
  const composed = composeClerk(config, {
    page: (clerk, fourEyesAbove) => {
      const failed = (error: unknown) => {
        clerk().options.log.failure({ tool: 'sign-in', reference: crypto.randomUUID().slice(0, 8), error });
      };
      const signIn = login(async () => (await clerk().parts()).state.digestKey, failed);
      if (signIn === undefined) return undefined;
      const { environment } = config;
      page = createPublicPage({ publicUrl, login: signIn, environment, clerk, ...omitUndefined({ fourEyesAbove }) });
      return page;
    },
    fourEyes: 'page',
    terminal: false,
    extras,
  });
  return { composed, ...omitUndefined({ page }) };
}

/** Kept in the state, which is opened with the first call. */
function claimsOf({ state }: Composed): Claims {
  return {
    has: async (...args) => (await state()).claims.has(...args),
    add: async (...args) => (await state()).claims.add(...args),
    begin: async (...args) => (await state()).claims.begin(...args),
    forget: async (...args) => (await state()).claims.forget(...args),
  };
}

export async function serveHttp(config: Config, { host, port }: Listening, terminal: Terminal): Promise<void> {
  assertSignIn(config, host);
  assertToken(config);
  await assertCallers(config);
  const { publicUrl, origins, metricsToken, token } = config.http;
  const provider = await openProvider(config);
  const metrics = createMetrics();
  const extras: Extras = { metrics, traceHeaders: outgoingTrace };
  // Without an issuer the rules are those of stdio: one caller, on this machine, who has a browser and a terminal.
  const { composed, page }: Signed = provider
    ? composeSigned(config, provider, extras)
    : { composed: composeClerk(config, { page: true, extras }) };
  await composed.resume();
  await serveOverHttp(composed.clerk, {
    version: VERSION,
    host,
    port,
    caller: composed.caller,
    metrics,
    origins,
    claims: claimsOf(composed),
    log: composed.logs.http,
    ...(provider !== undefined && { limits: { drainMs: DRAIN_MS } }),
    ...(page !== undefined && { mounts: [page.mount] }),
    ...omitUndefined({
      signIn: provider?.signIn,
      publicUrl,
      metricsToken: metricsToken?.reveal(),
      token: token?.reveal(),
    }),
    listening: ({ url }) => terminal.stderr.write(`fareclerk serves MCP on ${url}\n`),
    async close() {
      await composed.close();
      metrics.close();
    },
  });
}
