/** Checks the airline through the real adapter: a login, the reading of a booking that does not exist, routes and a search. */

import { createGrants, GrantError } from '../../auth/airline/token-request.ts';
import type { AirlineConfig } from '../../config/load.ts';
import { cleanCode, cleanText, quoted } from '../../core/clean-text.ts';
import { type AirlineFault, ClerkError } from '../../core/errors.ts';
import { addDays, utcDay } from '../../core/times.ts';
import { joined } from '../../core/words.ts';
import type { Dialect } from '../../domain/airline.ts';
import type { TokenSet } from '../../domain/login-store.ts';
import { createOtaAirline, type OtaAirline } from '../../ota/airline.ts';
import { readJson } from '../../ota/messages/json.ts';
import { record, text } from '../../ota/messages/reader.ts';
import { createTransport, formPoster, type HttpReply, type Transport } from '../../ota/transport/http.ts';
import type { TraceExchange } from '../../ota/transport/options.ts';
import { otaOptions } from '../runtime/points-of-sale.ts';
import type { CheckId, Checks, DoctorOptions, Pair } from './check.ts';
import { type CheckOutcome, type FindingName, finding, good, skipped } from './check-outcomes.ts';
import { checkHost } from './network.ts';

/** A locator that no booking has. */
const MISSING_LOCATOR = 'ZQ0QZ0';
/** Limit for one question, milliseconds. */
const DEADLINE_MS = 10_000;
/** The day to search, in days from today. */
const SEARCHED_DAY = 14;
/** The most pairs to search: the first pair may have no departures at present. */
const MOST_PAIRS = 3;

/** An airline, and how it is asked. */
interface Desk {
  readonly airline: AirlineConfig;
  readonly transport: Transport;
  readonly tokens: TokenSet | undefined;
  readonly deadlineMs: number;
}

/** Checks the airline's hosts, then what it answers. Returns the tokens of the login, which no result may show. */
export async function checkAirline(
  airline: AirlineConfig,
  { ca, route, now, deadlineMs = DEADLINE_MS }: DoctorOptions,
  checks: Checks,
): Promise<TokenSet | undefined> {
  const { baseUrl, gatewayUrl, login } = airline;
  const checkByOrigin = await checkHosts(airline, ca, checks);
  const checkOfHost = (address: string | undefined) => checkByOrigin.get(originOf(address) ?? '');
  const transport = createTransport({ ca });

  try {
    const tokens = await checks.run('token', [checkOfHost(login?.authUrl)], () => checkToken(airline, transport));
    const desk = { airline, transport, tokens, deadlineMs };
    await checks.run('reading', [checkOfHost(baseUrl), 'token'], () => checkReading(desk));

    const pairs =
      gatewayUrl && (await checks.run('routes', ['reading', checkOfHost(gatewayUrl)], () => checkRoutes(desk)));
    const tried = route === undefined ? pairs || [] : [route];
    const date = addDays(utcDay(now()), SEARCHED_DAY);
    await checks.run('fare_search', ['reading'], () => checkSearch(desk, tried.slice(0, MOST_PAIRS), date));

    return tokens;
  } finally {
    await transport.close();
  }
}

/** Checks each host once, even if several settings name it. Returns the check of each origin. */
async function checkHosts(
  { baseUrl, login, gatewayUrl, restUrl }: AirlineConfig,
  ca: string | undefined,
  checks: Checks,
): Promise<ReadonlyMap<string, CheckId>> {
  const named = [
    ['address.base', 'FARECLERK_BASE_URL', baseUrl],
    ['address.auth', 'FARECLERK_AUTH_URL', login?.authUrl],
    ['address.gateway', 'FARECLERK_GATEWAY_URL', gatewayUrl],
    ['address.rest', 'FARECLERK_REST_URL', restUrl],
  ] as const;

  const checkByOrigin = new Map<string, CheckId>();
  for (const [id, setting, address] of named) {
    const origin = originOf(address);
    if (origin === undefined || checkByOrigin.has(origin)) continue;
    checkByOrigin.set(origin, id);
    await checks.run(id, [], () => checkHost(origin, setting, ca));
  }

  return checkByOrigin;
}

const originOf = (address: string | undefined) => (address === undefined ? undefined : new URL(address).origin);

// Questions, and what their replies mean.

/** What came back of a question. */
interface ProbeReply<T = unknown> {
  /** What the adapter read; absent if the question failed. */
  readonly answer?: T;
  readonly error?: ClerkError;
  /** The error that the reply states, if the adapter did not read it. */
  readonly fault?: AirlineFault;
  /** Where the question went; undefined if nothing was sent. */
  readonly url?: string;
  readonly reply?: Pick<HttpReply, 'status' | 'text' | 'headers'>;
}

