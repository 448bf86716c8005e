/**
 * Reads bookings, and enters in the server's own ledger what it keeps of each: first the reading, then what is noted once an
 * operation is settled, then the entry.
 */

import { digestWith } from '../../approvals/digest.ts';
import { cleanCode } from '../../core/clean-text.ts';
import { ClerkError } from '../../core/errors.ts';
import { formatMoney, type Money, showMoney } from '../../core/money.ts';
import { instantOf, latestTime, utcText } from '../../core/times.ts';
import { joined } from '../../core/words.ts';
import { type BookingAsKnown, readAgainStep } from '../../domain/booking/as-known.ts';
import { activeSegments, type Booking, groupName, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { earliestOf } from '../../domain/booking/booking-identity.ts';
import type {
  AirlineDeed,
  BookingSigns,
  LedgerEntry,
  LedgerLeg,
  RenewedLedger,
} from '../../domain/booking/booking-ledger.ts';
import { bookingState, runsUntil } from '../../domain/booking/booking-state.ts';
import { nextDeadline, showClock, showDeadline } from '../../domain/booking/deadlines.ts';
import { type FindingKind, type Findings, findingId } from '../../domain/booking/finding.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { unmarkCancelledByUs } from '../../domain/booking/owed-segments.ts';
import { amountPaid } from '../../domain/booking/paid-and-refunded.ts';
import { legOf, routeText } from '../../domain/booking/sold-facts.ts';
import { isIdentifyingService, serviceStatusWord } from '../../domain/booking/special-services.ts';
import {
  couponCounts,
  isCancelledByAirline,
  runningStatus,
  segmentMeaning,
  segmentStatusWord,
} from '../../domain/booking/status-codes.ts';
import { listsAllOf } from '../../domain/facts/compare-hold-with-offer.ts';
import { assignedSeat } from '../../domain/facts/expected-change.ts';
import { SHOWN_WITHIN_MS } from '../../domain/facts/touches.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { Digest } from '../../domain/people/identity-text.ts';
import { reachedSigns } from '../../domain/people/reached-signs.ts';
import { nameText } from '../../domain/people/traveler.ts';
import { foreignRefund, refundStillToCome, refundSums } from '../../domain/refund/airline-stated-refund.ts';
import { type Act, type Acts, touchesOf } from '../../journal/act.ts';
import { type AsCompared, knownBooking, knownByStore } from '../../journal/as-known.ts';
import { CHECKED_STATES } from '../../journal/contradicted.ts';
import type { JournalOptions } from '../../journal/journal.ts';
import { newestOn } from '../../journal/on-booking.ts';
import { locatorOf, type Operation } from '../../journal/operation.ts';
import type { BookingReader, Clock } from '../../journal/ports.ts';
import { readCall, type ToolContext, type ToolState } from '../definition/define.ts';
import { filled } from '../definition/field-notes.ts';
import { shortName } from '../views/passengers-and-tickets.ts';
import { shownDeadlines } from '../views/price-and-rules.ts';

interface LedgerState
  extends Pick<ToolState, 'operations' | 'unrecorded' | 'compareReading'>,
    Partial<Pick<ToolState, 'compared'>> {
  readonly ledger: Pick<ToolState['ledger'], 'record'>;
}

type LedgerContext = Pick<ToolContext, 'acts' | 'caller' | 'now' | 'identity'> & { readonly state: LedgerState };

/** More legs than an airline sells in one booking. */
const MOST_DEPARTURES = 20;

type ReadingContext = Pick<ToolContext, 'airline' | 'state' | 'signal'> & LedgerContext;

interface NoteOptions {
  /** Throws if the reading cannot be stored, for tools that answer from the ledger. Default: reports it, and goes on. */
  readonly mustRecord?: true;
  /** Whether this server made the booking. */
  readonly madeHere?: boolean;
}

interface ReadOptions extends Pick<NoteOptions, 'mustRecord'> {
  /** Throws if the booking is not the one that was meant. It is then not stored. */
  check?(booking: Booking): void;
}

/** Reads a booking, enters it in the ledger, and compares it with the reading before. */
export async function readNow(
  locator: string,
  ctx: ReadingContext,
  options: ReadOptions = {},
): Promise<BookingAsKnown> {
  const begunAt = ctx.now();
  const read = await withOwnCancellations(await readIfShown(locator, ctx), ctx);
  options.check?.(read);
  return noteReading(read, begunAt, ctx, options);
}

/** Compares a reading with the one before, and enters it in the ledger as it is known. */
async function noteReading(
  read: Booking,
  begunAt: number,
  ctx: LedgerContext,
  { mustRecord, madeHere }: NoteOptions,
): Promise<BookingAsKnown> {
  const listing = newestOn(read, ctx.state.operations, ctx.caller.tenant).catch((error: unknown) => {
    // The booking is shown all the same. While the store fails, nothing can be sent.
    ctx.state.unrecorded?.(error);
    return undefined;
  });

  // It asks for the reading before while the operations are listed. If it fails, `record` does.
  const comparing = ctx.state.compareReading?.(read, begunAt, listing);
  comparing?.catch(() => undefined);

  const operations = await listing;
  const booking = await knownBooking(read, operations ?? [], {
    acts: ctx.acts,
    digest: ctx.identity,
    now: begunAt,
    seen: () => seenBy(comparing),
  });

  try {
    const isNothingOpen = await record(ctx, booking, { comparing, madeHere });
    // Comparing the reading may have handed an operation to a person: the list is older than that.
    const mayDiffer = operations?.some(({ state }) => CHECKED_STATES.includes(state)) === true;
    ctx.state.compared?.set(booking, { isQuiet: isNothingOpen, operations: mayDiffer ? undefined : operations });
  } catch (error) {
    if (mustRecord) throw error;
    ctx.state.unrecorded?.(error);
  }

  return booking;
}

/**
 * Reads a booking.
 * @throws ClerkError E_NOT_FOUND; of a booking that was made here lately, it says so
 */
async function readIfShown(locator: string, ctx: ReadingContext): Promise<Booking> {
  try {
    return await ctx.airline.read(locator, readCall(ctx));
  } catch (error) {
    if (!(error instanceof ClerkError) || !error.noSuchBooking) throw error;

    const made = await createOf(locator, ctx).catch(() => undefined);
    throw made === undefined ? error : notShown(locator, made.updatedAt, ctx.now(), error);
  }
}

/** The operation that made a booking here. */
async function createOf(locator: string, { acts, caller, state }: ReadingContext): Promise<Operation | undefined> {
  const operations = await state.operations.list({ tenant: caller.tenant, locator, states: ['succeeded'] });
  return operations.find(({ subject }) => acts.of(subject).countedAs === 'hold');
}

function notShown(locator: string, at: number, now: number, cause: ClerkError): ClerkError {
  const until = at + SHOWN_WITHIN_MS;
  const isLate = now >= until;

  const made = `Booking ${locator} was made here on ${showDeadline(utcText(at), undefined)}`;
  const what = isLate ? 'the airline knows no booking with this locator' : 'the airline does not show it yet';
  const next = isLate ? 'Tell the person to ask the airline.' : readAgainStep(showClock(utcText(until), undefined));
  return new ClerkError('E_NOT_FOUND', `${made}; ${what}. Nothing was changed.`, { next, cause });
}

/** The operations that some reading showed. Without a comparison nothing is known of other readings. */
async function seenBy(comparing: Promise<AsCompared> | undefined): Promise<readonly string[]> {
  const compared = await comparing?.catch(() => undefined);
  return compared?.seen ?? [];
}

/**
 * Gives the booking as it is known, for a reply of an operation or a reading that was compared already.
 * @param booking with own cancellations
 * @param seen the operations that some reading showed, as far as they are known
 */
export async function knownNow(
  booking: Booking,
  ctx: Pick<LedgerContext, 'acts' | 'caller' | 'now' | 'identity'> & {
    readonly state: Pick<LedgerState, 'operations'>;
  },
  seen: readonly string[] = [],
): Promise<BookingAsKnown> {
  const { acts, caller, identity: digest, state } = ctx;
  const from = { acts, digest, now: ctx.now(), seen: async () => seen };
  return knownByStore(booking, state.operations, caller.tenant, from);
}

/** What is needed to list the operations of the tenant. */
interface OperationsContext {
  readonly state: Partial<Pick<ToolState, 'compared'>> & { readonly operations: Pick<ToolState['operations'], 'list'> };
  readonly caller: Pick<Caller, 'tenant'>;
}

/** The newest operations on the booking, whoever asked for them: those that its reading was compared with, if it was. */
export async function operationsOn(booking: Booking, ctx: OperationsContext): Promise<readonly Operation[]> {
  return ctx.state.compared?.get(booking)?.operations ?? newestOn(booking, ctx.state.operations, ctx.caller.tenant);
}

/** Corrects the refunds that a booking shows: its coupons and orders can lag behind a cancellation of ours that succeeded. */
export async function withOwnCancellations(
  booking: Booking,
  { acts, state, caller }: OperationsContext & { readonly acts: Acts },
): Promise<Booking> {
  if (segmentsOf(booking).every(({ owed }) => owed === undefined)) return booking;
  const about = { tenant: caller.tenant, locator: booking.locator, from: earliestOf(booking) };
  const operations = await state.operations.list({ ...about, states: ['succeeded'] });
  const cancellations = operations.flatMap((operation) =>
    touchesOf(acts, operation).flatMap(({ cancels }) => cancels ?? []),
  );
  return unmarkCancelledByUs(booking, cancellations);
}

/** Enters the reply of an operation in the ledger. Reports a ledger that cannot be written, and goes on. */
export async function noteBooking(
  ctx: LedgerContext,
  reply: Booking,
  origin: Pick<LedgerEntry, 'madeHere'>,
): Promise<void> {
  try {
    await record(ctx, await knownNow(await withOwnCancellations(reply, ctx), ctx), origin);
  } catch (error) {
    ctx.state.unrecorded?.(error);
  }
}

/** What {@link noteSettled} needs. */
export interface Settling {
  readonly acts: Acts;
  readonly state: Pick<ToolContext['state'], 'offers' | 'operations'> & {
    readonly ledger: RenewedLedger;
    readonly findings: Findings;
    readonly digestKey: Uint8Array;
  };
  readonly clock: Pick<Clock, 'now'>;
  /** Reads with the point of sale of a caller. */
  readerFor(caller: Pick<Caller, 'tenant' | 'id'>): BookingReader;
  /** Compares a reading that began at `begunAt` with the one before. `operations`: those on the booking, listed after it was read. */
  compareReading(
    caller: Caller,
    booking: Booking,
    begunAt: number | undefined,
    operations: Promise<readonly Operation[] | undefined> | undefined,
  ): Promise<AsCompared>;
  /** Has the booking of an operation's reply read soon. The complete first reply of a `hold` is its first reading. */
  readSoon(caller: Caller, booking: Booking, hold?: Operation): Promise<void>;
  /** Reports an error that must not stop the operation. */
  failed(error: unknown): void;
}

/**
 * Makes the function that runs once an operation is settled: by a reply or a reading, in an act or a plan, now or later. It enters
 * what the operation did in the ledger, and stores a charge above the approved one as a finding.
 */
export function noteSettled(settling: Settling): NonNullable<JournalOptions['settled']> {
  const { acts, state, clock, failed } = settling;
  return async (operation, shown) => {
    const act = acts.of(operation.subject);
    const caller = { tenant: operation.tenant, id: operation.caller };
    const identity = digestWith(state.digestKey);
    const ctx = { acts, caller, identity, now: () => clock.now(), state: { ...state, unrecorded: failed } };
    const origin = { madeHere: act.countedAs === 'hold' };

    const noteReply = (booking: Booking) => {
      const compareReading = async () => {
        await settling.readSoon(caller, booking, origin.madeHere ? operation : undefined);
        return { isQuiet: false, seen: [] };
      };
      return noteBooking({ ...ctx, state: { ...ctx.state, compareReading } }, booking, origin);
    };

    const keepCustomer = async (booking: Booking) => {
      if (!origin.madeHere) return;
      await state.ledger.keepCustomer(operation.id, ledgerEntry(booking, { ...origin, now: clock.now() }));
    };

    const readAndNote = async () => {
      const begunAt = clock.now();
      const read = await withOwnCancellations(await readAfter(settling, operation), ctx);

      const compareReading: ToolState['compareReading'] = (...reading) => settling.compareReading(caller, ...reading);
      const booking = await noteReading(read, begunAt, { ...ctx, state: { ...ctx.state, compareReading } }, origin);
      await keepCustomer(booking);
      return booking;
    };

    try {
      await closeTold(settling, operation);
      await findOtherSums(settling, operation, act);

      const isReply = operation.outcome?.basis === 'reply';
      // A booking that is not shown, or only in part, is read. A reply is noted and read soon; a reading is noted as it is.
      if (shown === undefined || (isReply && !listsAll(act, operation, shown))) return await readAndNote();

      const noting = isReply ? noteReply(shown) : noteBooking(ctx, shown, origin);
      await Promise.all([noting, keepCustomer(shown)]);

      // The reply shows another booking, so that the one that was changed is read and noted too.
      if (isReply && act.replyLacks === 'booking') await readAndNote();
      return shown;
    } catch (error) {
      failed(error);
      await renewUnread(settling, operation, act).catch(failed);
      return undefined;
    }
  };
}

/** Brings the entry of a booking that cannot be read up to an operation that paid for it or released it. */
async function renewUnread({ state, clock }: Settling, operation: Operation, { countedAs }: Act): Promise<void> {
  const { tenant, amount, updatedAt } = operation;
  const locator = locatorOf(operation);
  const isPayment = countedAs === 'payment';
  if (operation.state !== 'succeeded' || locator === undefined || !(isPayment || countedAs === 'release')) return;

  const { entries } = await state.ledger.findOfTenant(tenant, { locators: [locator], limit: 1 });
  const [entry] = entries;
  if (entry === undefined || entry.seenAt > updatedAt) return;

  const { nextDeadline: _next, payBy: _payBy, lapsedAt: _lapsedAt, readBy: _readBy, madeBy: _madeBy, ...rest } = entry;
  const paid = isPayment && amount !== undefined ? { paid: amount } : {};
  await state.ledger.renew(tenant, {
    ...rest,
    state: isPayment ? 'ticketed' : 'cancelled',
    seenAt: clock.now(),
    sums: { ...entry.sums, ...paid },
    paid: isPayment ? amount && sumText(amount, entry.currency) : entry.paid,
  });
}

/**
 * Whether the reply is complete: it may leave out price, orders and coupons, or a segment or traveller of a hold
 * (docs/wire/notes.md, Replies).
 */
function listsAll({ replyLacks, countedAs, offer }: Act, { subject }: Operation, reply: Booking): boolean {
  if (replyLacks === 'details') return false;
  if (countedAs !== 'hold') return true;
  return listsAllOf(offer?.(subject), reply);
}

/** Reads the booking of a settled operation. */
async function readAfter({ readerFor }: Settling, operation: Operation): Promise<Booking> {
  const locator = locatorOf(operation);
  if (locator === undefined) throw new RangeError(`operation ${operation.id} has no booking`);
  return readerFor({ tenant: operation.tenant, id: operation.caller }).read(locator);
}

/** Closes the findings that the question told in full, if a person said yes to it. */
async function closeTold({ state, clock }: Settling, { id, tenant, assurance, facts }: Operation): Promise<void> {
  const isOfPerson = assurance === 'person' || assurance === 'page';
  if (!isOfPerson || facts?.told === undefined) return;
  await state.findings.close(tenant, facts.told, `operation ${id}`, clock.now());
}

/** Stores a finding if the airline charged more than was approved, or refunded in another currency. */
async function findOtherSums(settling: Settling, operation: Operation, act: Act): Promise<void> {
  const { subject, outcome, amount, direction } = operation;
  const excess = act.overcharge?.(subject, outcome);
  if (excess !== undefined) await addOwnFinding(settling, operation, 'charged_more', [excess.approved, excess.charged]);
  const stated = direction === 'refund' ? outcome?.refund?.amount : undefined;
  const foreign = foreignRefund(stated, outcome?.estimate, amount);
  if (foreign !== undefined) await addOwnFinding(settling, operation, 'refunded', [foreign.approved, foreign.stated]);
}

/** Stores what an operation of ours showed, once. */
async function addOwnFinding(
  { state, clock }: Settling,
  operation: Operation,
  kind: FindingKind,
  [approved, stated]: readonly [Money, Money],
): Promise<void> {
  const { tenant, createdAt: since } = operation;
  const locator = locatorOf(operation);
  if (locator === undefined) return;
  const facts = (amount: Money) => ({ amount: formatMoney(amount), currency: amount.currency });
  const id = findingId(digestWith(state.digestKey), { tenant, locator }, kind, operation.id);
  const amounts = { before: facts(approved), after: facts(stated) };
  await state.findings.add([{ id, tenant, locator, kind, seenAt: clock.now(), since, ...amounts }]);
}

interface RecordOptions {
  /** Whether this server made the booking. */
  readonly madeHere?: boolean;
  /** The comparison of a reading with the one before. Absent for the reply of an operation, which is read again soon. */
  readonly comparing?: Promise<AsCompared> | undefined;
}

/** Enters a booking in the ledger. True only if it was compared, and it is sure that no finding about it is open. */
async function record(ctx: LedgerContext, booking: BookingAsKnown, options: RecordOptions): Promise<boolean> {
  const { madeHere = false, comparing } = options;
  const [compared] = await Promise.all([
    comparing ?? ctx.state.compareReading?.(booking),
    ctx.state.ledger.record(ctx.caller, ledgerEntry(booking, { madeHere, now: ctx.now(), digest: ctx.identity })),
  ]);
  return compared?.isQuiet === true;
}

interface EntryFacts {
  /** Whether this server made the booking. */
  readonly madeHere: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Makes the signs of how people are reached. Absent for an entry that is only compared. */
  readonly digest?: Digest;
}

/** Writes what the ledger keeps of a booking. */
export function ledgerEntry(booking: Booking, { madeHere, now, digest }: EntryFacts): LedgerEntry {
  const { state } = bookingState(booking, now);
  const active = activeSegments(booking);
  const trip = active.length > 0 ? active : segmentsOf(booking);
  const lastDeparture = latestTime(trip.map(({ departs }) => departs));

  const deadlines = shownDeadlines(booking);
  const next = nextDeadline(deadlines, state, now);
  const { payBy, namesUntil } = next === undefined ? {} : deadlines;
  const total = booking.pricing?.total?.total;

  return {
    ...bookingSigns(booking),
    madeHere,
    seenAt: now,
    state,
    reached: digest && filled(reachedSigns(booking.reading, digest)),
    isGroup: groupName(booking) === undefined ? undefined : true,
    route: trip.length === 0 ? undefined : routeText(trip),
    departs: trip[0]?.departs,
    lastDeparts: lastDeparture === trip[0]?.departs ? undefined : lastDeparture,
    departures: trip.length < 2 ? undefined : trip.slice(0, MOST_DEPARTURES).map(({ departs }) => departs),
    runsUntil: runsUntil(booking),
    classes: filled([...new Set(trip.flatMap(({ bookingClass = '' }) => cleanCode(bookingClass) || []))]),
    byAirline: filled(segmentsOf(booking).flatMap((segment) => airlineDeed(booking, segment))),
    total: total && formatMoney(total),
    ...legsAndPassengers(booking),
    sums: { total, paid: amountPaid(booking), ...refundSums(booking), toCome: refundStillToCome(booking) },
    paid: paidText(booking, total?.currency),
    currency: total?.currency,
    nextDeadline: next && { what: next.what, at: next.at },
    payBy,
    lapsedAt: state === 'expired' ? deadlines.payBy : undefined,
    namesUntil,
  };
}

function bookingSigns({ locator, createdAt, contact, travelers }: Booking): BookingSigns {
  return {
    locator,
    createdAt,
    contactName: contact?.name === undefined ? undefined : nameText(contact),
    travelers: filled(travelers.flatMap(({ name }) => (name && shortName(name)) || [])),
  };
}

/** The desk's own key of the booking's customer. Undefined if it has none. */
export function customerOf(booking: Booking, { state, caller }: ToolContext): Promise<string | undefined> {
  return state.ledger.customerOf(caller.tenant, bookingSigns(booking));
}

/** Lists the legs in the order of travel, and the passengers with their seats on each leg. */
function legsAndPassengers(booking: Booking): Pick<LedgerEntry, 'legs' | 'passengers'> {
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
  return { legs: filled(segments.map((segment) => ledgerLeg(booking, segment))), passengers: filled(passengers) };
}

/**
 * Lists the services of one passenger, each once: `WCHC confirmed`. Their texts, and services with documents, are not stored.
 */
function passengerServices({ services }: Booking, travelerRef: string): readonly string[] {
  const shownServices = services.filter(
    ({ code, travelerRefs }) => travelerRefs.includes(travelerRef) && !isIdentifyingService(code),
  );
  const lines = shownServices.map(({ code, status }) =>
    joined([cleanCode(code ?? '', 12), serviceStatusWord(status)], ' '),
  );
  return [...new Set(lines)].filter((line) => line !== '');
}

/** `4/12A`, or empty without a seat. */
function seatText(booking: Booking, travelerRef: string, { ref }: Segment): string {
  const { coach, seat } = assignedSeat(booking, travelerRef, ref) ?? {};
  return [coach, seat].flatMap((part) => (part === undefined ? [] : cleanCode(part))).join('/');
}

function ledgerLeg(booking: Booking, segment: Segment): LedgerLeg {
  const { arrives, statusCode } = segment;
  const status =
    booking.cancelled === true ? 'cancelled' : (runningStatus(statusCode) ?? segmentStatusWord(statusCode));
  return { ...legOf(segment), arrives, status };
}

/** Says what the airline did to a segment, unless its coupons are refunded. Empty if it did nothing. */
function airlineDeed(booking: Booking, segment: Segment): AirlineDeed[] {
  const { ref, statusCode, owed, departs } = segment;
  const deed = (what: AirlineDeed['what']) => [{ what, flight: flightName(segment), departs }];

  if (booking.cancelled === true) return [];
  if (owed !== undefined) return deed(owed === true ? 'owed' : 'unclear');
  if (segmentMeaning(statusCode) === 'moved') return deed('moved');

  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons).filter(({ segmentRef }) => segmentRef === ref);
  const isSettled = coupons.some(({ statusCode: status }) => !couponCounts(status));
  return isCancelledByAirline(statusCode) && !isSettled ? deed('cancelled') : [];
}

/** Says what is paid, without the currency if that is the total's too. */
function paidText(booking: Booking, currency: string | undefined): string | undefined {
  const paid = amountPaid(booking);
  return paid === undefined || paid.minor === 0 ? undefined : sumText(paid, currency);
}

function sumText(sum: Money, currency: string | undefined): string {
  return sum.currency === currency ? formatMoney(sum) : showMoney(sum);
}
