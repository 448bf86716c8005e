/**
 * The views for questions in SQL: the meaning and type of each column, and how it is filled from stored rows. In order: what a view is,
 * the helpers of cells, one view after another, and the views of a caller.
 */
import { cleanCode, cleanText, plainText } from '../core/clean-text.ts';
import type { Money } from '../core/money.ts';
import { own } from '../core/own.ts';
import { dateOf, instantOf, MINUTE_MS } from '../core/times.ts';
import { PAYMENT_TYPES } from '../domain/airline.ts';
import { holdEnds } from '../domain/booking/booking-ledger.ts';
import { SHOWN_STATES, shownState } from '../domain/booking/booking-state.ts';
import { FINDING_KINDS, isAbout } from '../domain/booking/finding.ts';
import { passengerTypeWord } from '../domain/booking/status-codes.ts';
import { isOpen, locatorOf } from '../journal/operation.ts';
import {
  amountNumber,
  atDesk,
  atStation,
  CHANNELS,
  dayAtDesk,
  dayAtStation,
  inCurrency,
  type ViewContext,
} from './cells.ts';
import { bookingHistory, questionOutcome, wasAsked } from './history.ts';
import { OUTCOMES, operationCells, operationFields } from './operation-cells.ts';
import { operationLegs } from './operation-legs.ts';
import type { LedgerBooking, LedgerOperation, LedgerRows, OperationField } from './ports.ts';
import type { Cell, ColumnType, SqlColumn, SqlTable } from './sql-tables.ts';

/** A column as the description of the view names it. */
interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** It is an amount in the currency of the row's column `currency`. */
  readonly isAmount?: true | undefined;
  /** By whose clock it is a time. */
  readonly clock?: SqlColumn['clock'];
  /** Where the name does not say it. */
  readonly note?: string;
}

/** The cells of a row by their columns, or how to work out one: rows of which there are many are not worked out whole. */
type ViewRow = Readonly<Record<string, Cell | undefined>> | ((name: string) => Cell | undefined);

export interface LedgerView {
  readonly name: string;
  /** What one row is. */
  readonly row: string;
  readonly columns: readonly Column[];
  /** The stored rows that it is filled from, one kind after another. */
  readonly each: readonly (keyof LedgerRows)[];
  /** What is read beside them, and the columns that need it. Empty: any column. */
  readonly beside?: Readonly<Partial<Record<keyof LedgerRows, readonly string[]>>>;
  /** The fields of operations that these columns need. Absent: all. */
  fields?(columns: readonly string[]): readonly OperationField[];
  /** Each row has a cell `place`, by which they are put in order. */
  readonly hasPlaces?: true;
  readonly indexes: readonly string[];
  readonly supervisorsOnly?: true;
  /** How many days its rows are kept. Absent: longer than any question reaches. */
  readonly keptDays?: number;
  /** Columns of earlier versions, and what to write now. */
  readonly former?: Readonly<Record<string, string>>;
  /** @param each the kind of the rows to fill it from; the others are beside them */
  fill(rows: LedgerRows, ctx: ViewContext, each: keyof LedgerRows): readonly ViewRow[];
}

/** Columns whose values a hint may name: no person, contact or locator is in them. */
const TOLD: ReadonlySet<string> = new Set(
  `act tool outcome state decision channel direction payment_type type status kind error code request class fare
  currency route train from_code to_code from_name to_name asked_by made_by approved_by approver closed_by`.split(
    /\s+/,
  ),
);

/** The words of columns that have only words of ours, so that one which no row has yet needs no hint. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  act: ['hold', 'payment', 'refund', 'exchange', 'release', 'change'],
  outcome: Object.values(OUTCOMES),
  state: [...SHOWN_STATES, 'in_doubt', 'released'],
  decision: ['yes', 'no', 'lapsed', 'withdrawn', 'waiting'],
  channel: Object.values(CHANNELS),
  direction: ['payment', 'refund'],
  type: ['adult', 'child', 'infant'],
  payment_type: PAYMENT_TYPES,
  kind: FINDING_KINDS,
};

/** All words of ours that cells can have: they are shown as they are stored. */
export const OUR_WORDS: ReadonlySet<string> = new Set(Object.values(WORDS).flat());

