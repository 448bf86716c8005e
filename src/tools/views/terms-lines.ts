/**
 * Lines of terms, which a person approves. Times are absolute, so that reading the booking twice gives the same lines.
 * Text from outside is quoted.
 */
import { activeSegments, type Booking } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import type { Segment } from '../../domain/booking/itinerary.ts';
import { fullName, type PersonName, type Traveler } from '../../domain/people/traveler.ts';
import type { RefundEstimate } from '../../domain/pricing/estimate-refund.ts';
import { showMoney } from '../../domain/pricing/money.ts';
import { cleanCode, quoted } from '../../domain/time-and-text/clean-text.ts';
import { ruleText } from './price-and-rules.ts';
import { showDeadline, showSpan } from './times.ts';

/** `Flight 1: HHR101 MED-JED 2026-12-01 08:00-10:10, class Y`. */
export function flightLine(segment: Segment): string {
  const bookingClass = segment.bookingClass === undefined ? '' : `, class ${cleanCode(segment.bookingClass)}`;
  const route = `${cleanCode(segment.from, 8)}-${cleanCode(segment.to, 8)}`;
  return `Flight ${segment.ref}: ${flightName(segment)} ${route} ${showSpan(segment.departs, segment.arrives)}${bookingClass}`;
}

export function flightLines(booking: Booking): string[] {
  return activeSegments(booking).map(flightLine);
}

export function quotedName(name: PersonName | undefined): string {
  return quoted(fullName(name), 70);
}

/** `Passenger 1: ADT “Amal Haddad”`. */
export function personLine(traveler: Traveler): string {
  const name = traveler.name === undefined ? 'not named yet' : quotedName(traveler.name);
  return `Passenger ${traveler.ref}: ${cleanCode(traveler.type)} ${name}`;
}

/** The rule in force and the next one. `near`: a departure whose offset gives the local time of the limits. */
export function ruleLines(what: string, { rule, until, next }: RefundEstimate, near: string | undefined): string[] {
  const limit = until === undefined ? '' : ` In force until ${showDeadline(until, near)}.`;
  return [
    `${what}: ${rule}${limit}`,
    ...(next === undefined ? [] : [`From ${showDeadline(next.at, near)}: ${next.rule}`]),
  ];
}

/** The estimate, what the airline keeps, the rule and the next one, and the airline's own words. */
export function refundLines(estimate: RefundEstimate, locale: string, near: string | undefined): string[] {
  return [
    refundLine(estimate),
    ...(estimate.penalty === undefined ? [] : [`Kept by the airline: ${showMoney(estimate.penalty)}, tax included.`]),
    ...ruleLines('Rule', estimate, near),
    ...textsOf(estimate, locale).map((text) => `The airline's text: ${quoted(text, 160)}`),
  ];
}

export function refundLine({ amount, bounds, tooLate }: RefundEstimate): string {
  if (tooLate) return 'Nothing can be cancelled any more.';
  if (amount !== undefined) return `Estimated refund: ${showMoney(amount)} (the airline decides).`;
  if (bounds === undefined) return 'Refund: not known before the airline answers.';
  return `Refund: not known before the airline answers. At least ${showMoney(bounds.atLeast)}, at most ${showMoney(bounds.atMost)}.`;
}

export function textsOf({ lines, airlineWords }: RefundEstimate, locale: string): readonly string[] {
  const texts = [...lines.flatMap(({ rule }) => ruleText(rule, locale) ?? []), ...airlineWords];
  return [...new Set(texts)].slice(0, 3);
}

export function peopleLines({ travelers }: Booking): string[] {
  return travelers.map(personLine);
}
