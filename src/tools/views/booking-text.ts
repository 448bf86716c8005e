/**
 * A booking as text. First the lines of its view, with every ref that another tool needs; then the sentences before them: its state,
 * money, next limit, and what to do next.
 */

import type { ResultHead } from '../../approvals/answer.ts';
import { cleanRef, MOST_WORDS, quoted } from '../../core/clean-text.ts';
import { type Money, sameMoney, showAmount, showMoney, sumMoney, withThousands } from '../../core/money.ts';
import { commonZone, instantOf, showLocal, showTimeLeft, showTrip, utcText } from '../../core/times.ts';
import { counted, joined, nounWithRefs, table, titled, uncapitalized } from '../../core/words.ts';
import { doneHereText } from '../../domain/booking/as-known.ts';
import { activeSegments, type Booking, segmentsOf, unnamedTravelers, unshownOf } from '../../domain/booking/booking.ts';
import { bookingState, isUnpaidHold, runsUntil, travelledSegments } from '../../domain/booking/booking-state.ts';
import {
  DEADLINE_NAMES,
  type DeadlineName,
  type Deadlines,
  looseLimitsOf,
  nextDeadline,
  showDeadline,
} from '../../domain/booking/deadlines.ts';
import { paidByOrders, paymentsOf, refundOrdersOf } from '../../domain/booking/paid-and-refunded.ts';
import { namedIn, showRoute } from '../../domain/booking/stations.ts';
import { passengerTypeWord, type SegmentMeaning, segmentMeaning } from '../../domain/booking/status-codes.ts';
import { actWord } from '../../journal/act.ts';
import type { Operation } from '../../journal/operation.ts';
import type { BookingView, BookingViewOptions, CouponView, PassengerView, RuleView } from './booking-schema.ts';
import { groupEqual, ruleText } from './price-and-rules.ts';

/** What ends at each limit. */
const LIMITS: Readonly<Record<DeadlineName, string>> = {
  pay_by: 'pay',
  names_until: 'change names and seats',
  cancel_until: 'cancel',
};

/** States in which nothing of a booking is left. */
const OVER_STATES: readonly string[] = ['cancelled', 'expired'];

export function bookingText(view: BookingView): string {
  const { pending_operation: open } = view;
  const lines = [
    line('Open operation', open?.operation_id && `${open.tool} ${open.operation_id}`),
    line('Also known as', referencesText(view)),
    ...segmentLines(view),
    ...titled('Passengers', passengerLines(view)),
    line('Contact', contactText(view)),
    line('Baggage', view.baggage?.join(', ')),
    ...titled('Orders', orderLines(view)),
    line('Time limits', limitsText(view)),
    line(`Price in ${view.currency}`, priceText(view)),
    ...titled('Refund rules', ruleLines(view, 'refund')),
    ...titled('Change rules', ruleLines(view, 'change')),
    line('Special services', view.special_services?.join('; ')),
    line('Remarks', view.special_remarks?.map((remark) => quoted(remark, 160)).join('; ')),
    line('EMDs', view.emds?.join('; ')),
    line('Made', view.made && showDeadline(view.made, shownDeparture(view))),
    line('Quote', view.quote_id),
    line('Not allowed now', refusedText(view)),
  ];
  return joined(lines, '\n');
}

const line = (title: string, text: string | undefined) => text && `${title}: ${text}`;

/** The departure whose offset gives the local time of the limits, and whose year goes without saying. */
const shownDeparture = ({ segments }: BookingView) =>
  (segments.find(({ status }) => status !== 'cancelled') ?? segments[0])?.departs;

/** Locators in other systems; an operator can have one for each segment. */
function referencesText({ locator, references = [] }: BookingView): string {
  const others = references.filter((reference) => reference.locator !== locator);
  const texts = others.map(({ system, locator: otherLocator, segment_refs: refs }) => {
    const where = refs === undefined ? '' : ` (segment ${refs.map(cleanRef).join(', ')})`;
    return `${system === undefined ? '' : `${system} `}${otherLocator}${where}`;
  });
  return texts.join('; ');
}

/** The heading has the year of the first date; a date in another year has its own. */
function segmentLines(view: BookingView): string[] {
  const { places, currency = '', class: bookingClass, fare } = view;
  const segments = view.segments.map((segment) => ({ class: bookingClass, fare, ...segment }));
  const zone = commonZone(segments.flatMap(({ departs, arrives }) => [departs, arrives]));
  const near = shownDeparture(view);
  const heading = joined(['Segments', near?.slice(0, 4), zone && `local times (${zone})`]);

  return titled(
    heading,
    table(
      segments.map((segment) => [
        cleanRef(segment.ref),
        segment.flight,
        showRoute(segment, namedIn(places)),
        showTrip(segment.departs, segment.arrives, { withoutZone: zone !== undefined, yearOf: near }),
        joined([segment.class, segment.fare?.code, segment.fare?.name && `“${segment.fare.name}”`], ' '),
        segment.operated_by === undefined ? '' : `operated by ${segment.operated_by}`,
        segment.status,
        segment.paid_for && `${showAmount(segment.paid_for, currency)} was paid for it`,
        ...segmentDetails(segment),
      ]),
    ),
  );
}

