/** `fareclerk doctor --airline`: finds by reads alone how this airline differs from others (docs/wire/notes.md). */
import { activeSegments } from '../../domain/booking/booking.ts';
import { addDays } from '../../domain/time-and-text/times.ts';
import { record, records, texts } from '../../ota/messages/parts/reader.ts';
import { whyNotSeatMap } from '../../tools/rules/permissions.ts';
import { type Check, type CheckOutcome, counted, good, mild, skipped, unclear } from './check.ts';
import { carriersOf, dialectFacts, judgeDialect } from './dialect.ts';
import { fareOf, itinerariesOf, judgeRows, rowFacts, segmentsOf } from './fare-rows.ts';
import { finding } from './findings.ts';
import { carrierAdvice, FAMILY, findFares, type Pair } from './on-sale.ts';
import { all, zoneOf } from './reply-facts.ts';
import { problemOf, said } from './reply-problem.ts';
import type { Asked, Visit } from './visit.ts';

const NO_SEARCH = 'There is no search reply with offers.';
const TRY_OTHERS = 'Try other --from, --to and --date.';
/** Days between the outward and the return journey. */
const STAY_DAYS = 3;

export function differenceChecks(visit: Visit, locator: string | undefined): readonly Check[] {
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
  answers.notes.rows = rowFacts(search?.body);
  return judgeRows(answers.notes.rows, search?.answer);
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
  const wide: Asked = visit.wide ?? (await findFares(visit, [pair], FAMILY, true));
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

const described = (text: string, { answer }: Asked): CheckOutcome =>
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
  if (cabins.length === 0) return mild(problemOf(asked, 'FARECLERK_SEAT_MAP_URL'));
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
