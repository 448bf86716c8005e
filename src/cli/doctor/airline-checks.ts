/**
 * Checks the airline's hosts, login, messages and clock. `fareclerk doctor --airline` also finds by reads alone how this
 * airline differs from others, and which dialect it speaks (docs/wire/notes.md).
 */

import { addDays } from '../../core/times.ts';
import { counted } from '../../core/words.ts';
import type { Dialect } from '../../domain/airline.ts';
import { activeSegments } from '../../domain/booking/booking.ts';
import { record, records, texts } from '../../ota/messages/reader.ts';
import { isObject } from '../../ota/transport/json.ts';
import { whyNotSeatMap } from '../../tools/rules/permissions.ts';
import { type Check, type CheckOutcome, finding, good, mild, passes, skipped, unclear } from './check.ts';
import { issuedAt, logIn, tryCredentials, tryForms, trySeatMap } from './credentials.ts';
import { checkAddress } from './network.ts';
import {
  all,
  carrierAdvice,
  carriersOf,
  errorFacts,
  FAMILY,
  fareOf,
  findFares,
  itinerariesOf,
  judgeRows,
  onSaleChecks,
  rowFacts,
  segmentsOf,
  zoneOf,
} from './on-sale.ts';
import {
  clockReadings,
  judgeClocks,
  type Pair,
  type ProbeReply,
  problemOf,
  SELLER,
  said,
  tokenReading,
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
    { id: 'clock', title: 'clock', run: () => checkClocks(visit) },
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
    const { tokens, ...result } = await logIn(login, visit);
    verdict = result.verdict;
    visit.answers.login = result.facts;
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
  const [issued, exchange] = [issuedAt(access), visit.exchanges.at(-1)];
  if (issued !== undefined && exchange !== undefined) visit.tokenClock.push(tokenReading(issued, exchange));
}

async function checkCredentials(visit: Visit): Promise<CheckOutcome | undefined> {
  const tried = await tryCredentials(visit);
  const { verdict, facts, asked, lost, works } = tried;
  visit.answers.credentials = facts;
  visit.answers.refusal ??= { ...errorFacts(asked.body), status: asked.status };
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
  const { verdict, facts, works } = await tryForms(visit, tried.works?.asked ?? tried.asked);
  visit.answers.addressForm = facts;
  visit.moved = !passes(verdict) && visit.adopt('messages', works) && tried.lost;
  return verdict;
}

async function checkSeatMap(visit: Visit): Promise<CheckOutcome> {
  const { verdict, facts } = await trySeatMap(visit);
  visit.answers.seatMap = facts;
  return verdict;
}

function checkClocks({ answers, exchanges, tokenClock }: Visit): CheckOutcome {
  answers.clocks = [...(answers.clocks ?? []), ...clockReadings(exchanges), ...tokenClock];
  return judgeClocks(answers.clocks);
}

const countRequests = ({ exchanges }: Visit): CheckOutcome =>
  good(`${exchanges.length} were sent: readings and a login. Nothing was booked, paid, changed or mailed.`);

const NO_SEARCH = 'There is no search reply with offers.';
const TRY_OTHERS = 'Try other --from, --to and --date.';
/** Days between the outward and the return journey. */
const STAY_DAYS = 3;

function differenceChecks(visit: Visit, locator: string | undefined): readonly Check[] {
  const needs = ['messages', 'credentials'];
  const onOffers = (run: (pair: Pair) => CheckOutcome | Promise<CheckOutcome>) => () =>
    visit.pair === undefined || !hasOffers(visit) ? skipped(NO_SEARCH) : run(visit.pair);
  return [
    { id: 'fare_rows', title: 'price rows', needs, run: onOffers(() => checkRows(visit)) },
    { id: 'round_trip', title: 'round trip', needs, run: onOffers((pair) => checkRoundTrip(visit, pair)) },
    { id: 'availability', title: 'availability', needs, run: onOffers((pair) => checkAvailability(visit, pair)) },
    { id: 'booking', title: 'booking', needs, run: () => checkBooking(visit, locator) },
    { id: 'seats', title: 'seat map', needs, run: () => (locator === undefined ? undefined : checkSeats(visit)) },
    { id: 'dialect', title: 'dialect', needs, run: () => checkDialect(visit) },
  ];
}

