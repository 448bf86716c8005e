/** A booking as text, from the fields of the result alone: every ref that another tool needs, in aligned lines. */

import { MOST_WORDS, quoted } from '../../core/clean-text.ts';
import { showAmount, withThousands } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { instantOf, showDeadline, showTrip, zoneOf } from '../../core/times.ts';
import { named } from '../../core/words.ts';
import { showRoute } from '../../domain/booking/stations.ts';
import { passengerTypeWord } from '../../domain/booking/status-codes.ts';
import { LIMITS } from './booking-head.ts';
import type { BookingView, CouponView, PassengerView, RuleView } from './booking-schema.ts';
import { table } from './table.ts';

export function bookingText(view: BookingView): string {
  return [
    ...openLines(view),
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
const nearOf = ({ segments }: BookingView) =>
  (segments.find(({ status }) => status !== 'cancelled') ?? segments[0])?.departs;

/** `1,423.00`. */
function grouped(amount: string): string {
  return amount.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}

function openLines({ pending_operation: open }: BookingView): string[] {
  return line('Open operation', open && `${open.tool} ${open.operation_id}`);
}

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
  const near = nearOf(view);
  const heading = ['Segments', near?.slice(0, 4), bare ? `local times (${zone})` : ''].filter(Boolean).join(', ');
  return section(
    heading,
    table(
      segments.map((segment) => [
        segment.ref,
        segment.flight,
        showRoute(segment, (code) => own(places, code)),
        showTrip(segment.departs, segment.arrives, bare, near),
        [segment.class, segment.fare?.code, segment.fare?.name && `“${segment.fare.name}”`].filter(Boolean).join(' '),
        segment.operated_by === undefined ? '' : `operated by ${segment.operated_by}`,
        segment.status,
        segment.paid_for === undefined ? '' : `${showAmount(segment.paid_for, currency ?? '')} was paid for it`,
        ...segmentDetails(segment),
      ]),
    ),
  );
}

/** With `detail: full`. */
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
  const { type, number, number_masked: masked, nationality = '?', expires = '?' } = document;
  return `${type.replace('_', ' ')} ${number ?? masked ?? '?'} (${nationality}, expires ${expires})`;
}

/** `ticket 7702403114549 (segment 1: coach 1 seat 1; segment 2: refunded)`. */
function ticketText({ number, coupons = [] }: NonNullable<PassengerView['tickets']>[number]): string {
  return coupons.length === 0 ? `ticket ${number}` : `ticket ${number} (${coupons.map(couponText).join('; ')})`;
}

export function couponText(coupon: CouponView): string {
  const { segment_ref: ref = '?', number, coach, seat, status, provider_ticket: provider } = coupon;
  const place = [coach && `coach ${coach}`, seat && `seat ${seat}`].filter(Boolean).join(' ');
  const told = [place, status, number && `coupon ${number}`, provider && `operator's ticket ${provider}`];
  return [`segment ${ref}`, told.filter(Boolean).join(', ')].filter(Boolean).join(': ');
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
      amount === undefined ? '' : `${orderCurrency} ${grouped(amount)}`,
      status,
      passengers === undefined ? '' : `for ${passengers}, ${segments}`,
    ]),
  );
}

const DEADLINES = ['pay_by', 'names_until', 'cancel_until'] as const;

/** The nearest first. */
function limitsText(view: BookingView): string {
  const near = nearOf(view);
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
  const parts = [
    `fare ${withThousands(base)}, taxes ${withThousands(taxes)}, fees ${withThousands(fees)}`,
    ...rows.map(({ type, count, total }) => `${count} ${type} ${withThousands(total)}`),
    ...lines.map((one) => `${one.kind} ${one.code} ${withThousands(one.amount)}${one.vat ? ` (VAT ${one.vat}%)` : ''}`),
  ];
  return line(`Price in ${currency}`, parts.join('; '));
}

function detailLines(view: BookingView): string[] {
  const { special_services: services, special_remarks: remarks, emds, quote_id: quote, created_at: made } = view;
  return [
    ...line('Special services', services?.join('; ')),
    ...line('Remarks', remarks?.map((remark) => quoted(remark, 160)).join('; ')),
    ...line('EMDs', emds?.join('; ')),
    ...line('Made', made && showDeadline(made, nearOf(view))),
    ...line('Quote', quote),
  ];
}

function ruleLines(view: BookingView, kind: RuleView['kind']): string[] {
  const near = nearOf(view);
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
  const parts = [
    refs && named('segment', refs),
    from && `from ${showDeadline(from, near)}`,
    until && `until ${showDeadline(until, near)}`,
  ];
  return parts.filter(Boolean).join(' ');
}

function chargeText({ kind, refundable, currency, total, tax }: RuleView): string {
  const isRefund = kind === 'refund';
  if (refundable === false) return isRefund ? 'not refundable' : 'not possible';
  if (total === undefined) return refundable ? 'possible, no amount stated' : 'not clear';
  if (Number(total) === 0) return isRefund ? 'free cancellation' : 'free';
  const charge = `${isRefund ? 'keeps' : 'costs'} ${showAmount(total, currency ?? '')}`;
  return `${charge} per person and segment${Number(tax) === 0 ? '' : ', tax included'}`;
}

/** Those that are refused for the same reason together. What is not named is allowed. */
function refusedLines({ not_allowed: refused = [] }: BookingView): string[] {
  const not = refused.map(({ tools, segment_refs: refs, why }) => {
    const where = refs === undefined ? '' : ` for segment ${refs.join(', ')}`;
    return `${tools.join(', ')}${where} (${why})`;
  });
  return line('Not allowed now', not.join('; '));
}
