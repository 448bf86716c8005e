/** Writes a booking as data: the complete form with its refusals, as a reading returns it, or the short form in the results of acts. */

import type { ResultHead } from '../../approvals/answer.ts';
import { cleanCode, cleanRef, MOST_WORDS, plainText } from '../../core/clean-text.ts';
import { formatMoney, type Money, sameMoney } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { localMinute } from '../../core/times.ts';
import {
  activeSegments,
  type Booking,
  bookingReferences,
  type FareRuleText,
  groupName,
  type Segment,
  type SegmentOption,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import { bookingState, isUnpaidHold, runsUntil, shownState } from '../../domain/booking/booking-state.ts';
import { type Deadlines, looseLimitsOf } from '../../domain/booking/deadlines.ts';
import { flightName, operatedBy, viewRoute } from '../../domain/booking/flight-name.ts';
import { paidByOrders, refundOrdersOf } from '../../domain/booking/paid-and-refunded.ts';
import { namedPlaces } from '../../domain/booking/stations.ts';
import { orderStatus, runningStatus } from '../../domain/booking/status-codes.ts';
import { areComparable, otherTickets, ticketNumbers } from '../../domain/facts/issued-tickets.ts';
import { ticketsAstray } from '../../domain/facts/stray-tickets.ts';
import { astrayText } from '../../domain/facts/words.ts';
import { contactOf } from '../../domain/people/traveler.ts';
import { paidForCancelled } from '../../domain/refund/paid-for-cancelled.ts';
import { type Act, type Acts, actWord } from '../../journal/act.ts';
import { isActive, type Operation } from '../../journal/operation.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { filled } from '../definition/field-notes.ts';
import { whyDone, whyNotReadYet } from '../rules/done-here.ts';
import { whyNotGetTickets, whyNotSeatMap } from '../rules/why-not.ts';
import type { BookingView, BookingViewOptions, ShortBookingView } from './booking-schema.ts';
import { bookingHead, stateBasis } from './booking-text.ts';
import { viewContact, viewEmds, viewRemarks, viewServices } from './masked-fields.ts';
import { viewPassenger } from './passengers-and-tickets.ts';
import { shownDeadlines, viewPrice, viewRules } from './price-and-rules.ts';
import { refundedParts, refundOrderStatus } from './refund-made.ts';
import { equalFields, withoutShared } from './shared-fields.ts';

const ENTERED_NOT_SHOWN =
  'Birth dates, document numbers and expiry dates are not shown: travellers of this booking entered them on the details page.';

/** How many characters are shown of the airline's words: a group's name, a fare's or rule's name, a piece of baggage. */
const GROUP_CHARS = 60;
const NAME_CHARS = 40;
const BAGGAGE_CHARS = 80;

/** How many characters are shown of a quote's id, and of a locator in another system. */
const QUOTE_ID_CHARS = 60;
const LOCATOR_CHARS = 40;

/** Fields of segments that stand once where all segments have the same. */
const SHARED_BY_SEGMENTS = ['class', 'fare'] as const;

/** Acts after which nothing of a booking may be left. */
const ENDING_ACTS: readonly string[] = ['refund', 'release'];

/** The directions of orders in words. */
const DIRECTIONS: Readonly<Record<string, string>> = { REFUND: 'refund', PAYMENT: 'payment' };

/** Operations of this server that what is shown of the booking depends on. Times: milliseconds since 1970. */
interface OwnOperations {
  /** Its outcome is not known yet. */
  readonly open?: Operation;
  /** They need checking with the airline. */
  readonly withPerson: readonly Operation[];
  /** When one ended the booking: of a cancelled one, its refund or release. */
  readonly endedAt?: number;
}

/** @param operations on the booking, newest first */
function ownOperations(
  booking: Booking,
  operations: readonly Operation[],
  { acts, now }: Pick<ToolContext, 'acts' | 'now'>,
): OwnOperations {
  const isCancelled = bookingState(booking, now()).state === 'cancelled';
  const ended = operations.find(
    (each) => each.state === 'succeeded' && ENDING_ACTS.includes(acts.of(each.subject).countedAs),
  );

  return {
    open: operations.find((each) => isActive(each.state)),
    withPerson: operations.filter((each) => each.state === 'needs_person'),
    endedAt: isCancelled ? ended?.updatedAt : undefined,
  };
}

/** Says what a person must check of an act that was handed to one. */
function withPersonText({ tool, outcome }: Operation, acts: Acts): string {
  return `The ${actWord(acts, tool)} needs checking with the airline. ${outcome?.check ?? 'It is not certain what was done.'}`;
}

/** Which segments have one pointer: requests and readings cannot tell them apart. */
function sharedPointerTexts(booking: Booking): readonly string[] {
  const groups = [...Map.groupBy(segmentsOf(booking), ({ ref }) => ref)].filter(([, group]) => group.length > 1);
  return groups.map(([ref, group]) => {
    const flights = group.map((segment) => flightName(segment)).join(' and ');
    return `${flights} have one pointer, ${cleanRef(ref)}: a request cannot say which one is meant.`;
  });
}

/** Why tools are refused for the whole booking, by their names. Only `detail: full` shows it. */
type Refused = Readonly<Record<string, string>>;

/** A booking as a result shows it: its fields, and the sentences before them. */
interface BookingResult {
  readonly view: BookingView;
  readonly head: ResultHead;
  readonly refused: Refused;
}

/**
 * Shows a booking with all its fields, and the sentences that stand before them.
 * @param operations on the booking, newest first
 */
export async function fullBooking(
  booking: Booking,
  operations: readonly Operation[],
  ctx: ToolContext,
  shown: Pick<BookingViewOptions, 'detail' | 'reveal'> = {},
): Promise<BookingResult> {
  const { acts, settings } = ctx;
  const { open, withPerson, endedAt } = ownOperations(booking, operations, ctx);

  const showsDetails = shown.detail === 'full' || shown.reveal === 'all';
  const entered = (showsDetails || booking.services.length > 0) && (await ctx.state.enteredOnPage(booking));
  const options: BookingViewOptions = {
    ...shown,
    entered,
    endedAt,
    assumedOperations: settings.assumedOperations,
    dialect: settings.dialect,
    placeName: ctx.airline.placeName,
    acts,
    offers: ctx.offers,
    now: ctx.now(),
  };
  const refused = refusals(booking, options, open);
  const view = viewBooking(booking, options, open, refused);

  const limits = openLimits(booking, acts, open);
  const near = anyDeparture(booking);
  const vehicle = vehicleOf(settings);
  const head = bookingHead({ ...options, booking, view, open, refused, limits, vehicle, near });

  const warnings = [
    ...(entered && showsDetails ? [ENTERED_NOT_SHOWN] : []),
    ...withPerson.map((operation) => withPersonText(operation, acts)),
    ...sharedPointerTexts(booking),
    ...strayTexts(booking),
    ...replacedTexts(booking, operations, acts),
  ];
  return { view, head: warnings.length === 0 ? head : { ...head, warnings }, refused };
}

/** `Ticket 7702403114549 is of no passenger of the booking.` */
function strayTexts(booking: Booking): readonly string[] {
  return [...ticketsAstray(booking)].map(([{ number }, lack]) => `Ticket ${cleanCode(number)} is ${astrayText(lack)}.`);
}

/**
 * Names tickets that the payment here issued, where the reading shows others in their place. Nothing is said if an act came after it:
 * airlines exchange tickets then.
 */
function replacedTexts(booking: Booking, operations: readonly Operation[], acts: Acts): readonly string[] {
  const newest = operations.find(({ state }) => state === 'succeeded' || isActive(state) || state === 'needs_person');
  if (newest?.state !== 'succeeded' || !isPayment(newest.tool, acts)) return [];

  const issued = newest.outcome?.tickets?.map(({ number }) => number) ?? [];
  const shown = ticketNumbers(booking);
  const services = booking.emds.flatMap(({ number }) => number ?? []);
  const [lost, instead] = [otherTickets(issued, [...shown, ...services]), otherTickets(shown, issued)];
  if (lost.length === 0 || !areComparable(issued, booking)) return [];

  const listed = (numbers: readonly string[]) => numbers.map((number) => cleanCode(number)).join(', ');
  return [
    `Tickets that the payment issued and the booking does not show: ${listed(lost)}. It shows: ${listed(instead)}.`,
  ];
}

const isPayment = (tool: string | undefined, acts: Acts): boolean =>
  tool !== undefined && acts.named(tool)?.countedAs === 'payment';

export function viewBooking(
  booking: Booking,
  options: BookingViewOptions,
  open?: Operation,
  refused = refusals(booking, options, open),
): BookingView {
  const { placeName, offers } = options;
  const isFull = options.detail === 'full';
  const { pricing } = booking;
  const paid = paidByOrders(booking);
  const currency = pricing?.total?.total.currency ?? paid?.currency;

  const group = groupName(booking);
  const near = anyDeparture(booking);
  const asSent = looseLimitsOf(booking, options.now);
  const deadlines = viewDeadlines(openLimits(booking, options.acts, open), asSent, near);

  const paidFor = paidForCancelled(booking);
  const segments = booking.options.flatMap((option) =>
    option.segments.map((segment) => ({
      ...viewSegment(option, segment, isFull),
      paid_for: amountIn(currency, paidFor.get(segment.ref)),
    })),
  );
  const shared = segments.length > 1 ? equalFields(segments, SHARED_BY_SEGMENTS) : {};
  const baggage = baggageTexts(pricing?.total?.baggage ?? []);

  return {
    locator: booking.locator,
    group_name: group === undefined ? undefined : plainText(group, GROUP_CHARS),
    state: shownState(bookingState(booking, options.now).state, runsUntil(booking), options.now),
    currency,
    total: pricing?.total && formatMoney(pricing.total.total),
    paid: amountIn(currency, paid),
    places: namedPlaces(
      segments.flatMap(({ from, to }) => [from, to]),
      placeName,
    ),
    ...shared,
    segments: segments.map((segment) => withoutShared(segment, shared)),
    passengers: booking.travelers.map((traveler) => viewPassenger(booking, traveler, options)),
    contact: viewContact(contactOf(booking), options),
    baggage: filled(baggage),
    made: booking.createdAt && localMinute(booking.createdAt, near),
    deadlines,
    orders: viewOrders(booking, options, currency),
    not_allowed: isFull ? refusedOffers(refused, offers) : undefined,
    // Only the reply to a hold has it.
    quote_id: pricing?.quoteId === undefined ? undefined : cleanCode(pricing.quoteId, QUOTE_ID_CHARS),
    pending_operation: open && { operation_id: isFull ? open.id : undefined, tool: open.tool, status: open.state },
    ...(isFull ? viewFullDetails(booking, options, near) : { special_services: viewServices(booking, options) }),
  };
}

/**
 * Gives a departure, also of a cancelled segment. Its offset is the zone of all times of a booking that have none of their own: the
 * limits, and when it was made.
 */
function anyDeparture(booking: Booking): string | undefined {
  return (activeSegments(booking)[0] ?? segmentsOf(booking)[0])?.departs;
}

/** Shows the fields that only `detail: full` has, and the services. */
function viewFullDetails(booking: Booking, options: BookingViewOptions, near: string | undefined) {
  const { now, endedAt } = options;
  return {
    state_basis: stateBasis(booking, { now, endedAt }),
    references: bookingReferences(booking).map((reference) => ({
      system: reference.system === undefined ? undefined : cleanCode(reference.system),
      locator: cleanCode(reference.id, LOCATOR_CHARS),
      segment_refs: filled(reference.segmentRefs),
    })),
    price: viewPrice(booking),
    rules: filled(viewRules(booking, near, now)),
    special_services: viewServices(booking, options),
    special_remarks: viewRemarks(booking, options),
    emds: viewEmds(booking, options),
  };
}

function viewSegment(option: SegmentOption, segment: Segment, full: boolean): BookingView['segments'][number] {
  const { from, to, departs, arrives } = viewRoute(segment);
  const fare = {
    code: segment.fareBasis === undefined ? undefined : cleanCode(segment.fareBasis),
    name: segment.fareName === undefined ? undefined : plainText(segment.fareName, NAME_CHARS),
  };
  const marketing = segment.marketing?.carrier;

  return {
    ref: segment.ref,
    flight: flightName(segment),
    operated_by: operatedBy(segment),
    from,
    to,
    departs: localMinute(departs),
    arrives: localMinute(arrives),
    class: cleanCode(segment.bookingClass ?? '') || undefined,
    fare: (fare.code ?? fare.name) === undefined ? undefined : fare,
    status: runningStatus(segment.statusCode),
    ...(full && {
      option_ref: option.ref,
      marketing: marketing === undefined ? undefined : cleanCode(marketing),
      fare_rules: segment.fareRules?.map(ruleWords),
      status_code: cleanCode(segment.statusCode ?? '') || undefined,
    }),
  };
}

/** An amount of this currency as a text. Undefined in another one. */
function amountIn(currency: string | undefined, money: Money | undefined): string | undefined {
  return money?.currency === currency ? money && formatMoney(money) : undefined;
}

/** Writes a rule in the airline's own words (docs/wire/notes.md, Rules in words). */
function ruleWords({ name, text }: FareRuleText): string {
  return `${name === undefined ? '' : `${plainText(name, NAME_CHARS)}: `}${plainText(text, MOST_WORDS)}`;
}

/** Gives the time limits, without that of a payment that may have been made. */
function openLimits(booking: Booking, acts: Acts, open: Operation | undefined): Deadlines {
  const limits = shownDeadlines(booking);
  return isPayment(open?.tool, acts) ? { ...limits, payBy: undefined } : limits;
}

function viewDeadlines(
  limits: Deadlines,
  asSent: readonly string[],
  near: string | undefined,
): BookingView['deadlines'] {
  const { payBy, namesUntil, cancelUntil } = limits;
  if ((payBy ?? namesUntil ?? cancelUntil ?? asSent[0]) === undefined) return undefined;

  return {
    as_sent: filled(asSent),
    pay_by: payBy && localMinute(payBy, near),
    names_until: namesUntil && localMinute(namesUntil, near),
    cancel_until: cancelUntil && localMinute(cancelUntil, near),
  };
}

/** Says why tools are refused now for the whole booking. */
function refusals(booking: Booking, options: BookingViewOptions, open: Operation | undefined): Refused {
  const { acts, now } = options;
  // An open operation stops every act.
  const whyNoAct = open && { why: `the ${actWord(acts, open.tool)} is still open` };

  // Whether there are seats and tickets depends on whether it is paid.
  const whyNothingOfPaid = isPayment(open?.tool, acts) ? whyNoAct : undefined;
  const whyNotYet = whyNotReadYet(booking, [], now);
  const rows = [
    ...acts.all.map((act) => [act.name, act.whyNot && (whyNoAct ?? whyNotAct(booking, act, options))] as const),
    ['get_seat_map', whyNothingOfPaid ?? whyNotYet ?? whyNotSeatMap(booking, now)] as const,
    ['get_tickets', whyNothingOfPaid ?? whyNotYet ?? whyNotGetTickets(booking, now)] as const,
  ];
  return Object.fromEntries(rows.flatMap(([tool, refusal]) => (refusal === undefined ? [] : [[tool, refusal.why]])));
}

function whyNotAct(booking: Booking, act: Act, options: BookingViewOptions) {
  return whyDone(booking, { deed: act.deed }, options.now) ?? act.whyNot?.(booking, options);
}

/** The reasons of tools that the caller has; undefined if there are none. */
function refusedOffers(refused: Refused, offers: BookingViewOptions['offers']): Refused | undefined {
  const rows = Object.entries(refused).filter(([tool]) => offers(tool));
  return rows.length === 0 ? undefined : Object.fromEntries(rows);
}

/** Shows payments and refunds. Undefined if they only repeat that the price is paid, or still to be paid. */
function viewOrders(
  booking: Booking,
  { detail, now, dialect, placeName }: BookingViewOptions,
  currency: string | undefined,
): BookingView['orders'] {
  const isFull = detail === 'full';
  const orders = booking.orders.filter(({ amount }) => isFull || amount !== undefined);
  if (orders.length === 0 || (!isFull && repeatsPrice(orders, booking, now))) return undefined;

  // Of several refunds, coupons do not say which is whose.
  const ctx = { settings: { dialect }, airline: { placeName } };
  const refunded = refundOrdersOf(booking).length === 1 ? refundedParts(booking, ctx) : undefined;

  return orders.map(({ action, direction = '', status, amount }) => ({
    action: isFull && action !== undefined ? cleanCode(action) : undefined,
    direction: own(DIRECTIONS, direction) ?? cleanCode(direction),
    amount: amount && formatMoney(amount),
    currency: amount?.currency === currency ? undefined : amount?.currency,
    status: direction === 'REFUND' ? refundOrderStatus(status) : orderStatus(status),
    ...(direction === 'REFUND' ? refunded : undefined),
  }));
}

/** Whether the only order is the payment of the price, in the state that the booking's own state implies. */
function repeatsPrice([order, ...others]: Booking['orders'], booking: Booking, now: number): boolean {
  if (order === undefined || others.length > 0) return false;
  const impliedStatus = isUnpaidHold(booking, now) ? 'PENDING' : 'PAID';
  const isPaymentOfPrice = order.direction === 'PAYMENT' && sameMoney(order.amount, booking.pricing?.total?.total);
  return isPaymentOfPrice && order.status === impliedStatus;
}

/** Each allowance once. */
function baggageTexts(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => plainText(text, BAGGAGE_CHARS)))].filter((text) => text !== '');
}

export function shortBooking(booking: Booking, ctx: Pick<ToolContext, 'now'>): ShortBookingView {
  const total = booking.pricing?.total?.total;
  return {
    locator: booking.locator,
    state: bookingState(booking, ctx.now()).state,
    total: total && formatMoney(total),
    currency: total?.currency,
  };
}
