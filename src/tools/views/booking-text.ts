/** A booking as text: every ref that another tool needs, in aligned lines. */

import { MOST_WORDS, quoted } from '../../core/clean-text.ts';
import { showDeadline, showTrip, zoneOf } from '../../core/local-times.ts';
import { formatMoney, parseMoney, sumMoney } from '../../core/money.ts';
import { instantOf, showLeft } from '../../core/times.ts';
import { capitalized } from '../../core/words.ts';
import { type PlaceName, showRoute } from '../../domain/booking/place-names.ts';
import { couponCounts, orderStatus, passengerTypeWord, segmentStatusWord } from '../../domain/booking/status-codes.ts';
import { vehicleOf, type Writing } from '../definition/define.ts';
import type { BookingView, RuleView } from './booking-schema.ts';
import { table } from './table.ts';
import { endLine } from './terms-lines.ts';

export function bookingText(view: BookingView, ctx: Writing): string {
  return [
    ...newsLines(view, ctx),
    headline(view),
    ...changesIn(view),
    ...referenceLines(view),
    ...segmentLines(view, ctx),
    ...section('Passengers', passengerLines(view)),
    ...ticketLines(view),
    ...unnamedLines(view),
    ...contactLines(view),
    ...orderLines(view),
    ...deadlineLines(view),
    ...section('Refund rules', ruleLines(view, ctx.now())),
    ...allowedLines(view, ctx),
  ].join('\n');
}

/** Lines of `state_basis` after the first: what the airline changed. */
function changesIn({ state_basis: basis }: BookingView): string[] {
  return basis.split('\n').slice(1);
}

/** The newest fact leads: an open operation, or why a hold cannot be paid. */
function newsLines({ pending_operation: open, state, allowed }: BookingView, { acts }: Writing): string[] {
  if (open) {
    const what = acts.named(open.tool)?.whileOpen ?? 'outcome not known yet';
    return [`Open operation: ${open.tool} ${open.operation_id}: ${what}.`];
  }
  const why = state === 'held' ? allowed.pay?.why : undefined;
  return why === undefined ? [] : [`${capitalized(why)}.`];
}

/** The departure whose offset gives the local time of the limits. */
const nearOf = ({ segments }: BookingView) =>
  (segments.find(({ status }) => status === 'active') ?? segments[0])?.departs;

function headline(view: BookingView): string {
  const group = view.group_name === undefined ? '' : `, group ${view.group_name}`;
  return `Booking ${view.locator}${group}: ${stateText(view)} ${moneyText(view)}`;
}

function stateText(view: BookingView): string {
  const { state, state_basis: basis, deadlines, allowed } = view;
  if (state !== 'held') return `${state.replace('_', ' ')} (${basis.split('\n')[0]}).`;
  const { pay_by: limit, next } = deadlines;
  if (limit === undefined) return allowed.pay?.ok ? 'held, not paid.' : 'listed as a hold.';
  const left = next?.what === 'pay_by' ? ` (${showLeft(next.in_minutes)} left)` : '';
  return `held until ${showDeadline(limit, nearOf(view))}${left}, not paid.`;
}

/** An order can keep the price of the day of the hold. */
function moneyText({ state, total, paid, currency, allowed, orders = [] }: BookingView): string {
  if (total === undefined) return 'No price sent.';
  const sum = `${currency} ${grouped(total)}`;
  if (state !== 'held')
    return paid === undefined ? `${sum}.` : `${sum}, paid ${grouped(paid)}${refundedText(orders, currency)}.`;
  if (!allowed.pay?.ok) return `Price: ${sum}.`;
  const other = orders.find((order) => order.direction !== 'REFUND' && order.amount !== undefined);
  const differs = other !== undefined && (other.amount !== total || other.currency !== currency);
  const old = differs ? ` (the hold's order still says ${grouped(other.amount ?? '')})` : '';
  return `To pay now: ${sum}${old}.`;
}

/** What came back, so that the price and the payment do not look like the whole story. */
function refundedText(orders: NonNullable<BookingView['orders']>, currency: string | undefined): string {
  const back = orders.filter((order) => order.direction === 'REFUND' && order.currency === currency);
  const sum = sumMoney(back.flatMap(({ amount }) => (amount && currency && parseMoney(amount, currency)) || []));
  return sum === undefined || sum.minor === 0 ? '' : `, refunded ${grouped(formatMoney(sum))}`;
}

/** `1,423.00`. */
function grouped(amount: string): string {
  return amount.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}