/** The cells of a segment that only `detail: full` has. */
function segmentDetails({ option_ref: option, marketing, fare_rules: rules }: BookingView['segments'][number]) {
  return [
    option === undefined ? '' : `option ${cleanRef(option)}`,
    marketing === undefined ? '' : `sold by ${marketing}`,
    rules === undefined ? '' : `the airline's words: ${rules.map((rule) => quoted(rule, 300)).join(', ')}`,
  ];
}

function passengerLines({ passengers }: BookingView): string[] {
  return table(
    passengers.map((passenger) => [
      cleanRef(passenger.ref),
      passengerTypeWord(passenger.type),
      passenger.name,
      passenger.with_adult_ref && `with ${cleanRef(passenger.with_adult_ref)}`,
      passenger.tickets?.map(ticketText).join('; '),
      passenger.gender,
      passenger.birth_date && `born ${passenger.birth_date}`,
      documentText(passenger.document),
      passenger.memberships && `member of ${passenger.memberships.join(', ')}`,
    ]),
  );
}

function documentText(document: PassengerView['document']): string {
  if (document === undefined) return '';
  const { type, number, number_masked: masked, nationality = '?', expires } = document;
  // The expiry is absent if the airline shows none, or if it was entered on the details page.
  const facts = expires === undefined ? nationality : `${nationality}, expires ${expires}`;
  return `${type.replace('_', ' ')} ${number ?? masked ?? '?'} (${facts})`;
}

/** `ticket 7702403114549 (segment 1: coach 1 seat 1; segment 2: refunded)`. */
function ticketText({ number, coupons = [] }: NonNullable<PassengerView['tickets']>[number]): string {
  return coupons.length === 0 ? `ticket ${number}` : `ticket ${number} (${coupons.map(couponText).join('; ')})`;
}

export function couponText(coupon: CouponView): string {
  const { segment_ref: ref = '?', number, coach, seat, status, provider_ticket: provider } = coupon;
  const place = joined([coach && `coach ${coach}`, seat && `seat ${seat}`], ' ');
  const details = [place, status, number && `coupon ${number}`, provider && `operator's ticket ${provider}`];
  return joined([`segment ${cleanRef(ref)}`, joined(details)], ': ');
}

function contactText({ contact }: BookingView): string {
  const { name, email_masked, email, phone_masked, phone } = contact ?? {};
  return joined([name, email_masked ?? email, phone_masked ?? phone]);
}

function orderLines({ orders = [], currency }: BookingView): string[] {
  return table(
    orders.map((order) => [
      order.direction,
      order.action,
      order.amount && `${order.currency ?? currency} ${withThousands(order.amount)}`,
      order.status,
      order.passengers && `for ${order.passengers}, ${order.segments}`,
    ]),
  );
}

/** The time limits, the nearest first. */
function limitsText(view: BookingView): string {
  const near = shownDeparture(view);
  const limits = DEADLINE_NAMES.map((name) => ({ name, at: view.deadlines?.[name] }))
    .filter(({ at }) => at !== undefined)
    .toSorted((a, b) => (instantOf(a.at) ?? 0) - (instantOf(b.at) ?? 0))
    .map(({ name, at = '' }) => `${LIMITS[name]} until ${showDeadline(at, near)}`);
  return [...(view.deadlines?.as_sent ?? []), ...limits].join('; ');
}

function priceText({ price }: BookingView): string {
  if (price === undefined) return '';

  const { base, taxes, fees, per_type: rows = [], lines = [] } = price;
  const amounts = [
    `fare ${withThousands(base)}, taxes ${withThousands(taxes)}, fees ${withThousands(fees)}`,
    ...rows.map(({ type, count, total }) => `${count} ${type} ${withThousands(total)}`),
    ...lines.map(
      ({ kind, code, amount, vat }) => `${kind} ${code} ${withThousands(amount)}${vat ? ` (VAT ${vat}%)` : ''}`,
    ),
  ];
  return amounts.join('; ');
}

