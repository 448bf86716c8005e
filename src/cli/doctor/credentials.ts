/**
 * Finds what the airline accepts: the login (once, never twice), the credentials (each alone, and with the headers that some
 * airlines need), the address and form of messages and of the seat map. Tries them with a booking that does not exist.
 */
import { createGrants, GrantError, tokenEndpoint } from '../../auth/airline/token-request.ts';
import { type AirlineConfig, EXTRA_HEADERS, type Login } from '../../config/load.ts';
import { cleanText } from '../../core/clean-text.ts';
import type { TokenSet } from '../../domain/login-store.ts';
import { record, text } from '../../ota/messages/reader.ts';
import { seatMapAddress } from '../../ota/transport/addresses.ts';
import { formPoster } from '../../ota/transport/http.ts';
import { isObject, readJson } from '../../ota/transport/json.ts';
import { type CheckOutcome, type FindingKey, finding, good } from './check.ts';
import {
  arrived,
  bare,
  type ConfigChanges,
  type CredentialResult,
  isAnswered,
  type ProbeReply,
  probed,
  problemOf,
  said,
  type Visit,
} from './visit.ts';

/** No booking has this locator. */
const NO_BOOKING = 'ZQ0QZ0';

const readNothing = (visit: Visit, changes: ConfigChanges = {}): Promise<ProbeReply> =>
  visit.ask((airline) => airline.read(NO_BOOKING), changes);

type Mode = AirlineConfig['credentials'];

type Trial = ReturnType<typeof trialOf>;
type CredentialFacts = Readonly<Record<Mode, Trial>> & { readonly extraHeaders?: Trial };

const NAMES: Readonly<Record<Mode, string>> = { both: 'key and token', key: 'the key alone', token: 'the token alone' };
const MODES = ['both', 'key', 'token'] as const;

export async function tryCredentials(visit: Visit): Promise<CredentialResult> {
  const { apiKey, credentials: set, login, extraHeaders } = visit.airline;
  const asked = await readNothing(visit);
  const [given, none] = [trialOf(asked), trialOf(undefined)];
  const facts: { -readonly [K in keyof CredentialFacts]: CredentialFacts[K] } = { both: none, key: none, token: none };
  facts[set] = given;
  if (given.outcome === 'unclear') return { verdict: problemOf(asked, 'FARECLERK_BASE_URL'), lost: true, facts, asked };
  const possible = (mode: Mode): boolean =>
    (mode === 'token' || apiKey !== undefined) && (mode === 'key' || visit.tokens !== undefined);
  let works: CredentialResult['works'];
  for (const mode of MODES.filter((one) => one !== set && possible(one))) {
    const other = await readNothing(visit, { credentials: mode });
    facts[mode] = trialOf(other);
    if (facts[mode].outcome === 'accepted') works ??= { changes: { credentials: mode }, asked: other };
  }
  if (given.outcome === 'accepted') return { verdict: accepted(set, facts, asked), lost: false, facts, asked };
  if (login !== undefined && extraHeaders.length < EXTRA_HEADERS.both.length) {
    const changes = { extraHeaders: EXTRA_HEADERS.both };
    const other = await readNothing(visit, changes);
    facts.extraHeaders = trialOf(other);
    if (facts.extraHeaders.outcome === 'accepted') works = { changes, asked: other };
  }
  return { verdict: refusal(set, facts, asked), lost: false, facts, asked, works };
}

