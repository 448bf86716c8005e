/**
 * The examination: from the settings outwards to the airline, each step only where the one before it holds.
 */
import type { AirlineConfig, Config, Environment, Flags } from '../../config/load.ts';
import type { AirlineTokens } from '../../ota/options.ts';
import { createTransport } from '../../ota/transport/http.ts';
import { type AddressFacts, type Bench, type SeatMapFacts, tryForms, trySeatMap } from './addresses.ts';
import { type AirlineNotes, tryNotes } from './airline-notes.ts';
import { checkApproval, type Surroundings } from './approval.ts';
import { type Chart, good, skipped, usable, type Verdict, warning } from './check.ts';
import { type ClockReading, judgeClocks, readingsOf, tokenReading } from './clock.ts';
import { type CredentialFacts, tryCredentials } from './credentials.ts';
import { type LoginFacts, logIn, timesOf } from './login.ts';
import { type Address, type NetworkOptions, reach } from './network.ts';
import type { Secrecy } from './secrecy.ts';
import { FAMILY, type Pair, type ServiceFacts, tryServices } from './services.ts';
import { checkSettings } from './settings-check.ts';
import { type ErrorSigns, errorSigns } from './signs.ts';
import { checkState } from './state-store.ts';
import { bodyOf, fixedToken, watched } from './watch.ts';

/** What was found out of the things that the interface leaves open. */
export interface Answers {
  login?: LoginFacts;
  credentials?: CredentialFacts;
  addressForm?: AddressFacts;
  seatMap?: SeatMapFacts;
  /** The refusal of a booking that does not exist. */
  refusal?: ErrorSigns & { readonly status?: number };
  services?: ServiceFacts;
  notes?: AirlineNotes;
  clocks?: readonly ClockReading[];
}

