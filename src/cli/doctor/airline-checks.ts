/** Checks what the airline accepts, with one login and the reading of a booking that does not exist. */
import { createGrants, GrantError } from '../../auth/airline/token-request.ts';
import { type AirlineConfig, EXTRA_HEADERS, type Login } from '../../config/load.ts';
import { DAY_MS, utcDay } from '../../core/times.ts';
import type { TokenSet } from '../../domain/login-store.ts';
import { record, text } from '../../ota/messages/reader.ts';
import { seatMapAddress } from '../../ota/transport/addresses.ts';
import { formPoster } from '../../ota/transport/http.ts';
import { type Check, type CheckOutcome, type FindingKey, finding, good, mild, passes, skipped } from './check.ts';
import { differenceChecks, onSaleChecks } from './differences.ts';
import { checkAddress } from './network.ts';
import {
  arrived,
  type ConfigChanges,
  clockReadings,
  explainProblem,
  isAnswered,
  judgeClocks,
  type ProbeReply,
  probed,
  replyText,
  SELLER_FINDINGS,
  type Visit,
  withoutQuery,
} from './visit.ts';

/** A locator that no booking has. */
const MISSING_LOCATOR = 'ZQ0QZ0';

/** A token must be valid for ten more minutes when a send begins. */
const SEND_LIFE_SECONDS = 600;

type Form = AirlineConfig['addressForm'];

const FORM_WORDS: Readonly<Record<Form, string>> = { header: 'the local-name header', path: 'the end of the path' };

type Mode = AirlineConfig['credentials'];

const CREDENTIALS_WORDS: Readonly<Record<Mode, string>> = {
  both: 'key and token',
  key: 'the key alone',
  token: 'the token alone',
};

/** Characters of a refusal that are searched for signs. */
const MOST_REFUSAL = 2_000;

/** Signs in the status, error and description of a refused login; the sentences are Keycloak's. The first match counts. */
const REFUSALS: readonly (readonly [sign: RegExp, meaning: FindingKey])[] = [
  [/ invalid_grant: .*(?:temporarily|locked|too many)/i, 'account_locked'],
  [/ invalid_grant: .*disabled/i, 'account_disabled'],
  [/ invalid_grant: .*(?:not fully set up|resolve_required_actions|required action)/i, 'account_not_set_up'],
  [/ invalid_grant: /, 'wrong_password'],
  [/direct access grants|grant.{0,20}not (?:allowed|enabled|supported)| unsupported_grant_type:/i, 'grant_not_allowed'],
  [/ unauthorized_client: /, 'client_refused.secret'],
  [/ invalid_client: /, 'client_refused'],
  [/^404 [^:]*realm/i, 'wrong_tenant'],
];

export function airlineChecks(visit: Visit): readonly Check[] {
  const { deviations } = visit.options;
  // The checks that must pass before the airline is asked anything.
  const beforeAsking = ['address.base', 'token'];
  const beforeCredentials = [...beforeAsking, 'messages'];
  // The checks that must pass before it is asked anything else than the reading of a booking that does not exist.
  const beforeOtherQuestions = ['messages', 'credentials'];
  return [
    ...addressChecks(visit),
    { id: 'token', title: 'token', run: () => checkToken(visit) },
    { id: 'messages', title: 'messages', needs: beforeAsking, run: () => checkMessages(visit) },
    { id: 'credentials', title: 'credentials', needs: beforeCredentials, run: () => checkCredentials(visit) },
    { id: 'seat_map', title: 'seat map address', needs: beforeOtherQuestions, run: () => checkSeatMap(visit) },
    ...onSaleChecks(visit),
    ...(deviations === undefined ? [] : differenceChecks(visit, deviations.locator)),
    { id: 'clock', title: 'clock', run: () => judgeClocks([...visit.clocks, ...clockReadings(visit.exchanges)]) },
    { id: 'requests', title: 'requests', run: () => (deviations ? countRequests(visit) : undefined) },
  ];
}

