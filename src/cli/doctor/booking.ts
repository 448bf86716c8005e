/**
 * Reads one existing booking, and its seat map if it is paid, and describes the JSON of the replies: kinds and counts
 * only, nothing about the people in it.
 */
import { activeSegments } from '../../domain/booking/booking.ts';
import { record, records, texts } from '../../ota/messages/parts/reader.ts';
import { whyNotSeatMap } from '../../tools/rules/permissions.ts';
import { counted, good, mild, skipped, type Verdict } from './check.ts';
import { fareOf, segmentsOf } from './fare-rows.ts';
import { finding } from './findings.ts';
import { all, zoneOf } from './reply-facts.ts';
import { problemOf, said } from './reply-problem.ts';
import type { Asked, Visit } from './visit.ts';

export const isBooking = (body: unknown): boolean => all(body, 'airReservation').length > 0;

export function judgeBooking(asked: Asked): Verdict {
  if (isBooking(asked.body)) return described(`Its reply: ${partsOf(asked.body).join('; ')}.`, asked);
  const problem = mild(problemOf(asked, 'FARECLERK_BASE_URL'));
  return problem.finding === 'refused' ? finding('refused.booking', { said: said(asked) }) : problem;
}

const described = (text: string, { answer }: Asked): Verdict =>
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

/** Asks for the seats of the first segment. */
export async function checkSeats(visit: Visit): Promise<Verdict> {
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