function ruleLines(view: BookingView, kind: RuleView['kind']): string[] {
  const near = shownDeparture(view);
  const rules = (view.rules ?? []).filter((rule) => rule.kind === kind);

  return table(
    rules.map((rule) => [
      rule.passenger_types.map(passengerTypeWord).join(', '),
      ruleText(rule, ' per person and segment'),
      rule.holds.map((span) => spanText(span, near)).join('; '),
      rule.text === undefined ? '' : `the airline's words: ${quoted(rule.text, MOST_WORDS)}`,
    ]),
  );
}

/** `segment 1 until Sat 12 Dec 12:25 (UTC+3)`. */
function spanText({ segment_refs: refs, from, until }: RuleView['holds'][number], near: string | undefined): string {
  const texts = [
    refs && nounWithRefs('segment', refs.map(cleanRef)),
    from && `from ${showDeadline(from, near)}`,
    until && `until ${showDeadline(until, near)}`,
  ];
  return joined(texts, ' ');
}

/** The tools that are refused, those for the same reason together. A tool that is not named is allowed. */
function refusedText({ not_allowed: refused = {} }: BookingView): string {
  const texts = groupEqual(Object.entries(refused), ([, why]) => why).map((same) => {
    const [[, why]] = same;
    return `${same.map(([tool]) => tool).join(', ')} (${why})`;
  });
  return texts.join('; ');
}

/** The facts that the sentences about a booking need. */
interface HeadFacts extends BookingViewOptions {
  readonly booking: Booking;
  readonly view: BookingView;
  readonly open: Operation | undefined;
  /** Why tools are refused for the whole booking, by their names. */
  readonly refused: Readonly<Record<string, string>>;
  readonly limits: Deadlines;
  readonly vehicle: 'train' | 'flight';
  /** A departure, whose offset gives local times. */
  readonly near: string | undefined;
}

export function bookingHead(facts: HeadFacts): ResultHead {
  const { booking, now } = facts;
  const loose = looseLimitsOf(booking, now);
  const sentences = [newsText(facts), ...loose, stateText(facts), moneyText(facts), limitText(facts)];
  return { summary: joined(sentences, ' '), next: nextStep(facts) };
}

/** Says what is newer than the airline's reading: what was done here, and an operation whose outcome is not known. */
function newsText({ booking, acts, open }: HeadFacts): string {
  const done = doneHereText(booking);
  if (open === undefined) return done;
  const what = open.outcome?.shows ?? 'Its outcome is still being checked.';
  const unsettled = `The ${actWord(acts, open.tool)} on booking ${booking.locator} is not settled: ${uncapitalized(what)}`;
  return joined([done, unsettled], ' ');
}

/** How the state is known, and that an operation of this server ended the booking. */
export function stateBasis(booking: Booking, { now, endedAt }: Pick<BookingViewOptions, 'now' | 'endedAt'>): string {
  const { basis } = bookingState(booking, now);
  const near = segmentsOf(booking)[0]?.departs;
  if (endedAt === undefined || unshownOf(booking, 'cancellation').length > 0) return basis;
  return `${basis}; cancelled here on ${showDeadline(utcText(endedAt), near)}`;
}

function stateText(facts: HeadFacts): string {
  const { booking, view, now, vehicle } = facts;
  const { state } = bookingState(booking, now);
  const extent = extentTexts(facts);
  const bookingIs = `Booking ${booking.locator}${extent.length === 0 ? '' : ` (${extent.join(', ')})`} is`;
  if (view.state === 'flown')
    return `${bookingIs} flown: its last ${vehicle} departed on ${showLocal(runsUntil(booking) ?? '')}.`;
  if (isUnpaidHold(booking, now)) return heldText(facts, bookingIs);

  const basis = stateBasis(booking, facts);
  const why = basis === 'tickets are issued' ? '' : ` (${basis})`;
  return `${bookingIs} ${state === 'unknown' ? 'in an unknown state' : state.replace('_', ' ')}${why}.`;
}

/** `group “Umrah”`, `3 passengers`, `2 trains`; a booking that is over has no passengers and trains any more. */
function extentTexts({ booking, view, now, vehicle }: HeadFacts): readonly string[] {
  const texts = view.group_name === undefined ? [] : [`group ${quoted(view.group_name)}`];
  if (OVER_STATES.includes(bookingState(booking, now).state)) return texts;

  if (booking.travelers.length > 0) texts.push(counted(booking.travelers.length, 'passenger'));
  if (view.state === 'flown') return [...texts, counted(travelledSegments(booking).length, vehicle)];

  const counts = [
    { count: activeSegments(booking).length, words: '' },
    { count: countMeaning(booking, 'waiting'), words: ' not confirmed' },
    { count: countMeaning(booking, 'unknown'), words: ' of unknown status' },
  ];

  return [
    ...texts,
    ...counts.filter(({ count }) => count > 0).map(({ count, words }) => `${counted(count, vehicle)}${words}`),
  ];
}

