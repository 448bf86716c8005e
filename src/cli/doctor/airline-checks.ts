/** Checks the airline's hosts, and by one login and the reading of a booking that does not exist what it accepts. */
import { createGrants, GrantError } from '../../auth/airline/token-request.ts';
import { type AirlineConfig, EXTRA_HEADERS, type Login } from '../../config/load.ts';
import type { TokenSet } from '../../domain/login-store.ts';
import { record, text } from '../../ota/messages/reader.ts';
import { seatMapAddress } from '../../ota/transport/addresses.ts';
import { formPoster } from '../../ota/transport/http.ts';
import { type Check, type CheckOutcome, type FindingKey, finding, good, mild, passes, skipped } from './check.ts';
import { differenceChecks, onSaleChecks } from './differences.ts';
import { checkAddress } from './network.ts';
import {
  arrived,
  bare,
  type ConfigChanges,
  type CredentialResult,
  clockReadings,
  explainProblem,
  isAnswered,
  judgeClocks,
  type ProbeReply,
  probed,
  SELLER,
  said,
  type Visit,
} from './visit.ts';

export function airlineChecks(visit: Visit): readonly Check[] {
  const { deviations } = visit.options;
  const needs = ['messages', 'credentials'];
  return [
    ...addressChecks(visit),
    { id: 'token', title: 'token', run: () => checkToken(visit) },
    { id: 'credentials', title: 'credentials', needs: ['address.base', 'token'], run: () => checkCredentials(visit) },
    { id: 'messages', title: 'messages', needs: ['credentials'], run: () => checkMessages(visit) },
    // Repeats the check at the address that was found.
    { id: 'credentials', title: 'credentials', run: () => (visit.moved ? checkCredentials(visit) : undefined) },
    { id: 'seat_map', title: 'seat map address', needs, run: () => checkSeatMap(visit) },
    ...onSaleChecks(visit),
    ...(deviations === undefined ? [] : differenceChecks(visit, deviations.locator)),
    { id: 'clock', title: 'clock', run: () => judgeClocks([...visit.clocks, ...clockReadings(visit.exchanges)]) },
    { id: 'requests', title: 'requests', run: () => (deviations ? countRequests(visit) : undefined) },
  ];
}

/** Checks each host once, even if several settings name it. */
function addressChecks({ airline, options, reached }: Visit): readonly Check[] {
  const addresses = [
    ['base', 'messages host', 'FARECLERK_BASE_URL', airline.baseUrl],
    ['auth', 'login host', 'FARECLERK_AUTH_URL', airline.login?.authUrl],
    ['gateway', 'schedule host', 'FARECLERK_GATEWAY_URL', airline.gatewayUrl],
    ['rest', 'downloads host', 'FARECLERK_REST_URL', airline.restUrl],
  ] as const;
  const byOrigin = Map.groupBy(addresses, ([, , , address]) => address && new URL(address).origin);
  return [...byOrigin].flatMap(([origin, group]) => {
    if (origin === undefined) return [];
    const [[id = '', title = ''] = [], ...others] = group;
    const also = others.length === 0 ? '' : ` (also: ${others.map(([, other]) => other).join(', ')})`;
    const settings = group.map(([, , setting]) => setting);
    const run = async (): Promise<CheckOutcome> => {
      const verdict = await checkAddress({ url: new URL(origin), settings }, options);
      if (passes(verdict)) reached.add(origin);
      return { ...verdict, said: verdict.said + also };
    };
    return [{ id: `address.${id}`, title, run }];
  });
}

async function checkToken(visit: Visit): Promise<CheckOutcome> {
  const { login, credentials, apiKey } = visit.airline;
  if (login === undefined) return good('Not needed: FARECLERK_CREDENTIALS=key');
  let verdict = skipped('The identity provider cannot be reached.');
  if (visit.reachable(login.authUrl)) {
    const { tokens, verdict: answered } = await logIn(login, visit);
    verdict = answered;
    if (tokens !== undefined) useToken(visit, tokens.accessToken, tokens.refreshToken);
  }
  if (credentials !== 'key') {
    if (!passes(verdict) && apiKey !== undefined) visit.withoutToken = visit.adopt('token', { credentials: 'key' });
    return verdict;
  }
  visit.checks.waive('token');
  if (verdict.level !== 'fail') return verdict;
  return { ...mild(verdict), said: `${verdict.said} FARECLERK_CREDENTIALS=key needs no login.` };
}

