/**
 * Runs `fareclerk serve --http`: the same server as on stdio, on Streamable HTTP. With an issuer, callers sign in at the identity
 * provider; without one, it serves one caller, on this machine. The command itself: cli/commands/serve.ts.
 */
import type { Clerk } from '../../clerk/clerk.ts';
import { logMistake } from '../../clerk/context.ts';
import { readCallersFile } from '../../config/callers.ts';
import { type Config, SettingsError } from '../../config/load.ts';
import { badSetting } from '../../config/problem.ts';
import { alternatives } from '../../config/values.ts';
import { isLoopback } from '../../core/hosts.ts';
import { VERSION } from '../../core/version.ts';
import type { SignIn } from '../../domain/people/caller.ts';
import { receiverName } from '../../events/deliver-with-retries.ts';
import type { Mount } from '../../http/router.ts';
import { serveOverHttp } from '../../http/server.ts';
import { createTicketLinks, type TicketLinks } from '../../http/ticket-links.ts';
import { systemClock } from '../../journal/clock.ts';
import { holdWords, pauseWords } from '../../journal/context.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { INBOX_PLACE, pagePath } from '../../pages/approval/page-access.ts';
import {
  mountPublicDetails,
  mountPublicPage,
  publicDetails,
  publicPage,
  redirectUrl,
} from '../../pages/approval/public-page.ts';
import type { State } from '../../store/state.ts';
import type { Terminal } from '../terminal/command.ts';
import { actsOn, airlineText, storeText } from '../terminal/settings.ts';
import { typedCommands } from '../terminal/this-program.ts';
import { composeClerkOf, readAmounts } from './compose.ts';
import { eventTargets, startEvents } from './events.ts';
import { createProgram, hasState } from './program.ts';

/** Where the server listens. */
export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** How long a server that ends still takes calls, milliseconds: a load balancer that checks every two seconds notices in time. */
const DRAIN_MS = 5_000;

/** Serves until the program ends. @throws SettingsError if the settings do not fit a server over HTTP */
export async function serveHttp(config: Config, { host, port }: Listening, terminal: Terminal): Promise<void> {
  assertSignIn(config, host);
  assertToken(config);
  assertDetailsAddress(config);

  const { environment } = config;
  const { publicUrl } = config.http;

  const store = config.state.databaseUrl === undefined ? 'sqlite' : 'postgresql';
  const metrics = createMetrics({ build: { version: VERSION, environment, store } });
  const signIn = await openSignIn(config);
  const program = createProgram(config, { metrics, watches: true });

  // Without a public address, people use the one at which the server listens, which is known later.
  let address = publicUrl ?? '';
  const typed = typedCommands(terminal, config);
  const ticketLinks = openTicketLinks(program.state, () => address);

  const composed = composeClerkOf(program, {
    // Without an issuer as on stdio: one caller, on this machine, who has a browser and a terminal.
    ...(signIn && publicUrl !== undefined
      ? { signIn: { page: config.http.page && publicPage(publicUrl) } }
      : { localPages: 'all' }),
    typed,
    detailsPage: publicUrl === undefined ? undefined : publicDetails(publicUrl),
    ticketLinks,
  });

  const mounts = [
    await mountApprovalPage(config, composed.clerk),
    publicUrl === undefined ? undefined : mountPublicDetails(publicUrl, environment, composed.clerk),
  ];

  metrics.watchEvents(eventTargets(config).map(({ configuredAddress }) => receiverName(configuredAddress)));
  let events: ReturnType<typeof startEvents> | undefined;

  await serveOverHttp(composed.clerk, {
    version: VERSION,
    host,
    port,
    caller: composed.caller,
    metrics,
    log: composed.logs.http,
    typed,
    limits: { drainMs: signIn === undefined ? 0 : DRAIN_MS },
    ticketLinks,
    mounts: mounts.filter((mount) => mount !== undefined),
    signIn,
    publicUrl,
    metricsToken: config.http.metricsToken?.reveal(),
    token: config.http.token?.reveal(),

    async begin({ url }) {
      address = publicUrl ?? new URL(url).origin;

      // Nothing waits for this: while the issuer is down, calls are refused.
      void signIn?.warm();
      await composed.resume();
      const sending = await sendingStatus(config, composed.state);

      events = startEvents(config, composed.state, {
        onFailure: composed.logs.events.failed,
        onTry: metrics.countDelivery,
      });

      terminal.stderr.write(`fareclerk serves MCP on ${url}\n${actsOn(config)}`);
      composed.logs.started(startFacts(config, url, sending));
    },

    draining: () => void events?.stop(),

    async close() {
      await events?.stop();
      await composed.close();
      metrics.close();
    },
  });
}