/** Columns from texts such as `name`, `name:integer`, `name:amount`, `name:desk` (a time by its clock) and `name -- a note`. */
function columns(...definitions: readonly string[]): readonly Column[] {
  return definitions.map((text) => {
    const [head = '', note] = text.split(' -- ');
    const [name = '', type = 'text'] = head.split(':');
    if (type === 'amount') return { name, type: 'real', isAmount: true, note };
    if (type === 'desk' || type === 'station') return { name, type: 'text', clock: type, note };
    return { name, type: type as ColumnType, note };
  });
}

/** Where the head counts of earlier versions are. */
const HEADS_WENT = {
  adults: 'passenger.type',
  children: 'passenger.type',
  infants: 'passenger.type',
};

const bookingView: LedgerView = {
  name: 'booking',
  row: 'a booking made or read here, as it was last read',
  columns: columns(
    'locator',
    'state -- held, in_doubt (a hold with an unsettled act), ticketed, partly_cancelled, cancelled, released (cancelled, never paid), expired, flown',
    'made_by -- caller; null: only read here',
    'made_at:desk',
    'minutes_held:real -- until paid here or expired',
    'route -- QCA-XMD-QCA',
    'departs_at:station -- first departure',
    'passengers:integer',
    'is_group:integer -- 1: a group',
    'unnamed:integer -- of a group, without a name yet',
    'contact -- name of the contact',
    "customer -- the desk's own key",
    'price:amount',
    'paid:amount',
    'payment_type -- of the payment here',
    'refunded:amount -- also what is still to come; 0: paid, nothing refunded',
    'received:amount -- of it, paid out already; null: not known',
    'still_to_come:amount -- of it, not paid out yet; null: not known',
    'currency',
    'pay_by:desk -- null: nothing is to be paid',
    'lapsed_at:desk -- of an unpaid hold: when it expired',
    'names_by:desk',
    'seen_at:desk -- when the airline last showed it',
    'attention -- why a person should look at it',
  ),
  former: {
    ...HEADS_WENT,
    total: 'price',
    made_on: 'date(made_at)',
    departs_on: 'date(departs_at)',
    pay_by_on: 'date(pay_by)',
    lapsed_on: 'date(lapsed_at)',
    returns_on: 'segment.departs_on',
    class: 'segment.class',
    kept: 'operation.kept',
  },
  each: ['bookings'],
  beside: {
    operations: ['state', 'lapsed_at', 'minutes_held', 'attention'],
    findings: ['attention'],
    makings: ['made_at', 'minutes_held', 'payment_type'],
    sales: ['minutes_held', 'payment_type'],
  },
  indexes: ['locator'],
  fill: ({ bookings, operations, makings, sales }, ctx) => {
    const madeAt = new Map(makings.map((making) => [locatorOf(making), making.createdAt]));
    const stateNow = statesNow(operations, ctx);
    // The last payment of each locator.
    const saleFor = new Map(sales.map((sale) => [locatorOf(sale), sale]));
    return bookings.map((booking) => {
      const { passengers, legs = [], sums = {}, departs = legs[0]?.departs } = booking;
      const made = instantOf(booking.createdAt) ?? madeAt.get(booking.locator);
      const sale = saleOf(booking, made, saleFor.get(booking.locator));
      const { state, lapsed } = stateNow(booking);
      const currency = (sums.total ?? sums.paid ?? sums.refunded)?.currency;
      const amount = (money: Money | undefined) => amountNumber(inCurrency(currency, money));
      const attention = booking.isPast ? [] : ctx.attention(booking);
      const unnamed = passengers?.filter((one) => one.unnamed === true).length;
      return {
        locator: booking.locator,
        state,
        made_by: booking.madeBy,
        made_at: atDesk(made, ctx),
        minutes_held: minutesBetween(made, sale?.createdAt ?? lapsed),
        route: booking.route,
        departs_at: atStation(departs),
        passengers: passengers?.length,
        is_group: booking.isGroup || unnamed ? 1 : 0,
        unnamed,
        contact: contactOf(booking),
        customer: booking.customer && cleanText(booking.customer, 64),
        price: amount(sums.total),
        paid: amount(sums.paid),
        payment_type: sale?.facts?.paymentType,
        refunded: amount(refundedOf(booking)),
        received: amount(receivedOf(booking)),
        still_to_come: amount(sums.toCome),
        currency: currency ?? booking.currency,
        pay_by: atDesk(instantOf(booking.payBy), ctx),
        lapsed_at: atDesk(lapsed, ctx),
        names_by: atDesk(instantOf(booking.namesUntil), ctx),
        seen_at: atDesk(booking.seenAt, ctx),
        attention: attention.length === 0 ? undefined : attention.join('; '),
      };
    });
  },
};