/** Uses one token for all questions: repeated logins could lock the account. */
function useToken(visit: Visit, access: string, refresh: string | undefined): void {
  visit.mask.add(access, refresh);
  const token = async (): Promise<string> => access;
  visit.tokens = { token, ensureLife: token, invalidate() {}, refreshToken: () => refresh };
}

async function checkCredentials(visit: Visit): Promise<CheckOutcome | undefined> {
  const tried = await tryCredentials(visit);
  const { verdict, lost, works } = tried;
  visit.credentials ??= tried;
  if (lost && !visit.moved) return undefined;
  if (!passes(verdict)) visit.adopt('credentials', works?.changes);
  if (!visit.withoutToken) return verdict;
  return { advice: 'Set FARECLERK_CREDENTIALS=key if no login is needed, or correct the login.', ...verdict };
}

async function checkMessages(visit: Visit): Promise<CheckOutcome | undefined> {
  const { credentials: tried } = visit;
  if (tried === undefined) return undefined;
  if (tried.lost && tried.verdict.finding !== 'wrong_path') {
    // These refusals concern the seller, so the address is right.
    const isSeller = Object.values<string>(SELLER).includes(tried.verdict.finding);
    visit.checks.add('messages', isSeller ? 'point of sale' : 'messages', tried.verdict);
    return undefined;
  }
  const { verdict, works } = await tryForms(visit, tried.works?.asked ?? tried.asked);
  visit.moved = !passes(verdict) && visit.adopt('messages', works) && tried.lost;
  return verdict;
}

const countRequests = ({ exchanges }: Visit): CheckOutcome =>
  good(`${exchanges.length} were sent: readings and a login. Nothing was booked, paid, changed or mailed.`);

/** No booking has this locator. */
const NO_BOOKING = 'ZQ0QZ0';

const readNothing = (visit: Visit, changes: ConfigChanges = {}): Promise<ProbeReply> =>
  visit.ask((airline) => airline.read(NO_BOOKING), changes);

type Mode = AirlineConfig['credentials'];

type Trial = ReturnType<typeof judgeTrial>;
type CredentialFacts = Readonly<Record<Mode, Trial>> & { readonly extraHeaders?: Trial };

const NAMES: Readonly<Record<Mode, string>> = { both: 'key and token', key: 'the key alone', token: 'the token alone' };
const MODES = ['both', 'key', 'token'] as const;

async function tryCredentials(visit: Visit): Promise<CredentialResult> {
  const { apiKey, credentials: set, login, extraHeaders } = visit.airline;
  const asked = await readNothing(visit);
  const [given, none] = [judgeTrial(asked), judgeTrial(undefined)];
  const facts: { -readonly [K in keyof CredentialFacts]: CredentialFacts[K] } = { both: none, key: none, token: none };
  facts[set] = given;
  if (given.outcome === 'unclear') return { verdict: explainProblem(asked, 'FARECLERK_BASE_URL'), lost: true, asked };
  const possible = (mode: Mode): boolean =>
    (mode === 'token' || apiKey !== undefined) && (mode === 'key' || visit.tokens !== undefined);
  let works: CredentialResult['works'];
  for (const mode of MODES.filter((one) => one !== set && possible(one))) {
    const other = await readNothing(visit, { credentials: mode });
    facts[mode] = judgeTrial(other);
    if (facts[mode].outcome === 'accepted') works ??= { changes: { credentials: mode }, asked: other };
  }
  if (given.outcome === 'accepted') return { verdict: accepted(set, facts, asked), lost: false, asked };
  if (login !== undefined && extraHeaders.length < EXTRA_HEADERS.both.length) {
    const changes = { extraHeaders: EXTRA_HEADERS.both };
    const other = await readNothing(visit, changes);
    facts.extraHeaders = judgeTrial(other);
    if (facts.extraHeaders.outcome === 'accepted') works = { changes, asked: other };
  }
  return { verdict: refusal(set, facts, asked), lost: false, asked, works };
}

