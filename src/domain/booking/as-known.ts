/**
 * The booking as it is known: what the airline's reading shows, and what acts of ours did that it does not show yet. A payment that is not
 * shown is shown as paid, a cancelled part as cancelled, a passenger who was moved as gone: nothing is paid or refunded twice. What else was
 * done is only told, because the journal keeps no names. The reading stays as it is: it is what the next one is compared with.
 */

import { cleanRef } from '../../core/clean-text.ts';
import { showMoney } from '../../core/money.ts';
import { utcText } from '../../core/times.ts';
import { capitalized, counted, joined, listed, nounWithRefs, withFullStop } from '../../core/words.ts';
import { type Booking, bareOf, type DeedKind, type Order, segmentsOf, type UnshownDeed, unshownOf } from './booking.ts';
import { showDeadline } from './deadlines.ts';
import { withSegments } from './owed-segments.ts';
import { paymentsOf } from './paid-and-refunded.ts';
import { CANCELLED_SEGMENT, segmentStatus } from './status-codes.ts';

/** A booking as it is known. */
export interface BookingAsKnown extends Booking {
  readonly notShown: readonly UnshownDeed[];
  readonly bare: Booking;
}

export function isKnown(booking: Booking): booking is BookingAsKnown {
  return booking.notShown !== undefined && booking.bare !== undefined;
}

/** Adds what is not shown yet to what is shown. Returns a new object even if there is nothing: results of a booking are kept by object. */
export function asKnown(booking: Booking, notShown: readonly UnshownDeed[]): BookingAsKnown {
  const oldestFirst = notShown.toSorted((a, b) => a.at - b.at);
  const done = oldestFirst.filter(({ isUndone }) => isUndone !== true);
  return { ...done.reduce(withDeed, booking), notShown: oldestFirst, bare: booking };
}

/** The booking as its reading shows it, for an act that does again what is not shown. It still says what that is. */
export function asIfNotDone({ notShown, bare }: BookingAsKnown): BookingAsKnown {
  return { ...bare, notShown, bare };
}

function withDeed(booking: Booking, deed: UnshownDeed): Booking {
  switch (deed.kind) {
    case 'payment':
      return asPaid(booking, deed);
    case 'cancellation':
      return withoutPart(booking, deed);
    case 'split':
      return withoutPeople(booking, deed.travelerRefs);
    default:
      return booking;
  }
}

/**
 * Shows the order that waits for the payment as paid, or a paid order where none waits. No ticket is invented. The changes that the airline
 * permits of a hold are not those of a paid booking, so that none are listed.
 */
function asPaid(booking: Booking, { sum }: UnshownDeed): Booking {
  const waiting = paymentsOf(booking).find(({ status }) => status !== 'PAID');
  const amount = sum ?? waiting?.amount ?? booking.pricing?.total?.total;
  const paid: Order = { ...waiting, direction: 'PAYMENT', status: 'PAID', ...(amount !== undefined && { amount }) };
  const others = booking.orders.filter((order) => order !== waiting);
  const unlisted = withSegments(booking, ({ permitted: _, ...segment }) => segment);
  return { ...unlisted, orders: [...others, paid] };
}

function withoutPart(booking: Booking, { segmentRefs, travelerRefs }: UnshownDeed): Booking {
  if (segmentRefs.length === 0 && travelerRefs.length === 0) return { ...booking, cancelled: true };

  const isEverybody = travelerRefs.length > 0 && booking.travelers.every(({ ref }) => travelerRefs.includes(ref));
  const isGone = (ref: string) => isEverybody || segmentRefs.includes(ref);
  const shown = withSegments(booking, (segment) =>
    isGone(segment.ref) ? { ...segment, statusCode: CANCELLED_SEGMENT } : segment,
  );
  return isEverybody ? shown : withoutPeople(shown, travelerRefs);
}

function withoutPeople(booking: Booking, goneRefs: readonly string[]): Booking {
  if (goneRefs.length === 0) return booking;
  const stays = (ref: string) => !goneRefs.includes(ref);
  return {
    ...booking,
    travelers: booking.travelers.filter(({ ref }) => stays(ref)),
    tickets: booking.tickets.filter(({ travelerRefs }) => travelerRefs.length === 0 || travelerRefs.some(stays)),
    services: booking.services.filter(({ travelerRefs }) => travelerRefs.length === 0 || travelerRefs.some(stays)),
  };
}

// Words.

const NOT_SHOWN = "the airline's reading does not show it yet";
const SHOWN_NO_MORE = "the airline's reading does not show it any more";

/** Says what was done here that the airline's reading does not show yet, in a sentence. Empty if there is nothing. */
export function doneHereText(booking: Booking): string {
  if (unshownOf(booking).length === 0) return '';
  const whole = wholeCancelledAt(booking);
  if (whole !== undefined)
    return `Booking ${booking.locator} was cancelled here on ${whole}; ${wholeNotShown(booking)}.`;
  return `${capitalized(deedsDoneHere(booking, unshownOf(booking)))}.`;
}