const contactOf = ({ contactName }: LedgerBooking) => contactName && plainText(contactName, 80);

/** The payment of a booking. Its locator may have been another booking's, paid before this one was made. */
function saleOf(
  { sums = {} }: LedgerBooking,
  made = 0,
  sale: LedgerOperation | undefined,
): LedgerOperation | undefined {
  return sums.paid !== undefined && sale !== undefined && sale.createdAt >= made ? sale : undefined;
}

/** What was refunded of a booking. Nothing was, if it is paid and the airline shows no refund. */
function refundedOf({ sums: { paid, refunded } = {} }: LedgerBooking): Money | undefined {
  return refunded ?? (paid && { ...paid, minor: 0 });
}

/** What the airline has paid out of the refunds. Undefined where it does not show which are pending. */
function receivedOf(booking: LedgerBooking): Money | undefined {
  const refunded = refundedOf(booking);
  const { toCome } = booking.sums ?? {};
  if (refunded === undefined || refunded.minor === 0) return refunded;
  if (toCome?.currency !== refunded.currency) return undefined;
  return { ...refunded, minor: refunded.minor - toCome.minor };
}

interface StateNow {
  readonly state: string;
  /** When the unpaid hold expired, milliseconds since 1970. */
  readonly lapsed: number | undefined;
}

/** Tells the state of a booking beside the operations that are open. */
function statesNow(operations: LedgerRows['operations'], ctx: ViewContext): (booking: LedgerBooking) => StateNow {
  const underWay = new Set(operations.filter(({ state }) => isOpen(state)).map(locatorOf));
  return (booking) => {
    const lapsed = underWay.has(booking.locator) ? undefined : lapsedAt(booking, ctx.now);
    return { state: lapsed === undefined ? stateOf(booking, underWay, ctx) : 'expired', lapsed };
  };
}

/** A hold with an act that is not settled may be paid or gone: it is in doubt. One that was given up was never paid. */
function stateOf(
  { locator, state, runsUntil, sums = {}, byAirline }: LedgerBooking,
  underWay: ReadonlySet<string | undefined>,
  { now }: ViewContext,
): string {
  if (state === 'held' && underWay.has(locator)) return 'in_doubt';
  const isPaid = sums.paid !== undefined || sums.refunded !== undefined;
  // Entries of earlier versions have no sums, and what the airline cancelled nobody released.
  if (state === 'cancelled' && sums.total !== undefined && !isPaid && byAirline === undefined) return 'released';
  return shownState(state, runsUntil, now);
}

/** When a hold expired. One that nobody read afterwards expired at its time limit, as read_booking says. */
function lapsedAt(booking: LedgerBooking, now: number): number | undefined {
  const readLapse = instantOf(booking.lapsedAt);
  if (readLapse !== undefined) return readLapse;
  const limit = instantOf(holdEnds(booking));
  return limit !== undefined && limit <= now ? limit : undefined;
}