/** @param asked undefined if it was not tried */
function judgeTrial(asked: ProbeReply | undefined) {
  const code = asked?.fault?.code;
  const { finding } = asked ? explainProblem(asked, 'FARECLERK_BASE_URL') : {};
  const isRefused =
    [401, 403].includes(asked?.status ?? 0) && finding !== 'agent_refused' && finding !== 'agency_suspended';
  const accepts = asked?.answer !== undefined || finding === 'refused';
  const answered = accepts ? 'accepted' : 'unclear';
  const tried = isRefused && !accepts ? 'refused' : answered;
  const outcome = asked === undefined ? 'not_tried' : tried;
  return { outcome, status: asked?.status || undefined, code } as const;
}

function accepted(set: Mode, facts: CredentialFacts, asked: ProbeReply): CheckOutcome {
  const others = MODES.filter((mode) => mode !== set && facts[mode].outcome !== 'not_tried');
  const tried = others.map((mode) => `${NAMES[mode]}: ${facts[mode].outcome}`).join(', ');
  // The booking that was asked for does not exist: that the airline says so is what must happen, and no news.
  const answered = asked.status === 404 ? '' : ` (${said(asked)})`;
  return good(`Accepted: ${NAMES[set]}${answered}.${tried === '' ? '' : ` Also tried: ${tried}.`}`);
}

const same = (a: Trial, b: Trial): boolean => a.outcome !== 'not_tried' && a.status === b.status && a.code === b.code;

/** Blames the token if the key alone is accepted or the reply stays the same without the token; and the reverse. */
function refusal(set: Mode, { both, key, token, extraHeaders }: CredentialFacts, asked: ProbeReply): CheckOutcome {
  const signs: readonly (readonly [boolean, FindingKey])[] = [
    [extraHeaders?.outcome === 'accepted', 'extra_headers_needed'],
    [set !== 'key' && key.outcome === 'accepted', 'token_refused.key_accepted'],
    [set !== 'token' && token.outcome === 'accepted', 'key_refused.token_accepted'],
    [set !== 'both' && both.outcome === 'accepted', 'credentials_refused.both_accepted'],
    [set === 'key', 'key_refused.alone'],
    [set === 'token', 'token_refused.alone'],
    [same(both, key) && !same(both, token), 'token_refused'],
    [same(both, token) && key.outcome !== 'not_tried', 'key_refused'],
  ];
  const found = signs.find(([applies]) => applies)?.[1] ?? 'credentials_refused';
  return finding(found, { refused: `The airline refuses ${NAMES[set]} (${said(asked)}).` });
}

/** A token must be valid for ten more minutes when a send begins. */
const SEND_LIFE_SECONDS = 600;

async function logIn(login: Login, visit: Visit) {
  const settings = { ...login, clientSecret: login.clientSecret.reveal(), password: login.password.reveal() };
  try {
    const tokens = await createGrants(settings, formPoster(visit.transport)).password();
    return { tokens, verdict: received(tokens) };
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    return { verdict: refused(error, probed(visit.exchanges.at(-1))) };
  }
}

function received({ expiresIn, refreshToken }: TokenSet): CheckOutcome {
  const life = `A token was issued, valid for ${expiresIn} s${refreshToken === undefined ? ', without a refresh token' : ''}`;
  return expiresIn >= SEND_LIFE_SECONDS ? good(life) : finding('token_short', { life, wanted: SEND_LIFE_SECONDS });
}

