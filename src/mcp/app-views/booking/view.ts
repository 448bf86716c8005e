/**
 * Shows a booking, as read_booking and create_booking give it: where, its state, time limits, people and money. It changes nothing. Below:
 * one part of the view after the other, and the start, which puts them together.
 */

import { own } from '../../../core/own.ts';
import { showDay } from '../../../core/times.ts';
import type { BookingView, PassengerView } from '../../../tools/views/booking-schema.ts';
import type { Refund } from '../../../tools/views/refund-schema.ts';
import { startView } from '../shared/bridge.ts';
import { type Child, el, foldedPart, joinPresent, list, paragraph, softParagraph, viewHead } from '../shared/dom.ts';
import { type DecidedResult, questionOrOutcome } from '../shared/question.ts';
import { conditionTexts, keptAndUntil, laterRefunds, refundSentence } from '../shared/refund.ts';
import type { ToolResult } from '../shared/result.ts';
import {
  cabinName,
  capitalized,
  countText,
  durationText,
  moneyText,
  passengerType,
  placeName,
  routeText,
  timeLimit,
  timeSpan,
  vehicleWord,
  withVehicle,
} from '../shared/words.ts';

type BookedSegment = BookingView['segments'][number];
type TimeLimits = NonNullable<BookingView['deadlines']>;

interface BookingData extends DecidedResult {
  readonly booking: BookingView;
  readonly refund?: Refund;
}

/** The state of a hold of which the airline cancelled a part. */
const UNPAID_PART = 'partly cancelled hold';

const STATES: Readonly<Record<string, readonly [words: string, look: string]>> = {
  held: ['Held, not paid yet', 'mind'],
  ticketed: ['Paid, tickets issued', 'good'],
  flown: ['Flown', 'good'],
  partly_cancelled: ['Partly cancelled', 'mind'],
  [UNPAID_PART]: ['Partly cancelled, the rest not paid yet', 'mind'],
  cancelled: ['Cancelled', 'soft'],
  expired: ['Expired: not paid in time', 'soft'],
};

const whyNotPayable = ({ not_allowed: refused = {} }: BookingView): string | undefined => refused.pay_booking;
/** Whether what the airline left of a hold is not paid. */
const isUnpaidPart = ({ state, deadlines }: BookingView) =>
  state === 'partly_cancelled' && deadlines?.pay_by !== undefined;
const isUnpaid = (booking: BookingView) => booking.state === 'held' || isUnpaidPart(booking);
/** Whether a hold cannot be paid: its payment is refused, or not known yet. */
const isUnpayable = (booking: BookingView) => isUnpaid(booking) && whyNotPayable(booking) !== undefined;

function stateOf(booking: BookingView): string {
  if (isUnpaidPart(booking)) return UNPAID_PART;
  return isUnpayable(booking) ? 'listed as a hold' : booking.state;
}

const DAY_MINUTES = 24 * 60;
/** More time than this is shown in days. */
const TWO_DAYS_MINUTES = 2 * DAY_MINUTES;

/** Lists all deadlines in one line, the nearest first, with the time left: `Pay by …`, `names until …`. */
function limits(
  { as_sent: asSent = [], ...all }: TimeLimits,
  near: string | undefined,
  { _meta: meta }: ToolResult,
): Child {
  const next = meta?.['io.github.fareclerk/next_limit'];
  const limitTexts = Object.entries(all)
    .sort(([, a], [, b]) => Date.parse(a) - Date.parse(b))
    .map(([what, at]) => {
      const minutes = next?.what === what ? next.minutes_left : 0;
      const timeLeft =
        minutes > TWO_DAYS_MINUTES ? countText(Math.floor(minutes / DAY_MINUTES), 'day') : durationText(minutes);
      return `${what.replace('_', ' ')} ${timeLimit(at, near)}${timeLeft && ` (in ${timeLeft})`}`;
    });
  return softParagraph(capitalized([...asSent, ...limitTexts].join(' · ')));
}

function bookingTitle({ segments }: BookingView): string {
  const active = segments.filter(({ status }) => status !== 'cancelled');
  const all = active.length > 0 ? active : segments;
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) return 'Booking';
  if (all.length > 1 && last.to === first.from) {
    return `${routeText(first.from, all[Math.ceil(all.length / 2) - 1]?.to ?? first.to)} and back`;
  }
  return routeText(first.from, last.to);
}

