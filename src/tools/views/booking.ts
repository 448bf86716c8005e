/** A booking as data: whole, or in short. */
import type { Operation } from '../../approvals/terms.ts';
import { cleanCode, cleanText, plainText } from '../../core/clean-text.ts';
import { formatMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { asUtc } from '../../core/times.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { type BookingState, bookingState } from '../../domain/booking/booking-state.ts';
import { bookingDeadlines, hasPassed, nextDeadline } from '../../domain/booking/deadlines.ts';
import { flightName, operatedBy, viewRoute } from '../../domain/booking/flight-name.ts';
import { bookingReferences, groupNameOf, unnamedOf } from '../../domain/booking/group-booking.ts';
import type { FareRuleText, Segment, SegmentOption } from '../../domain/booking/itinerary.ts';
import { isPaid, paidByOrders } from '../../domain/booking/payment-state.ts';
import {
  isIdentifyingService,
  segmentStatus,
  segmentStatusWord,
  serviceName,
  standing,
} from '../../domain/booking/status-codes.ts';
import { maskIdentity, maskRemark } from '../../domain/people/mask-personal-data.ts';
import { contactOf } from '../../domain/people/traveler.ts';
import type { Acts } from '../../journal/act.ts';
import type { ToolContext } from '../definition/define.ts';
import { whyNotSeatMap } from '../rules/permissions.ts';
import type { BookingView, BookingViewOptions, ShortBookingView } from './booking-schema.ts';
import { viewContact, viewPassenger } from './passengers.ts';
import { deadlinesOf, endOf, viewPrice, viewRules } from './price-and-rules.ts';

type PendingOperation = NonNullable<BookingView['pending_operation']>;

/** An operation on this booking whose outcome is not known yet. */
export async function openOperation({ locator }: Booking, ctx: ToolContext): Promise<Operation | undefined> {
  const { tenant } = ctx.caller;
  const states = ['intent', 'dispatched', 'in_doubt'] as const;
  return (await ctx.state.operations.list({ tenant, locator, states, limit: 1 }))[0];
}

export async function fullBooking(
  booking: Booking,
  ctx: ToolContext,
  shown: Pick<BookingViewOptions, 'detail' | 'reveal'> = {},
): Promise<BookingView> {
  const about = { tenant: ctx.caller.tenant, locator: booking.locator };
  const [open, refused] = await Promise.all([
    openOperation(booking, ctx),
    isPaid(booking) ? [] : ctx.state.operations.list({ ...about, states: ['refused'], limit: 5 }),
  ]);
  const pending = open && { operation_id: open.id, tool: open.tool, status: open.state };
  const { locale, assumedOperations, dialect } = ctx.settings;
  const late = refused.find(({ tool, outcome }) => isPayment(tool, ctx.acts) && outcome?.error?.code === 'E_TOO_LATE');
  // The airline's own clock can be ahead of ours: its refusal counts more than the time limit it sent.
  const circumstances = omitUndefined({ refusedAt: late?.updatedAt, assumedOperations, dialect });
  return viewBooking(booking, { ...shown, ...circumstances, acts: ctx.acts, now: ctx.now(), locale }, pending);
}

const isPayment = (tool: string | undefined, acts: Acts): boolean =>
  tool !== undefined && acts.named(tool)?.countedAs === 'payment';

export function viewBooking(booking: Booking, options: BookingViewOptions, pending?: PendingOperation): BookingView {
  const { now, reveal = false } = options;
  const full = options.detail === 'full';
  const { state, basis } = bookingState(booking, now);
  const { pricing } = booking;
  const paid = paidByOrders(booking);
  const currency = pricing?.total?.total.currency ?? paid?.currency;
  const rules = viewRules(booking, options);
  const deadlines = viewDeadlines(booking, options, pending);
  const allowed = viewAllowed(booking, options, pending);
  const group = groupNameOf(booking);
  const party = Object.fromEntries(
    [...Map.groupBy(booking.travelers, ({ type }) => type)].map(([t, all]) => [t, all.length]),
  );
  const baggage = unique(pricing?.total?.baggage ?? []);
  return omitUndefined({
    locator: booking.locator,
    group_name: group === undefined ? undefined : plainText(group, 60),
    references: bookingReferences(booking).map((reference) =>
      omitUndefined({
        system: reference.system === undefined ? undefined : cleanCode(reference.system),
        locator: cleanCode(reference.id, 40),
        segment_refs: reference.segmentRefs.length > 0 ? [...reference.segmentRefs] : undefined,
      }),
    ),
    state,
    state_basis: newsOf(state, allowed, pending) ?? basis,
    created_at: asUtc(booking.createdAt),
    currency,
    total: pricing?.total && formatMoney(pricing.total.total),
    paid: paid?.currency === currency && paid !== undefined ? formatMoney(paid) : undefined,
    quote_id: pricing?.quoteId === undefined ? undefined : cleanCode(pricing.quoteId, 60),
    segments: booking.options.flatMap((option) =>
      option.segments.map((segment) => ({
        ...viewSegment(option, segment, full),
        ...segmentEnd(booking, segment, deadlines.cancel_until),
      })),
    ),
    passengers: booking.travelers.map((traveler) => viewPassenger(booking, traveler, options)),
    unnamed: viewUnnamed(booking, state, now),
    contact: viewContact(contactOf(booking), reveal),
    price: pricing?.total && viewPrice(pricing.total, pricing.perType, full, party),
    baggage: baggage.length > 0 ? baggage : undefined,
    rules: rules.length > 0 ? rules : undefined,
    deadlines,
    allowed,
    special_services:
      full && booking.services.length > 0 ? booking.services.map((one) => serviceText(one, reveal)) : undefined,
    special_remarks: full ? booking.remarks?.map((remark) => remarkText(remark, reveal)) : undefined,
    emds: full && booking.emds.length > 0 ? booking.emds.map(emdText) : undefined,
    orders: booking.orders.length > 0 ? viewOrders(booking) : undefined,
    pending_operation: pending,
  });
}

function viewSegment(option: SegmentOption, segment: Segment, full: boolean): BookingView['segments'][number] {
  const marketing = segment.marketing?.carrier;
  return omitUndefined({
    ref: segment.ref,
    option_ref: option.ref,
    flight: flightName(segment),
    marketing: marketing === undefined ? undefined : cleanCode(marketing),
    operated_by: operatedBy(segment),
    ...viewRoute(segment),
    class: cleanCode(segment.bookingClass ?? ''),
    fare_basis: segment.fareBasis === undefined ? undefined : cleanCode(segment.fareBasis),
    fare_name: segment.fareName === undefined ? undefined : plainText(segment.fareName, 40),
    fare_rules: full ? segment.fareRules?.map(ruleWords) : undefined,
    status: segmentStatus(segment.statusCode),
    status_code: cleanCode(segment.statusCode ?? ''),
  });
}

/** A rule in the airline's own words (docs/wire/notes.md, Rules in words). */
function ruleWords({ name, text }: FareRuleText): string {
  return `${name === undefined ? '' : `${plainText(name, 40)}: `}${plainText(text, 300)}`;
}

/** Where a segment alone can be cancelled longer than the whole. */
function segmentEnd(booking: Booking, segment: Segment, bookingEnd: string | undefined): { cancel_ends?: string } {
  const end = standing(segment) === 'active' ? endOf(booking, [segment]) : undefined;
  return end === undefined || end === bookingEnd ? {} : { cancel_ends: end };
}

/** Newer than what the airline's list says of a hold: an open operation, or why it cannot be paid. */
function newsOf(
  state: BookingState,
  { pay }: BookingView['allowed'],
  pending: PendingOperation | undefined,
): string | undefined {
  if (state !== 'held') return undefined;
  return pending ? `${pending.tool} is still open: its outcome is not known yet` : pay?.why;
}

/** Without the time limit for a payment that is refused, or may be made already. */
function viewDeadlines(
  booking: Booking,
  { acts, now, refusedAt }: BookingViewOptions,
  pending: PendingOperation | undefined,
): BookingView['deadlines'] {
  const known = deadlinesOf(booking);
  const isPayable = refusedAt === undefined && !isPayment(pending?.tool, acts);
  const deadlines = { ...known, payBy: isPayable ? known.payBy : undefined };
  const next = nextDeadline(deadlines, bookingState(booking, now).state, now);
  return omitUndefined({
    pay_by: deadlines.payBy,
    names_until: deadlines.namesUntil,
    cancel_until: deadlines.cancelUntil,
    next: next && { what: next.what, at: next.at, in_minutes: next.inMinutes },
  });
}

/** Lists unnamed passengers and the time limit for names; undefined once the booking is over. */
function viewUnnamed(booking: Booking, state: BookingState, now: number): BookingView['unnamed'] {
  const unnamed = unnamedOf(booking);
  if (unnamed.length === 0 || state === 'cancelled' || state === 'expired') return undefined;
  const until = bookingDeadlines(booking).namesUntil;
  return omitUndefined({
    passenger_refs: unnamed.map(({ ref }) => ref),
    until: hasPassed(until, now) ? undefined : until,
  });
}

/** Between the acts, by their places. */
const SEAT_MAP = { key: 'seat_map', place: 6 };

function viewAllowed(
  booking: Booking,
  options: BookingViewOptions,
  pending: PendingOperation | undefined,
): BookingView['allowed'] {
  const { acts, now } = options;
  const permission = (refusal: { readonly why: string } | undefined): BookingView['allowed'][string] =>
    refusal ? { ok: false, why: refusal.why } : { ok: true };
  const open = pending && { why: `${pending.tool} is still open` };
  // Whether there are seats depends on whether it is paid.
  const seatMap = (isPayment(pending?.tool, acts) ? open : undefined) ?? whyNotSeatMap(booking, now);
  const rows = acts.all.flatMap(({ name, allowed }) => {
    if (allowed === undefined) return [];
    const { key = name, place } = allowed;
    return [{ key, place, permission: permission(open ?? allowed.whyNot(booking, options)) }];
  });
  const all = [...rows, { ...SEAT_MAP, permission: permission(seatMap) }].toSorted((a, b) => a.place - b.place);
  return Object.fromEntries(all.map(({ key, permission }) => [key, permission]));
}

function viewOrders(booking: Booking): NonNullable<BookingView['orders']> {
  const code = (text: string | undefined) => (text === undefined ? undefined : cleanCode(text));
  return booking.orders.map(({ action, direction, status, amount }) => {
    const money = { amount: amount && formatMoney(amount), currency: amount?.currency };
    return omitUndefined({ action: code(action), direction: code(direction), status: code(status), ...money });
  });
}

/** `VGML vegetarian meal, confirmed: No onions (passenger 1; segment 2)`. */
function serviceText(service: Booking['services'][number], reveal: boolean): string {
  const of = (what: string, refs: readonly string[]) =>
    refs.length === 0 ? [] : [`${what}${refs.length === 1 ? '' : 's'} ${refs.join(', ')}`];
  const whose = [...of('passenger', service.travelerRefs), ...of('segment', service.segmentRefs)].join('; ');
  const named = [service.code, serviceName(service.code)].filter(Boolean).join(' ');
  const status = service.status && (/^\d+$/.test(service.status) ? segmentStatusWord(service.status) : service.status);
  const masked = service.text && !reveal && isIdentifyingService(service.code);
  const words = masked ? maskIdentity(plainText(service.text, 120)) : service.text;
  const said = [[named, status].filter(Boolean).join(', '), words].filter(Boolean).join(': ');
  return plainText([said, whose && `(${whose})`].filter(Boolean).join(' '), 200);
}

/** Masks before cutting: a part of a number would not be recognised. */
function remarkText(remark: string, reveal: boolean): string {
  return plainText(reveal ? remark : maskRemark(cleanText(remark, 400)), 160);
}

function emdText(emd: Booking['emds'][number]): string {
  return plainText([emd.number, emd.type, emd.text].filter(Boolean).join(' '), 120);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => plainText(text, 80)))].filter((text) => text !== '');
}

/** `changed`: what an operation changed, in words. */
export function shortBooking(
  booking: Booking,
  ctx: Pick<ToolContext, 'now'>,
  changed: readonly string[],
): ShortBookingView {
  const total = booking.pricing?.total?.total;
  return omitUndefined({
    locator: booking.locator,
    state: bookingState(booking, ctx.now()).state,
    total: total && formatMoney(total),
    currency: total?.currency,
    changed: [...changed],
  });
}