/** Matched against status, error and description; the sentences are Keycloak's. The first match counts. */
const REFUSALS: readonly (readonly [RegExp, FindingKey])[] = [
  [/ invalid_grant: .*(?:temporarily|locked|too many)/i, 'account_locked'],
  [/ invalid_grant: .*disabled/i, 'account_disabled'],
  [/ invalid_grant: .*(?:not fully set up|resolve_required_actions|required action)/i, 'account_not_set_up'],
  [/ invalid_grant: /, 'wrong_password'],
  [/direct access grants|grant.{0,20}not (?:allowed|enabled|supported)| unsupported_grant_type:/i, 'grant_not_allowed'],
  [/ unauthorized_client: /, 'client_refused.secret'],
  [/ invalid_client: /, 'client_refused'],
  [/^404 [^:]*realm/i, 'wrong_tenant'],
];

function refused(error: GrantError, asked: ProbeReply): CheckOutcome {
  const { error: code, error_description: words } = record(asked.body);
  const reply = `${error.status} ${text(code) ?? ''}: ${text(words) ?? ''}`;
  const known = error.kind === 'refused' ? REFUSALS.find(([sign]) => sign.test(reply))?.[1] : undefined;
  if (known !== undefined) return finding(known);
  if (error.status === 404) return finding('wrong_login_address');
  const problem = explainProblem(asked, 'FARECLERK_AUTH_URL');
  if (!isAnswered(problem)) return problem;
  const key = error.kind === 'unavailable' ? 'no_token' : 'login_refused';
  return finding(key, { status: error.status ?? 'nothing', error: error.oauthError });
}

type Form = AirlineConfig['addressForm'];

const FORMS: Readonly<Record<Form, string>> = { header: 'the local-name header', path: 'the end of the path' };

/**
 * @param asked the reading in the form that is set
 * @returns `works`: settings that the airline answers, if they differ from those that are set
 */
async function tryForms(visit: Visit, asked: ProbeReply) {
  const { addressForm: set, baseUrl } = visit.airline;
  const other: Form = set === 'header' ? 'path' : 'header';
  const problem = explainProblem(asked, 'FARECLERK_BASE_URL');
  const lost = problem.finding === 'wrong_path';
  const theOther = await readNothing(visit, { addressForm: other });
  // The other form is right if it fails on credentials where the set form finds nothing.
  const theirs = arrived(theOther) || (lost && [401, 403].includes(theOther.status));
  const where = bare(baseUrl);
  if (arrived(asked)) {
    const also = theirs ? `, and by ${FORMS[other]} as well` : '';
    return { verdict: good(`${where} takes messages named by ${FORMS[set]}${also}`) };
  }
  if (theirs) {
    const verdict = finding('address_form_needed', { where, form: FORMS[other], value: other });
    return { verdict, works: { addressForm: other } };
  }
  return { verdict: isAnswered(problem) ? finding('refused.reading', { where, said: said(asked) }) : problem };
}

/** Asks the seat map's own address about a booking that does not exist. */
async function checkSeatMap(visit: Visit): Promise<CheckOutcome> {
  const address = bare(seatMapAddress(visit.airline.baseUrl));
  const asked = await askSeats(visit);
  if (arrived(asked)) return good(`${address} answers`);
  const problem = explainProblem(asked, 'FARECLERK_BASE_URL');
  if (problem.finding === 'wrong_path') return finding('wrong_path.seats', { address });
  return isAnswered(problem) ? good(`${address} answers: ${said(asked)}`) : problem;
}

/** A complete request for a booking that does not exist. */
function askSeats(visit: Visit): Promise<ProbeReply> {
  const { carrier = 'XX' } = visit.airline;
  const name = { prefix: [], given: ['Test'], middle: [], surname: 'Traveller', suffix: [], title: [] };
  const day = new Date(visit.options.now() + 30 * 86_400_000).toISOString().slice(0, 10);
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
  const nobody = { emails: [], phones: [], addresses: [], comments: [], segmentRefs: ['1'] };
  const travelers = [{ ref: '1', type: 'ADT', name, ...nobody }];
  const requests = [{ segment, travelerRefs: ['1'] }];
  return visit.ask((airline) => airline.seatMap({ locator: NO_BOOKING, requests, travelers }));
}