/** Asks the airline one question. Never throws a ClerkError. */
async function ask<T>(
  { airline, transport, tokens, deadlineMs: limit }: Desk,
  question: (airline: OtaAirline) => Promise<T>,
): Promise<ProbeReply<T>> {
  let last: ProbeReply<never> = {};
  const traced: TraceExchange = async ({ url }, send) => {
    last = { url };
    const reply = await send({});
    last = { url, reply };
    return reply;
  };

  // One token for all questions: repeated logins could lock the account.
  const token = async (): Promise<string> => tokens?.accessToken ?? '';
  const login = tokens && { token, ensureLife: token, invalidate() {}, refreshToken: () => tokens.refreshToken };
  const deadlines = { fare_search: limit, read: limit, routes: limit };
  const options = { ...otaOptions(airline, { transport, tokens: login }), deadlines, traced };

  try {
    const answer = await question(createOtaAirline(options));
    return { ...last, answer };
  } catch (error) {
    if (error instanceof ClerkError) return { ...last, error };
    throw error;
  }
}

/** OpenTravel codes of a refused currency, agent or agency. */
const SELLER_CODES: readonly (string | undefined)[] = ['61', '183', '189'];
const CREDENTIALS_WORDS = { both: 'key and token', key: 'the key alone', token: 'the token alone' } as const;

/** The reply in one clause: status, the airline's code and title, the support reference. */
function replyText({ reply, error, fault = error?.airline ?? {} }: ProbeReply): string {
  if (reply === undefined) return 'no reply';
  const { code, title, correlationId } = fault;
  const words = [code && `code ${cleanCode(code)}`, title && quoted(title, 80)];
  return joined([`HTTP ${reply.status}`, ...words, correlationId && `reference ${cleanCode(correlationId, 60)}`]);
}

/** An address without its query, which may hold a key. */
function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return cleanText(origin + pathname, 120);
}

/** Says why a question failed. @param setting the setting that has the address */
function explain(
  answer: ProbeReply,
  setting: string,
  { credentials }: AirlineConfig,
  problem = problemOf(answer),
): CheckOutcome {
  const { url, reply, error } = answer;
  const target = reply?.headers?.location && URL.parse(reply.headers.location, url);

  return finding(problem, {
    setting,
    where: url === undefined ? setting : withoutQuery(url),
    said: replyText(answer),
    words: error?.message,
    credentials: CREDENTIALS_WORDS[credentials],
    target: target ? ` to ${withoutQuery(target.href)}` : '',
  });
}