function drawSegment({ class: letter = '' }: BookingView, each: BookedSegment): Child {
  const gone = each.status === 'cancelled';
  const about = [
    routeText(each.from, each.to),
    capitalized(withVehicle(each.flight)),
    cabinName(each.class ?? letter),
    each.operated_by && `operated by ${each.operated_by}`,
    each.status,
  ];
  return [
    el('b', { class: gone && 'gone' }, `${showDay(each.departs)} ${timeSpan(each.departs, each.arrives)}`),
    softParagraph(joinPresent(about, ' · ')),
  ];
}

function drawPassenger({ segments }: BookingView, each: PassengerView): Child {
  const where = (ref: string | undefined) => {
    const to = segments.length > 1 && segments.find((segment) => segment.ref === ref)?.to;
    return to && `to ${placeName(to)}`;
  };
  const coupons = (each.tickets ?? []).flatMap((ticket) => [
    `ticket ${ticket.number}`,
    ...(ticket.coupons ?? []).map(({ segment_ref: ref, status, coach, seat }) => {
      const sits = joinPresent([coach && vehicleWord() !== 'flight' && `coach ${coach}`, seat && `seat ${seat}`], ' ');
      return joinPresent([where(ref), sits, status], ' ') || 'valid';
    }),
  ]);
  return [
    el('p', {}, el('b', {}, each.unnamed ? 'Not named yet' : each.name), ` ${passengerType(each.type)}`),
    softParagraph(capitalized(coupons.join(' · '))),
  ];
}

/** Lists what is not possible with this booking, for which of its trains, and why. */
function refusedActs({ not_allowed: ofBooking, segments }: BookingView): readonly string[] {
  const act = (tool: string) => capitalized(tool.replaceAll('_', ' ').replace('segment', vehicleWord()));
  const refusals = (refused: BookingView['not_allowed'] = {}, flight = '') =>
    Object.entries(refused).map(([tool, why]) => `${act(tool)}${flight}: ${why}`);
  return [
    ...refusals(ofBooking),
    ...segments.flatMap(({ flight, not_allowed: refused }) => refusals(refused, ` ${flight}`)),
  ];
}

/** Lists what a person should know before anything else: an open operation, why a hold cannot be paid, and the warnings. */
function urgentLines({ warnings = [], booking }: BookingData): string[] {
  const { pending_operation: open } = booking;
  const why = isUnpaid(booking) && whyNotPayable(booking);
  const firstLine = open ? 'An operation is open, its outcome unknown.' : why && `It cannot be paid: ${why}.`;
  return [...(firstLine ? [firstLine] : []), ...warnings];
}

function drawPrice(booking: BookingView): Child[] {
  const { currency = '', total, paid, baggage } = booking;
  return [
    paragraph(
      total
        ? `${moneyText(currency, total)} ${whyNotPayable(booking) === undefined ? 'to pay' : 'in total'}`
        : 'Not known',
      'sum',
    ),
    softParagraph(
      joinPresent([paid && `paid ${moneyText(currency, paid)}`, baggage && `baggage ${baggage.join(', ')}`], ' · '),
    ),
  ];
}

function drawRefund({ currency: bookingCurrency = '' }: BookingView, refund: Refund): Child {
  const { currency = bookingCurrency } = refund;
  return [
    paragraph(refundSentence(currency, refund), 'sum'),
    [...conditionTexts(refund), keptAndUntil(currency, refund), refund.note].map((text) => paragraph(text)),
    laterRefunds(currency, refund),
  ];
}

startView<BookingData>((data, _input, result) => {
  const { booking, refund } = data;
  if (!booking?.segments) return questionOrOutcome(data, result);
  const { segments, passengers, locator, group_name: group } = booking;
  const near = segments[0]?.departs;
  const refused = refusedActs(booking);
  const shownState = stateOf(booking);
  const [words, look] = own(STATES, shownState) ?? [capitalized(shownState.replaceAll('_', ' ')), ''];
  return [
    viewHead(bookingTitle(booking), data, joinPresent([`Booking ${locator}`, group, 'times local'], ' · ')),
    el('p', { class: `state ${look}` }, words),
    list('warn', urgentLines(data)),
    limits(booking.deadlines ?? {}, near, result),
    list(
      'rows',
      segments.map((each) => drawSegment(booking, each)),
    ),
    el('h2', {}, 'Passengers'),
    list(
      'rows',
      passengers.map((each) => drawPassenger(booking, each)),
    ),
    el('h2', {}, 'Price'),
    drawPrice(booking),
    refund
      ? [el('h2', {}, isUnpaid(booking) ? 'If you pay and cancel' : 'If you cancel'), drawRefund(booking, refund)]
      : '',
    refused.length > 0 ? foldedPart('What cannot be done now', list('rows', refused)) : '',
  ];
});
