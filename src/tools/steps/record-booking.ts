/** What the server's own ledger keeps of a booking it made or read. */

import { keyedDigest } from '../../approvals/digest.ts';
import { cleanCode } from '../../core/clean-text.ts';
import { formatMoney, type Money, showMoney } from '../../core/money.ts';
import { dateOf, instantOf, latest } from '../../core/times.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import type { AirlineDeed, LedgerEntry, LedgerLeg } from '../../domain/booking/booking-ledger.ts';
import { bookingState, nextDeadline, runsUntil } from '../../domain/booking/booking-state.ts';
import { assignedSeat } from '../../domain/booking/expected-change.ts';
import type { Findings } from '../../domain/booking/finding.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { afterRefunds } from '../../domain/booking/owed-segments.ts';
import { amountPaid } from '../../domain/booking/paid-and-refunded.ts';
import { routeText } from '../../domain/booking/sold-facts.ts';
import { isIdentifyingService, serviceStatusWord } from '../../domain/booking/special-services.ts';
import { couponCounts, isCancelledByAirline, runningStatus, segmentLoss } from '../../domain/booking/status-codes.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { nameText } from '../../domain/people/traveler.ts';
import { refundSums } from '../../domain/pricing/stated-refund.ts';
import type { Act, Acts } from '../../journal/act.ts';
import type { JournalOptions } from '../../journal/journal.ts';
import { locatorOf, type Operation } from '../../journal/operation.ts';
import type { BookingReader, Clock } from '../../journal/ports.ts';
import { readCall, type ToolContext } from '../definition/define.ts';
import { filled } from '../definition/field-notes.ts';
import { shortName } from '../views/passengers-and-tickets.ts';
import { shownDeadlines } from '../views/price-and-rules.ts';

type LedgerContext = Pick<ToolContext, 'acts' | 'state' | 'caller' | 'now' | 'unrecorded' | 'compareReading'>;

/** Readings that were compared, and whether no finding about the booking is open. Replies of operations are not in it. */
const compared = new WeakMap<Booking, boolean>();

type ReadingContext = Pick<ToolContext, 'airline' | 'signal'> & LedgerContext;

interface ReadOptions {
  /** Throws if the reading cannot be kept. For tools that answer from the ledger. Default: reports it, and goes on. */
  readonly mustRecord?: true;
  /** Throws if the booking is not the one that was meant. It is not kept then. */
  check?(booking: Booking): void;
}

/** Reads a booking, enters it in the ledger, and compares it with the reading before. */
export async function readNow(locator: string, ctx: ReadingContext, options: ReadOptions = {}): Promise<Booking> {
  const began = ctx.now();
  const booking = await knowingRefunds(await ctx.airline.read(locator, readCall(ctx)), ctx);
  options.check?.(booking);
  const kept = record(ctx, booking, false, began);
  await (options.mustRecord ? kept : kept.catch((error) => ctx.unrecorded?.(error)));
  return booking;
}

/** Whether a reading showed that no finding about the booking is open. */
export function isQuiet(booking: Booking): boolean {
  return compared.get(booking) === true;
}

/** Whose cancellations are known. */
interface CancellationsOf {
  readonly acts: Acts;
  readonly state: { readonly operations: Pick<ToolContext['state']['operations'], 'list'> };
  readonly caller: Pick<Caller, 'tenant'>;
}

/** Coupons and orders can lag behind a cancellation of ours that the airline confirmed. */
export async function knowingRefunds(booking: Booking, { acts, state, caller }: CancellationsOf): Promise<Booking> {
  if (segmentsOf(booking).every(({ owed }) => owed === undefined)) return booking;
  const about = { tenant: caller.tenant, locator: booking.locator };
  const done = await state.operations.list({ ...about, states: ['succeeded'] });
  return afterRefunds(
    booking,
    done.flatMap(({ subject }) => acts.of(subject).cancels?.(subject) ?? []),
  );
}

/** Enters the reply of an operation in the ledger. Reports a ledger that cannot be written, and goes on. */
export async function noteBooking(ctx: LedgerContext, answer: Booking, madeHere: boolean): Promise<void> {
  try {
    await record(ctx, await knowingRefunds(answer, ctx), madeHere);
  } catch (error) {
    ctx.unrecorded?.(error);
  }
}

