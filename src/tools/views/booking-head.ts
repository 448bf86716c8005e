/** What is said of a booking first: what is in doubt, its state, money, and the next time limit. */

import type { ResultHead } from '../../approvals/answer.ts';
import { quoted } from '../../core/clean-text.ts';
import { type Money, sameMoney, showMoney, sumMoney } from '../../core/money.ts';
import { showDeadline, showLeft, showLocal, utcText } from '../../core/times.ts';
import { counted } from '../../core/words.ts';
import { activeSegments, type Booking, segmentsOf, unnamedTravelers } from '../../domain/booking/booking.ts';
import {
  bookingState,
  type DeadlineName,
  type Deadlines,
  nextDeadline,
  runsUntil,
  travelledSegments,
} from '../../domain/booking/booking-state.ts';
import { paidByOrders, paymentsOf, refundOrdersOf } from '../../domain/booking/paid-and-refunded.ts';
import type { Operation } from '../../journal/operation.ts';
import type { BookingView, BookingViewOptions } from './booking-schema.ts';

interface Told extends BookingViewOptions {
  readonly booking: Booking;
  readonly view: BookingView;
  readonly open: Operation | undefined;
  readonly limits: Deadlines;
  readonly vehicle: 'train' | 'flight';
  /** A departure, for local times. */
  readonly near: string | undefined;
}

export function bookingHead(told: Told): ResultHead {
  const said = [newsText(told), stateText(told), moneyText(told), limitText(told)];
  return { summary: said.filter((text) => text !== '').join(' '), next: nextStep(told) };
}

/** Newer than the airline's list: an operation whose outcome is not known, or a payment that it refused. */
function newsText({ booking: { locator }, acts, open, refusedAt, near }: Told): string {
  if (open !== undefined) {
    const { word = open.tool, whileOpen = 'its outcome is not known yet' } = acts.named(open.tool) ?? {};
    return `The ${word} on booking ${locator} is not settled: ${whileOpen}.`;
  }
  if (refusedAt === undefined) return '';
  const when = showDeadline(utcText(refusedAt), near);
  return `The airline refused payment of booking ${locator} as expired on ${when}; the list still shows a hold.`;
}

/** States in which nothing is left of it. */
const OVER: readonly string[] = ['cancelled', 'expired'];

/** How the state is known, and that an operation of this server ended the booking. */
export function stateBasis(booking: Booking, { now, endedAt }: Pick<BookingViewOptions, 'now' | 'endedAt'>): string {
  const { basis } = bookingState(booking, now);
  const near = segmentsOf(booking)[0]?.departs;
  return endedAt === undefined ? basis : `${basis}; cancelled here on ${showDeadline(utcText(endedAt), near)}`;
}

function stateText(told: Told): string {
  const { booking, view, now, vehicle, limits, near, refusedAt, open } = told;
  const { state } = bookingState(booking, now);
  const basis = stateBasis(booking, told);
  const isOver = OVER.includes(state);
  const isFlown = view.state === 'flown';
  const extent = [
    view.group_name === undefined ? '' : `group ${quoted(view.group_name)}`,
    isOver || booking.travelers.length === 0 ? '' : counted(booking.travelers.length, 'passenger'),
    isOver || view.segments.length === 0
      ? ''
      : counted((isFlown ? travelledSegments(booking) : activeSegments(booking)).length, vehicle),
  ].filter(Boolean);
  const which = `Booking ${booking.locator}${extent.length === 0 ? '' : ` (${extent.join(', ')})`} is`;
  if (isFlown) return `${which} flown: its last ${vehicle} departed on ${showLocal(runsUntil(booking) ?? '')}.`;
  if (state !== 'held') {
    const why = basis === 'tickets are issued' ? '' : ` (${basis})`;
    return `${which} ${state === 'unknown' ? 'in an unknown state' : state.replace('_', ' ')}${why}.`;
  }
  if (refusedAt !== undefined) return '';
  if (isPaymentOpen(told)) return 'The airline lists a hold.';
  const why = whyNotPayable(told);
  const refusal = why === undefined || open !== undefined ? '' : ` It cannot be paid: ${why}.`;
  const left = nextDeadline(limits, state, now);
  const ends = left?.what === 'pay_by' ? ` (${showLeft(left.inMinutes)} left)` : '';
  const until = limits.payBy === undefined ? '' : ` until ${showDeadline(limits.payBy, near)}${ends}`;
  return `${which} held${until}, not paid.${refusal}`;
}

