/**
 * The views for questions in SQL: the meaning and type of each column, and how it is filled from stored rows. In order: what a view is,
 * the helpers of cells, one view after another, and the views of a caller.
 */
import { cleanCode, cleanText, plainText } from '../core/clean-text.ts';
import { own } from '../core/own.ts';
import { dateOf, instantOf, MINUTE_MS } from '../core/times.ts';
import { PAYMENT_TYPES } from '../domain/airline.ts';
import { holdEnds, type LedgerLeg, type LedgerPassenger } from '../domain/booking/booking-ledger.ts';
import { SHOWN_STATES, shownState } from '../domain/booking/booking-state.ts';
import { FINDING_KINDS } from '../domain/booking/finding.ts';
import { passengerTypeWord } from '../domain/booking/status-codes.ts';
import { isOpen, locatorOf } from '../journal/operation.ts';
import {
  amounts,
  atDesk,
  atStation,
  CHANNELS,
  dayAtDesk,
  dayAtStation,
  inCurrency,
  type ViewContext,
} from './cells.ts';
import { bookingHistory, questionOutcome, wasAsked } from './history.ts';
import { OUTCOMES, operationCells } from './operation-cells.ts';
import type { LedgerRows } from './ports.ts';
import type { Cell, ColumnType, SqlTable } from './sql-tables.ts';

/** A column as the description of the view names it. */
interface Column {
  readonly name: string;
  readonly type: ColumnType;
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
  ...{ act: ['hold', 'payment', 'refund', 'exchange', 'release', 'change'], outcome: Object.values(OUTCOMES) },
  ...{ state: [...SHOWN_STATES, 'in_doubt'], decision: ['yes', 'no', 'lapsed', 'withdrawn', 'waiting'] },
  ...{ channel: Object.values(CHANNELS), direction: ['payment', 'refund'], settled_by: ['reply', 'reading', 'person'] },
  ...{ type: ['adult', 'child', 'infant'], payment_type: PAYMENT_TYPES },
};

/** All words of ours that cells can have: they are shown as they are stored. */
export const OUR_WORDS: ReadonlySet<string> = new Set([...Object.values(WORDS).flat(), ...FINDING_KINDS]);

/** Columns from texts such as `name`, `name:integer` and `name -- a note`. */
function columns(...definitions: readonly string[]): readonly Column[] {
  return definitions.map((text) => {
    const [head = '', note] = text.split(' -- ');
    const [name = '', type = 'text'] = head.split(':');
    return { name, type: type as ColumnType, note };
  });
}