/** Locators in other systems; an operator can have one for each segment. */
function referenceLines({ locator, references }: BookingView): string[] {
  const others = references.filter((reference) => reference.locator !== locator);
  const names = others.map(({ system, locator: name, segment_refs: refs }) => {
    const where = refs === undefined ? '' : ` (segment ${refs.join(', ')})`;
    return `${system === undefined ? '' : `${system} `}${name}${where}`;
  });
  return names.length === 0 ? [] : [`Also known as: ${names.join('; ')}`];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function segmentLines({ segments }: BookingView, { airline, settings }: Writing): string[] {
  const placeName: PlaceName | undefined = airline.placeName;
  const zones = new Set(segments.flatMap(({ departs, arrives }) => [zoneOf(departs), zoneOf(arrives)]));
  const [zone = ''] = zones;
  const bare = zones.size === 1 && zone !== '';
  const what = `${vehicleOf(settings) === 'train' ? 'Trains' : 'Flights'} (segments)`;
  return section(
    `${what}${bare ? `, local times (${zone})` : ''}`,
    table(
      segments.map((segment) => [
        segment.ref,
        segment.flight,
        showRoute(segment, placeName),
        showTrip(segment.departs, segment.arrives, bare),
        [segment.class, segment.fare_basis, segment.fare_name && `“${segment.fare_name}”`].filter(Boolean).join(' '),
        segment.status === 'other' || segment.status_code === '51'
          ? segmentStatusWord(segment.status_code)
          : segment.status,
      ]),
    ),
  );
}

function passengerLines(view: BookingView): string[] {
  return table(
    view.passengers.map((passenger) => [
      passenger.ref,
      passengerTypeWord(passenger.type),
      passenger.name,
      passenger.with_adult_ref === undefined ? '' : `with ${passenger.with_adult_ref}`,
      passenger.tickets.map(ticketText).join('; '),
      documentText(passenger.document),
    ]),
  );
}

/** Empty for a masked number, which helps no reader. */
function documentText(document: BookingView['passengers'][number]['document']): string {
  if (document?.number === undefined) return '';
  const { type, number, nationality = '?', expires = '?' } = document;
  return `${type.replace('_', ' ')} ${number} (${nationality}, expires ${expires})`;
}

/** `ticket 7702403114549 (segment 1: coach 1 seat 1, open)`. */
function ticketText(ticket: BookingView['passengers'][number]['tickets'][number]): string {
  const coupons = ticket.coupons.map((coupon) => {
    const where = [coupon.coach && `coach ${coupon.coach}`, coupon.seat && `seat ${coupon.seat}`].filter(Boolean);
    const said = [where.join(' '), coupon.status].filter((word) => word !== '').join(', ');
    return `segment ${coupon.segment_ref ?? '?'}: ${said}`;
  });
  return coupons.length === 0 ? `ticket ${ticket.number}` : `ticket ${ticket.number} (${coupons.join('; ')})`;
}

/** Where the tickets are. */
function ticketLines({ passengers }: BookingView): string[] {
  const tickets = passengers.flatMap((passenger) => passenger.tickets);
  const isGood = ({ coupons }: (typeof tickets)[number]) =>
    coupons.length === 0 || coupons.some(({ status_code: code }) => couponCounts(code));
  return tickets.some(isGood) ? ['Tickets as PDF: get_tickets'] : [];
}

function unnamedLines(view: BookingView): string[] {
  if (view.unnamed === undefined) return [];
  const { passenger_refs: refs, until } = view.unnamed;
  const by = until === undefined ? '' : ` until ${showDeadline(until, nearOf(view))}`;
  const names = view.allowed.change_names;
  const naming = names?.ok
    ? `change_names names them, a few at a time if need be${by}${view.state === 'held' ? '. The airline may refuse payment without names' : ''}`
    : `change_names cannot name them now${names?.why ? `: ${names.why}` : ''}`;
  return [`Not named yet: ${refs.length} of ${view.passengers.length} passengers (${refs.join(', ')}); ${naming}`];
}

const DIRECTIONS: Readonly<Record<string, string>> = { REFUND: 'refund', PAYMENT: 'payment' };

function orderLines(view: BookingView): string[] {
  const orders = (view.orders ?? []).filter(({ amount }) => amount !== undefined);
  return section(
    'Orders',
    table(
      orders.map(({ direction, currency, amount, status }) => [
        DIRECTIONS[direction ?? ''] ?? direction ?? '',
        `${currency} ${grouped(amount ?? '')}`,
        orderStatus(status),
      ]),
    ),
  );
}

function contactLines(view: BookingView): string[] {
  if (view.contact === undefined) return [];
  const { name, email_masked, email, phone_masked, phone } = view.contact;
  const contactParts = [name, email_masked ?? email, phone_masked ?? phone].filter(Boolean);
  return contactParts.length === 0 ? [] : [`Contact: ${contactParts.join(', ')}`];
}

/** One line, the nearest first. */
function deadlineLines(view: BookingView): string[] {
  const { pay_by, names_until, cancel_until, next } = view.deadlines;
  const limits = [
    { key: 'pay_by', what: 'pay', at: pay_by },
    { key: 'names_until', what: 'change names and seats', at: names_until },
    { key: 'cancel_until', what: 'cancel', at: cancel_until },
  ].flatMap(({ key, what, at }) => (at === undefined ? [] : [{ key, what, at }]));
  const near = nearOf(view);
  const deadlines = limits
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map(({ key, what, at }) => {
      const left = next?.what === key ? ` (${showLeft(next.in_minutes)} left)` : '';
      return `${what} until ${showDeadline(at, near)}${left}`;
    });
  return deadlines.length === 0 ? [] : [`Time limits: ${deadlines.join('; ')}`];
}

/** One line for equal rules of several passenger types or segments. */
function ruleLines(view: BookingView, now: number): string[] {
  const near = nearOf(view);
  const rules = (view.rules ?? []).filter((rule) => rule.kind === 'refund');
  const words = (rule: RuleView) => [
    keptText(rule),
    hasBegun(rule.from, now) ? '' : `from ${showDeadline(rule.from ?? '', near)}`,
    rule.until === undefined ? '' : `until ${showDeadline(rule.until, near)}`,
    rule.text === undefined ? '' : `the airline's words: ${quoted(rule.text, MOST_WORDS)}`,
  ];
  const lines = table(
    [...Map.groupBy(rules, (rule) => words(rule).join('|')).values()].map((same) => {
      const refs = [...new Set(same.flatMap(({ segment_refs = [] }) => segment_refs))];
      const types = [...new Set(same.map(({ passenger_type: type }) => passengerTypeWord(type)))].join(', ');
      return [types, refs.length > 0 ? `segment ${refs.join(',')}` : '', ...words(same[0] as RuleView)];
    }),
  );
  return lines.length === 0 ? [] : [...lines, ...endLines(view)];
}

/** The list of rules ends where cancelling ends. Each segment can end by itself. */
function endLines(view: BookingView): string[] {
  const bookingEnd = view.deadlines.cancel_until;
  const active = view.segments.filter(({ status }) => status === 'active');
  const byEnd = Map.groupBy(active, ({ cancel_ends: segmentEnd = bookingEnd }) => segmentEnd);
  if (byEnd.size === 0 || byEnd.has(undefined)) return [];
  if (byEnd.size === 1) return endLine([...byEnd.keys()][0], nearOf(view));
  const parts = [...byEnd].map(
    ([end = '', ofEnd]) => `segment ${ofEnd.map(({ ref }) => ref).join(',')} until ${showDeadline(end, nearOf(view))}`,
  );
  return [`Can be cancelled: ${parts.join('; ')}; then nothing comes back.`];
}

/** A start that has passed helps no reader. */
function hasBegun(from: string | undefined, now: number): boolean {
  return from === undefined || (instantOf(from) ?? 0) <= now;
}

function keptText({ refundable, currency, total, tax }: RuleView): string {
  if (total === undefined) return refundable ? 'refundable, no amount stated' : 'not clear';
  if (!refundable) return 'not refundable';
  if (Number(total) === 0) return 'free cancellation';
  return `keeps ${currency} ${total} per person and segment${Number(tax) === 0 ? '' : ', tax included'}`;
}

/** Acts that are refused for the same reason are named together. */
function allowedLines(view: BookingView, { acts }: Writing): string[] {
  const tools = new Map(acts.all.map(({ name, allowed }) => [allowed?.key ?? name, name]));
  tools.set('seat_map', 'get_seat_map');
  const all = Object.entries(view.allowed).map(([key, permission]) => ({ tool: tools.get(key) ?? key, ...permission }));
  const may = all.filter(({ ok }) => ok).map(({ tool }) => tool);
  const refused = Map.groupBy(
    all.filter(({ ok }) => !ok),
    ({ why = '' }) => why,
  );
  const not = [...refused].map(([why, same]) => `${same.map(({ tool }) => tool).join(', ')} (${why})`);
  return [
    `Allowed now: ${may.length > 0 ? may.join(', ') : 'nothing'}`,
    ...(not.length > 0 ? [`Not allowed: ${not.join('; ')}`] : []),
  ];
}