const hasOffers = ({ search }: Visit): boolean => itinerariesOf(search?.body).length > 0;

function checkRows({ answers, search }: Visit): CheckOutcome {
  const rows = rowFacts(search?.body);
  answers.notes.rows = rows;
  return judgeRows(rows, search?.answer);
}

async function checkRoundTrip(visit: Visit, out: Pair): Promise<CheckOutcome> {
  const back = { from: out.to, to: out.from, date: addDays(out.date ?? '', STAY_DAYS) };
  const trip = `${out.from} to ${out.to} and back in one search`;
  const asked = await findFares(visit, [out, back], FAMILY);
  const found = itinerariesOf(asked.body);
  const oneWay = found.filter((offer) => all(offer, 'originDestinationOption').length <= 1).length;
  if (oneWay > 0) {
    const offers = counted(oneWay, 'offer');
    return good(`${trip}: accepted, ${offers} of one direction only. Book one for each direction together.`);
  }
  if (found.length > 0) return good(`${trip}: accepted, ${counted(found.length, 'offer')} of both directions.`);
  const { status } = asked;
  if (status === 0 || status === 429 || status >= 500) return mild(problemOf(asked, 'FARECLERK_BASE_URL'));
  // 400 can also mean that one of the two directions alone has nothing on sale.
  const alone = await findFares(visit, [back], FAMILY);
  if (itinerariesOf(alone.body).length === 0)
    return unclear(`${trip}: unclear, because nothing is on sale for the way back on ${back.date}. ${TRY_OTHERS}`);
  const what = status < 300 ? 'nothing offered' : 'refused';
  return finding('round_trip_refused', { trip, what, said: said(asked) });
}

async function checkAvailability(visit: Visit, pair: Pair): Promise<CheckOutcome> {
  const wide: ProbeReply = visit.wide ?? (await findFares(visit, [pair], FAMILY, true));
  const { carrier } = visit.airline;
  const transports = all(wide.body, 'transport');
  const tried = 'A search with availableFlightsOnly false';
  if (transports.length === 0) {
    if (itinerariesOf(wide.body).length > 0) return good(`${tried}: priced itineraries, as without it.`);
    if (wide.answer === undefined) return mild(problemOf(wide, 'FARECLERK_BASE_URL'));
    return unclear(`${tried}: answered, without departures. ${TRY_OTHERS}`);
  }
  const zones = new Set(all(transports, 'departureTime').flatMap(texts).map(zoneOf));
  const digits = new Set(transports.flatMap((one) => texts(record(one).code)).map((code) => code.length));
  const named = carriersOf(transports).length > 0;
  const text = [
    `${tried}: an availability record, ${counted(transports.length, 'departure')}`,
    `times ${[...zones].join(' and ')}`,
    `numbers of ${[...digits].join(' or ')} characters`,
    named ? 'carrier named' : 'no carrier named',
  ].join('; ');
  const priced = carriersOf(visit.search?.body);
  if (named || (carrier !== undefined && (priced.length === 0 || priced.includes(carrier)))) return good(`${text}.`);
  const reason = priced.length === 1 ? ': priced itineraries name it' : '';
  return finding('no_carrier.record', { text, set: carrier ?? 'not set', value: carrierAdvice(priced) + reason });
}

/** Describes the reply by kinds and counts only: nothing personal. */
async function checkBooking(visit: Visit, locator: string | undefined): Promise<CheckOutcome> {
  if (locator === undefined) return skipped('Give the --locator of a booking, preferably a paid one.');
  const asked = await visit.ask((airline) => airline.read(locator));
  visit.booking = asked;
  if (isBooking(asked.body)) return described(`Its reply: ${partsOf(asked.body).join('; ')}.`, asked);
  const problem = mild(problemOf(asked, 'FARECLERK_BASE_URL'));
  return problem.finding === 'refused' ? finding('refused.booking', { said: said(asked) }) : problem;
}

const isBooking = (body: unknown): boolean => all(body, 'airReservation').length > 0;

const described = (text: string, { answer }: ProbeReply): CheckOutcome =>
  answer === undefined ? finding('reply_unreadable.warning', { text }) : good(text);

