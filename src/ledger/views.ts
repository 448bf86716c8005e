/**
 * The views for questions in SQL: the meaning and type of each column, and how it is filled from stored rows. In order: what a view is,
 * the helpers of cells, one view after another, and the views of a caller.
 */
import { cleanCode, cleanText, plainText } from '../core/clean-text.ts';
import { own } from '../core/own.ts';
import { dateOf, HOUR_MS, instantOf, MINUTE_MS } from '../core/times.ts';
import { PAYMENT_TYPES } from '../domain/airline.ts';
import { holdEnds, type LedgerPassenger } from '../domain/booking/booking-ledger.ts';
import { SHOWN_STATES, shownState } from '../domain/booking/booking-state.ts';
import { FINDING_KINDS } from '../domain/booking/finding.ts';
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
import type { KeptQuestion, LedgerBooking, LedgerRows, OperationField } from './ports.ts';
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
  /** @param each the kind of the rows to fill it from; the others are beside them */
  fill(rows: LedgerRows, ctx: ViewContext, each: keyof LedgerRows): readonly ViewRow[];
}

/** Columns whose values a hint may name: no person, contact or locator is in them. */
const TOLD: ReadonlySet<string> = new Set(
  `act tool outcome state decision channel direction payment_type settled_by type status kind error code request class fare
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
  settled_by: ['reply', 'reading', 'person'],
  type: ['adult', 'child', 'infant'],
  payment_type: PAYMENT_TYPES,
};

/** All words of ours that cells can have: they are shown as they are stored. */
export const OUR_WORDS: ReadonlySet<string> = new Set([...Object.values(WORDS).flat(), ...FINDING_KINDS]);

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

/** How many passengers match. Undefined if the passengers are not known. */
function count(passengers: readonly LedgerPassenger[] | undefined, matches: (one: LedgerPassenger) => boolean) {
  return passengers?.filter(matches).length;
}

const isInfant = ({ type }: LedgerPassenger) => type === 'INF';
const isChild = ({ type }: LedgerPassenger) => type === 'CHD';

const bookingView: LedgerView = {
  name: 'booking',
  row: 'a booking made or read here, as it was last read',
  columns: columns(
    'locator',
    'state -- held, in_doubt (a hold with an unsettled act), ticketed, partly_cancelled, cancelled, released (cancelled, never paid), expired, flown',
    'made_by -- caller; null: only read here',
    'made_at:desk',
    'made_on -- day',
    'route -- QCA-XMD-QCA',
    'departs_at:station -- first departure',
    'departs_on -- its day there',
    'returns_on -- last departure, if on another day',
    'passengers:integer',
    'adults:integer',
    'children:integer',
    'infants:integer',
    'unnamed:integer -- of a group, without a name yet',
    'contact -- name of the contact',
    "customer -- the desk's own key",
    'class',
    'total:amount',
    'paid:amount',
    'refunded:amount',
    'kept:amount -- by the airline, of refunds; with VAT',
    'still_to_come:amount -- not paid out yet; null: not known',
    'currency',
    'pay_by:desk -- null: nothing is to be paid',
    'pay_by_on -- day',
    'lapsed_at:desk -- of an unpaid hold: when it expired',
    'lapsed_on -- day',
    'names_by:desk',
    'seen_at:desk -- when the airline last showed it',
    'attention -- why a person should look at it',
  ),
  each: ['bookings'],
  beside: {
    operations: ['state', 'lapsed_at', 'lapsed_on', 'attention'],
    findings: ['attention'],
    makings: ['made_at', 'made_on'],
  },
  indexes: ['locator'],
  fill: ({ bookings, operations, makings }, ctx) => {
    const madeAt = new Map(makings.map((making) => [locatorOf(making), making.createdAt]));
    const underWay = new Set(operations.filter(({ state }) => isOpen(state)).map(locatorOf));
    return bookings.map((booking) => {
      const { passengers, legs = [], sums = {}, departs = legs[0]?.departs, lastDeparts } = booking;
      const payBy = instantOf(booking.payBy);
      const made = instantOf(booking.createdAt) ?? madeAt.get(booking.locator);
      const currency = (sums.total ?? sums.paid ?? sums.refunded)?.currency;
      const attention = booking.isPast ? [] : ctx.attention(booking);
      const lapsed = underWay.has(booking.locator) ? undefined : lapsedAt(booking, ctx.now);
      return {
        locator: booking.locator,
        state: lapsed === undefined ? stateOf(booking, underWay, ctx) : 'expired',
        made_by: booking.madeBy,
        made_at: atDesk(made, ctx),
        made_on: dayAtDesk(made, ctx),
        route: booking.route,
        departs_at: atStation(departs),
        departs_on: dayAtStation(departs),
        returns_on: dayAtStation(lastDeparts),
        passengers: passengers?.length,
        adults: count(passengers, (one) => !isInfant(one) && !isChild(one)),
        children: count(passengers, isChild),
        infants: count(passengers, isInfant),
        unnamed: count(passengers, ({ unnamed }) => unnamed === true),
        contact: booking.contactName && plainText(booking.contactName, 80),
        customer: booking.customer && cleanText(booking.customer, 64),
        class: booking.classes?.join(', '),
        total: amountNumber(inCurrency(currency, sums.total)),
        paid: amountNumber(inCurrency(currency, sums.paid)),
        refunded: amountNumber(inCurrency(currency, sums.refunded)),
        kept: amountNumber(inCurrency(currency, sums.kept)),
        still_to_come: amountNumber(inCurrency(currency, sums.toCome)),
        currency: currency ?? booking.currency,
        pay_by: atDesk(payBy, ctx),
        pay_by_on: dayAtDesk(payBy, ctx),
        lapsed_at: atDesk(lapsed, ctx),
        lapsed_on: dayAtDesk(lapsed, ctx),
        names_by: atDesk(instantOf(booking.namesUntil), ctx),
        seen_at: atDesk(booking.seenAt, ctx),
        attention: attention.length === 0 ? undefined : attention.join('; '),
      };
    });
  },
};

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
    'fare',
    'status -- confirmed, active (no code sent), waitlisted, cancelled …',
  ),
  each: ['bookings'],
  indexes: ['locator', 'departs_on'],
  fill: ({ bookings }, { placeName }) =>
    bookings.flatMap(({ locator, legs = [] }) =>
      legs.map((leg, i) => ({
        locator,
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
        fare: leg.fare,
        status: leg.status,
      })),
    ),
};

const passengerView: LedgerView = {
  name: 'passenger',
  row: 'one passenger of a booking',
  columns: columns(
    'locator',
    'n:integer',
    'type -- adult, child, infant',
    'name -- surname and initial; null long after the trip',
    'unnamed:integer -- 1: of a group, no name yet',
    'seat -- by leg, as coach/seat',
    'services -- wheelchair, meal …: code and status',
  ),
  each: ['bookings'],
  indexes: ['locator'],
  fill: ({ bookings }) =>
    bookings.flatMap(({ locator, passengers = [] }) =>
      passengers.map(({ type, name, unnamed, seats, services }, i) => ({
        locator,
        n: i + 1,
        type: passengerTypeWord(cleanCode(type)),
        name: name && plainText(name, 80),
        unnamed: unnamed ? 1 : 0,
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
    'departs_at:station',
    'departs_on',
    'class',
    'fare',
    'passengers:integer',
    'adults:integer',
    'children:integer',
    'infants:integer',
    'unnamed:integer',
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
    'approved_amount:amount -- the most that was approved',
    'payment_type -- cash, credit_card, invoice …',
    'approved_by -- signed-in approver, or the caller',
    'channel -- page, dialog, assistant, not_asked',
    'asked_at:desk',
    'answered_at:desk',
    'settled_by -- reply, reading or person',
    'open_minutes:integer -- while it is not settled',
    'error -- code of a refusal',
    'reason -- of the customer, for cancelling',
  ),
  each: ['operations'],
  beside: { questions: ['asked_at', 'answered_at'], sales: ['route'] },
  fields: operationFields,
  indexes: ['locator', 'on_day', 'id'],
  fill: ({ operations, questions, sales }, ctx) => {
    const asked = new Map(questions.filter(wasAsked).map((question) => [question.operationId, question]));
    const sold = Map.groupBy(sales, locatorOf);
    return operations.map((operation) => {
      const ofBooking = sales.length === 0 ? undefined : sold.get(locatorOf(operation));
      // A locator may have been another booking's before.
      const sale = ofBooking?.findLast(({ createdAt }) => createdAt < operation.createdAt);
      return operationCells(operation, { question: asked.get(operation.id), sale }, ctx);
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
    'asked_on',
    'answered_at:desk',
    'decision -- yes, no, lapsed, withdrawn (asked anew or overtaken), waiting',
    'waited_minutes:real -- until the answer',
    'channel',
    'approver',
    'direction',
    'amount:amount',
    'currency',
    'plan -- of which it is a part',
  ),
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
        asked_on: dayAtDesk(askedAt, ctx),
        answered_at: isAnswered ? atDesk(decidedAt, ctx) : undefined,
        decision,
        waited_minutes:
          isAnswered && decidedAt !== undefined
            ? Math.round((decidedAt - askedAt) / (MINUTE_MS / 100)) / 100
            : undefined,
        channel: isAnswered && assurance ? CHANNELS[assurance] : undefined,
        approver: isAnswered ? (question.approver ?? question.caller) : undefined,
        direction: question.direction,
        amount: amountNumber(amount),
        currency,
        plan: question.plan,
      };
    }),
};

const changeView: LedgerView = {
  name: 'change',
  row: 'something that the airline changed by itself',
  columns: columns(
    'seen_at:desk',
    'seen_on',
    'kind -- segment_cancelled, retimed, schedule_change, refunded, booking_cancelled …',
    'locator',
    'train',
    'departs_on',
    'route',
    'closed_at:desk -- null: nobody has dealt with it',
    'closed_by',
    'what -- in words',
  ),
  each: ['findings'],
  beside: { bookings: ['train'] },
  indexes: ['locator'],
  fill: ({ findings, bookings }, ctx) => {
    const trains = new Map(bookings.map(({ locator, legs = [] }) => [locator, legs.map(({ train }) => train)]));
    return findings.map((finding) => ({
      seen_at: atDesk(finding.seenAt, ctx),
      seen_on: dayAtDesk(finding.seenAt, ctx),
      kind: finding.kind,
      locator: finding.locator,
      train: finding.segment && trainName(cleanCode(finding.segment.number, 12), trains.get(finding.locator)),
      departs_on: dayAtStation(finding.segment?.departs) ?? dayAtDesk(finding.departsAt, ctx),
      route: finding.route,
      closed_at: atDesk(finding.closedAt, ctx),
      closed_by: finding.closedBy,
      what: ctx.changeWords(finding),
    }));
  },
};

/** A train as the booking's legs name it, so that both views join: a change has only the number. */
function trainName(number: string, trainsOfBooking: readonly string[] = []): string {
  return trainsOfBooking.find((train) => train.endsWith(number)) ?? number;
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
  row: 'failed calls by hour, tool, code and caller, last 30 days; and each question that nobody answered',
  columns: columns(
    'on_day',
    'hour_at:desk -- its begin',
    'tool -- unknown: no such tool',
    'code -- lapsed: not answered',
    'asked_by -- caller',
    'calls:integer',
    'last_at:desk',
    'locator -- of a lapsed question',
  ),
  each: ['failures', 'questions'],
  indexes: ['on_day'],
  supervisorsOnly: true,
  fill: ({ failures, questions }, ctx, each) =>
    each === 'questions'
      ? questions
          .filter((question) => questionOutcome(question, ctx.now) === 'lapsed')
          .map((one) => lapsedRow(one, ctx))
      : failures.map(({ caller, tool, code, hour, calls, lastAt }) => ({
          ...timesOfHour(hour, lastAt, ctx),
          tool,
          code,
          asked_by: caller,
          calls,
        })),
};

const timesOfHour = (hour: number, lastAt: number, ctx: ViewContext) => ({
  on_day: dayAtDesk(hour, ctx),
  hour_at: atDesk(hour, ctx),
  last_at: atDesk(lastAt, ctx),
});

/** A question that nobody answered: its call ended without a failure, and did nothing. */
function lapsedRow({ tool, caller, locator, expiresAt }: KeptQuestion, ctx: ViewContext): ViewRow {
  const hour = expiresAt - (expiresAt % HOUR_MS);
  return { ...timesOfHour(hour, expiresAt, ctx), tool, code: 'lapsed', asked_by: caller, calls: 1, locator };
}

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
  return viewsFor(isSupervisor).map(({ name, columns: viewColumns, indexes, hasPlaces }) => ({
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
  }));
}

export function viewNamed(table: string): LedgerView | undefined {
  return VIEWS.find(({ name }) => name === table);
}