export interface Examinee {
  readonly env: Environment;
  readonly flags: Flags;
  readonly here: Surroundings;
  /** Stations and a day to look at, instead of the first on sale. */
  readonly pair?: Partial<Pair>;
  /** Tries the airline's deviations too; of a booking, where its locator is given. */
  readonly deviations?: { readonly locator?: string };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Certificate authorities to trust instead of the platform's, PEM. */
  readonly ca?: string;
  /** Total milliseconds for one question to the airline: 10 000. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 10_000;

export interface Examination {
  readonly config: Config | undefined;
  readonly answers: Answers;
}

export async function examine(examinee: Examinee, chart: Chart, secrecy: Secrecy): Promise<Examination> {
  const answers: Answers = {};
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].filter((name) => examinee.env[name]);
  const config = checkSettings(examinee.env, examinee.flags, chart);
  if (config === undefined) return { config, answers };
  secrecy.addDatabase(config.state.databaseUrl?.reveal());
  if (proxies.length > 0 && config.airline !== undefined) chart.note('proxy', 'proxy', proxyIgnored(proxies));
  await checkState(config, chart);
  if (config.airline === undefined) await withSandbox((airline) => visit(airline, examinee, chart, secrecy, answers));
  else await visit(config.airline, examinee, chart, secrecy, answers);
  checkApproval(config, examinee.here, chart);
  return { config, answers };
}

function proxyIgnored(names: readonly string[]): Verdict {
  return warning(
    'proxy_ignored',
    `${names.join(' and ')} is set: fareclerk connects to the airline directly and does not use it.`,
    'Let this machine reach the airline without the proxy.',
  );
}

/** A sandbox airline of its own, gone afterwards: what a sound connection looks like. */
async function withSandbox(visiting: (airline: AirlineConfig) => Promise<void>): Promise<void> {
  const [{ startSandbox }, { airlineFromSettings }] = await Promise.all([
    import('../../sandbox/start.ts'),
    import('../../config/load.ts'),
  ]);
  const sandbox = await startSandbox();
  try {
    await visiting(airlineFromSettings(sandbox.settings));
  } finally {
    await sandbox.close();
  }
}

async function visit(
  airline: AirlineConfig,
  examinee: Examinee,
  chart: Chart,
  secrecy: Secrecy,
  answers: Answers,
): Promise<void> {
  secrecy.addAll(airline);
  secrecy.add(examinee.deviations?.locator);
  const { ca, now } = examinee;
  const transport = createTransport(ca === undefined ? {} : { ca });
  const wire = watched(transport, now, examinee.deadlineMs ?? DEADLINE_MS);
  try {
    const reached = await checkAddresses(airline, chart, { ca, now });
    const login = await checkLogin(airline, wire, chart, reached, secrecy, answers);
    const bench: Bench = { airline, watched: wire, tokens: login.tokens, now, reached };
    await checkMessages(bench, examinee, chart, login, answers);
    answers.clocks = [...readingsOf(wire.exchanges), ...login.clock];
    chart.note('clock', 'clock', judgeClocks(answers.clocks));
    if (examinee.deviations !== undefined) {
      const count = `${wire.exchanges.length} were made: readings and a login. Nothing was booked, paid, changed or mailed.`;
      chart.note('requests', 'requests', good(count));
    }
  } finally {
    await transport.close();
  }
}

type Reached = (address: string | undefined) => boolean;

/** Every address once, however many settings share its host. */
async function checkAddresses(airline: AirlineConfig, chart: Chart, options: NetworkOptions): Promise<Reached> {
  const set: readonly (readonly [string, string | undefined])[] = [
    ['FARECLERK_BASE_URL', airline.baseUrl],
    ['FARECLERK_SEAT_MAP_URL', airline.seatMapUrl],
    ['FARECLERK_AUTH_URL', airline.login?.authUrl],
    ['FARECLERK_GATEWAY_URL', airline.gatewayUrl],
    ['FARECLERK_REST_URL', airline.restUrl],
  ];
  const byOrigin = new Map<string, Address & { settings: string[] }>();
  for (const [setting, address] of set) {
    if (address === undefined) continue;
    const url = new URL(address);
    const known = byOrigin.get(url.origin);
    if (known === undefined) byOrigin.set(url.origin, { url, settings: [setting] });
    else known.settings.push(setting);
  }
  const verdicts = new Map<string, Verdict>();
  for (const [origin, address] of byOrigin) {
    const [first = '', ...others] = address.settings.map((setting) => WHAT[setting] ?? setting);
    const verdict = await chart.run(`address.${idOf(address)}`, first, async () => {
      const found = await reach(address, options);
      return others.length === 0 ? found : { ...found, said: `${found.said} (also: ${others.join(', ')})` };
    });
    verdicts.set(origin, verdict);
  }
  return (address) => {
    const verdict = address === undefined ? undefined : verdicts.get(new URL(address).origin);
    return verdict !== undefined && usable(verdict);
  };
}

const WHAT: Readonly<Record<string, string>> = {
  FARECLERK_BASE_URL: 'messages host',
  FARECLERK_SEAT_MAP_URL: 'seat map host',
  FARECLERK_AUTH_URL: 'login host',
  FARECLERK_GATEWAY_URL: 'schedule host',
  FARECLERK_REST_URL: 'downloads host',
};

const idOf = ({ settings }: Address): string => (settings[0] ?? '').replace(/^FARECLERK_|_URL$/g, '').toLowerCase();

interface Login {
  readonly tokens: AirlineTokens | undefined;
  /** Whether calls can carry what the settings ask for. */
  readonly complete: boolean;
  readonly clock: readonly ClockReading[];
}

async function checkLogin(
  { login, credentials }: AirlineConfig,
  wire: ReturnType<typeof watched>,
  chart: Chart,
  reached: Reached,
  secrecy: Secrecy,
  answers: Answers,
): Promise<Login> {
  const needed = credentials !== 'key';
  let tokens: AirlineTokens | undefined;
  let clock: readonly ClockReading[] = [];
  const verdict = await chart.run('token', 'token', async () => {
    if (login === undefined) return good('Not needed: FARECLERK_CREDENTIALS=key');
    if (!reached(login.authUrl)) return skipped('The identity provider cannot be reached.');
    const result = await logIn(login, wire);
    answers.login = result.facts;
    if (result.tokens !== undefined) {
      const { accessToken, refreshToken } = result.tokens;
      secrecy.add(accessToken);
      secrecy.add(refreshToken);
      tokens = fixedToken(accessToken, refreshToken);
      if (result.exchange !== undefined) clock = tokenReading(timesOf(accessToken)?.issuedAt, result.exchange);
    }
    return needed ? result.verdict : unneeded(result.verdict);
  });
  return { tokens, clock, complete: !needed || (usable(verdict) && tokens !== undefined) };
}

/** A login that nothing asks for may be wrong. */
function unneeded(verdict: Verdict): Verdict {
  if (verdict.level !== 'mend') return verdict;
  return { ...verdict, level: 'warn', said: `${verdict.said} With FARECLERK_CREDENTIALS=key it is not needed.` };
}

/** What is sent to the base and the gateway; where the credentials are refused, nothing else is tried. */
async function checkMessages(
  start: Bench,
  { pair = {}, deviations }: Examinee,
  chart: Chart,
  login: Login,
  answers: Answers,
): Promise<void> {
  let bench = start;
  // A run that looks for deviations continues with what the airline accepts, so that one run finds all of them.
  const goOn = (works: Partial<AirlineConfig> | undefined): boolean => {
    if (deviations === undefined || works === undefined) return false;
    bench = { ...bench, airline: { ...bench.airline, ...works } };
    return true;
  };
  const skipFrom = (place: number, reason: string): void => {
    for (const [id, title] of MESSAGES.slice(place)) chart.note(id, title, skipped(reason));
  };
  if (!bench.reached(bench.airline.baseUrl)) return skipFrom(0, 'The address cannot be reached.');
  const keyAlone = bench.airline.apiKey && { credentials: 'key' as const };
  if (!login.complete && !goOn(keyAlone)) return skipFrom(0, 'There is no token.');
  chart.starts('credentials');
  const tried = await tryCredentials(bench.airline, bench.watched, bench.tokens);
  answers.credentials = tried.facts;
  const { exchange } = tried.asked;
  const status = exchange?.reply?.status;
  answers.refusal = { ...errorSigns(bodyOf(exchange)), ...(status !== undefined && { status }) };
  if (tried.lost && tried.verdict.finding !== 'wrong_path') {
    chart.note('messages', SELLER.has(tried.verdict.finding) ? 'point of sale' : 'messages', tried.verdict);
    return skipFrom(2, 'The reading before it did not succeed.');
  }
  const mend = 'Set FARECLERK_CREDENTIALS=key, and no login is needed; or mend the login.';
  const verdict = login.complete ? tried.verdict : { mend, ...tried.verdict };
  if (!tried.lost) chart.note('credentials', 'credentials', verdict);
  if (!tried.lost && !usable(tried.verdict) && !goOn(tried.works?.changes))
    return skipFrom(1, 'The credentials are not accepted yet.');
  chart.starts('messages');
  const forms = await tryForms(bench, tried.works?.asked ?? tried.asked);
  answers.addressForm = forms.facts;
  chart.note('messages', 'messages', forms.verdict);
  if (!usable(forms.verdict) && !goOn(forms.works)) return skipFrom(2, 'The address of messages is not right yet.');
  if (tried.lost && forms.works !== undefined) {
    const again = await tryCredentials(bench.airline, bench.watched, bench.tokens);
    answers.credentials = again.facts;
    chart.note('credentials', 'credentials', again.verdict);
    if (!usable(again.verdict) && !goOn(again.works?.changes))
      return skipFrom(2, 'The credentials are not accepted yet.');
  }
  chart.starts('seat map');
  const seats = await trySeatMap(bench);
  answers.seatMap = seats.facts;
  chart.note('seat_map', 'seat map address', seats.verdict);
  goOn(seats.works);
  const services = await tryServices(bench, chart, pair, deviations && FAMILY);
  answers.services = services.facts;
  if (deviations !== undefined) answers.notes = await tryNotes(bench, chart, services, deviations.locator);
}

/** Told by the message that was refused, and about who sells. */
const SELLER: ReadonlySet<string> = new Set(['agent_refused', 'agency_suspended', 'currency_refused']);

const MESSAGES = [
  ['credentials', 'credentials'],
  ['messages', 'messages'],
  ['seat_map', 'seat map address'],
  ['routes', 'routes'],
  ['calendar', 'calendar'],
  ['fare_search', 'fare search'],
] as const;