const segmentView: LedgerView = {
  name: 'segment',
  row: 'one leg of a booking as it is now',
  columns: columns(
    'locator',
    'n:integer -- 1 is the first leg',
    'train -- or flight',
    'from_code',
    'from_name -- null until routes are read',
    'to_code',
    'to_name',
    'departs_at:station',
    'departs_on',
    'arrives_at:station',
    'class',
    'status -- confirmed, active (no code sent), waitlisted, cancelled …',
    'state -- of the booking',
    'passengers:integer -- of the booking',
    'contact -- of the booking',
  ),
  former: { fare: 'operation_leg.fare' },
  each: ['bookings'],
  beside: { operations: ['state'] },
  indexes: ['locator', 'departs_on'],
  fill: ({ bookings, operations }, ctx) => {
    const { placeName } = ctx;
    const stateNow = statesNow(operations, ctx);
    return bookings.flatMap((booking) =>
      (booking.legs ?? []).map((leg, i) => ({
        locator: booking.locator,
        n: i + 1,
        train: leg.train,
        from_code: leg.from,
        from_name: placeName?.(leg.from),
        to_code: leg.to,
        to_name: placeName?.(leg.to),
        departs_at: atStation(leg.departs),
        departs_on: leg.day ?? dateOf(leg.departs),
        arrives_at: atStation(leg.arrives),
        class: leg.class,
        status: leg.status,
        state: stateNow(booking).state,
        passengers: booking.passengers?.length,
        contact: contactOf(booking),
      })),
    );
  },
};

const passengerView: LedgerView = {
  name: 'passenger',
  row: 'one passenger of a booking',
  columns: columns(
    'locator',
    'n:integer',
    'type -- adult, child, infant',
    'name -- surname and initial; null: of a group, none yet, or long after the trip',
    'seat -- by leg, as coach/seat',
    'services -- wheelchair, meal …: code and status',
  ),
  former: { unnamed: 'booking.unnamed' },
  each: ['bookings'],
  indexes: ['locator'],
  fill: ({ bookings }) =>
    bookings.flatMap(({ locator, passengers = [] }) =>
      passengers.map(({ type, name, seats, services }, i) => ({
        locator,
        n: i + 1,
        type: passengerTypeWord(cleanCode(type)),
        name: name && plainText(name, 80),
        seat: seats?.some((seat) => seat !== '') ? seats.map((seat) => seat || '-').join(', ') : undefined,
        services: services?.join(', '),
      })),
    ),
};

const operationView: LedgerView = {
  name: 'operation',
  row: 'one act at the airline, with the facts of that time',
  columns: columns(
    'id',
    'act -- hold, payment, refund, exchange, release (of a hold), change',
    'tool',
    'locator',
    'route -- as sold: of a refund or change too',
    'train -- several with commas; one a row: operation_leg',
    'legs:integer -- how many',
    'departs_at:station',
    'class',
    'passengers:integer',
    'asked_by -- caller',
    'at:desk -- when it was entered',
    'on_day',
    'outcome -- done, refused, not_done, in_doubt, needs_person, closed_by_person, sent, waiting',
    'paid:amount -- to the airline, also by an exchange; null unless done and stated',
    'refunded:amount -- also by an exchange, which can do both',
    'kept:amount -- with VAT',
    'kept_vat:amount -- the VAT in it',
    'currency -- of the amounts; one in another is null',
    'tickets -- numbers',
    'tickets_count:integer',
    'approved_at_most:amount -- no money that moved',
    'payment_type -- cash, credit_card, invoice …; of a refund or change: as it was paid',
    'approved_by -- signed-in approver, or the caller',
    'open_minutes:integer -- while it is not settled',
    'error -- code of a refusal',
    'reason -- of the customer, for cancelling',
  ),
  former: {
    ...HEADS_WENT,
    approved_amount: 'approved_at_most',
    departs_on: 'date(departs_at)',
    fare: 'operation_leg.fare',
    unnamed: 'booking.unnamed',
    channel: 'question.channel, joined by id',
    asked_at: 'question.asked_at, joined by id',
    answered_at: 'question.answered_at, joined by id',
    settled_by: 'history.what',
  },
  each: ['operations'],
  beside: { sales: ['route', 'payment_type'] },
  fields: operationFields,
  indexes: ['locator', 'on_day', 'id'],
  fill: ({ operations, sales }, ctx) => {
    const sold = Map.groupBy(sales, locatorOf);
    return operations.map((operation) => {
      const ofBooking = sales.length === 0 ? undefined : sold.get(locatorOf(operation));
      // A locator may have been another booking's before.
      const sale = ofBooking?.findLast(({ createdAt }) => createdAt < operation.createdAt);
      return operationCells(operation, sale, ctx);
    });
  },
};