const LIMITS = ['ticketTimeLimit', 'confirmationTimeLimit', 'cancellationTimeLimit', 'updateTravellersTimeLimit'];

function partsOf(body: unknown): readonly string[] {
  const segments = segmentsOf(body);
  const limits = LIMITS.flatMap((name) => {
    const zones = new Set(all(body, name).flatMap(texts).map(zoneOf));
    return zones.size === 0 ? [] : [`${name} (${[...zones].join(', ')})`];
  });
  const tickets = all(body, 'ticketing').flatMap(records);
  const references = all(body, 'airReservation').flatMap((one) => records(record(one).bookingReferenceID));
  return [
    `${counted(segments.length, 'segment')}, ${segments.filter(({ wire }) => fareOf(wire)).length} with a fare code`,
    limits.length === 0 ? 'no time limits' : `time limits: ${limits.join(', ')}`,
    rulesIn(body),
    contactIn(body),
    `${counted(tickets.length, 'ticket row')}, ${counted(all(tickets, 'couponInfos').flatMap(records).length, 'coupon')}`,
    counted(references.length, 'booking reference'),
  ];
}

function rulesIn(body: unknown): string {
  if (all(body, 'penaltyRules').length > 0) return 'structured penalty rules';
  return all(body, 'fareRule').length > 0
    ? "fare rules in the airline's words only, so that no refund can be estimated"
    : 'no fare rules, so that no refund can be estimated';
}

function contactIn(body: unknown): string {
  const people = all(body, 'airTraveler').flatMap(records);
  const contact = people.findIndex(({ passengerTypeCode }) => passengerTypeCode === 'CTC');
  if (contact >= 0) return `a contact traveller, ${contact === 0 ? 'first' : 'last'}`;
  return people.some(({ email }) => records(email).length > 0) ? 'contact on the passengers' : 'no contact';
}

async function checkSeats(visit: Visit): Promise<CheckOutcome> {
  const booking = visit.booking?.answer;
  if (booking === undefined) return skipped('The booking was not read.');
  const why = whyNotSeatMap(booking, visit.options.now());
  const [segment] = activeSegments(booking);
  if (why !== undefined || segment === undefined) return skipped(`Seat maps are for paid bookings: ${why?.why}.`);
  const travelers = booking.travelers.filter(({ type }) => type !== 'INF' && type !== 'CTC');
  const requests = [{ segment, travelerRefs: travelers.map(({ ref }) => ref) }];
  const { locator, source } = booking;
  const asked = await visit.ask((airline) => airline.seatMap({ locator, requests, travelers, source }));
  const [cabins, seats] = [all(asked.body, 'cabinClass'), all(asked.body, 'seatInfo')];
  if (cabins.length === 0) return mild(problemOf(asked, 'FARECLERK_BASE_URL'));
  const zones = new Set(
    all(cabins, 'zone')
      .flatMap(records)
      .flatMap(({ code }) => texts(code)),
  );
  const numbers = seats.flatMap((seat) => all(seat, 'seatNumber').slice(0, 1).flatMap(texts));
  const digits = numbers.every((number) => /^\d+$/.test(number)) ? 'digits only' : 'with letters';
  const columns = all(seats, 'columnNumber').length > 0 ? 'with' : 'without';
  const counts = `${counted(cabins.length, 'cabin')}, ${counted(zones.size, 'zone')}; ${counted(seats.length, 'seat')}`;
  return described(`One segment: ${counts}, numbers ${digits}, ${columns} columns.`, asked);
}

function checkDialect(visit: Visit): CheckOutcome {
  const booking = isBooking(visit.booking?.body) ? visit.booking?.body : undefined;
  const facts = dialectFacts({ search: visit.search?.body, booking });
  visit.answers.notes.dialect = facts;
  if (!hasOffers(visit) && booking === undefined) return skipped(NO_SEARCH);
  return judgeDialect(facts, visit.airline.dialect);
}

type PartsTest = (parts: readonly unknown[]) => boolean;

const isSent: PartsTest = (parts) => parts.some((part) => part !== '');
function spells(name: string): PartsTest {
  return (parts) => all(parts, name, true).length > 0;
}
function lacks(name: string): PartsTest {
  return (parts) => parts.some((part) => isObject(part) && !(name in part));
}
function hasCarrierOf(length: number): PartsTest {
  return (parts) => carriersOf(parts).some((code) => code.length === length);
}