/** Refuses an address that other machines can reach, unless callers sign in. @throws SettingsError */
function assertSignIn({ http }: Config, host: string): void {
  if (isLoopback(host)) return;

  const { publicUrl, issuer, audience } = http;
  const needed = { FARECLERK_PUBLIC_URL: publicUrl, FARECLERK_ISSUER: issuer, FARECLERK_AUDIENCE: audience };
  const problems = Object.entries(needed)
    .filter(([, value]) => value === undefined)
    .map(([setting]) => ({
      setting,
      wrong: `is not set, and other machines can call --host ${host}.`,
      expected: `${alternatives(Object.keys(needed), 'and')}, so that callers sign in`,
    }));
  if (problems.length > 0) throw new SettingsError(problems);
}

/** Requires a token with every call, unless callers sign in. @throws SettingsError */
function assertToken({ http }: Config): void {
  if (http.issuer !== undefined || http.token !== undefined) return;
  throw badSetting(
    'FARECLERK_HTTP_TOKEN',
    'is not set, and every user of this machine could call over loopback.',
    'at least 32 random characters that clients send as `Authorization: Bearer …`, or FARECLERK_ISSUER for sign-in',
  );
}

/** Refuses a details page on loopback: over HTTP, travellers sit at other machines. @throws SettingsError */
function assertDetailsAddress({ details, http }: Config): void {
  if (details !== 'page' || http.publicUrl !== undefined) return;
  throw badSetting(
    'FARECLERK_DETAILS',
    'is page, and travellers have no address of this server.',
    'FARECLERK_PUBLIC_URL, the address that people use; or FARECLERK_DETAILS=either',
  );
}

/** Opens the sign-in of callers; undefined without an issuer. Its keys are fetched once the server listens. */
async function openSignIn({ http }: Config): Promise<SignIn | undefined> {
  const { issuer, publicUrl, audience, deskRole } = http;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  // The first call reads the file as well. Reading it here refuses a wrong file when the server starts.
  const tenantClaim = readCallersFile(http.callersFile)?.tenantClaim;
  const { createSignIn } = await import('../../auth/callers/access-tokens.ts');
  return createSignIn({ issuer, publicUrl, audience, tenantClaim, deskRole });
}

/** Serves the approval page of the public address, for people who sign in. Undefined if the settings name no client for it. */
async function mountApprovalPage(config: Config, clerk: Clerk): Promise<Mount | undefined> {
  const { environment, http } = config;
  const { issuer, publicUrl, page, deskRole, callersFile } = http;
  if (issuer === undefined || publicUrl === undefined || page === undefined) return undefined;

  const { createLogin } = await import('../../auth/callers/browser-login.ts');
  const login = createLogin({
    issuer,
    clientId: page.clientId,
    clientSecret: page.clientSecret?.reveal(),
    redirect: redirectUrl(publicUrl),
    tenantClaim: readCallersFile(callersFile)?.tenantClaim,
    approverRole: page.approverRole,
    deskRole,
    secret: async () => (await clerk.runtime()).state.digestKey,
    failed: (error) => logMistake(clerk.options.log, 'sign-in', error),
  });

  const { fourEyesAbove, pageAbove } = readAmounts(config);
  return mountPublicPage({ publicUrl, login, environment, clerk, fourEyesAbove, pageAbove });
}

/** Makes the links to tickets. The state is opened with the first link. */
function openTicketLinks(state: () => Promise<State>, publicUrl: () => string): TicketLinks {
  return createTicketLinks({
    keys: async () => (await state()).ticketKeys,
    now: async () => ((await state()).clock ?? systemClock).now(),
    publicUrl,
  });
}

/** The facts of this server for its operator, without secrets. They are logged once, when it starts to listen. */
function startFacts(config: Config, listening: string, sending: string) {
  const { airline, http } = config;
  const { issuer, publicUrl } = http;
  // Callers get their tokens for the address of MCP, unless the settings name another audience.
  const audience = http.audience ?? (publicUrl && `${publicUrl}/mcp`);

  return {
    version: VERSION,
    listening,
    public: publicUrl,
    issuer,
    audience: issuer && audience,
    /** Where people find their questions. */
    approvals: http.page && pagePath(INBOX_PLACE, publicUrl),
    airline: airline === undefined ? 'sandbox: nothing is real' : `live: ${airlineText(config)}`,
    state: storeText(config),
    sending,
  };
}

/** Says whether sending is allowed, or why not. Does not make a state that does not exist yet. */
async function sendingStatus(config: Config, openState: () => Promise<State>): Promise<string> {
  if (!hasState(config)) return 'allowed';
  const { hold, pause } = await (await openState()).chain.status();
  if (hold !== undefined) return holdWords(hold);
  return pause === undefined ? 'allowed' : pauseWords(pause);
}