const operationLegView: LedgerView = {
  name: 'operation_leg',
  row: 'one leg of an operation as it was then: for a payment as sold, for an exchange the new one',
  columns: columns(
    'id -- of the operation',
    'n:integer -- 1 is the first leg',
    'train',
    'from_code',
    'to_code',
    'departs_at:station',
    'departs_on',
    'class',
    'fare',
    'price:amount -- of all passengers; null: one price for several legs',
    'currency',
  ),
  each: ['operations'],
  indexes: ['id', 'train'],
  fill: ({ operations }) => operations.flatMap(operationLegs),
};

const questionView: LedgerView = {
  name: 'question',
  row: 'one question for a yes',
  columns: columns(
    'id -- of the operation that a yes becomes',
    'tool',
    'locator',
    'asked_by',
    'asked_at:desk',
    'answered_at:desk',
    'decision -- yes, no, lapsed, withdrawn (asked anew or overtaken), waiting',
    'waited_minutes:real -- until the answer',
    'channel',
    'approver',
    'direction',
    'asked_amount:amount -- at most',
    'currency',
  ),
  former: { amount: 'asked_amount', asked_on: 'date(asked_at)', plan: "tool = 'run_plan'" },
  each: ['questions'],
  hasPlaces: true,
  indexes: ['locator', 'id'],
  fill: ({ questions }, ctx) =>
    questions.filter(wasAsked).map((question) => {
      const { askedAt, decidedAt, assurance, currency, amountMinor } = question;
      const decision = questionOutcome(question, ctx.now);
      const isAnswered = decision === 'yes' || decision === 'no';
      const amount = currency === undefined || amountMinor === undefined ? undefined : { minor: amountMinor, currency };
      return {
        place: askedAt,
        id: question.operationId,
        tool: question.tool,
        locator: question.locator,
        asked_by: question.caller,
        asked_at: atDesk(askedAt, ctx),
        answered_at: isAnswered ? atDesk(decidedAt, ctx) : undefined,
        decision,
        waited_minutes: isAnswered ? minutesBetween(askedAt, decidedAt) : undefined,
        channel: isAnswered && assurance ? CHANNELS[assurance] : undefined,
        approver: isAnswered ? (question.approver ?? question.caller) : undefined,
        direction: question.direction,
        asked_amount: amountNumber(amount),
        currency,
      };
    }),
};

/** Minutes with two decimals. */
function minutesBetween(from: number | undefined, to: number | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  return Math.round((to - from) / (MINUTE_MS / 100)) / 100;
}