/** Names what a reply shows. The first that fits counts: several statuses are also those of a less exact finding below. */
function problemOf({ reply, error }: ProbeReply): FindingName {
  if (reply === undefined) return 'no_reply';

  const { status } = reply;
  if (status >= 300 && status < 400) return 'redirect';
  if (SELLER_CODES.includes(error?.airline?.code)) return 'seller_refused';
  if (status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'credentials_refused';
  if (status >= 500) return 'airline_failed';
  if (status < 300 && (error?.code === 'E_AIRLINE_REPLY' || /^\s*</.test(reply.text))) return 'reply_unreadable';

  return status === 404 || status === 405 ? 'wrong_path' : 'refused';
}

// The checks.

/** Logs in once. */
async function checkToken(
  airline: AirlineConfig,
  transport: Transport,
): Promise<CheckOutcome & { readonly value?: TokenSet }> {
  const { login, credentials } = airline;
  if (login === undefined || credentials === 'key') return good('Not needed: FARECLERK_CREDENTIALS=key');

  const settings = { ...login, clientSecret: login.clientSecret.reveal(), password: login.password.reveal() };
  let last: ProbeReply = {};

  const post: ReturnType<typeof formPoster> = async (url, form) => {
    last = { url };
    const reply = await formPoster(transport)(url, form);
    last = { url, reply };
    return reply;
  };

  try {
    const value = await createGrants(settings, post).password();
    return { ...good(`A token was issued, valid for ${value.expiresIn} s`), value };
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    const json = readJson(last.reply?.text ?? '');
    const { error: code, error_description: title } = record(json.ok ? json.value : undefined);
    const answer = { ...last, fault: { code: text(code), title: text(title) } };
    return explain(answer, 'FARECLERK_AUTH_URL', airline, loginProblem(answer));
  }
}

/** Names what a refused login shows. The provider's words are quoted: no code tells a wrong password from a locked account. */
function loginProblem(answer: ProbeReply): FindingName {
  if (answer.reply?.status === 404) return 'wrong_login_address';
  const problem = problemOf(answer);
  return problem === 'refused' || problem === 'credentials_refused' ? 'login_refused' : problem;
}

const FORM_WORDS = { header: 'the local-name header', path: 'the end of the path' } as const;

/** Reads a booking that does not exist, in the form that is set; and in the other if the airline does not understand it. */
async function checkReading(desk: Desk): Promise<CheckOutcome> {
  const { airline } = desk;
  const { addressForm, baseUrl, credentials } = airline;
  const where = withoutQuery(baseUrl);
  const read = (form: typeof addressForm) =>
    ask({ ...desk, airline: { ...airline, addressForm: form } }, (one) => one.read(MISSING_LOCATOR));

  const arrived = ({ answer, error }: ProbeReply) => answer !== undefined || error?.noSuchBooking === true;
  const reply = await read(addressForm);
  if (arrived(reply))
    return good(`${where} takes messages named by ${FORM_WORDS[addressForm]}, with ${CREDENTIALS_WORDS[credentials]}`);

  const problem = explain(reply, 'FARECLERK_BASE_URL', airline);
  if (problem.finding !== 'wrong_path' && problem.finding !== 'refused') return problem;

  const value = addressForm === 'header' ? 'path' : 'header';
  if (!arrived(await read(value))) return problem;

  return finding('address_form_needed', { where, form: FORM_WORDS[value], value });
}

async function checkRoutes(desk: Desk): Promise<CheckOutcome & { readonly value?: readonly Pair[] }> {
  const reply = await ask(desk, (one) => one.routes());
  if (reply.answer === undefined) return explain(reply, 'FARECLERK_GATEWAY_URL', desk.airline);
  const value = reply.answer.flatMap((route) => route.to.map((to) => ({ from: route.from.code, to: to.code })));
  return { ...good(`${value.length} pairs of stations on sale`), value };
}

/** Searches the pairs one after the other until offers come, and compares their dialect and currency with the settings. */
async function checkSearch(desk: Desk, pairs: readonly Pair[], date: string): Promise<CheckOutcome> {
  const { currency: set, dialect } = desk.airline;
  if (pairs.length === 0) return skipped('No route is known. Name one: `fareclerk doctor --route FROM-TO`.');

  for (const { from, to } of pairs) {
    const legs = [{ from, to, date, daysBefore: 0, daysAfter: 0 }];
    const passengers = { adults: 1, children: 0, infants: 0 };
    const search = { legs, passengers, bookingClasses: [] };
    const reply = await ask(desk, (one) => one.searchFares(search));
    const signs = dialectSigns(reply.reply?.text ?? '');
    const proved = provedDialect(signs);
    if (proved !== undefined && proved !== dialect) return finding('other_dialect', { proved, set: dialect });
    if (reply.error !== undefined && reply.error.code !== 'E_NO_AVAILABILITY')
      return explain(reply, 'FARECLERK_BASE_URL', desk.airline);

    const { offers = [] } = reply.answer ?? {};
    if (offers.length === 0) continue;

    const currencies = [...new Set(offers.flatMap(({ pricing }) => pricing.total?.total.currency ?? []))].sort();
    const other = currencies.find((currency) => currency !== set);
    if (other !== undefined) return finding('other_currency', { found: currencies.join(', '), set, other });

    const found = `${offers.length} offers from ${from} to ${to} on ${date}, in ${currencies.join(', ')}`;
    return proved === undefined ? unclearDialect(signs, dialect, found) : good(`${found}, in the ${proved} dialect`);
  }

  const routes = pairs.map(({ from, to }) => `${from} to ${to}`).join(', ');
  return finding('nothing_on_sale', { date, routes });
}

/** A sign of a dialect in the reply to a search. Only a proof decides; other signs are in both dialects, more often in this one. */
interface DialectSign {
  readonly dialect: Dialect;
  readonly isProof?: true;
  /** In words, after "Seen:". */
  readonly fact: string;
  readonly pattern: RegExp;
}

const SIGNS: readonly DialectSign[] = [
  {
    dialect: 'rail',
    isProof: true,
    fact: 'fare codes that name their segment',
    pattern: /"flight_?segment_?rph"\s*:/i,
  },
  {
    dialect: 'airline',
    isProof: true,
    fact: 'rows that name travellers',
    pattern: /"traveler_?ref_?number"\s*:\s*\[\s*\{/i,
  },
  {
    dialect: 'rail',
    fact: 'carriers of three characters, as in rail',
    pattern: /airline"\s?:\s?\{\s?"code"\s?:\s?"\w{3}"/i,
  },
  {
    dialect: 'airline',
    fact: 'carriers of two characters, as in the airline dialect',
    pattern: /airline"\s?:\s?\{\s?"code"\s?:\s?"\w{2}"/i,
  },
];

/** The signs that a reply to a search shows. */
function dialectSigns(reply: string): readonly DialectSign[] {
  return SIGNS.filter(({ pattern }) => pattern.test(reply));
}

/** The dialect that the signs prove; undefined if they prove none, or both. */
function provedDialect(signs: readonly DialectSign[]): Dialect | undefined {
  const [proof, ...otherProofs] = signs.filter(({ isProof }) => isProof);
  return otherProofs.length === 0 ? proof?.dialect : undefined;
}

/** Says that the reply does not tell the dialect, and what was seen in it. */
function unclearDialect(signs: readonly DialectSign[], set: Dialect, offers: string): CheckOutcome {
  const seen = signs.length === 0 ? 'no sign of either' : signs.map(({ fact }) => fact).join(', ');
  return finding('dialect_unclear', { offers, set, seen });
}