function countMeaning(booking: Booking, meaning: SegmentMeaning): number {
  return segmentsOf(booking).filter(({ statusCode }) => segmentMeaning(statusCode) === meaning).length;
}

function heldText(facts: HeadFacts, bookingIs: string): string {
  const { booking, now, limits, near, open } = facts;
  if (open?.tool === payTool(facts)) return 'The airline lists a hold.';

  const why = whyNotPayable(facts);
  const refusal = why === undefined || open !== undefined ? '' : ` It cannot be paid: ${why}.`;

  const next = nextDeadline(limits, bookingState(booking, now).state, now);
  const timeLeft = next?.what === 'pay_by' ? ` (${showTimeLeft(next.inMinutes)} left)` : '';
  const until = limits.payBy === undefined ? '' : ` until ${showDeadline(limits.payBy, near)}${timeLeft}`;
  const { state } = bookingState(booking, now);
  const left = state === 'held' ? '' : ` partly cancelled (${stateBasis(booking, facts)}); the rest is`;
  return `${bookingIs}${left} held${until}, not paid.${refusal}`;
}

const payTool = ({ acts }: HeadFacts) => acts.all.find(({ countedAs }) => countedAs === 'payment')?.name ?? '';

function whyNotPayable(facts: HeadFacts): string | undefined {
  return facts.refused[payTool(facts)];
}

function moneyText(facts: HeadFacts): string {
  const { booking, now } = facts;
  const total = booking.pricing?.total?.total;
  if (total === undefined) return 'No price sent.';
  if (!isUnpaidHold(booking, now)) return `${showMoney(total)}${paidText(booking, total)}.`;
  if (whyNotPayable(facts) !== undefined) return `Price: ${showMoney(total)}.`;

  // An order can keep the price of the day of the hold.
  const order = paymentsOf(booking).find(({ amount }) => amount !== undefined)?.amount;
  const oldPrice =
    order === undefined || sameMoney(order, total) ? '' : ` (the hold's order still says ${showMoney(order)})`;
  return `To pay now: ${showMoney(total)}${oldPrice}.`;
}

/** Says what was paid, refunded and is still to be refunded. */
function paidText(booking: Booking, total: Money): string {
  const paid = paidByOrders(booking);
  const refunds = refundOrdersOf(booking);
  const refunded = sumOfOrders(refunds.filter(({ status }) => status === 'PAID'));
  const pending = sumOfOrders(refunds.filter(({ status }) => status !== 'PAID'));
  const paidWords = sameMoney(paid, total) ? ', paid' : sumText('paid', paid);
  return `${paidWords}${sumText('refunded', refunded)}${sumText('refund pending', pending)}`;
}

function sumOfOrders(orders: Booking['orders']): Money | undefined {
  return sumMoney(orders.flatMap(({ amount }) => amount ?? []));
}

function sumText(words: string, sum: Money | undefined): string {
  return sum === undefined || sum.minor === 0 ? '' : `, ${words} ${showMoney(sum)}`;
}

function limitText({ booking, now, limits, near, open }: HeadFacts): string {
  const next = nextDeadline(limits, bookingState(booking, now).state, now);
  if (open !== undefined || next === undefined || next.what === 'pay_by') return '';
  return `Next limit: ${LIMITS[next.what]} until ${showDeadline(next.at, near)}, ${showTimeLeft(next.inMinutes)} left.`;
}

function nextStep(facts: HeadFacts): string | undefined {
  if (facts.open !== undefined)
    return 'Do not pay or change it again, here or elsewhere. Call read_booking in 60 seconds; a person takes over if it stays open.';
  return namesStep(facts) ?? unpayableStep(facts);
}

/** What to do about a hold that cannot be paid. Undefined if it can, or is none. */
function unpayableStep(facts: HeadFacts): string | undefined {
  const { acts, booking, now } = facts;
  if (!isUnpaidHold(booking, now)) return undefined;
  return acts.named(payTool(facts))?.whyNot?.(booking, facts)?.next;
}

function namesStep({ booking, refused, now }: HeadFacts): string | undefined {
  const { state } = bookingState(booking, now);
  const unnamed = unnamedTravelers(booking).length;
  if (unnamed === 0 || OVER_STATES.includes(state)) return undefined;

  const who = `${unnamed} of ${booking.travelers.length} passengers have no name yet`;
  const refusal = refused.change_names;
  if (refusal !== undefined) return `${who}, and change_names cannot name them now: ${refusal}. Ask the airline.`;

  const payment = isUnpaidHold(booking, now) ? ' before paying: the airline may refuse payment without names' : '';
  return `${who}. Name them with change_names, a few at a time if need be${payment}.`;
}