export interface Settling {
  readonly acts: Acts;
  readonly state: Pick<ToolContext['state'], 'ledger' | 'offers' | 'operations'> & {
    readonly findings: Findings;
    readonly digestKey: Uint8Array;
  };
  readonly clock: Pick<Clock, 'now'>;
  /** Compares what it reads with the reading before. */
  readerFor(operation: Operation): BookingReader;
  /** For the reply of an operation: the booking is read soon. */
  readSoon(caller: Caller, booking: Booking): Promise<boolean>;
  failed(error: unknown): void;
}

/**
 * What follows once an operation is settled, by a reply or a reading, in an act or a plan, now or later: the ledger shows what
 * it did, and a charge above the approved one is a finding.
 */
export function noteSettled(settling: Settling): NonNullable<JournalOptions['settled']> {
  const { acts, state, clock, failed } = settling;
  return async (operation, shown) => {
    const act = acts.of(operation.subject);
    const caller = { tenant: operation.tenant, id: operation.caller };
    const note = async (booking: Booking, isReply: boolean) => {
      const ctx = { acts, state, caller, now: () => clock.now(), unrecorded: failed };
      const compareReading = () => settling.readSoon(caller, booking);
      await noteBooking(isReply ? { ...ctx, compareReading } : ctx, booking, act.countedAs === 'hold');
      return booking;
    };
    try {
      await findOvercharge(settling, operation, act);
      const isReply = operation.outcome?.basis === 'reply';
      if (shown === undefined || (isReply && !listsAll(act, operation, shown)))
        return await note(await readAfter(settling, operation), false);
      await note(shown, isReply);
      // The reply is another booking: the one that was changed is noted too.
      if (isReply && act.replyLacks === 'booking') await note(await readAfter(settling, operation), false);
      return shown;
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
}

/** A reply may leave out price, orders and coupons, or a segment of a hold (docs/wire/notes.md, Replies). */
function listsAll({ replyLacks, countedAs, offer }: Act, { subject }: Operation, answer: Booking): boolean {
  if (replyLacks === 'details') return false;
  if (countedAs !== 'hold') return true;
  return answer.travelers.length > 0 && segmentsOf(answer).length >= (offer?.(subject)?.segments.length ?? 0);
}

async function readAfter({ readerFor }: Settling, operation: Operation): Promise<Booking> {
  const locator = locatorOf(operation);
  if (locator === undefined) throw new RangeError(`operation ${operation.id} has no booking`);
  return readerFor(operation).read(locator);
}

async function findOvercharge({ state, clock }: Settling, operation: Operation, act: Act): Promise<void> {
  const { id: operationId, tenant, subject, outcome, createdAt: since } = operation;
  const locator = locatorOf(operation);
  const more = act.overcharge?.(subject, outcome);
  if (more === undefined || locator === undefined) return;
  const kind = 'charged_more';
  const facts = (amount: Money) => ({ amount: formatMoney(amount), currency: amount.currency });
  const digest = keyedDigest(state.digestKey, JSON.stringify(['finding', tenant, locator, kind, operationId]));
  const id = digest.replace(/[^A-Za-z0-9]/g, '');
  const sides = { before: facts(more.approved), after: facts(more.charged) };
  await state.findings.add([{ id, tenant, locator, kind, seenAt: clock.now(), since, ...sides }]);
}

/** @param begunAt of a reading, which is compared with the one before */
async function record(ctx: LedgerContext, booking: Booking, madeHere: boolean, begunAt?: number): Promise<void> {
  const [isNothingOpen] = await Promise.all([
    ctx.compareReading?.(booking, begunAt),
    ctx.state.ledger.record(ctx.caller, ledgerEntry(booking, madeHere, ctx.now())),
  ]);
  if (begunAt !== undefined) compared.set(booking, isNothingOpen === true);
}

export function ledgerEntry(booking: Booking, madeHere: boolean, now: number): LedgerEntry {
  const { state } = bookingState(booking, now);
  const active = activeSegments(booking);
  const flown = active.length > 0 ? active : segmentsOf(booking);
  const last = latest(flown.map(({ departs }) => departs));
  const deadlines = shownDeadlines(booking);
  const next = nextDeadline(deadlines, state, now);
  const { payBy, namesUntil } = next === undefined ? {} : deadlines;
  const total = booking.pricing?.total?.total;
  const travelers = booking.travelers.flatMap(({ name }) => (name && shortName(name)) || []);
  return {
    locator: booking.locator,
    madeHere,
    seenAt: now,
    state,
    contactName: booking.contact?.name === undefined ? undefined : nameText(booking.contact),
    travelers: travelers.length === 0 ? undefined : travelers,
    route: flown.length === 0 ? undefined : routeText(flown),
    departs: flown[0]?.departs,
    lastDeparts: last === flown[0]?.departs ? undefined : last,
    departures: flown.length < 2 ? undefined : flown.slice(0, MOST_DEPARTURES).map(({ departs }) => departs),
    runsUntil: runsUntil(booking),
    classes: filled([...new Set(flown.flatMap(({ bookingClass = '' }) => cleanCode(bookingClass) || []))]),
    byAirline: filled(segmentsOf(booking).flatMap((segment) => airlineDeed(booking, segment))),
    total: total && formatMoney(total),
    ...whatIsThere(booking),
    createdAt: booking.createdAt,
    sums: { total, paid: amountPaid(booking), ...refundSums(booking) },
    paid: paidText(booking, total?.currency),
    currency: total?.currency,
    nextDeadline: next && { what: next.what, at: next.at },
    payBy,
    lapsedAt: state === 'expired' ? deadlines.payBy : undefined,
    namesUntil,
  };
}

/** More legs than an airline sells in one booking. */
const MOST_DEPARTURES = 20;

/** Legs in the order of travel, and passengers with their seats on each of them. */
function whatIsThere(booking: Booking): Pick<LedgerEntry, 'legs' | 'passengers'> {
  const segments = segmentsOf(booking).toSorted((a, b) => (instantOf(a.departs) ?? 0) - (instantOf(b.departs) ?? 0));
  const passengers = booking.travelers.map(({ ref, type, name }) => {
    const seats = segments.map((segment) => seatText(booking, ref, segment));
    return {
      type: cleanCode(type),
      name: (name && shortName(name)) || undefined,
      unnamed: name === undefined ? (true as const) : undefined,
      seats: seats.some((seat) => seat !== '') ? seats : undefined,
      services: filled(passengerServices(booking, ref)),
    };
  });
  return { legs: filled(segments.map((segment) => legOf(booking, segment))), passengers: filled(passengers) };
}

/** Of one passenger, each once: `WCHC confirmed`. The text and lines with documents are not kept. */
function passengerServices({ services }: Booking, travelerRef: string): readonly string[] {
  const own = services.filter(
    ({ code, travelerRefs }) => travelerRefs.includes(travelerRef) && !isIdentifyingService(code),
  );
  const lines = own.map(({ code, status }) =>
    [cleanCode(code ?? '', 12), serviceStatusWord(status)].filter(Boolean).join(' '),
  );
  return [...new Set(lines)].filter((line) => line !== '');
}

function seatText(booking: Booking, travelerRef: string, { ref }: Segment): string {
  const { coach, seat } = assignedSeat(booking, travelerRef, ref) ?? {};
  return [coach, seat].flatMap((each) => (each === undefined ? [] : cleanCode(each))).join('/');
}

function legOf(booking: Booking, segment: Segment): LedgerLeg {
  const { departs, arrives, journeyDate: day, bookingClass, fareBasis, statusCode } = segment;
  return {
    train: flightName(segment),
    from: cleanCode(segment.from, 8),
    to: cleanCode(segment.to, 8),
    departs,
    day: day === dateOf(departs) ? undefined : day,
    arrives,
    class: cleanCode(bookingClass ?? '') || undefined,
    fare: cleanCode(fareBasis ?? '') || undefined,
    status: booking.cancelled === true ? 'cancelled' : (runningStatus(statusCode) ?? 'confirmed'),
  };
}

/** What the airline did to a segment and nobody has settled. One whose coupons are refunded is settled. */
function airlineDeed(booking: Booking, segment: Segment): AirlineDeed[] {
  const { ref, statusCode, owed, departs } = segment;
  const deed = (what: AirlineDeed['what']) => [{ what, flight: flightName(segment), departs }];
  if (booking.cancelled === true) return [];
  if (owed !== undefined) return deed(owed === true ? 'owed' : 'unclear');
  if (segmentLoss(statusCode) === 'schedule_change') return deed('moved');
  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons).filter(({ segmentRef }) => segmentRef === ref);
  const isSettled = coupons.some(({ statusCode: status }) => !couponCounts(status));
  return isCancelledByAirline(statusCode) && !isSettled ? deed('cancelled') : [];
}

/** Without the currency, if the total has it too. */
function paidText(booking: Booking, currency: string | undefined): string | undefined {
  const paid = amountPaid(booking);
  if (paid === undefined || paid.minor === 0) return undefined;
  return paid.currency === currency ? formatMoney(paid) : showMoney(paid);
}
