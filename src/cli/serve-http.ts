/**
 * `fareclerk serve --http`: the same server on Streamable HTTP.
 */

import { isLoopback } from '../config/values.ts';
import type { Config } from '../config.ts';
import { SettingsError } from '../config.ts';
import type { SignIn } from '../domain/sign-in.ts';
import { serveOverHttp } from '../server/http.ts';
import { createMetrics } from '../server/metrics.ts';
import { VERSION } from '../version.ts';
import type { Terminal } from './command.ts';
import { composeClerk } from './compose.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
}

/** An address that other machines reach needs callers who sign in. */
function assertSignIn({ http }: Config, host: string): void {
  if (isLoopback(host)) return;
  const needed = [
    ['FARECLERK_PUBLIC_URL', http.publicUrl],
    ['FARECLERK_ISSUER', http.issuer],
    ['FARECLERK_AUDIENCE', http.audience],
  ] as const;
  const problems = needed.flatMap(([setting, value]) =>
    value === undefined
      ? [{ setting, wrong: `is not set, and --host ${host} is reached from other machines.`, expected: 'all three' }]
      : [],
  );
  if (problems.length > 0) throw new SettingsError(problems);
}

async function signInOf({ http }: Config): Promise<SignIn | undefined> {
  const { issuer, publicUrl, audience } = http;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  const { createSignIn } = await import('../auth/oauth/sign-in.ts');
  const signIn = createSignIn({ issuer, publicUrl, ...(audience !== undefined && { audience }) });
  // The issuer's keys are fetched now, so that the first caller need not wait; an issuer that is away comes back.
  void signIn.warm().catch(() => false);
  return signIn;
}

export async function serveHttp(config: Config, { host, port }: Listening, terminal: Terminal): Promise<void> {
  assertSignIn(config, host);
  const signIn = await signInOf(config);
  const metrics = createMetrics();
  // Without an issuer the rules are those of stdio: one caller, on this machine, who has a browser and a terminal.
  const composed = composeClerk(config, { page: signIn === undefined, terminal: signIn === undefined, metrics });
  await composed.resume();
  await serveOverHttp(composed.clerk, {
    version: VERSION,
    host,
    port,
    caller: composed.caller,
    metrics,
    log: composed.logs.http,
    ...(signIn !== undefined && { signIn }),
    ...(config.http.publicUrl !== undefined && { publicUrl: config.http.publicUrl }),
    listening: ({ url }) => terminal.stderr.write(`fareclerk serves MCP on ${url}\n`),
    async close() {
      await composed.close();
      metrics.close();
    },
  });
}