/** @param asked undefined if it was not tried */
function trialOf(asked: ProbeReply | undefined) {
  const code = asked?.fault?.code;
  const { finding } = asked ? problemOf(asked, 'FARECLERK_BASE_URL') : {};
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

export async function logIn(login: Login, visit: Visit) {
  const settings = { ...login, clientSecret: login.clientSecret.reveal(), password: login.password.reveal() };
  try {
    const tokens = await createGrants(settings, formPoster(visit.transport)).password();
    const { accessToken, expiresIn, refreshToken, refreshExpiresIn } = tokens;
    const type = text(record(probed(visit.exchanges.at(-1)).body).token_type);
    const facts = {
      status: 200,
      expiresIn,
      hasRefreshToken: refreshToken !== undefined,
      shape: isObject(claimsOf(accessToken)) ? 'jwt' : 'opaque',
      refreshExpiresIn,
      tokenType: type && cleanText(type, 20),
    };
    return { tokens, verdict: received(tokens), facts };
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    const verdict = await refused(error, probed(visit.exchanges.at(-1)), login, visit);
    return { verdict, facts: { status: error.status, error: error.oauthError } };
  }
}

function received({ expiresIn, refreshToken }: TokenSet): CheckOutcome {
  const life = `A token was issued, valid for ${expiresIn} s${refreshToken === undefined ? ', without a refresh token' : ''}`;
  return expiresIn >= SEND_LIFE_SECONDS ? good(life) : finding('token_short', { life, wanted: SEND_LIFE_SECONDS });
}

/** Time of issue in a JSON Web Token, milliseconds since 1970 (RFC 7519); undefined for other tokens. */
export function issuedAt(token: string): number | undefined {
  const { iat } = record(claimsOf(token));
  return typeof iat === 'number' ? iat * 1_000 : undefined;
}

function claimsOf(token: string): unknown {
  const [, payload = '', signature] = token.split('.');
  const reading = readJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return reading.ok && signature !== undefined ? reading.value : undefined;
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

async function refused(error: GrantError, asked: ProbeReply, login: Login, visit: Visit): Promise<CheckOutcome> {
  const { error: code, error_description: words } = record(asked.body);
  const reply = `${error.status} ${text(code) ?? ''}: ${text(words) ?? ''}`;
  const known = error.kind === 'refused' ? REFUSALS.find(([sign]) => sign.test(reply))?.[1] : undefined;
  if (known !== undefined) return finding(known);
  if (error.status === 404) return wrongAddress(login, visit);
  const problem = problemOf(asked, 'FARECLERK_AUTH_URL');
  if (!isAnswered(problem)) return problem;
  const key = error.kind === 'unavailable' ? 'no_token' : 'login_refused';
  return finding(key, { status: error.status ?? 'nothing', error: error.oauthError });
}

/** Looks for the provider's discovery document one path element up and down. */
async function wrongAddress({ authUrl, tenant }: Login, { transport }: Visit): Promise<CheckOutcome> {
  const candidates = [`${authUrl}/auth`, authUrl.replace(/\/auth$/, '')];
  for (const candidate of candidates.filter((one) => one !== authUrl)) {
    const url = tokenEndpoint(candidate, tenant).replace(/\/protocol\/.*$/, '/.well-known/openid-configuration');
    const headers = { accept: 'application/json' };
    const request = { purpose: 'identity', method: 'GET', url, headers, deadlineMs: 5_000 } as const;
    const reply = await transport.send(request).catch(() => undefined);
    if (reply?.status === 200 && reply.text.includes('token_endpoint'))
      return finding('wrong_login_address.near', { candidate: `${candidate}/realms/${tenant}` });
  }
  return finding('wrong_login_address');
}

type Form = AirlineConfig['addressForm'];

type AddressFacts = Readonly<Record<Form, boolean>>;

const FORMS: Readonly<Record<Form, string>> = { header: 'the local-name header', path: 'the end of the path' };

/**
 * @param asked the reading in the form that is set
 * @returns `works`: settings that the airline answers, if they differ from those that are set
 */
export async function tryForms(visit: Visit, asked: ProbeReply) {
  const { addressForm: set, baseUrl } = visit.airline;
  const other: Form = set === 'header' ? 'path' : 'header';
  const problem = problemOf(asked, 'FARECLERK_BASE_URL');
  const lost = problem.finding === 'wrong_path';
  const theOther = await readNothing(visit, { addressForm: other });
  // The other form is right if it fails on credentials where the set form finds nothing.
  const theirs = arrived(theOther) || (lost && [401, 403].includes(theOther.status));
  const facts: AddressFacts = { header: arrived(asked), path: arrived(asked), [other]: theirs };
  const where = bare(baseUrl);
  if (facts[set]) {
    const also = theirs ? `, and by ${FORMS[other]} as well` : '';
    return { verdict: good(`${where} takes messages named by ${FORMS[set]}${also}`), facts };
  }
  if (theirs) {
    const verdict = finding('address_form_needed', { where, form: FORMS[other], value: other });
    return { verdict, facts, works: { addressForm: other } };
  }
  if (isAnswered(problem)) return { verdict: finding('refused.reading', { where, said: said(asked) }), facts };
  const candidates = lost ? baseCandidates(baseUrl) : [];
  const found = await firstAnswering(candidates, (url) => readNothing(visit, { baseUrl: url }));
  if (found === undefined) return { verdict: problem, facts };
  return { verdict: finding('wrong_path.near', { where, said: said(asked), found }), facts, works: { baseUrl: found } };
}

async function firstAnswering(urls: readonly string[], ask: (url: string) => Promise<ProbeReply>) {
  for (const url of new Set(urls)) if (arrived(await ask(url))) return url;
  return undefined;
}

/** The path without `/v2015b` or `/v2015b/OTA` at its end. */
const stemOf = (path: string): string => path.replace(/\/v2015b(?:\/OTA)?$/i, '');

function baseCandidates(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  const folder = path.replace(/\/OTA_\w+$/, '');
  const stem = stemOf(folder);
  const paths = [folder, `${stem}/v2015b/OTA`, `${stem}/v2015b`, stem, '/v2015b/OTA', '/v2015b'];
  return paths.filter((one) => one !== path).map((one) => origin + one);
}

/** Asks the seat map's own address about a booking that does not exist. */
export async function trySeatMap(visit: Visit) {
  const address = bare(seatMapAddress(visit.airline.baseUrl));
  const asked = await askSeats(visit);
  const facts = { address, status: asked.status, code: asked.fault?.code };
  if (arrived(asked)) return { verdict: good(`${address} answers`), facts };
  const problem = problemOf(asked, 'FARECLERK_BASE_URL');
  if (problem.finding === 'wrong_path') return { verdict: finding('wrong_path.seats', { address }), facts };
  return { verdict: isAnswered(problem) ? good(`${address} answers: ${said(asked)}`) : problem, facts };
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
