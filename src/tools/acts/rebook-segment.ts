/** Replaces a flight of a paid booking by another: the tool, its act with what it charged, and its evidence. */
import * as z from 'zod';
import { rideText } from '../../approvals/outcome-words.ts';
import { cleanCode, MOST_WORDS, plainText, quotedWords } from '../../core/clean-text.ts';
import { formatMoney, type Money, showAmount, showMoney, subtractMoney } from '../../core/money.ts';
import { dateOf, localMinute, showTrip } from '../../core/times.ts';
import {
  activeSegments,
  type Booking,
  type Segment,
  type SegmentOption,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import {
  earlierOrders,
  type FlightKey,
  flightKey,
  inAnotherClass,
  type PaymentsBefore,
  type RefundsBefore,
  rebookedSegment,
  refundsBefore,
  sameFlight,
} from '../../domain/booking/expected-change.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import type { KeptCoupon, KeptSegment } from '../../domain/booking/kept-reading.ts';
import { isLost } from '../../domain/booking/kept-reading.ts';
import {
  isNear,
  type OperationEffect,
  refundShown,
  withoutSegments,
  withState,
} from '../../domain/booking/operation-effects.ts';
import { amountPaid, paymentsOf } from '../../domain/booking/paid-and-refunded.ts';
import { digitsOnly, isSameTime } from '../../domain/booking/pair-readings.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { orderStatus } from '../../domain/booking/status-codes.ts';
import { type ChangeCharge, changeCharge, faresOfClass, paidFor } from '../../domain/pricing/estimate-change-charge.ts';
import type { PassengerCounts } from '../../domain/pricing/offers.ts';
import { type ActEvidence, type ActPart, expectedBy, type Overcharge } from '../../journal/act.ts';
import { type Verdict, without } from '../../journal/evidence.ts';
import type { Outcome } from '../../journal/operation.ts';
import { type Done, isAssumed, type ResultOf, readCall, type ToolContext, vehicleOf } from '../definition/define.ts';
import { noted, optionalStrings, strings, usual } from '../definition/field-notes.ts';
import { OF, OFFER, segmentRef, text } from '../definition/input-fields.ts';
import { InputProblems } from '../rules/input-problems.ts';
import { type Refusal, refusalOf, refuse, refusedSegments, withWayByHand } from '../rules/why-not.ts';
import { tripFromOffers } from '../steps/offers.ts';
import { refundOrderStatus } from '../views/refund-made.ts';
import { peopleSection, section, tripSection } from '../views/terms-text.ts';
import { type ChangeTerms, defineBookingChange, noteLines } from './booking-change.ts';
import {
  ASSUMED,
  byHandText,
  NOT_OFFERED,
  replacedSegment,
  replacementFlight,
  whyNotRebook,
  whyNotRebookAny,
  whyNotRebookOne,
} from './replacement-flight.ts';

/** What a rebooking is expected to change, and what proves it (docs/wire/notes.md, Changes). */
type RebookSegment = RefundsBefore &
  PaymentsBefore & {
    readonly kind: 'rebook_segment';
    readonly replaced: FlightKey;
    readonly wanted: FlightKey;
    /** Active before and not replaced: must stay active. */
    readonly kept: readonly FlightKey[];
    /** The most that was approved; absent if it was not known. */
    readonly atMost?: Money;
  };

export function expectRebookedSegment(
  booking: Booking,
  replaced: Segment,
  wanted: Segment,
  atMost?: Money,
): RebookSegment {
  const kept = activeSegments(booking).filter(({ ref }) => ref !== replaced.ref);
  return {
    kind: 'rebook_segment',
    replaced: flightKey(replaced),
    wanted: flightKey(wanted),
    kept: kept.map(flightKey),
    earlierPayments: earlierOrders(paymentsOf(booking)),
    ...refundsBefore(booking),
    atMost,
  };
}

/** Undefined where the airline states no charge, or no more than was approved. In another currency, nothing was approved. */
export function overcharge(
  { atMost }: Pick<RebookSegment, 'atMost'>,
  { charge, refund }: Pick<Outcome, 'charge' | 'refund'> = {},
): Overcharge | undefined {
  if (atMost === undefined || charge === undefined) return undefined;
  const { currency, minor } = charge.amount;
  const back = refund?.amount.currency === currency ? refund.amount.minor : 0;
  const charged = { minor: minor - back, currency };
  if (currency !== atMost.currency) return charged.minor > 0 ? { approved: atMost, charged } : undefined;
  if (charged.minor <= atMost.minor) return undefined;
  return { approved: atMost, charged, above: subtractMoney(charged, atMost) };
}

const rebookEvidence: ActEvidence<RebookSegment> = {
  kind: 'rebook_segment',
  reading: judgeRebooked,
  toCheck: () => 'which flights are booked, and what was charged or refunded',
};

/** By flight and class: the new segment may have any pointer. Another class counts as done; the result names it. */
function judgeRebooked(expected: RebookSegment, booking: Booking): Verdict {
  const { replaced, wanted, kept } = expected;
  if (segmentsOf(booking).length === 0) return 'void';
  const left = without(activeSegments(booking).map(flightKey), kept, sameFlight);
  if (left === undefined) return 'contradicted';
  const isFresh = left.map((remaining) => sameFlight(remaining, wanted) || inAnotherClass(remaining, expected));
  const isOld = left.map((segment) => sameFlight(segment, replaced));
  if (left.some((_, i) => isFresh[i] !== true && isOld[i] !== true)) return 'contradicted';
  // A segment without a class may be either.
  if (left.some((_, i) => isFresh[i] === isOld[i])) return 'void';
  if (left.length !== 1) return 'partial';
  return isFresh[0] === true ? 'done' : 'not_done';
}

/** Which differences between two readings our own change made: watching reports no finding of them. */
const rebooked =
  ({ replaced, wanted }: { readonly replaced: FlightKey; readonly wanted: FlightKey }): OperationEffect =>
  (readings) => {
    const { before, reading, isDone, isLate } = readings;
    const isWanted = (segment: KeptSegment) => isNear(segment, wanted) && !isLost(segment) && !isReplaced(segment);
    const isReplaced = (keptSegment: KeptSegment) =>
      isNear(keptSegment, replaced) &&
      digitsOnly(keptSegment.number) === replaced.number &&
      isSameTime(keptSegment.departs, replaced.departs) &&
      (keptSegment.class ?? replaced.bookingClass) === (replaced.bookingClass ?? keptSegment.class);
    const at = before.segments.findIndex(isReplaced);
    const was = before.segments[at];
    if (was === undefined || before.segments.some(isWanted)) return before;
    const now = reading.segments.find(isWanted);
    if (now === undefined && !(isDone && isLate && reading.segments.length > 0)) return undefined;
    const fresh = segmentFor(wanted, now);
    const isListed = reading.segments.some((shown) => isReplaced(shown) && isLost(shown));
    const place = isListed ? before.segments.length : at;
    const kept = isListed ? withoutSegments(before, [was]).segments : before.segments;
    const segments = isListed ? [...kept, fresh] : kept.with(at, fresh);
    const coupons = before.coupons.map((earlier): KeptCoupon => {
      const { seat: _, ...coupon } = earlier;
      return earlier.segment === at ? { ...coupon, segment: place } : earlier;
    });
    return withState({ ...before, segments, coupons }, reading, 'any');
  };

/** As it was asked for: what the airline has changed since then differs. */
function segmentFor({ from, to, departs, number, bookingClass }: FlightKey, now: KeptSegment | undefined): KeptSegment {
  const isOnTime = now !== undefined && isSameTime(now.departs, departs);
  return {
    ref: now?.ref ?? '',
    from,
    to,
    number,
    departs: isOnTime ? now.departs : departs,
    arrives: isOnTime ? now.arrives : '',
    status: '30',
    class: bookingClass,
  };
}

const act: ActPart<RebookSegment> = {
  ...rebookEvidence,
  countedAs: 'exchange',
  scope: 'air:pay',
  word: 'rebooking',
  overcharge,
  title: (expected, outcome = {}) => {
    const { charge } = outcome;
    const excess = overcharge(expected, outcome);
    const excessNote = excess === undefined ? '' : `, ${aboveText(excess)}`;
    return `Rebooked${charge === undefined ? '' : `; ${showMoney(charge.amount)} charged${excessNote}`}`;
  },
  changes: (_, booking) => activeSegments(booking).map((segment) => `Now booked: ${rideText(segment)}`),
  // Most rebookings are charged: only a reply that states a refund lets one be expected.
  effects: (expected, refund) => [
    rebooked(expected),
    ...(refund === undefined ? [] : [refundShown(expected.refundsBefore, refund)]),
  ],
  closes: ({ replaced }, _, closing) => closing.isOn(replaced),
  whyNot: (booking, { now, dialect, assumedOperations }) =>
    withWayByHand(
      whyNotRebook(booking, now) ?? (isAssumed(ASSUMED, dialect) && !assumedOperations ? NOT_OFFERED : undefined),
    ),
  whyNotSegments: (booking, { now }) =>
    refusedSegments(booking, (segment) => withWayByHand(whyNotRebookOne(booking, segment, now))),
};

const statedAmountSchema = () =>
  z
    .object({ ...strings(usual('amount')), ...optionalStrings({ order_status: "status of the airline's order" }) })
    .optional();

const money = () =>
  z.object({
    ...strings(usual('currency')),
    charged: noted('what the change cost', statedAmountSchema()),
    refunded: noted('what comes back', statedAmountSchema()),
  });

const output = () => ({
  flight: noted(
    'the flight or train of the booking now',
    z.object(strings(usual('ref', 'flight', 'departs', 'arrives', 'class'))).optional(),
  ),
  money: noted('what was charged and refunded', money().optional().describe('as the airline states it')),
});

const CLASS_TERM = 'The airline may book another class than asked, at another price; the result says so.';

type RebookResult = ResultOf<typeof output>;

export const rebookSegment = defineBookingChange({
  act,
  name: 'rebook_segment',
  title: 'Rebook segment',
  description:
    'Replace one train or flight of a paid booking by another, or change its class, for all its passengers; a fee and the fare difference may be due. A person approves.',
  toolset: 'desk',
  assumed: ASSUMED,
  example: `${OF} segment_ref=1 offer_id=${OFFER}`,
  input: () => ({
    segment_ref: segmentRef(),
    offer_id: noted(
      'The new flight or train, {}.',
      text(20).describe('from search_fares with instead_of, which says the cost before'),
    ),
  }),
  output,

  whyNot: (booking, { now }) => whyNotRebookAny(booking, now),

  async terms(booking, args, ctx) {
    const replaced = replacedSegment(booking, args.segment_ref);
    const refusal = whyNotRebookOne(booking, replaced.segment, ctx.now());
    if (refusal?.byHand) throw await withCosts(booking, replaced, args.offer_id, refusal, ctx);
    refuse(booking, refusal);
    const trip = await tripFromOffers([args.offer_id], ctx);
    const problems = new InputProblems(await ctx.enteredOnPage(booking));
    const option = replacementFlight(booking, replaced.segment, trip, problems);
    problems.assertNone();
    const [fresh = replaced.segment] = option.segments;
    const vehicle = vehicleOf(ctx.settings);
    const charge = await chargeNow(booking, replaced, { segment: fresh, passengers: trip.passengers }, ctx);
    const { atMost } = charge;
    const cost = atMost === undefined ? 'cost not known' : `at most ${showMoney(atMost)}`;
    return {
      sold: soldFacts(booking, { segments: [fresh] }),
      facts: { offered: trip.total, flight: flightKey(fresh) },
      sections: [
        section(
          'act',
          `Change a ${vehicle} of booking ${booking.locator} for all its passengers. This may cost money and cannot be undone.`,
        ),
        tripSection([replaced.segment], ctx, { before: 'Old: ' }),
        tripSection([fresh], ctx, { before: 'New: ' }),
        section(
          'note',
          // A rule that is only text is not folded away with the sums.
          ...(charge.airlineWords ?? []).slice(0, 3).map((words) => `The airline's words: ${quotedWords(words)}`),
          ...fareLine(replaced.segment, fresh),
          `New fare: ${trip.refundNote === undefined ? 'refund rules not known' : plainText(trip.refundNote, MOST_WORDS)}.`,
          `The airline gives the seats on the new ${vehicle}; seats chosen before are given up.`,
          ctx.settings.dialect === 'airline' ? CLASS_TERM : undefined,
          ...noteLines(problems.warnings),
        ),
        section('computed', ...moneyLines(trip.total, charge, fresh, vehicle), paidLine(booking, replaced)),
        peopleSection(booking.travelers),
      ],
      act: `Change ${vehicle} ${flightName(replaced.segment)} of ${booking.locator} to ${flightName(fresh)}, ${cost}`,
      nature: 'payment',
      // Without a bound the amount is unknown, and limits refuse it as they refuse any.
      money: { direction: 'payment', amount: atMost, isUpperBound: atMost && true },
      subject: expectRebookedSegment(booking, replaced.segment, fresh, atMost),
      warnings: problems.warnings,
      modification: { kind: 'rebook_segment', booking, replacedRef: replaced.segment.ref, option },
    } satisfies ChangeTerms;
  },

  report(done) {
    const flight = newSegment(done);
    const { locator } = done.operation;
    const classWarning = flight && otherClassWarning(done, flight);
    const money = viewMoney(done);
    const replacement = flight ? replacementText(flight, done.args.segment_ref) : 'a flight was changed';
    const unstated = money === undefined ? ' The airline did not state what it charged or gave back.' : '';
    return {
      summary: `${overchargeWarning(done)}Rebooked in booking ${locator}${flight ? `: ${replacement}` : ''}.${unstated}`,
      next: 'The airline gives new seats: get_seat_map shows them, assign_seats changes them.',
      warnings: classWarning === undefined ? [] : [classWarning],
      added: { flight: flight && viewFlight(flight), money },
      changed: [replacement],
    };
  },

  text: ({ flight, money }) => [
    flight && `  ${flight.ref}  ${flight.flight}  ${showTrip(flight.departs, flight.arrives)}, class ${flight.class}`,
    ...moneyText(money),
  ],
});

/** The refusal, with the steps that work instead and what each of them costs. */
async function withCosts(
  booking: Booking,
  replaced: SegmentOption,
  offerId: string,
  refusal: Refusal,
  ctx: ToolContext,
) {
  const trip = await tripFromOffers([offerId], ctx).catch(() => undefined);
  return refusalOf(booking, { ...refusal, next: byHandText(booking, replaced, trip?.total, ctx.now()) });
}

/** Names the old and the new fare basis if they differ: the new fare may not be refundable. */
function fareLine(old: Segment, fresh: Segment): readonly string[] {
  const [was, now] = [old, fresh].map(({ fareBasis }) => cleanCode(fareBasis ?? 'not named', 30));
  return was === now ? [] : [`Fare: was ${was}, now ${now}; the rules of the new fare hold for it.`];
}

/** The change at the fares that the airline sells the new flight at now: the price of the offer may be an hour old. */
async function chargeNow(
  booking: Booking,
  replaced: SegmentOption,
  { segment, passengers }: { readonly segment: Segment; readonly passengers: PassengerCounts },
  ctx: ToolContext,
): Promise<ChangeCharge> {
  const byRule = changeCharge(booking, replaced, [], ctx.now());
  if (byRule.fees === undefined || segment.bookingClass === undefined) return byRule;
  const { from, to, departs, bookingClass } = segment;
  const leg = { from, to, date: dateOf(departs), daysBefore: 0, daysAfter: 0 };
  const query = { legs: [leg], passengers, bookingClasses: [bookingClass], includeSoldOut: false };
  const found = await ctx.airline.searchFares(query, readCall(ctx)).catch(() => undefined);
  return changeCharge(booking, replaced, found === undefined ? [] : faresOfClass(found, segment), ctx.now());
}

function moneyLines(
  offered: Money | undefined,
  { rule, atMost, backAtMost }: ChangeCharge,
  { bookingClass = '' }: Segment,
  vehicle: string,
): readonly string[] {
  return [
    `The new fare was offered at ${offered === undefined ? 'an unknown price' : showMoney(offered)} for the party.`,
    `Change rule: ${rule}`,
    atMost === undefined
      ? 'What the airline charges or refunds is not known before it answers, and nothing limits it.'
      : `By the rule and the dearest fare of class ${cleanCode(bookingClass)} on the new ${vehicle} it comes to ${showMoney(atMost)} at most; the airline decides, and says it only when it is done.`,
    ...(backAtMost === undefined || backAtMost.minor === 0
      ? []
      : [`The new fare can be cheaper: ${showMoney(backAtMost)} at most comes back, if the airline does not keep it.`]),
  ];
}

function paidLine(booking: Booking, replaced: SegmentOption): string {
  const [paid, all] = [paidFor(booking, replaced), amountPaid(booking)];
  const keeps = 'The airline may keep a difference.';
  if (paid) return `Paid for the old one: ${showMoney(paid)}. ${keeps}`;
  if (all) return `Paid for the whole booking: ${showMoney(all)}, not split by segment. ${keeps}`;
  return `The airline does not say what was paid for the old one. ${keeps}`;
}

/** Most airlines give the new segment a ref of its own. */
function replacementText(flight: Segment, replaced: string): string {
  const name = flightName(flight);
  const isSame = flight.ref === replaced;
  return isSame ? `segment ${replaced} is now ${name}` : `segment ${flight.ref}, ${name}, replaces segment ${replaced}`;
}

function newSegment({ booking, operation }: Done<unknown>): Segment | undefined {
  const expected = expectedBy(act, operation);
  return expected && booking && rebookedSegment(expected, booking);
}

/** Says that the airline booked another class than was approved (docs/wire/notes.md, Changes). */
function otherClassWarning({ operation }: Done<unknown>, segment: Segment): string | undefined {
  const expected = expectedBy(act, operation);
  if (expected === undefined || !inAnotherClass(flightKey(segment), expected)) return undefined;
  const [booked, asked] = [segment, expected.wanted].map(({ bookingClass = '' }) => cleanCode(bookingClass));
  return `Segment ${segment.ref} is booked in class ${booked}, not in ${asked} as approved; its rules may differ. Tell the person.`;
}

/** Warns that the airline charged more than was approved. It begins the summary. Empty if it did not. */
function overchargeWarning({ operation }: Done<unknown>): string {
  const expected = expectedBy(act, operation);
  const excess = expected && overcharge(expected, operation.outcome);
  if (excess === undefined) return '';
  const { approved, charged, above } = excess;
  const than =
    above === undefined
      ? `in another currency than the ${showMoney(approved)}`
      : `which is ${showMoney(above)} more than the ${showMoney(approved)}`;
  return `The airline charged ${showMoney(charged)}, ${than} that was approved at most: tell the person first. `;
}

function aboveText({ approved, above }: Overcharge): string {
  return above === undefined
    ? `and at most ${showMoney(approved)} was approved`
    : `${showMoney(above)} more than approved`;
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
  const [charge, refund] = [outcome?.charge, outcome?.refund];
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