function departureDay({ departs, day }: LedgerLeg): string {
  return day ?? dateOf(departs);
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
    'state -- held, ticketed, partly_cancelled, cancelled, expired, flown, in_doubt (an act on it is not settled)',
    'made_by -- caller who made it here; null: only read here',
    'made_at',
    'made_on -- day',
    'route -- QCA-XMD-QCA',
    'departs_at -- first departure, time of the station',
    'departs_on -- its day there',
    'returns_on -- day of the last departure, where it is another one',
    'passengers:integer',
    'adults:integer',
    'children:integer',
    'infants:integer',
    'unnamed:integer -- of a group: passengers without a name yet',
    'contact -- name of the contact',
    "customer -- the desk's own key",
    'class',
    'total:real',
    'total_minor:integer',
    'paid:real',
    'paid_minor:integer',
    'refunded:real',
    'refunded_minor:integer',
    'kept:real -- what the airline keeps of what was refunded, VAT included',
    'kept_minor:integer',
    'currency',
    'pay_by -- null: nothing is to be paid',
    'pay_by_on -- day',
    'lapsed_at -- of an unpaid hold: when it expired',
    'lapsed_on -- day',
    'names_by',
    'seen_at -- when the airline last showed it',
    'attention -- why a person should look at it; null: nothing',
  ),
  each: ['bookings'],
  beside: { operations: ['state', 'lapsed_at', 'lapsed_on', 'attention'], findings: ['attention'] },
  indexes: ['locator'],
  fill: ({ bookings, operations }, ctx) => {
    const underWay = new Set(operations.filter(({ state }) => isOpen(state)).map(locatorOf));
    return bookings.map((booking) => {
      const { passengers, legs = [], sums = {}, departs = legs[0]?.departs, lastDeparts } = booking;
      const payBy = instantOf(booking.payBy);
      const made = instantOf(booking.createdAt);
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
        ...amounts('total', inCurrency(currency, sums.total)),
        ...amounts('paid', inCurrency(currency, sums.paid)),
        ...amounts('refunded', inCurrency(currency, sums.refunded)),
        ...amounts('kept', inCurrency(currency, sums.kept)),
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

/** A hold with an act that is not settled may be paid or gone: it is in doubt. */
function stateOf(
  { locator, state, runsUntil }: LedgerRows['bookings'][number],
  underWay: ReadonlySet<string | undefined>,
  { now }: ViewContext,
): string {
  return state === 'held' && underWay.has(locator) ? 'in_doubt' : shownState(state, runsUntil, now);
}

/** When a hold expired. One that nobody read afterwards expired at its time limit, as read_booking says. */
function lapsedAt(booking: LedgerRows['bookings'][number], now: number): number | undefined {
  const readLapse = instantOf(booking.lapsedAt);
  if (readLapse !== undefined) return readLapse;
  const limit = instantOf(holdEnds(booking));
  return limit !== undefined && limit <= now ? limit : undefined;
}

const segmentView: LedgerView = {
  name: 'segment',
  row: 'one leg of a booking',
  columns: columns(
    'locator',
    'n:integer -- 1 is the first leg',
    'train -- or flight',
    'from_code',
    'from_name -- null while no routes are read: from_code always tells',
    'to_code',
    'to_name',
    'departs_at -- time of the station',
    'departs_on',
    'arrives_at',
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
        departs_on: departureDay(leg),
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
    'unnamed:integer -- 1: a place of a group without a name yet',
    'seat -- by leg, as coach/seat',
    'services -- wheelchair, meal …: code and status; null long after the trip',
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
  row: 'one act at the airline: booking, payment, change, cancellation. Facts are those of that time',
  columns: columns(
    'id',
    'act -- hold, payment, refund, exchange, release (of an unpaid hold), change',
    'tool',
    'locator',
    'route',
    'train',
    'departs_at',
    'departs_on',
    'class',
    'fare',
    'passengers:integer',
    'adults:integer',
    'children:integer',
    'infants:integer',
    'unnamed:integer',
    'asked_by -- caller',
    'at -- when it was entered',
    'on_day',
    'outcome -- done, refused, not_done, in_doubt, needs_person, closed_by_person, sent, waiting',
    'direction -- payment or refund; null: no money',
    'amount:real -- what moved; null unless done, or where the airline did not state it',
    'amount_minor:integer',
    'currency -- of all amounts of the row; one in another currency is null',
    'charged:real -- by an exchange or payment',
    'charged_minor:integer',
    'refunded:real',
    'refunded_minor:integer',
    'kept:real -- of a refund, by the airline, VAT included',
    'kept_minor:integer',
    'kept_vat:real -- the VAT in it',
    'kept_vat_minor:integer',
    'payout -- of a refund: paid or pending, as the airline said when it made it',
    'tickets -- numbers issued by it',
    'approved_amount:real -- the most that was approved',
    'approved_amount_minor:integer',
    'payment_type -- cash, credit_card, invoice …',
    'approved_by -- signed-in approver, or the caller',
    'channel -- page, dialog, assistant, not_asked',
    'asked_at',
    'answered_at',
    'settled_by -- reply, reading or person',
    'open_minutes:integer -- since it was entered, until it is settled',
    'error -- code of a refusal',
  ),
  each: ['operations'],
  beside: { questions: ['asked_at', 'answered_at'] },
  indexes: ['locator', 'on_day', 'id'],
  fill: ({ operations, questions }, ctx) => {
    const asked = new Map(questions.filter(wasAsked).map((question) => [question.operationId, question]));
    return operations.map((operation) => operationCells(operation, asked.get(operation.id), ctx));
  },
};

const questionView: LedgerView = {
  name: 'question',
  row: 'one question for a yes',
  columns: columns(
    'id -- of the operation that a yes becomes',
    'tool',
    'locator',
    'asked_by',
    'asked_at',
    'asked_on',
    'answered_at',
    'decision -- yes, no, lapsed, withdrawn (asked anew or overtaken), waiting',
    'waited_minutes:real -- until the answer',
    'channel',
    'approver',
    'direction',
    'amount:real',
    'amount_minor:integer',
    'currency',
    'plan -- the plan that it is a part of',
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
        ...amounts('amount', amount),
        currency,
        plan: question.plan,
      };
    }),
};

const changeView: LedgerView = {
  name: 'change',
  row: 'something that the airline changed by itself',
  columns: columns(
    'seen_at',
    'seen_on',
    'kind -- segment_cancelled, retimed, schedule_change, refunded, booking_cancelled …',
    'locator',
    'train',
    'departs_on',
    'route',
    'closed_at -- null: nobody has dealt with it',
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
  columns: columns('locator', 'at', 'what'),
  each: ['operations', 'questions', 'findings'],
  beside: { questions: [] },
  hasPlaces: true,
  indexes: ['locator'],
  fill: (rows, ctx, each) =>
    bookingHistory(rows, ctx, each).map(({ locator, at, what }) => ({ place: at, locator, at: atDesk(at, ctx), what })),
};

const failureView: LedgerView = {
  name: 'failure',
  row: 'calls of one tool and caller that ended with one error code within an hour, of the last 30 days; other servers add theirs each minute',
  columns: columns(
    'on_day',
    'hour_at -- when the hour began',
    'tool -- unknown: no such tool',
    'code',
    'asked_by -- caller',
    'calls:integer',
    'last_at',
  ),
  each: ['failures'],
  indexes: ['on_day'],
  supervisorsOnly: true,
  fill: ({ failures }, ctx) =>
    failures.map(({ caller, tool, code, hour, calls, lastAt }) => ({
      on_day: dayAtDesk(hour, ctx),
      hour_at: atDesk(hour, ctx),
      tool,
      code,
      asked_by: caller,
      calls,
      last_at: atDesk(lastAt, ctx),
    })),
};

const airlineHourView: LedgerView = {
  name: 'airline_hour',
  row: 'how the airline answered one kind of request in one hour, of the last 30 days',
  columns: columns(
    'on_day',
    'hour_at -- when the hour began',
    'request -- fare_search, price_check, read, book, ticket, modify, cancel …',
    'requests:integer',
    'errors:integer -- no reply, or an HTTP status from 400',
    'median_ms:integer -- to within a tenth',
    'slowest_ms:integer',
  ),
  each: ['airlineHours'],
  indexes: ['on_day'],
  supervisorsOnly: true,
  fill: ({ airlineHours }, ctx) =>
    airlineHours.map(({ hour, request, requests, errors, medianMs, slowestMs }) => ({
      on_day: dayAtDesk(hour, ctx),
      hour_at: atDesk(hour, ctx),
      request,
      requests,
      errors,
      median_ms: medianMs,
      slowest_ms: slowestMs,
    })),
};

const VIEWS: readonly LedgerView[] = [
  bookingView,
  segmentView,
  passengerView,
  operationView,
  questionView,
  changeView,
  historyView,
  failureView,
  airlineHourView,
];

/** Gives the views that this caller may use. */
export function viewsFor(isSupervisor: boolean): readonly LedgerView[] {
  return VIEWS.filter(({ supervisorsOnly }) => isSupervisor || supervisorsOnly === undefined);
}

/** The views that this caller may use, as tables for a SELECT. */
export function viewTables(isSupervisor: boolean): readonly SqlTable[] {
  return viewsFor(isSupervisor).map(({ name, columns: viewColumns, indexes, hasPlaces }) => ({
    name,
    columns: viewColumns.map(({ name: column, type }) => ({
      ...{ name: column, type, words: own(WORDS, column) },
      isAmount: viewColumns.some((other) => other.name === `${column.replace(/_minor$/, '')}_minor`) || undefined,
      tellsValues: TOLD.has(column) || undefined,
    })),
    indexes,
    hasPlaces,
  }));
}

export function viewNamed(table: string): LedgerView | undefined {
  return VIEWS.find(({ name }) => name === table);
}