/** Checks each host once, even if several settings name it. */
function addressChecks({ airline, options, reached }: Visit): readonly Check[] {
  const addresses = [
    { id: 'base', title: 'messages host', setting: 'FARECLERK_BASE_URL', address: airline.baseUrl },
    { id: 'auth', title: 'login host', setting: 'FARECLERK_AUTH_URL', address: airline.login?.authUrl },
    { id: 'gateway', title: 'schedule host', setting: 'FARECLERK_GATEWAY_URL', address: airline.gatewayUrl },
    { id: 'rest', title: 'downloads host', setting: 'FARECLERK_REST_URL', address: airline.restUrl },
  ];
  const byOrigin = Map.groupBy(addresses, ({ address }) => address && new URL(address).origin);
  return [...byOrigin].flatMap(([origin, group]) => {
    const [first, ...others] = group;
    if (origin === undefined || first === undefined) return [];
    const otherTitles = others.map(({ title }) => title).join(', ');
    const alsoText = others.length === 0 ? '' : ` (also: ${otherTitles})`;
    const settings = group.map(({ setting }) => setting);
    const run = async (): Promise<CheckOutcome> => {
      const verdict = await checkAddress({ url: new URL(origin), settings }, options);
      if (passes(verdict)) reached.add(origin);
      return { ...verdict, said: verdict.said + alsoText };
    };
    return [{ id: `address.${first.id}`, title: first.title, run }];
  });
}

async function checkToken(visit: Visit): Promise<CheckOutcome> {
  const { login, credentials, apiKey } = visit.airline;
  if (login === undefined) return good('Not needed: FARECLERK_CREDENTIALS=key');
  const isReachable = visit.reachable(login.authUrl);
  const verdict = isReachable ? await logIn(login, visit) : skipped('The identity provider cannot be reached.');
  if (credentials === 'key') {
    visit.checks.waive('token');
    if (verdict.level !== 'fail') return verdict;
    return { ...mild(verdict), said: `${verdict.said} FARECLERK_CREDENTIALS=key needs no login.` };
  }
  // Without a token, the checks after this one may still work with the key alone.
  if (!passes(verdict) && apiKey !== undefined) visit.withoutToken = visit.adopt('token', { credentials: 'key' });
  return verdict;
}

/** Logs in, and judges the token or the refusal. The token is used for all later questions. */
async function logIn(login: Login, visit: Visit): Promise<CheckOutcome> {
  const settings = { ...login, clientSecret: login.clientSecret.reveal(), password: login.password.reveal() };
  try {
    const tokens = await createGrants(settings, formPoster(visit.transport)).password();
    useToken(visit, tokens);
    return tokenOutcome(tokens);
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    return loginRefusal(error, probed(visit.exchanges.at(-1)));
  }
}

/** Uses one token for all questions: repeated logins could lock the account. */
function useToken(visit: Visit, { accessToken, refreshToken }: TokenSet): void {
  visit.mask.add(accessToken, refreshToken);
  const token = async (): Promise<string> => accessToken;
  visit.tokens = { token, ensureLife: token, invalidate() {}, refreshToken: () => refreshToken };
}

function tokenOutcome({ expiresIn, refreshToken }: TokenSet): CheckOutcome {
  const life = `A token was issued, valid for ${expiresIn} s${refreshToken === undefined ? ', without a refresh token' : ''}`;
  return expiresIn >= SEND_LIFE_SECONDS ? good(life) : finding('token_short', { life, wanted: SEND_LIFE_SECONDS });
}

