/**
 * All checks in order: from the settings outwards to the airline, each only if those that it needs have passed.
 */
import type { AirlineConfig, Config, Environment, Flags } from '../../config/load.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { FareSearchResult } from '../../domain/pricing/fare-search.ts';
import type { AddressFacts, SeatMapFacts } from './addresses.ts';
import { airlineChecks } from './airline-checks.ts';
import { checkApproval, checkAssumptions, type Surroundings } from './approval.ts';
import type { CheckList } from './check.ts';
import type { ClockReading } from './clock.ts';
import type { CredentialFacts, CredentialResult } from './credentials.ts';
import type { DialectFacts } from './dialect.ts';
import type { RowFacts } from './fare-rows.ts';
import { finding } from './findings.ts';
import type { LoginFacts } from './login.ts';
import type { Pair, ServiceFacts } from './on-sale.ts';
import { AirlineProbe, type Asked } from './probe.ts';
import type { ErrorFacts } from './reply-facts.ts';
import type { SecretMask } from './secret-mask.ts';
import { checkSettings } from './settings.ts';
import { stateChecks } from './state.ts';

/** How the airline answers what the interface leaves open. */
export interface Answers {
  login?: LoginFacts;
  credentials?: CredentialFacts;
  addressForm?: AddressFacts;
  seatMap?: SeatMapFacts;
  /** The refusal of a booking that does not exist. */
  refusal?: ErrorFacts & { readonly status?: number };
  services?: ServiceFacts;
  notes?: { dialect?: DialectFacts; rows?: RowFacts };
  clocks?: readonly ClockReading[];
}

export interface Wishes {
  readonly env: Environment;
  readonly flags: Flags;
  readonly here: Surroundings;
  /** Stations and a day to look at, instead of the first on sale. */
  readonly wanted: Partial<Pair>;
  /** Tries how the airline differs from others; also a booking, if its locator is given. */
  readonly deviations?: { readonly locator?: string };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Certificate authorities to trust instead of the platform's, PEM. */
  readonly ca?: string;
  /** Total milliseconds for one question to the airline: 10 000. */
  readonly deadlineMs?: number;
}

/** One airline under examination, and what the checks have learned so far. */
export interface Visit extends Pick<Wishes, 'wanted' | 'deviations' | 'ca'> {
  readonly probe: AirlineProbe;
  readonly checks: CheckList;
  readonly mask: SecretMask;
  readonly answers: Answers;
  /** Origins that accept connections. */
  readonly reached: Set<string>;
  reachable(address: string): boolean;
  readonly learned: {
    readonly tokenClock: ClockReading[];
    /** No token was issued: calls carry the key alone. */
    withoutToken?: boolean;
    tried?: CredentialResult;
    /** Messages are answered at another address or form than the set one. */
    moved?: boolean;
    pairs: readonly Pair[];
    pair?: Pair | undefined;
    search?: Asked<FareSearchResult>;
    /** The same search with sold-out segments. */
    wide?: Asked<FareSearchResult>;
    booking?: Asked<Booking>;
    readonly services: ServiceFacts;
  };
}

export interface Examination {
  readonly config: Config | undefined;
  readonly answers: Answers;
}

export async function examine(wishes: Wishes, checks: CheckList, mask: SecretMask): Promise<Examination> {
  const { env, flags, here } = wishes;
  const answers: Answers = {};
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => env[name]);
  const config = checkSettings(env, flags, checks);
  if (config === undefined) return { config, answers };
  const { airline, assumedOperations } = config;
  mask.addDatabase(config.state);
  if (proxies.length > 0 && airline !== undefined)
    checks.add('proxy', 'proxy', finding('proxy_ignored', { names: proxies.join(' and ') }));
  await checks.run(stateChecks(config));
  if (airline === undefined) await withSandbox((sandbox) => visit(sandbox, wishes, checks, mask, answers));
  else await visit(airline, wishes, checks, mask, answers);
  checks.add('approval', 'approvals', checkApproval(config, here));
  if (airline !== undefined) checks.add('assumed', 'assumptions', checkAssumptions(assumedOperations, airline));
  return { config, answers };
}

/** A sandbox airline of its own, gone afterwards: what a sound connection looks like. */
async function withSandbox(visiting: (airline: AirlineConfig) => Promise<void>): Promise<void> {
  const { startSandbox } = await import('../../sandbox/start.ts');
  const { airlineFromSettings } = await import('../../config/load.ts');
  const sandbox = await startSandbox();
  try {
    await visiting(airlineFromSettings(sandbox.settings));
  } finally {
    await sandbox.close();
  }
}

async function visit(
  airline: AirlineConfig,
  { deviations, wanted, now, ca, deadlineMs = 10_000 }: Wishes,
  checks: CheckList,
  mask: SecretMask,
  answers: Answers,
): Promise<void> {
  mask.addAll(airline);
  mask.add(deviations?.locator);
  const probe = new AirlineProbe(airline, { now, ca, deadlineMs });
  const reached = new Set<string>();
  const services: ServiceFacts = {};
  answers.services = services;
  const visit: Visit = {
    ...{ probe, checks, mask, answers, wanted, reached },
    ...(deviations && { deviations }),
    ...(ca !== undefined && { ca }),
    reachable: (address) => reached.has(new URL(address).origin),
    learned: { tokenClock: [], pairs: [], services },
  };
  try {
    await checks.run(airlineChecks(visit));
  } finally {
    await probe.transport.close();
  }
}