/** `segment 1 was cancelled here on Sun 29 Nov 08:00 (UTC+3); the airline's reading does not show it yet`. */
export function deedsDoneHere(booking: Booking, deeds: readonly UnshownDeed[]): string {
  const isGone = deeds.every(({ isUndone }) => isUndone === true);
  return `${listed(deeds.map((deed) => deedText(booking, deed)))}; ${isGone ? SHOWN_NO_MORE : NOT_SHOWN}`;
}

/** `it was paid here on Sun 29 Nov 08:00 (UTC+3), EUR 557.06, 3 tickets`. */
function deedText(booking: Booking, deed: UnshownDeed): string {
  const { kind, segmentRefs, travelerRefs, isContact, what = 'details', at, sum, tickets } = deed;
  const on = `here on ${shownTime(booking, at)}`;
  const people = counted(travelerRefs.length, 'passenger');
  const segments = nounWithRefs('segment', segmentRefs.map(cleanRef));
  const was = (count: number) => (count === 1 ? 'was' : 'were');

  switch (kind) {
    case 'payment':
      return joined([`it was paid ${on}`, paymentFacts({ sum, tickets })]);
    case 'cancellation': {
      const count = travelerRefs.length + segmentRefs.length;
      if (count === 0) return `it was cancelled ${on}`;
      return `${travelerRefs.length > 0 ? people : segments} ${was(count)} cancelled ${on}`;
    }
    case 'split':
      return `${people} ${was(travelerRefs.length)} moved to another booking ${on}`;
    case 'rebooking':
      return `${segments} ${was(segmentRefs.length)} rebooked ${on}`;
    case 'details':
      return isContact
        ? `the contact (${what}) was changed ${on}`
        : `details of ${people} (${what}) were changed ${on}`;
    case 'seat':
      return `a seat of ${people} on ${segments} was assigned ${on}`;
    case 'service':
      return `a service (${what}) was requested ${on}`;
  }
}

/** What an act does that comes after the same act. */
const TWICE: Readonly<Record<DeedKind, string>> = {
  payment: 'this may pay it twice',
  cancellation: 'this may cancel it twice',
  split: 'this may move them twice',
  rebooking: 'this may rebook it twice',
  details: 'this may make the change twice',
  seat: 'this may assign it twice',
  service: 'this may request it twice',
};

/**
 * Says what was done here, for the question of an act that may do it again:
 * `Paid here on Sun 29 Nov 08:00 (UTC+3): EUR 557.06, 3 tickets. The airline does not show it; this may pay it twice. Ask the airline first.`
 * @param tool the tool that asks
 */
export function mayBeTwiceText(booking: Booking, deeds: readonly UnshownDeed[], tool: string): string {
  const whole = wholeCancelledAt(asKnown(bareOf(booking), deeds));
  const single = deeds.map((deed) => capitalized(doneText(booking, deed)));
  const texts = whole === undefined ? single : [`Booking ${booking.locator} was cancelled here on ${whole}`];

  const [first] = deeds;
  const isSame = first !== undefined && deeds.every((deed) => deed.tool === tool && deed.kind === first.kind);
  const risk = isSame ? TWICE[first.kind] : 'this comes on top of it, and something may be done twice';
  return `${texts.map(withFullStop).join(' ')} The airline does not show it; ${risk}. Ask the airline first.`;
}

function doneText(booking: Booking, deed: UnshownDeed): string {
  if (deed.kind !== 'payment') return deedText(booking, deed);
  const { at, sum, tickets } = deed;
  const [facts, on] = [paymentFacts({ sum, tickets }), `paid here on ${shownTime(booking, at)}`];
  return facts === '' ? on : `${on}: ${facts}`;
}

/** `EUR 557.06, 3 tickets`, as far as it is known. */
function paymentFacts({ sum, tickets }: Pick<UnshownDeed, 'sum' | 'tickets'>): string {
  return joined([sum === undefined ? '' : showMoney(sum), tickets === undefined ? '' : counted(tickets, 'ticket')]);
}

/** What to do while the airline does not show what was done. @param clock the time until which it may be so, as it is shown */
export function readAgainStep(clock: string): string {
  return `Call read_booking in a few minutes. If it says the same after ${clock}, tell the person to ask the airline.`;
}

/** Why nothing can be done with a cancelled booking: `it is cancelled`, or since when, if only we know. */
export function whyCancelled(booking: Booking): string {
  const at = wholeCancelledAt(booking);
  return at === undefined ? 'it is cancelled' : `it was cancelled here on ${at}; ${wholeNotShown(booking)}`;
}

/** Some airlines never say that a booking is cancelled, and show nothing of it any more. */
function wholeNotShown(booking: Booking): string {
  return segmentsOf(booking).length === 0 ? 'the airline shows no segment of it any more' : NOT_SHOWN;
}

/** When the last of it was cancelled here. Undefined if something is left of it, or nothing was. */
function wholeCancelledAt(booking: Booking): string | undefined {
  const [last] = unshownOf(booking, 'cancellation')
    .map(({ at }) => at)
    .toSorted((a, b) => b - a);
  const isLeft = segmentsOf(booking).some(({ statusCode }) => segmentStatus(statusCode) !== 'cancelled');
  return last === undefined || isLeft ? undefined : shownTime(booking, last);
}

function shownTime(booking: Booking, at: number): string {
  return showDeadline(utcText(at), segmentsOf(booking)[0]?.departs);
}