/** @param probe the last exchange with the identity provider */
function loginRefusal(error: GrantError, probe: ProbeReply): CheckOutcome {
  const { error: code, error_description: words } = record(probe.body);
  const reply = `${error.status} ${text(code) ?? ''}: ${text(words) ?? ''}`.slice(0, MOST_REFUSAL);
  const knownRefusal = error.kind === 'refused' ? REFUSALS.find(([sign]) => sign.test(reply))?.[1] : undefined;
  if (knownRefusal !== undefined) return finding(knownRefusal);
  if (error.status === 404) return finding('wrong_login_address');
  const problem = explainProblem(probe, 'FARECLERK_AUTH_URL');
  if (!isAnswered(problem)) return problem;
  const key = error.kind === 'unavailable' ? 'no_token' : 'login_refused';
  return finding(key, { status: error.status ?? 'nothing', error: error.oauthError });
}

/** Reads in the form that is set, and in the other form if the airline does not understand the first. */
async function checkMessages(visit: Visit): Promise<CheckOutcome | undefined> {
  const { addressForm, baseUrl } = visit.airline;
  const where = withoutQuery(baseUrl);
  const reading = await readMissingBooking(visit);
  visit.reading = reading;
  if (arrived(reading)) return good(`${where} takes messages named by ${FORM_WORDS[addressForm]}`);
  const problem = explainProblem(reading, 'FARECLERK_BASE_URL');
  // The check of the credentials says what is wrong with them.
  if (problem.finding === 'credentials_refused') return undefined;
  if (Object.values<string>(SELLER_FINDINGS).includes(problem.finding)) {
    visit.checks.add('messages', 'point of sale', problem);
    return undefined;
  }
  const isWrongPath = problem.finding === 'wrong_path';
  if (!isWrongPath && problem.finding !== 'refused') return problem;
  const otherForm: Form = addressForm === 'header' ? 'path' : 'header';
  const otherReading = await readMissingBooking(visit, { addressForm: otherForm });
  // The other form is right if it fails on credentials where the set form finds nothing.
  if (arrived(otherReading) || (isWrongPath && [401, 403].includes(otherReading.status))) {
    if (visit.adopt('messages', { addressForm: otherForm })) visit.reading = otherReading;
    return finding('address_form_needed', { where, form: FORM_WORDS[otherForm], value: otherForm });
  }
  return isWrongPath ? problem : finding('refused.reading', { where, said: replyText(reading) });
}

const readMissingBooking = (visit: Visit, changes: ConfigChanges = {}): Promise<ProbeReply> =>
  visit.ask((airline) => airline.read(MISSING_LOCATOR), changes);

/** Judges the reading of the messages check. Tries other credentials only if it was refused. */
async function checkCredentials(visit: Visit): Promise<CheckOutcome> {
  const { reading, withoutToken } = visit;
  // The booking does not exist, so "not found" is the right answer and needs no words.
  const detail = reading.status === 404 ? '' : ` (${replyText(reading)})`;
  const verdict = isRefused(reading)
    ? await explainRefusal(visit, reading)
    : good(`Accepted: ${CREDENTIALS_WORDS[visit.airline.credentials]}${detail}.`);
  if (!withoutToken) return verdict;
  return { advice: 'Set FARECLERK_CREDENTIALS=key if no login is needed, or correct the login.', ...verdict };
}

const findingFor = (reading: ProbeReply) => explainProblem(reading, 'FARECLERK_BASE_URL').finding;

const isRefused = (reading: ProbeReply): boolean =>
  reading.answer === undefined && findingFor(reading) === 'credentials_refused';

const isAccepted = (reading: ProbeReply | undefined): boolean =>
  reading !== undefined && (reading.answer !== undefined || findingFor(reading) === 'refused');

const isSameReply = (first: ProbeReply | undefined, second: ProbeReply | undefined): boolean =>
  first !== undefined && first.status === second?.status && first.fault?.code === second.fault?.code;

type Diagnosis = { readonly applies: boolean; readonly key: FindingKey; readonly changes?: ConfigChanges };

