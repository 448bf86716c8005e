/** A booking as text: its state, money and next limit, then every ref that another tool needs, in aligned lines. */

import type { ResultHead } from '../../approvals/answer.ts';
import { MOST_WORDS, quoted } from '../../core/clean-text.ts';
import { type Money, sameMoney, showAmount, showMoney, sumMoney, withThousands } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { instantOf, showDeadline, showLeft, showLocal, showTrip, utcText, zoneOf } from '../../core/times.ts';
import { counted, named, table } from '../../core/words.ts';
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
import { showRoute } from '../../domain/booking/stations.ts';
import { passengerTypeWord } from '../../domain/booking/status-codes.ts';
import type { Operation } from '../../journal/operation.ts';
import type { BookingView, BookingViewOptions, CouponView, PassengerView, RuleView } from './booking-schema.ts';

export function bookingText(view: BookingView): string {
  const { pending_operation: open } = view;
  return [
    ...line('Open operation', open && `${open.tool} ${open.operation_id}`),
    ...referenceLines(view),
    ...segmentLines(view),
    ...section('Passengers', passengerLines(view)),
    ...line('Contact', contactText(view)),
    ...line('Baggage', view.baggage?.join(', ')),
    ...section('Orders', orderLines(view)),
    ...line('Time limits', limitsText(view)),
    ...priceLines(view),
    ...section('Refund rules', ruleLines(view, 'refund')),
    ...section('Change rules', ruleLines(view, 'change')),
    ...detailLines(view),
    ...refusedLines(view),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function line(title: string, text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [`${title}: ${text}`];
}

/** The departure whose offset gives the local time of the limits. */
const shownDeparture = ({ segments }: BookingView) =>
  (segments.find(({ status }) => status !== 'cancelled') ?? segments[0])?.departs;

/** Locators in other systems; an operator can have one for each segment. */
function referenceLines({ locator, references = [] }: BookingView): string[] {
  const told = references.flatMap(({ system, locator: name, segment_refs: refs }) => {
    if (name === locator) return [];
    const where = refs === undefined ? '' : ` (segment ${refs.join(', ')})`;
    return [`${system === undefined ? '' : `${system} `}${name}${where}`];
  });
  return line('Also known as', told.join('; '));
}

/** The heading has the year of the first date; a later date that is of another year has its own. */
function segmentLines(view: BookingView): string[] {
  const { segments, places = {}, currency } = view;
  const zones = new Set(segments.flatMap(({ departs, arrives }) => [zoneOf(departs), zoneOf(arrives)]));
  const [zone = ''] = zones;
  const bare = zones.size === 1 && zone !== '';
  const near = shownDeparture(view);
  const heading = ['Segments', near?.slice(0, 4), bare ? `local times (${zone})` : ''].filter(Boolean).join(', ');
  return section(
    heading,
    table(
      segments.map((segment) => [
        segment.ref,
        segment.flight,
        showRoute(segment, (code) => own(places, code)),
        showTrip(segment.departs, segment.arrives, { withoutZone: bare, yearOf: near }),
        [segment.class, segment.fare?.code, segment.fare?.name && `“${segment.fare.name}”`].filter(Boolean).join(' '),
        segment.operated_by === undefined ? '' : `operated by ${segment.operated_by}`,
        segment.status,
        segment.paid_for === undefined ? '' : `${showAmount(segment.paid_for, currency ?? '')} was paid for it`,
        ...segmentDetails(segment),
      ]),
    ),
  );
}

/** What only `detail: full` has of a segment. */
function segmentDetails({ option_ref: option, marketing, fare_rules: rules }: BookingView['segments'][number]) {
  return [
    option === undefined ? '' : `option ${option}`,
    marketing === undefined ? '' : `sold by ${marketing}`,
    rules === undefined ? '' : `the airline's words: ${rules.map((words) => quoted(words, 300)).join(', ')}`,
  ];
}

function passengerLines({ passengers }: BookingView): string[] {
  return table(
    passengers.map(({ ref, type, name, with_adult_ref: adult, tickets = [], gender, birth_date: born, document }) => [
      ref,
      passengerTypeWord(type),
      name,
      adult === undefined ? '' : `with ${adult}`,
      tickets.map(ticketText).join('; '),
      gender,
      born === undefined ? '' : `born ${born}`,
      documentText(document),
    ]),
  );
}

function documentText(document: PassengerView['document']): string {
  if (document === undefined) return '';
  const { type, number, number_masked: masked, nationality = '?', expires } = document;
  // Not said: the airline shows none, or it was entered on the details page and is hidden.
  const known = [nationality, ...(expires === undefined ? [] : [`expires ${expires}`])].join(', ');
  return `${type.replace('_', ' ')} ${number ?? masked ?? '?'} (${known})`;
}

/** `ticket 7702403114549 (segment 1: coach 1 seat 1; segment 2: refunded)`. */
function ticketText({ number, coupons = [] }: NonNullable<PassengerView['tickets']>[number]): string {
  return coupons.length === 0 ? `ticket ${number}` : `ticket ${number} (${coupons.map(couponText).join('; ')})`;
}

export function couponText(coupon: CouponView): string {
  const { segment_ref: ref = '?', number, coach, seat, status, provider_ticket: provider } = coupon;
  const place = [coach && `coach ${coach}`, seat && `seat ${seat}`].filter(Boolean).join(' ');
  const details = [place, status, number && `coupon ${number}`, provider && `operator's ticket ${provider}`];
  return [`segment ${ref}`, details.filter(Boolean).join(', ')].filter(Boolean).join(': ');
}

function contactText({ contact }: BookingView): string {
  const { name, email_masked, email, phone_masked, phone } = contact ?? {};
  return [name, email_masked ?? email, phone_masked ?? phone].filter(Boolean).join(', ');
}

function orderLines({ orders = [], currency }: BookingView): string[] {
  return table(
    orders.map(({ direction, action, currency: orderCurrency = currency, amount, status, passengers, segments }) => [
      direction,
      action,
      amount === undefined ? '' : `${orderCurrency} ${withThousands(amount)}`,
      status,
      passengers === undefined ? '' : `for ${passengers}, ${segments}`,
    ]),
  );
}

const DEADLINES = ['pay_by', 'names_until', 'cancel_until'] as const;

/** The time limits, the nearest first. */
function limitsText(view: BookingView): string {
  const near = shownDeparture(view);
  const told = DEADLINES.map((name) => ({ name, at: view.deadlines?.[name] }))
    .filter(({ at }) => at !== undefined)
    .toSorted((a, b) => (instantOf(a.at) ?? 0) - (instantOf(b.at) ?? 0))
    .map(({ name, at = '' }) => `${LIMITS[name]} until ${showDeadline(at, near)}`);
  const alone = view.segments.flatMap(({ ref, cancel_ends: end }) =>
    end === undefined ? [] : [`cancel segment ${ref} alone until ${showDeadline(end, near)}`],
  );
  return [...told, ...alone].join('; ');
}

function priceLines({ price, currency }: BookingView): string[] {
  if (price === undefined) return [];
  const { base, taxes, fees, per_type: rows = [], lines = [] } = price;
  const amounts = [
    `fare ${withThousands(base)}, taxes ${withThousands(taxes)}, fees ${withThousands(fees)}`,
    ...rows.map(({ type, count, total }) => `${count} ${type} ${withThousands(total)}`),
    ...lines.map(
      ({ kind, code, amount, vat }) => `${kind} ${code} ${withThousands(amount)}${vat ? ` (VAT ${vat}%)` : ''}`,
    ),
  ];
  return line(`Price in ${currency}`, amounts.join('; '));
}

function detailLines(view: BookingView): string[] {
  const { special_services: services, special_remarks: remarks, emds, quote_id: quote, created_at: made } = view;
  return [
    ...line('Special services', services?.join('; ')),
    ...line('Remarks', remarks?.map((remark) => quoted(remark, 160)).join('; ')),
    ...line('EMDs', emds?.join('; ')),
    ...line('Made', made && showDeadline(made, shownDeparture(view))),
    ...line('Quote', quote),
  ];
}

function ruleLines(view: BookingView, kind: RuleView['kind']): string[] {
  const near = shownDeparture(view);
  const rules = (view.rules ?? []).filter((rule) => rule.kind === kind);
  return table(
    rules.map((rule) => [
      rule.passenger_types.map(passengerTypeWord).join(', '),
      chargeText(rule),
      rule.holds.map((span) => spanText(span, near)).join('; '),
      rule.text === undefined ? '' : `the airline's words: ${quoted(rule.text, MOST_WORDS)}`,
    ]),
  );
}

/** `segment 1 until Sat 12 Dec 12:25 (UTC+3)`. */
function spanText({ segment_refs: refs, from, until }: RuleView['holds'][number], near: string | undefined): string {
  const texts = [
    refs && named('segment', refs),
    from && `from ${showDeadline(from, near)}`,
    until && `until ${showDeadline(until, near)}`,
  ];
  return texts.filter(Boolean).join(' ');
}

function chargeText({ kind, refundable, currency, total, tax }: RuleView): string {
  const isRefund = kind === 'refund';
  if (refundable === false) return isRefund ? 'not refundable' : 'not possible';
  if (total === undefined) return refundable ? 'possible, no amount stated' : 'not clear';
  if (Number(total) === 0) return isRefund ? 'free cancellation' : 'free';
  const charge = `${isRefund ? 'keeps' : 'costs'} ${showAmount(total, currency ?? '')}`;
  return `${charge} per person and segment${Number(tax) === 0 ? '' : ', tax included'}`;
}

/** The tools that are refused, those for the same reason together. A tool that is not named is allowed. */
function refusedLines({ not_allowed: refused = [] }: BookingView): string[] {
  const not = refused.map(({ tools, segment_refs: refs, why }) => {
    const where = refs === undefined ? '' : ` for segment ${refs.join(', ')}`;
    return `${tools.join(', ')}${where} (${why})`;
  });
  return line('Not allowed now', not.join('; '));
}

/** What the sentences of a booking are made of. */
interface HeadFacts extends BookingViewOptions {
  readonly booking: Booking;
  readonly view: BookingView;
  readonly open: Operation | undefined;
  readonly limits: Deadlines;
  readonly vehicle: 'train' | 'flight';
  /** A departure, for local times. */
  readonly near: string | undefined;
}

export function bookingHead(told: HeadFacts): ResultHead {
  const sentences = [newsText(told), stateText(told), moneyText(told), limitText(told)];
  return { summary: sentences.filter((text) => text !== '').join(' '), next: nextStep(told) };
}

/** What is newer than the airline's list: an operation whose outcome is not known, or a payment that it refused. */
function newsText({ booking: { locator }, acts, open, refusedAt, near }: HeadFacts): string {
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

function stateText(told: HeadFacts): string {
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
  if (open?.tool === payTool(told)) return 'The airline lists a hold.';
  const why = whyNotPayable(told);
  const refusal = why === undefined || open !== undefined ? '' : ` It cannot be paid: ${why}.`;
  const left = nextDeadline(limits, state, now);
  const ends = left?.what === 'pay_by' ? ` (${showLeft(left.inMinutes)} left)` : '';
  const until = limits.payBy === undefined ? '' : ` until ${showDeadline(limits.payBy, near)}${ends}`;
  return `${which} held${until}, not paid.${refusal}`;
}

const payTool = ({ acts }: HeadFacts) => acts.all.find(({ countedAs }) => countedAs === 'payment')?.name ?? '';

function whyNotPayable(told: HeadFacts): string | undefined {
  return told.view.not_allowed?.find(({ tools }) => tools.includes(payTool(told)))?.why;
}

function moneyText(told: HeadFacts): string {
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
const LIMITS: Readonly<Record<DeadlineName, string>> = {
  pay_by: 'pay',
  names_until: 'change names and seats',
  cancel_until: 'cancel',
};

function limitText({ booking, now, limits, near, open, refusedAt }: HeadFacts): string {
  const next = nextDeadline(limits, bookingState(booking, now).state, now);
  if (open !== undefined || refusedAt !== undefined || next === undefined || next.what === 'pay_by') return '';
  return `Next limit: ${LIMITS[next.what]} until ${showDeadline(next.at, near)}, ${showLeft(next.inMinutes)} left.`;
}

function nextStep(told: HeadFacts): string | undefined {
  const { open, refusedAt } = told;
  if (open !== undefined)
    return 'Do not pay or change it again, here or elsewhere. Call read_booking in 60 seconds; a person takes over if it stays open.';
  if (refusedAt !== undefined) return 'Search again with search_fares; the hold lapses by itself.';
  return namesStep(told);
}

function namesStep({ booking, view, now }: HeadFacts): string | undefined {
  const { state } = bookingState(booking, now);
  const unnamed = unnamedTravelers(booking).length;
  if (unnamed === 0 || OVER.includes(state)) return undefined;
  const who = `${unnamed} of ${booking.travelers.length} passengers have no name yet`;
  const refusal = view.not_allowed?.find(({ tools }) => tools.includes('change_names'));
  if (refusal !== undefined) return `${who}, and change_names cannot name them now: ${refusal.why}. Ask the airline.`;
  const payment = state === 'held' ? ' before paying: the airline may refuse payment without names' : '';
  return `${who}. Name them with change_names, a few at a time if need be${payment}.`;
}