/** `path` names where to look. Only one dialect sends a proof; both send a hint, one of them more often. */
const EVIDENCE: readonly (readonly [Dialect, 'proof' | 'hint', fact: string, path: string, test?: PartsTest])[] = [
  ['rail', 'proof', 'fare codes with flightSegmentRPH', 'search.fareBasisCode.flightSegmentRPH'],
  ['rail', 'proof', 'fareBasisCode on booked segments', 'booking.flightSegment.fareBasisCode'],
  ['rail', 'proof', 'a coach beside seats', 'booking.coach'],
  ['rail', 'proof', 'a contact traveller (CTC)', 'booking.passengerTypeCode', (parts) => parts.includes('CTC')],
  ['airline', 'proof', 'priceGroup on segments', 'search.flightSegment.priceGroup'],
  ['airline', 'proof', 'travellers named in price rows of a search', 'search.ptcfareBreakdown.travelerRefNumber.rph'],
  ['airline', 'proof', 'fareBasis in the extensions of booked segments', 'booking.flightSegment.fareBasis'],
  ['airline', 'proof', 'fareRule on booked segments', 'booking.flightSegment.fareRule'],
  ['airline', 'proof', 'operations on booked segments', 'booking.flightSegment.operations'],
  ['rail', 'hint', 'carriers of three characters', 'search', hasCarrierOf(3)],
  ['rail', 'hint', 'isocurrency in the point of sale', '', spells('isocurrency')],
  ['airline', 'hint', 'carriers of two characters', 'search', hasCarrierOf(2)],
  ['airline', 'hint', 'isoCurrency in the point of sale', '', spells('isoCurrency')],
  ['airline', 'hint', 'fare codes without flightSegmentRPH', 'search.fareBasisCode', lacks('flightSegmentRPH')],
  ['airline', 'hint', 'options without rph', 'search.originDestinationOption', lacks('rph')],
  ['airline', 'hint', 'taxes without amount', 'search.taxes', lacks('amount')],
];

type DialectFacts = ReturnType<typeof dialectFacts>;

/** @param replies the JSON of each; undefined if there is none */
function dialectFacts(replies: { readonly search: unknown; readonly booking: unknown }) {
  const at = (path: string) =>
    path.split('.').reduce((parts: readonly unknown[], name) => (name === '' ? parts : all(parts, name)), [replies]);
  const matches = EVIDENCE.filter(([, , , path, test = isSent]) => test(at(path)));
  const facts = (strength: 'proof' | 'hint'): Readonly<Record<Dialect, readonly string[]>> => {
    const factsOf = (dialect: Dialect) =>
      matches.filter((match) => match[0] === dialect && match[1] === strength).map(([, , fact]) => fact);
    return { rail: factsOf('rail'), airline: factsOf('airline') };
  };
  const [proofs, hints] = [facts('proof'), facts('hint')];
  const [rail, airline] = [proofs.rail.length > 0, proofs.airline.length > 0];
  const proved: Dialect = rail ? 'rail' : 'airline';
  return { dialect: rail === airline ? undefined : proved, proofs, hints };
}

function judgeDialect({ dialect, proofs, hints }: DialectFacts, set: Dialect): CheckOutcome {
  const factsText = (one: Dialect): string => [...proofs[one], ...hints[one]].join(', ');
  if (dialect === undefined) {
    const dialects = (['rail', 'airline'] as const).filter((one) => factsText(one) !== '');
    const sentences = dialects.map((one) => ` Of the ${one} dialect: ${factsText(one)}.`).join('');
    return unclear(`The replies do not tell the dialect. FARECLERK_DIALECT is ${set}.${sentences}`);
  }
  const against = hints[dialect === 'rail' ? 'airline' : 'rail'].join(', ');
  const evidence = `Seen: ${factsText(dialect)}.${against === '' ? '' : ` Unusual for it: ${against}.`}`;
  if (dialect === set) return good(`Replies are in the ${dialect} dialect, as set. ${evidence}`);
  return finding('other_dialect', { dialect, set, evidence });
}