const payTool = ({ acts }: Told) => acts.all.find(({ countedAs }) => countedAs === 'payment')?.name ?? '';
const isPaymentOpen = (told: Told) => told.open?.tool === payTool(told);

function whyNotPayable(told: Told): string | undefined {
  return told.view.not_allowed?.find(({ tools }) => tools.includes(payTool(told)))?.why;
}

function moneyText(told: Told): string {
  const { booking, now } = told;
  const total = booking.pricing?.total?.total;
  if (total === undefined) return 'No price sent.';
  if (bookingState(booking, now).state !== 'held') return `${showMoney(total)}${paidText(booking, total)}.`;
  if (whyNotPayable(told) !== undefined) return `Price: ${showMoney(total)}.`;
  // An order can keep the price of the day of the hold.
  const order = paymentsOf(booking).find(({ amount }) => amount !== undefined)?.amount;
  const old =
    order === undefined || sameMoney(order, total) ? '' : ` (the hold's order still says ${showMoney(order)})`;
  return `To pay now: ${showMoney(total)}${old}.`;
}

/** What came back too, so that the price and the payment do not look like the whole story. */
function paidText(booking: Booking, total: Money): string {
  const paid = paidByOrders(booking);
  const back = (isOut: boolean) =>
    sumMoney(refundOrdersOf(booking).flatMap(({ status, amount }) => ((status === 'PAID') === isOut && amount) || []));
  const [refunded, pending] = [back(true), back(false)];
  const shown = (words: string, sum: Money | undefined) =>
    sum === undefined || sum.minor === 0 ? '' : `, ${words} ${showMoney(sum)}`;
  const isPaidInFull = sameMoney(paid, total);
  return `${isPaidInFull ? ', paid' : shown('paid', paid)}${shown('refunded', refunded)}${shown('refund pending', pending)}`;
}

/** What ends at each limit. */
export const LIMITS: Readonly<Record<DeadlineName, string>> = {
  pay_by: 'pay',
  names_until: 'change names and seats',
  cancel_until: 'cancel',
};

function limitText({ booking, now, limits, near, open, refusedAt }: Told): string {
  const next = nextDeadline(limits, bookingState(booking, now).state, now);
  if (open !== undefined || refusedAt !== undefined || next === undefined || next.what === 'pay_by') return '';
  return `Next limit: ${LIMITS[next.what]} until ${showDeadline(next.at, near)}, ${showLeft(next.inMinutes)} left.`;
}

function nextStep(told: Told): string | undefined {
  const { open, refusedAt } = told;
  if (open !== undefined)
    return 'Do not pay or change it again, here or elsewhere. Call read_booking in 60 seconds; a person takes over if it stays open.';
  if (refusedAt !== undefined) return 'Search again with search_fares; the hold lapses by itself.';
  return namesStep(told);
}

function namesStep({ booking, view, now }: Told): string | undefined {
  const { state } = bookingState(booking, now);
  const unnamed = unnamedTravelers(booking).length;
  if (unnamed === 0 || OVER.includes(state)) return undefined;
  const who = `${unnamed} of ${booking.travelers.length} passengers have no name yet`;
  const refusal = view.not_allowed?.find(({ tools }) => tools.includes('change_names'));
  if (refusal !== undefined) return `${who}, and change_names cannot name them now: ${refusal.why}. Ask the airline.`;
  const payment = state === 'held' ? ' before paying: the airline may refuse payment without names' : '';
  return `${who}. Name them with change_names, a few at a time if need be${payment}.`;
}