const changeView: LedgerView = {
  name: 'change',
  row: 'something that the airline changed by itself',
  columns: columns(
    'seen_at:desk',
    'kind -- segment_cancelled, retimed, schedule_change, refunded, booking_cancelled …',
    'locator',
    'train',
    'departs_on',
    'passengers:integer -- of the booking',
    'refunded:amount -- of the booking, for all its changes',
    'currency',
    'closed_at:desk -- null: nobody has dealt with it',
    'closed_by',
    'what -- in words',
  ),
  former: { seen_on: 'date(seen_at)', route: 'booking.route' },
  each: ['findings'],
  beside: { bookings: ['train', 'passengers', 'refunded', 'currency'] },
  indexes: ['locator'],
  fill: ({ findings, bookings }, ctx) => {
    const byLocator = new Map(bookings.map((booking) => [booking.locator, booking]));
    return findings.map((finding) => {
      const named = byLocator.get(finding.locator);
      const booking = named && isAbout(finding, named) ? named : undefined;
      const refunded = booking && refundedOf(booking);
      return {
        seen_at: atDesk(finding.seenAt, ctx),
        kind: finding.kind,
        locator: finding.locator,
        train: finding.segment && trainName(cleanCode(finding.segment.number, 12), named?.legs),
        departs_on: dayAtStation(finding.segment?.departs) ?? dayAtDesk(finding.departsAt, ctx),
        passengers: booking?.passengers?.length,
        refunded: amountNumber(refunded),
        currency: refunded?.currency,
        closed_at: atDesk(finding.closedAt, ctx),
        closed_by: finding.closedBy,
        what: ctx.changeWords(finding),
      };
    });
  },
};

/** A train as the booking's legs name it, so that both views join: a change has only the number. */
function trainName(number: string, legs: LedgerBooking['legs'] = []): string {
  return legs.find(({ train }) => train.endsWith(number))?.train ?? number;
}

const historyView: LedgerView = {
  name: 'history',
  row: 'what happened to a booking, a sentence each, in order',
  columns: columns('locator', 'at:desk', 'what'),
  each: ['operations', 'questions', 'findings'],
  beside: { questions: [] },
  hasPlaces: true,
  indexes: ['locator'],
  fill: (rows, ctx, each) =>
    bookingHistory(rows, ctx, each).map(({ locator, at, what }) => ({ place: at, locator, at: atDesk(at, ctx), what })),
};

const failureView: LedgerView = {
  name: 'failure',
  row: 'failed calls by hour, tool, code and caller, last 30 days',
  keptDays: 30,
  columns: columns(
    'hour_at:desk -- its begin',
    'tool -- unknown: no such tool',
    'code',
    'asked_by -- caller',
    'calls:integer',
  ),
  former: { on_day: 'date(hour_at)', last_at: 'hour_at', locator: "question, decision = 'lapsed'" },
  each: ['failures'],
  indexes: [],
  supervisorsOnly: true,
  fill: ({ failures }, ctx) =>
    failures.map(({ caller, tool, code, hour, calls }) => ({
      hour_at: atDesk(hour, ctx),
      tool,
      code,
      asked_by: caller,
      calls,
    })),
};

const VIEWS: readonly LedgerView[] = [
  bookingView,
  segmentView,
  passengerView,
  operationView,
  operationLegView,
  questionView,
  changeView,
  historyView,
  failureView,
];

/** Gives the views that this caller may use. */
export function viewsFor(isSupervisor: boolean): readonly LedgerView[] {
  return VIEWS.filter(({ supervisorsOnly }) => isSupervisor || supervisorsOnly === undefined);
}

/** The views that this caller may use, as tables for a SELECT. */
export function viewTables(isSupervisor: boolean): readonly SqlTable[] {
  return viewsFor(isSupervisor).map(({ name, columns: viewColumns, indexes, hasPlaces, former }) => ({
    name,
    columns: viewColumns.map(({ name: column, type, isAmount, clock }) => ({
      name: column,
      type,
      isAmount,
      clock,
      words: own(WORDS, column),
      tellsValues: TOLD.has(column) || undefined,
    })),
    indexes,
    hasPlaces,
    former,
  }));
}

export function viewNamed(table: string): LedgerView | undefined {
  return VIEWS.find(({ name }) => name === table);
}
