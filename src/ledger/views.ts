/** The views for questions in SQL, and those of a caller. view.ts says what a view is. */
import { cleanCode, cleanText, plainText } from '../core/clean-text.ts';
import type { Money } from '../core/money.ts';
import { own } from '../core/own.ts';
import { dateOf, instantOf, MINUTE_MS } from '../core/times.ts';
import { holdEnds, type LedgerLeg } from '../domain/booking/booking-ledger.ts';
import { SHOWN_STATES, shownState } from '../domain/booking/booking-state.ts';
import { FINDING_KINDS, type Finding, isAbout } from '../domain/booking/finding.ts';
import type { SoldLeg } from '../domain/booking/sold-facts.ts';
import { PAYMENT_TYPES, passengerTypeWord } from '../domain/booking/status-codes.ts';
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
import { bookingHistory, type HistoryEntry, type QuestionOutcome, questionOutcome, wasAsked } from './history.ts';
import { legsOf } from './operation-legs.ts';
import { OUTCOMES, operationView } from './operation-view.ts';
import type { FailureCount, KeptQuestion, LedgerBooking, LedgerOperation, LedgerRows } from './ports.ts';
import type { SqlTable } from './sql-tables.ts';
import { type CellOf, type LedgerView, view } from './view.ts';

/** Columns whose values a hint may name: no person, contact or locator is in them. */
const TOLD: ReadonlySet<string> = new Set(
  `act tool outcome state decision channel direction payment_type charged_as type status kind error code request class fare
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
  charged_as: PAYMENT_TYPES,
  kind: FINDING_KINDS,
};

/** All words of ours that cells can have: they are shown as they are stored. */
export const OUR_WORDS: ReadonlySet<string> = new Set(Object.values(WORDS).flat());

/** A booking with what several of its cells need. */
interface ViewedBooking extends StateNow {
  readonly booking: LedgerBooking;
  /** When it was made, milliseconds since 1970. */
  readonly made: number | undefined;
  readonly sale: LedgerOperation | undefined;
  readonly currency: string | undefined;
  readonly unnamed: number | undefined;
}

/** The cell of an amount, in the currency of the booking. */
function bookingAmount(money: (booking: LedgerBooking) => Money | undefined): CellOf<ViewedBooking> {
  return ({ booking, currency }) => amountNumber(inCurrency(currency, money(booking)));
}

const bookingView = view<ViewedBooking>({
  name: 'booking',
  row: 'a booking made or read here, as it was last read',
  columns: {
    locator: ({ booking }) => booking.locator,
    'state -- held, in_doubt (a hold with an unsettled act), ticketed, partly_cancelled, cancelled, released (cancelled, never paid), expired, flown':
      ({ state }) => state,
    'made_by -- caller; null: only read here': ({ booking }) => booking.madeBy,
    made_at: ({ made }, ctx) => atDesk(made, ctx),
    'minutes_held:real -- until paid here or expired': ({ made, sale, lapsed }) =>
      minutesBetween(made, sale?.createdAt ?? lapsed),
    'route -- QCA-XMD-QCA': ({ booking }) => booking.route,
    'departs_at -- first departure': ({ booking: { departs, legs } }) => atStation(departs ?? legs?.[0]?.departs),
    'passengers:integer': ({ booking }) => booking.passengers?.length,
    'is_group:integer -- 1: a group': ({ booking, unnamed }) => (booking.isGroup || unnamed ? 1 : 0),
    'unnamed:integer -- of a group, without a name yet': ({ unnamed }) => unnamed,
    'contact -- name of the contact': ({ booking }) => contactOf(booking),
    "customer -- the desk's own key": ({ booking: { customer } }) => customer && cleanText(customer, 64),
    'price:amount': bookingAmount(({ sums }) => sums?.total),
    'paid:amount': bookingAmount(({ sums }) => sums?.paid),
    'payment_type -- of the payment here': ({ sale }) => sale?.facts?.paymentType,
    'refunded:amount -- also what is still to come; 0: paid, nothing refunded': bookingAmount(refundedOf),
    'received:amount -- of it, paid out already; null: not known': bookingAmount(receivedOf),
    'still_to_come:amount -- of it, not paid out yet; null: not known': bookingAmount(({ sums }) => sums?.toCome),
    currency: ({ booking, currency }) => currency ?? booking.currency,
    'pay_by -- null: nothing is to be paid': ({ booking }, ctx) => atDesk(instantOf(booking.payBy), ctx),
    'lapsed_at -- of an unpaid hold: when it expired': ({ lapsed }, ctx) => atDesk(lapsed, ctx),
    names_by: ({ booking }, ctx) => atDesk(instantOf(booking.namesUntil), ctx),
    'seen_at -- when the airline last showed it': ({ booking }, ctx) => atDesk(booking.seenAt, ctx),
  },
  each: ['bookings'],
  beside: {
    operations: ['state', 'lapsed_at', 'minutes_held'],
    makings: ['made_at', 'minutes_held', 'payment_type'],
    sales: ['minutes_held', 'payment_type'],
  },
  indexes: ['locator'],
  rows({ bookings, operations, makings, sales }, ctx) {
    const madeAt = new Map(makings.map((making) => [locatorOf(making), making.createdAt]));
    const stateNow = statesNow(operations, ctx);
    // The last payment of each locator.
    const saleFor = new Map(sales.map((sale) => [locatorOf(sale), sale]));

    return bookings.map((booking) => {
      const { locator, passengers, sums = {} } = booking;
      const made = instantOf(booking.createdAt) ?? madeAt.get(locator);

      return {
        ...stateNow(booking),
        booking,
        made,
        sale: saleOf(booking, made, saleFor.get(locator)),
        currency: (sums.total ?? sums.paid ?? sums.refunded)?.currency,
        unnamed: passengers?.filter(({ unnamed }) => unnamed === true).length,
      };
    });
  },
});

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
  // Entries of 0.2.0 have no sums, and what the airline cancelled nobody released.
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

/** A leg of a booking with its place in it. */
interface SegmentRow extends StateNow {
  readonly booking: LedgerBooking;
  readonly leg: LedgerLeg;
  readonly i: number;
}

const segmentView = view<SegmentRow>({
  name: 'segment',
  row: 'one leg of a booking as it is now',
  columns: {
    locator: ({ booking }) => booking.locator,
    'n:integer -- 1 is the first leg': ({ i }) => i + 1,
    'train -- or flight': ({ leg }) => leg.train,
    from_code: ({ leg }) => leg.from,
    'from_name -- null until routes are read': ({ leg }, { placeName }) => placeName?.(leg.from),
    to_code: ({ leg }) => leg.to,
    to_name: ({ leg }, { placeName }) => placeName?.(leg.to),
    departs_at: ({ leg }) => atStation(leg.departs),
    departs_on: ({ leg }) => leg.day ?? dateOf(leg.departs),
    arrives_at: ({ leg }) => atStation(leg.arrives),
    class: ({ leg }) => leg.class,
    'status -- confirmed, active (no code sent), waitlisted, cancelled …': ({ leg }) => leg.status,
    'state -- of the booking': ({ state }) => state,
    'passengers:integer -- of the booking': ({ booking }) => booking.passengers?.length,
    'contact -- of the booking': ({ booking }) => contactOf(booking),
  },
  each: ['bookings'],
  beside: { operations: ['state'] },
  indexes: ['locator', 'departs_on'],
  rows({ bookings, operations }, ctx) {
    const stateNow = statesNow(operations, ctx);
    return bookings.flatMap((booking) => {
      const now = stateNow(booking);
      return (booking.legs ?? []).map((leg, i) => ({ ...now, booking, leg, i }));
    });
  },
});

interface PassengerRow {
  readonly locator: string;
  readonly one: NonNullable<LedgerBooking['passengers']>[number];
  readonly i: number;
}

const passengerView = view<PassengerRow>({
  name: 'passenger',
  row: 'one passenger of a booking',
  columns: {
    locator: ({ locator }) => locator,
    'n:integer': ({ i }) => i + 1,
    'type -- adult, child, infant': ({ one }) => passengerTypeWord(cleanCode(one.type)),
    'name -- surname and initial; null: of a group, none yet, or long after the trip': ({ one: { name } }) =>
      name && plainText(name, 80),
    'seat -- by leg, as coach/seat': ({ one: { seats } }) =>
      seats?.some((seat) => seat !== '') ? seats.map((seat) => seat || '-').join(', ') : undefined,
    'services -- wheelchair, meal …: code and status': ({ one }) => one.services?.join(', '),
  },
  each: ['bookings'],
  indexes: ['locator'],
  rows: ({ bookings }) =>
    bookings.flatMap(({ locator, passengers = [] }) => passengers.map((one, i) => ({ locator, one, i }))),
});

interface OperationLegRow {
  readonly id: string;
  readonly leg: Partial<SoldLeg>;
  readonly i: number;
}

const operationLegView = view<OperationLegRow>({
  name: 'operation_leg',
  row: 'one leg of an operation as it was then: for a payment as sold, for an exchange the new one',
  columns: {
    'id -- of the operation': ({ id }) => id,
    'n:integer -- 1 is the first leg': ({ i }) => i + 1,
    train: ({ leg }) => leg.train,
    from_code: ({ leg }) => leg.from,
    to_code: ({ leg }) => leg.to,
    departs_at: ({ leg }) => atStation(leg.departs),
    departs_on: ({ leg: { departs, day } }) => departs && (day ?? dateOf(departs)),
    fare: ({ leg }) => leg.fare,
    'price:amount -- of all passengers; null: one price for several legs': ({ leg }) => amountNumber(leg.price),
    currency: ({ leg }) => leg.price?.currency,
  },
  each: ['operations'],
  fields: () => ['facts'],
  indexes: ['id', 'train'],
  rows: ({ operations }) => operations.flatMap(({ id, facts = {} }) => legsOf(facts).map((leg, i) => ({ id, leg, i }))),
});

interface QuestionRow {
  readonly question: KeptQuestion;
  readonly decision: QuestionOutcome;
  /** The question, if it got a yes or a no. */
  readonly answered: KeptQuestion | undefined;
}

const questionView = view<QuestionRow>({
  name: 'question',
  row: 'one question for a yes',
  columns: {
    'id -- of the operation that a yes becomes': ({ question }) => question.operationId,
    tool: ({ question }) => question.tool,
    locator: ({ question }) => question.locator,
    asked_by: ({ question }) => question.caller,
    asked_at: ({ question }, ctx) => atDesk(question.askedAt, ctx),
    answered_at: ({ answered }, ctx) => atDesk(answered?.decidedAt, ctx),
    'decision -- yes, no, lapsed, withdrawn (asked anew or overtaken), waiting': ({ decision }) => decision,
    'waited_minutes:real -- until the answer': ({ answered }) => minutesBetween(answered?.askedAt, answered?.decidedAt),
    channel: ({ answered }) => answered?.assurance && CHANNELS[answered.assurance],
    approver: ({ answered }) => answered?.approver ?? answered?.caller,
    direction: ({ question }) => question.direction,
    'asked_amount:amount -- at most': ({ question: { amountMinor: minor, currency } }) =>
      minor === undefined || currency === undefined ? undefined : amountNumber({ minor, currency }),
    currency: ({ question }) => question.currency,
  },
  each: ['questions'],
  place: ({ question }) => question.askedAt,
  indexes: ['locator', 'id'],
  rows: ({ questions }, { now }) =>
    questions.filter(wasAsked).map((question) => {
      const decision = questionOutcome(question, now);
      const isAnswered = decision === 'yes' || decision === 'no';
      return { question, decision, answered: isAnswered ? question : undefined };
    }),
});

/** Minutes with two decimals. */
function minutesBetween(from: number | undefined, to: number | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  return Math.round((to - from) / (MINUTE_MS / 100)) / 100;
}

interface ChangeRow {
  readonly finding: Finding;
  /** The booking that has the locator now. */
  readonly named: LedgerBooking | undefined;
  /** The booking, if it is the one that changed. */
  readonly booking: LedgerBooking | undefined;
}

const changeView = view<ChangeRow>({
  name: 'change',
  row: 'something that the airline changed by itself',
  columns: {
    seen_at: ({ finding }, ctx) => atDesk(finding.seenAt, ctx),
    'kind -- segment_cancelled, retimed, schedule_change, refunded, booking_cancelled …': ({ finding }) => finding.kind,
    locator: ({ finding }) => finding.locator,
    train: ({ finding: { segment }, named }) => segment && trainName(cleanCode(segment.number, 12), named?.legs),
    departs_on: ({ finding: { segment, departsAt } }, ctx) =>
      dayAtStation(segment?.departs) ?? dayAtDesk(departsAt, ctx),
    'passengers:integer -- of the booking': ({ booking }) => booking?.passengers?.length,
    'refunded:amount -- of the booking, for all its changes': ({ booking }) =>
      amountNumber(booking && refundedOf(booking)),
    currency: ({ booking }) => booking && refundedOf(booking)?.currency,
    'closed_at -- null: nobody has dealt with it': ({ finding }, ctx) => atDesk(finding.closedAt, ctx),
    closed_by: ({ finding }) => finding.closedBy,
    'what -- in words': ({ finding }, ctx) => ctx.changeWords(finding),
  },
  each: ['findings'],
  beside: { bookings: ['train', 'passengers', 'refunded', 'currency'] },
  indexes: ['locator'],
  rows({ findings, bookings }) {
    const byLocator = new Map(bookings.map((booking) => [booking.locator, booking]));
    return findings.map((finding) => {
      const named = byLocator.get(finding.locator);
      return { finding, named, booking: named && isAbout(finding, named) ? named : undefined };
    });
  },
});

/** A train as the booking's legs name it, so that both views join: a change has only the number. */
function trainName(number: string, legs: LedgerBooking['legs'] = []): string {
  return legs.find(({ train }) => train.endsWith(number))?.train ?? number;
}

const historyView = view<HistoryEntry>({
  name: 'history',
  row: 'what happened to a booking, a sentence each, in order',
  columns: {
    locator: ({ locator }) => locator,
    at: ({ at }, ctx) => atDesk(at, ctx),
    what: ({ what }) => what,
  },
  each: ['operations', 'questions', 'findings'],
  beside: { questions: [] },
  place: ({ at }) => at,
  indexes: ['locator'],
  rows: bookingHistory,
});

const failureView = view<FailureCount>({
  name: 'failure',
  row: 'failed calls by hour, tool, code and caller, last 30 days',
  keptDays: 30,
  columns: {
    'hour_at -- its begin': ({ hour }, ctx) => atDesk(hour, ctx),
    'tool -- unknown: no such tool': ({ tool }) => tool,
    code: ({ code }) => code,
    'asked_by -- caller': ({ caller }) => caller,
    'calls:integer': ({ calls }) => calls,
  },
  each: ['failures'],
  indexes: [],
  supervisorsOnly: true,
  rows: ({ failures }) => failures,
});

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
    columns: viewColumns.map(({ name: column, type, isAmount }) => ({
      name: column,
      type,
      isAmount,
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
