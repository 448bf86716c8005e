/**
 * Lines of terms: what a person says yes to. Times are absolute and every stranger's word is quoted, so that reading the
 * booking twice gives the same lines.
 */
import type { Booking } from '../../domain/booking.ts';
import { cleanCode, quoted } from '../../domain/clean-text.ts';
import { flightName } from '../../domain/flights.ts';
import type { Segment } from '../../domain/itinerary.ts';
import { showMoney } from '../../domain/money.ts';
import type { RefundEstimate } from '../../domain/refund.ts';
import { fullName, type Traveler } from '../../domain/traveler.ts';
import { ruleText } from './fares.ts';
import { showSpan } from './times.ts';

/** `Flight 1: HHR101 MED-JED 2026-12-01 08:00-10:10, class Y`. */
export function flightLine(segment: Segment, carrier?: string): string {
  const bookingClass = segment.bookingClass === undefined ? '' : `, class ${cleanCode(segment.bookingClass)}`;
  const route = `${cleanCode(segment.from, 8)}-${cleanCode(segment.to, 8)}`;
  return `Flight ${segment.ref}: ${flightName(segment, carrier)} ${route} ${showSpan(segment.departs, segment.arrives)}${bookingClass}`;
}

/** `Passenger 1: ADT “Amal Haddad”`. */
export function personLine(traveler: Traveler): string {
  const name = traveler.name === undefined ? 'not named yet' : quoted(fullName(traveler.name), 70);
  return `Passenger ${traveler.ref}: ${cleanCode(traveler.type)} ${name}`;
}

/** The rule in force, and the one that follows it. */
export function ruleLines(what: string, { rule, until, next }: RefundEstimate): string[] {
  const limit = until === undefined ? '' : ` In force until ${until}.`;
  return [`${what}: ${rule}${limit}`, ...(next === undefined ? [] : [`From ${next.at}: ${next.rule}`])];
}

/** The rule, the estimate under it, what comes after, and the airline's own words. */
export function refundLines(estimate: RefundEstimate, locale: string): string[] {
  const texts = new Set(estimate.lines.flatMap((line) => line.rules.flatMap((rule) => ruleText(rule, locale) ?? [])));
  return [
    estimate.amount === undefined
      ? 'Estimated refund: not possible to say before the airline answers.'
      : `Estimated refund: ${showMoney(estimate.amount)} (the airline decides).`,
    ...(estimate.penalty === undefined ? [] : [`Kept by the airline: ${showMoney(estimate.penalty)}, VAT included.`]),
    ...ruleLines('Rule', estimate),
    ...[...texts].slice(0, 3).map((text) => `The airline's text: ${quoted(text, 160)}`),
  ];
}

/** The booking's travellers, named in short where they are many. */
export function peopleLines(booking: Booking, refs?: readonly string[]): string[] {
  return booking.travelers.filter((traveler) => refs === undefined || refs.includes(traveler.ref)).map(personLine);
}
