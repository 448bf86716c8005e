/**
 * Reads one existing booking, and its seat map if it is paid, and describes the JSON of the replies: kinds and counts
 * only, nothing about the people in it.
 */
import type { Booking } from '../../domain/booking/booking.ts';
import { activeSegments } from '../../domain/booking/expected-change.ts';
import { record, records, texts } from '../../ota/messages/parts/reader.ts';
import { whyNotSeatMap } from '../../tools/rules/permissions.ts';
import type { Bench } from './addresses.ts';
import { type Chart, counted, good, skipped, type Verdict, warning } from './check.ts';
import { fareOf, segmentsOf } from './fare-rows.ts';
import { failedMildly } from './services.ts';
import { all, zoneOf } from './signs.ts';
import { said } from './verdicts.ts';
import { type Asked, airlineWith, ask, bodyOf } from './watch.ts';

const BASE = { setting: 'FARECLERK_BASE_URL', method: 'POST' } as const;
const SEATS = { setting: 'FARECLERK_SEAT_MAP_URL', method: 'POST' } as const;

/** Reads the booking. Returns the body of the reply. */
export async function readHeld(bench: Bench, chart: Chart, locator: string): Promise<unknown> {
  const airline = airlineWith(bench.airline, {}, bench.watched, bench.tokens);
  chart.starts('booking');
  const asked = await ask(bench.watched, () => airline.read(locator));
  const body = bodyOf(asked.exchange);
  const known = all(body, 'airReservation').length > 0;
  const unread = asked.answer === undefined ? ' fareclerk cannot read this reply.' : '';
  const verdict = known ? readVerdict(body, unread) : unknown(asked);
  chart.note('booking', 'booking', verdict);
  await chart.run('seats', 'seat map', () =>
    asked.answer === undefined ? skipped('The booking was not read.') : seatsOf(bench, asked.answer),
  );
  return known ? body : undefined;
}

function unknown(asked: Asked<unknown>): Verdict {
  const verdict = failedMildly(asked, BASE);
  if (verdict.finding !== 'refused') return verdict;
  return warning(
    'refused',
    `Reading it: refused (${said(asked.exchange)}).`,
    'Give the locator of a booking of this agency.',
  );
}

const LIMITS = ['ticketTimeLimit', 'confirmationTimeLimit', 'cancellationTimeLimit', 'updateTravellersTimeLimit'];

function readVerdict(body: unknown, unread: string): Verdict {
  const segments = segmentsOf(body).map(({ wire }) => wire);
  const fares = segments.filter(fareOf);
  const limits = LIMITS.flatMap((name) => {
    const zones = new Set(all(body, name).flatMap(texts).map(zoneOf));
    return zones.size === 0 ? [] : [`${name} (${[...zones].join(', ')})`];
  });
  const people = all(body, 'airTraveler').flatMap(records);
  const contact = people.findIndex(({ passengerTypeCode }) => passengerTypeCode === 'CTC');
  const tickets = all(body, 'ticketing').flatMap(records);
  const coupons = all(tickets, 'couponInfos').flatMap(records);
  const references = all(body, 'airReservation').flatMap((one) => records(record(one).bookingReferenceID)).length;
  const parts = [
    `${counted(segments.length, 'segment')}, ${fares.length} with a fare code`,
    limits.length === 0 ? 'no time limits' : `time limits: ${limits.join(', ')}`,
    all(body, 'penaltyRules').length > 0
      ? 'structured penalty rules'
      : all(body, 'fareRule').length > 0
        ? "fare rules in the airline's words only, so that no refund can be estimated"
        : 'no fare rules, so that no refund can be estimated',
    contact >= 0
      ? `a contact traveller, ${contact === 0 ? 'first' : 'last'}`
      : people.some(({ email }) => records(email).length > 0)
        ? 'contact on the passengers'
        : 'no contact',
    `${counted(tickets.length, 'ticket row')}, ${counted(coupons.length, 'coupon')}`,
    `${counted(references, 'booking reference')}`,
  ];
  const words = `Reading it: ${parts.join('; ')}.`;
  if (unread === '') return good(words);
  return warning('reply_unreadable', words + unread, 'Send the report to support.');
}

/** Seats of the first segment. */
async function seatsOf({ airline, watched, tokens, now }: Bench, booking: Booking): Promise<Verdict> {
  const why = whyNotSeatMap(booking, now());
  const [segment] = activeSegments(booking);
  const travelers = booking.travelers.filter(({ type }) => type !== 'INF' && type !== 'CTC');
  if (why !== undefined || segment === undefined) return skipped(`Seat maps are for paid bookings: ${why?.why}.`);
  const requests = [{ segment, travelerRefs: travelers.map(({ ref }) => ref) }];
  const asked = await ask(watched, () =>
    airlineWith(airline, {}, watched, tokens).seatMap({
      locator: booking.locator,
      requests,
      travelers,
      source: booking.source,
    }),
  );
  const body = bodyOf(asked.exchange);
  const [cabins, seats] = [all(body, 'cabinClass'), all(body, 'seatInfo')];
  if (cabins.length === 0) return failedMildly(asked, SEATS);
  const zones = new Set(
    all(cabins, 'zone')
      .flatMap(records)
      .flatMap(({ code }) => texts(code)),
  );
  const numbers = seats.flatMap((seat) => all(seat, 'seatNumber').slice(0, 1).flatMap(texts));
  const bare = numbers.every((number) => /^\d+$/.test(number)) ? 'digits only' : 'with letters';
  const columns = all(seats, 'columnNumber').length > 0 ? 'with' : 'without';
  const words = `One segment: ${counted(cabins.length, 'cabin')}, ${counted(zones.size, 'zone')}; ${counted(seats.length, 'seat')}, numbers ${bare}, ${columns} columns.`;
  if (asked.answer !== undefined) return good(words);
  return warning('reply_unreadable', `${words} fareclerk cannot read this reply.`, 'Send the report to support.');
}