/** Blames the token if the key alone is accepted, or if the reply is the same without the token; and the other way round. */
async function explainRefusal(visit: Visit, refusedReading: ProbeReply): Promise<CheckOutcome> {
  const { apiKey, credentials: setting, login, extraHeaders } = visit.airline;
  const hasKey = apiKey !== undefined;
  const hasToken = visit.tokens !== undefined;
  const readWith = async (mode: Mode, isPossible: boolean): Promise<ProbeReply | undefined> => {
    if (mode === setting) return refusedReading;
    return isPossible ? readMissingBooking(visit, { credentials: mode }) : undefined;
  };
  const withBoth = await readWith('both', hasKey && hasToken);
  const withKey = await readWith('key', hasKey);
  const withToken = await readWith('token', hasToken);
  const allHeaders = { extraHeaders: EXTRA_HEADERS.both };
  const canAddHeaders = login !== undefined && extraHeaders.length < EXTRA_HEADERS.both.length;
  const withHeaders = canAddHeaders ? await readMissingBooking(visit, allHeaders) : undefined;
  // The first that applies counts: settings that the airline accepts (`changes`) say more than equal replies.
  const diagnoses: readonly Diagnosis[] = [
    { applies: isAccepted(withHeaders), key: 'extra_headers_needed', changes: allHeaders },
    { applies: isAccepted(withKey), key: 'token_refused.key_accepted', changes: { credentials: 'key' } },
    { applies: isAccepted(withToken), key: 'key_refused.token_accepted', changes: { credentials: 'token' } },
    { applies: isAccepted(withBoth), key: 'credentials_refused.both_accepted', changes: { credentials: 'both' } },
    { applies: setting === 'key', key: 'key_refused.alone' },
    { applies: setting === 'token', key: 'token_refused.alone' },
    { applies: isSameReply(withBoth, withKey) && !isSameReply(withBoth, withToken), key: 'token_refused' },
    { applies: isSameReply(withBoth, withToken) && withKey !== undefined, key: 'key_refused' },
  ];
  const unknownCause: Diagnosis = { applies: true, key: 'credentials_refused' };
  const { key, changes } = diagnoses.find(({ applies }) => applies) ?? unknownCause;
  visit.adopt('credentials', changes);
  return finding(key, { refused: `The airline refuses ${CREDENTIALS_WORDS[setting]} (${replyText(refusedReading)}).` });
}

/** Asks the seat map's own address about a booking that does not exist. */
async function checkSeatMap(visit: Visit): Promise<CheckOutcome> {
  const address = withoutQuery(seatMapAddress(visit.airline.baseUrl));
  const probe = await askSeats(visit);
  if (arrived(probe)) return good(`${address} answers`);
  const problem = explainProblem(probe, 'FARECLERK_BASE_URL');
  if (problem.finding === 'wrong_path') return finding('wrong_path.seats', { address });
  return isAnswered(problem) ? good(`${address} answers: ${replyText(probe)}`) : problem;
}

/** Sends a complete request for the seats of a booking that does not exist. */
function askSeats(visit: Visit): Promise<ProbeReply> {
  const { carrier = 'XX' } = visit.airline;
  const name = { prefix: [], given: ['Test'], middle: [], surname: 'Traveller', suffix: [], title: [] };
  const day = utcDay(visit.options.now() + 30 * DAY_MS);
  const segment = {
    ref: '1',
    optionRef: '1',
    flightNumber: '1',
    statusCode: '30',
    from: 'XXA',
    to: 'XXB',
    operating: { carrier, number: '1' },
    marketing: { carrier },
    departs: `${day}T08:00:00.000Z`,
    arrives: `${day}T09:00:00.000Z`,
  };
  const noDetails = { emails: [], phones: [], addresses: [], comments: [], segmentRefs: ['1'] };
  const travelers = [{ ref: '1', type: 'ADT', name, ...noDetails }];
  const requests = [{ segment, travelerRefs: ['1'] }];
  return visit.ask((airline) => airline.seatMap({ locator: MISSING_LOCATOR, requests, travelers }));
}

const countRequests = ({ exchanges }: Visit): CheckOutcome =>
  good(`${exchanges.length} were sent: readings and a login. Nothing was booked, paid, changed or mailed.`);
