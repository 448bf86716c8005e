/**
 * Replaces a flight of a paid booking by another. In order: what proves it and what it changes, the act, the tool, its terms, and its
 * report.
 */
import * as z from 'zod';
import { rideText } from '../../approvals/outcome-words.ts';
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { formatMoney, type Money, showAmount, showMoney } from '../../core/money.ts';
import { localMinute, showTrip } from '../../core/times.ts';
import { present } from '../../core/words.ts';
import {
  activeSegments,
  type Booking,
  type JudgedDeed,
  type Segment,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { paymentsOf } from '../../domain/booking/paid-and-refunded.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { ACTIVE_SEGMENT, isLost, orderStatus } from '../../domain/booking/status-codes.ts';
import { withoutSegments, withState } from '../../domain/facts/cancelled-parts.ts';
import {
  earlierOrders,
  noteRefunds,
  type PaymentsBefore,
  type RefundsBefore,
} from '../../domain/facts/expected-change.ts';
import { type KeptSegment, readFlight, type StatedFlight } from '../../domain/facts/flight-rows.ts';
import type { KeptReading } from '../../domain/facts/kept-reading.ts';
import {
  type FlightKey,
  findFlight,
  flightKey,
  inAnotherClass,
  isFlight,
  rebookedSegment,
  sameFlight,
} from '../../domain/facts/pair.ts';
import type { KeptPerson } from '../../domain/facts/person-rows.ts';
import { orderMade, refundMade, type Touch, type TouchedReadings } from '../../domain/facts/touches.ts';
import { type ActEvidence, type ActPart, expectedBy, type Overcharge } from '../../journal/act.ts';
import { type Verdict, without } from '../../journal/evidence.ts';
import type { Outcome } from '../../journal/operation.ts';
import { type Done, isAssumed, type ResultOf, type ToolContext, vehicleOf } from '../definition/define.ts';
import { noted, optionalStrings, strings } from '../definition/field-notes.ts';
import { EXAMPLE_BOOKING, OFFER, segmentRef, text } from '../definition/input-fields.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { refuse } from '../rules/why-not.ts';
import { tripFromOffers } from '../steps/offers.ts';
import { refundOrderStatus } from '../views/refund-made.ts';
import { type ChangeTerms, defineBookingChange } from './booking-change.ts';
import {
  boundOfPart,
  fitConnection,
  flightInClass,
  isPart,
  oneFlight,
  partFlight,
  partNow,
  type RebookArgs,
} from './rebook-connection.ts';
import { chargeNow, rebookSections, withinApproved } from './rebook-terms.ts';
import { type ByOffer, chargeNote, chargeWarnings, expectByOffer } from './rebooking-by-offer.ts';
import {
  ASSUMED,
  NOT_OFFERED,
  replacedSegment,
  replacementFlight,
  whyNotAlone,
  whyNotRebook,
  whyNotRebookAny,
  whyNotRebookOne,
  whyNotWhole,
} from './replacement-flight.ts';

const SEVERAL_FLIGHTS = 'expected the offer of one flight: the airline changes those of this one by one.';
const IN_A_PLAN =
  'Call propose_plan with this step, then run_plan: one person is asked once for all its flights. Without these tools, search_fares with instead_of says what a new booking costs, with the old one cancelled.';
const NEW_SEATS = 'The airline gives new seats: get_seat_map shows them, assign_seats changes them.';

/** What a rebooking is expected to change, and what proves it (docs/wire/notes.md, Changes). */
export type RebookSegment = RefundsBefore &
  PaymentsBefore & {
    readonly kind: 'rebook_segment';
    readonly replaced: FlightKey;
    readonly wanted: FlightKey;
    /** The other active flights: they must stay active. */
    readonly kept: readonly FlightKey[];
    /** The most that was approved; absent if it was not known. */
    readonly atMost?: Money;
    /** As what the new flight was offered. Absent in operations of 0.2.0. */
    readonly offered?: OfferedAs;
    /** What it comes to by the offer. Absent where the offer has no price for this flight alone, and in operations of 0.2.0. */
    readonly byOffer?: ByOffer;
  };

/** What an offer states of its flight beside stations, departure, number and class. */
type OfferedAs = Omit<StatedFlight, 'from' | 'to' | 'departs' | 'number' | 'bookingClass'>;

export function expectRebookedSegment(
  booking: Booking,
  replaced: Segment,
  wanted: Segment,
  { atMost, offered, byOffer }: Pick<RebookSegment, 'atMost' | 'byOffer'> & { readonly offered?: Segment } = {},
): RebookSegment {
  const staying = activeSegments(booking).filter(({ ref }) => ref !== replaced.ref);
  return {
    kind: 'rebook_segment',
    replaced: flightKey(replaced),
    wanted: flightKey(wanted),
    kept: staying.map(flightKey),
    earlierPayments: earlierOrders(paymentsOf(booking)),
    ...noteRefunds(booking),
    atMost,
    offered: offered && offeredAs(offered),
    byOffer,
  };
}

function offeredAs(segment: Segment): OfferedAs {
  const { ref: _r, from: _f, to: _t, departs: _d, number: _n, bookingClass: _c, ...stated } = readFlight(segment);
  return stated;
}

/**
 * Says how much more the airline charged than was approved, less what it refunded. Undefined if it states no charge, or no more
 * than was approved. In another currency nothing was approved.
 */
export function overcharge(
  { atMost }: Pick<RebookSegment, 'atMost'>,
  { charge, refund }: Pick<Outcome, 'charge' | 'refund'> = {},
): Overcharge | undefined {
  if (atMost === undefined || charge === undefined) return undefined;
  const { currency, minor } = charge.amount;
  const refunded = refund?.amount.currency === currency ? refund.amount.minor : 0;
  const charged = { minor: minor - refunded, currency };
  const approvedMinor = currency === atMost.currency ? atMost.minor : 0;
  return charged.minor > approvedMinor ? { approved: atMost, charged } : undefined;
}

const rebookEvidence: ActEvidence<RebookSegment> = {
  kind: 'rebook_segment',
  reading: judgeRebooked,
  toCheck: () => 'which flights are booked, and what was charged or refunded',
};

/** Judges by flight and class: the new segment may have any ref. Another class counts as done; the result names it. */
function judgeRebooked(expected: RebookSegment, booking: Booking): Verdict {
  const { kept, wanted, replaced } = expected;
  if (segmentsOf(booking).length === 0) return 'void';

  const others = without(activeSegments(booking).map(flightKey), kept, sameFlight);
  if (others === undefined) return 'contradicted';

  const isNew = (flight: FlightKey) => sameFlight(flight, wanted) || inAnotherClass(flight, expected);
  const isOld = (flight: FlightKey) => sameFlight(flight, replaced);
  if (!others.every((flight) => isNew(flight) || isOld(flight))) return 'contradicted';
  // A flight without a class can be either.
  if (others.some((flight) => isNew(flight) && isOld(flight))) return 'void';

  const [other, ...more] = others;
  if (other === undefined || more.length > 0) return 'partial';

  return isNew(other) ? 'done' : 'not_done';
}

/** The change of flight, and whether the reading shows it: the new flight, or still the old one. One without a class can be either. */
function rebookDeeds(expected: RebookSegment, booking: Booking): readonly JudgedDeed[] {
  const fresh = rebookedSegment(expected, booking);
  const old = activeSegments(booking).find((segment) => sameFlight(flightKey(segment), expected.replaced));
  const segment = fresh ?? old;
  if (segment === undefined || fresh === old) return [];
  return [{ kind: 'rebooking', segmentRefs: [segment.ref], travelerRefs: [], isShown: fresh !== undefined }];
}

/** The new flight in place of the old one. The others keep their rules and limits. */
const flightReplaced = (expected: RebookSegment): Touch => ({
  leaves: expected.byOffer ?? {},
  explains: [(readings) => withNewFlight(expected, readings)],
  closes: (_, closing) => closing.isOn(expected.replaced),
  deeds: (booking) => rebookDeeds(expected, booking),
});

/**
 * Replaces the flight in the reading before. The first row that holds counts:
 *
 * | 1 | before, no old flight is known, or the new one is | nothing to explain: as it was                 |
 * | 2 | the reading shows the new flight                  | the old flight becomes the new one            |
 * | 3 | the change is done, and should be shown by now    | the same, without what the reading would show |
 * | 4 | anything else                                     | not decided yet: undefined                    |
 */
function withNewFlight(
  { replaced, wanted, offered }: RebookSegment,
  { before, reading, isDone, isLate }: TouchedReadings,
): KeptReading | undefined {
  const isOld = (segment: KeptSegment) => isFlight(segment, replaced);
  const findNew = (segments: readonly KeptSegment[]) =>
    findFlight(
      wanted,
      segments.filter((segment) => !isLost(segment) && !isOld(segment)),
    );

  const oldIndex = before.segments.findIndex(isOld);
  const oldSegment = before.segments[oldIndex];

  // Row 1.
  if (oldSegment === undefined || findNew(before.segments) !== undefined) return before;

  const shownSegment = findNew(reading.segments);
  const shouldShow = isDone && isLate && reading.segments.length > 0;
  // Row 4; what follows is for rows 2 and 3.
  if (shownSegment === undefined && !shouldShow) return undefined;

  const newSegment = expectedSegment(wanted, offered, shownSegment);
  const isOldListed = reading.segments.some((segment) => isOld(segment) && isLost(segment));
  // An airline that still lists the old flight, as cancelled, lists the new one after all others.
  const newIndex = isOldListed ? before.segments.length : oldIndex;
  const staying = isOldListed ? withoutSegments(before, [oldSegment]).segments : before.segments;
  const segments = staying.toSpliced(newIndex, 1, newSegment);

  const coupons = before.coupons.map((coupon) =>
    // The old seat no longer counts.
    coupon.segment === oldIndex ? { ...coupon, segment: newIndex, seat: undefined } : coupon,
  );
  const persons = before.persons?.map((person) => onNewFlight(person, oldIndex, newIndex));
  const moved = segments.map((segment) => withLimitOfNew(segment, oldSegment, shownSegment));

  return withState({ ...before, segments: moved, coupons, persons }, reading, 'any');
}

/** The flights of a connection have one limit for cancelling, which goes by its first departure: it is that of the new flight. */
function withLimitOfNew(segment: KeptSegment, old: KeptSegment, shown: KeptSegment | undefined): KeptSegment {
  if (segment.cancelUntil === undefined || segment.cancelUntil !== old.cancelUntil) return segment;
  return { ...segment, cancelUntil: shown?.cancelUntil };
}

function onNewFlight(person: KeptPerson, oldIndex: number, newIndex: number): KeptPerson {
  const isOn = person.on?.includes(oldIndex) === true;
  return isOn ? { ...person, on: [...new Set([...(person.on ?? []), newIndex])] } : person;
}

/**
 * Gives the new segment as it was offered and requested, so that what the airline booked otherwise, or has changed since then, shows as a
 * difference. What the offer did not say is as the reading shows it.
 */
function expectedSegment(wanted: FlightKey, offered: OfferedAs = {}, shown: KeptSegment | undefined): KeptSegment {
  const { from, to, departs, number, bookingClass } = wanted;
  const isOnTime = shown !== undefined && isFlight({ ...shown, bookingClass }, wanted);
  const stated = { ...shown, ...offered };

  return {
    ...stated,
    ref: shown?.ref ?? '',
    from,
    to,
    number,
    bookingClass,
    status: ACTIVE_SEGMENT,
    departs: isOnTime ? shown.departs : departs,
    arrives: isOnTime ? stated.arrives : undefined,
  };
}

const act: ActPart<RebookSegment> = {
  ...rebookEvidence,
  countedAs: 'exchange',
  deed: 'rebooking',
  decidesBooking: true,
  scope: 'air:pay',
  word: 'rebooking',
  overcharge,

  title: (expected, outcome = {}) => {
    const { charge } = outcome;
    if (charge === undefined) return 'Rebooked';
    const excess = overcharge(expected, outcome);
    const excessNote = excess === undefined ? '' : `, and at most ${showMoney(excess.approved)} was approved`;
    return `Rebooked; ${showMoney(charge.amount)} charged${excessNote}`;
  },

  changes: (_, booking) => activeSegments(booking).map((segment) => `Now booked: ${rideText(segment)}`),

  // Most rebookings cost money: only a reply that states a refund lets one be expected.
  touches: (expected, { amount }) => [
    flightReplaced(expected),
    ...(amount === undefined ? [] : [refundMade(expected.refundsBefore, { amount })]),
    orderMade(expected.atMost ?? 'any'),
  ],

  whyNot: (booking, { now, dialect, assumedOperations }) =>
    whyNotRebook(booking, now) ?? (isAssumed(ASSUMED, dialect) && !assumedOperations ? NOT_OFFERED : undefined),
};

const statedAmountSchema = () => z.object({ ...strings('amount'), ...optionalStrings('order_status') }).optional();

const moneySchema = () =>
  z.object({
    ...strings('currency'),
    charged: statedAmountSchema(),
    refunded: statedAmountSchema(),
  });

const output = () => ({
  flight: z.object(strings('ref', 'flight', 'departs', 'arrives', 'class')).optional(),
  money: moneySchema().optional().describe('as the airline states it'),
});

type RebookResult = ResultOf<typeof output>;

export const rebookSegment = defineBookingChange({
  act,
  looksUp: ['searchFares'],
  name: 'rebook_segment',
  title: 'Rebook segment',
  description:
    'Replace a train or flight of a paid booking by another, or change its class, for all its passengers; a fee and the fare difference may be due. A person approves. In a plan, also each of a connection.',
  toolset: 'desk',
  assumed: ASSUMED,
  example: { ...EXAMPLE_BOOKING, segment_ref: '1', offer_id: OFFER },

  doing: ({ segment_ref: ref }) => [{ kind: 'rebooking', segmentRefs: [ref], travelerRefs: [] }],

  input: () => ({
    segment_ref: segmentRef(),
    offer_id: noted(
      'The new flight or train, {}.',
      text(20).describe(
        'from search_fares with instead_of, which says the cost before; in a plan also of a connection, or of the whole trip',
      ),
    ),
  }),

  output,

  whyNot: (booking, { now }) => whyNotRebookAny(booking, now),

  async terms(booking, args, ctx) {
    const { part, replaced, trip } = await rebookedNow(booking, args, ctx);
    const problems = new InputProblems({ hidesDetails: await ctx.state.enteredOnPage(booking) });
    const option =
      part === undefined ? replacementFlight(booking, replaced.segment, trip, problems) : partFlight(part, problems);
    problems.assertNone();

    const [fresh = replaced.segment] = option.segments;
    const asOffered = segmentsOf({ options: trip.offered })[part?.place ?? 0];
    const passengers = trip.passengers;

    const charge = withinApproved(await chargeNow(booking, replaced, { segment: fresh, passengers }, ctx), part);
    const { atMost } = charge;
    const rebooking = { booking, replaced, fresh, trip, charge, warnings: problems.warnings, part };

    return {
      sold: soldFacts(booking, { segments: [fresh] }),
      facts: { offered: trip.total, flight: flightKey(fresh) },
      binds: part && boundOfPart(part),
      sections: rebookSections(rebooking, ctx),
      act: {
        verb: 'Change',
        object: `${vehicleOf(ctx.settings)} ${flightName(replaced.segment)}`,
        preposition: 'of',
        booking: booking.locator,
        to: part === undefined ? flightName(fresh) : flightInClass(fresh),
        sum: { moves: 'paid', atMost },
      },
      nature: 'payment',
      // Without a bound the amount is unknown, and limits refuse it as they refuse any unknown amount.
      money: { direction: 'payment', amount: atMost, isUpperBound: atMost && true, givenUp: charge.givenUp },
      subject: expectRebookedSegment(booking, replaced.segment, fresh, {
        atMost,
        offered: asOffered,
        // The offer of a connection has no price for one of its flights.
        byOffer: part === undefined ? expectByOffer(booking, replaced, trip, charge) : undefined,
      }),
      warnings: problems.warnings,
      modification: { kind: 'rebook_segment', booking: booking.reading, replacedRef: replaced.segment.ref, option },
    } satisfies ChangeTerms;
  },

  report(done) {
    const flight = newSegment(done);
    const { locator } = done.operation;

    const expected = expectedBy(act, done.operation);
    const classWarning = flight && otherClassWarning(expected, flight);
    const { outcome } = done.operation;

    const money = viewMoney(done);
    const replacementNote = flight ? `: ${replacementText(flight, done.args.segment_ref)}` : '';
    const moneyNote = money === undefined ? ' The airline did not state what it charged or gave back.' : '';

    return {
      summary: `${overchargeWarning(done)}Rebooked in booking ${locator}${replacementNote}.${moneyNote}${chargeNote(expected ?? {}, outcome)}`,
      next: NEW_SEATS,
      warnings: present([classWarning, ...chargeWarnings(expected ?? {}, outcome)]),
      added: { flight: flight && viewFlight(flight), money },
    };
  },

  text: ({ flight, money }) => [
    flight &&
      `  ${cleanRef(flight.ref)}  ${flight.flight}  ${showTrip(flight.departs, flight.arrives)}, class ${flight.class}`,
    ...moneyText(money),
  ],
});

/** Finds what is replaced now, and by what. Throws ClerkError if it cannot be. */
async function rebookedNow(booking: Booking, args: RebookArgs, ctx: ToolContext) {
  if (isPart(args)) {
    const trip = await tripFromOffers([args.offer_id], ctx);
    const part = partNow(args, booking, trip);
    refuse(booking, whyNotAlone(booking, part.segment, ctx.now()));
    return { part, trip, replaced: { ...oneFlight(part.segment), segment: part.segment } };
  }

  const replaced = replacedSegment(booking, args.segment_ref);
  refuse(booking, whyNotRebookOne(booking, replaced.segment, ctx.now()));

  const trip = await tripFromOffers([args.offer_id], ctx);
  const fit = fitConnection(booking, replaced, trip);
  if (fit.kind === 'unfit') throw fit.error;
  if (fit.kind === 'fits') throw inputError('offer_id', SEVERAL_FLIGHTS, IN_A_PLAN);

  refuse(booking, whyNotWhole(replaced));
  return { part: undefined, replaced, trip };
}

/** Says which segment is the new one: most airlines give it another ref. */
function replacementText(flight: Segment, replacedRef: string): string {
  const name = flightName(flight);
  if (flight.ref === replacedRef) return `segment ${cleanRef(replacedRef)} is now ${name}`;
  return `segment ${cleanRef(flight.ref)}, ${name}, replaces segment ${cleanRef(replacedRef)}`;
}

function newSegment({ booking, operation }: Done<unknown>): Segment | undefined {
  const expected = expectedBy(act, operation);
  return expected && booking && rebookedSegment(expected, booking);
}

/** Warns that the airline booked another class than was approved (docs/wire/notes.md, Changes). */
function otherClassWarning(
  expected: Pick<RebookSegment, 'replaced' | 'wanted'> | undefined,
  segment: Segment,
): string | undefined {
  if (expected === undefined || !inAnotherClass(flightKey(segment), expected)) return undefined;
  const bookedClass = cleanCode(segment.bookingClass ?? '');
  const approvedClass = cleanCode(expected.wanted.bookingClass ?? '');
  return `Segment ${cleanRef(segment.ref)} is booked in class ${bookedClass}, not in ${approvedClass} as approved; its rules may differ. Tell the person.`;
}

/** Warns that the airline charged more than was approved. It begins the summary. Empty if it did not. */
function overchargeWarning({ operation }: Done<unknown>): string {
  const expected = expectedBy(act, operation);
  const excess = expected && overcharge(expected, operation.outcome);
  if (excess === undefined) return '';
  const { approved, charged } = excess;
  return `The airline charged ${showMoney(charged)}, and at most ${showMoney(approved)} was approved: tell the person first. `;
}

function viewFlight(segment: Segment): NonNullable<RebookResult['flight']> {
  const { ref, departs, arrives, bookingClass = '' } = segment;
  return {
    ref,
    flight: flightName(segment),
    departs: localMinute(departs),
    arrives: localMinute(arrives),
    class: cleanCode(bookingClass),
  };
}

function viewMoney({ operation: { outcome } }: Done<unknown>): RebookResult['money'] {
  const { charge, refund } = outcome ?? {};
  const currency = (charge ?? refund)?.amount.currency;
  if (currency === undefined) return undefined;

  const viewAmount = (stated: typeof charge) => {
    if (stated?.amount.currency !== currency) return undefined;
    const { amount, orderStatus: status } = stated;
    const statusWord = stated === refund ? refundOrderStatus : orderStatus;
    return { amount: formatMoney(amount), order_status: status && statusWord(status) };
  };

  return { currency, charged: viewAmount(charge), refunded: viewAmount(refund) };
}

function moneyText(money: RebookResult['money']): readonly string[] {
  if (money === undefined) return [];
  const rows = [['Charged', money.charged] as const, ['Refunded', money.refunded] as const];
  return rows.flatMap(([what, amount]) => {
    if (amount === undefined) return [];
    const order = amount.order_status ? ` (${amount.order_status})` : '';
    return [`${what} by the airline: ${showAmount(amount.amount, money.currency)}${order}.`];
  });
}
