/** Runs all checks in order: from the settings outwards to the airline. */
import type { AirlineConfig, Config, EnvironmentVariables, Flags } from '../../config/load.ts';
import type { Origin } from '../../config/origin.ts';
import type { AddressFacts, trySeatMap } from './addresses.ts';
import { airlineChecks } from './airline-checks.ts';
import type { CheckList } from './check.ts';
import type { ClockReading } from './clock.ts';
import type { CredentialFacts } from './credentials.ts';
import type { DialectFacts } from './dialect.ts';
import type { RowFacts } from './fare-rows.ts';
import { finding } from './findings.ts';
import type { Pair, ServiceFacts } from './on-sale.ts';
import type { ErrorFacts } from './reply-facts.ts';
import type { SecretMask } from './secret-mask.ts';
import { checkApproval, checkAssumptions, checkSettings } from './settings.ts';
import { signInChecks } from './sign-in-checks.ts';
import { stateChecks } from './state.ts';
import { Visit } from './visit.ts';
import { webhookChecks } from './webhook-checks.ts';

/** How the airline answers what the interface leaves open. */
export interface Answers {
  login?: Readonly<Record<string, unknown>>;
  credentials?: CredentialFacts;
  addressForm?: AddressFacts;
  seatMap?: Awaited<ReturnType<typeof trySeatMap>>['facts'];
  refusal?: ErrorFacts & { readonly status: number };
  readonly services: ServiceFacts;
  readonly notes: { dialect?: DialectFacts; rows?: RowFacts };
  /** Of the issuer of callers, then of the airline's hosts. */
  clocks?: readonly ClockReading[];
}

/** Times are milliseconds, `now` since 1970. */
export interface DoctorOptions {
  readonly env: EnvironmentVariables;
  readonly flags: Flags;
  readonly origin: Origin;
  readonly browser: boolean;
  readonly wanted: Partial<Pair>;
  /** Also tests how this airline differs from others, and reads the booking with this locator. */
  readonly deviations?: { readonly locator?: string };
  readonly now: () => number;
  /** Certificate authorities to trust instead of the platform's, PEM. */
  readonly ca?: string;
  /** Limit for one question to the airline; 10 000 by default. */
  readonly deadlineMs?: number;
}

export async function examine(
  options: DoctorOptions,
  checks: CheckList,
  mask: SecretMask,
): Promise<{ readonly config: Config | undefined; readonly answers: Answers }> {
  const { env, browser } = options;
  const answers: Answers = { services: {}, notes: {} };
  const config = checkSettings(options, checks);
  if (config === undefined) return { config, answers };
  const { airline, assumedOperations } = config;
  mask.addDatabase(config.state);
  mask.add(config.http.page?.clientSecret?.reveal(), config.http.metricsToken?.reveal(), config.http.token?.reveal());
  mask.add(...(config.webhooks?.secrets.reveal().split(',') ?? []), ...(config.webhooks?.addresses ?? []));
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
  if (proxies.length > 0 && airline !== undefined)
    checks.add('proxy', 'proxy', finding('proxy_ignored', { names: proxies.join(' and ') }));
  await checks.run(stateChecks(config));
  await checks.run(signInChecks(config, options, answers));
  await checks.run(webhookChecks(config, options));
  await (airline === undefined ? withSandbox(visit) : visit(airline));
  checks.add('approval', 'approvals', checkApproval(config, browser));
  if (airline !== undefined) checks.add('assumed', 'assumptions', checkAssumptions(assumedOperations, airline));
  return { config, answers };

  async function visit(airline: AirlineConfig): Promise<void> {
    mask.addAirline(airline);
    mask.add(options.deviations?.locator);
    const visit = new Visit(airline, options, checks, mask, answers);
    await checks.run(airlineChecks(visit)).finally(() => visit.transport.close());
  }
}

/** Visits a temporary sandbox airline, to show what a sound connection looks like. */
async function withSandbox(visit: (airline: AirlineConfig) => Promise<void>): Promise<void> {
  const { startSandbox } = await import('../../sandbox/start.ts');
  const { airlineFromSettings } = await import('../../config/load.ts');
  const sandbox = await startSandbox();
  await visit(airlineFromSettings(sandbox.settings)).finally(() => sandbox.close());
}
