/**
 * The recipe "move this party to train X": hold the offer for the same passengers, pay it, cancel the old segments. Works where
 * nothing can be rebooked. If the payment is certainly not made, the hold is released, which is free.
 */

import { aboutBooking } from '../../approvals/about.ts';
import { MOST_WORDS, plainText } from '../../core/clean-text.ts';
import { ClerkError } from '../../core/errors.ts';
import { fanOut } from '../../core/fan-out.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import type { BoundTerms, PlanLine, PlanStep } from '../../plans/plan.ts';
import { boundFacts, NEW_BOOKING } from '../../plans/propose.ts';
import { paymentText } from '../acts/pay-booking/pay-booking.ts';
import type { ToolContext } from '../definition/define.ts';
import { countTypes } from '../rules/party-size.ts';
import { notSent } from '../rules/refusal.ts';
import { type Trip, tripFromOffers } from '../steps/offers.ts';
import { readNow } from '../steps/record-booking.ts';
import { peopleSection, section, tripSection } from '../views/terms-lines.ts';
import { assertNotReplaced, isGone, nameAndTime, partiesOf } from './parties.ts';
import { type PartyAgain, partyAgain } from './party-again.ts';
import { type OffersFor, offersBySize } from './party-offers.ts';
import { type LeftOut, leftOutFor, type RecipeCall } from './recipe.ts';
import type { RecipeArgs } from './recipe-inputs.ts';

type MovePartyArgs = RecipeArgs<'move_party'>;

/** Steps of the line, by their place. */
const [HOLD, PAY] = [0, 1];

/** Bookings that are read at once. */
const WIDTH = 4;

export async function moveParty(call: RecipeCall): Promise<readonly (PlanLine | LeftOut)[]> {
  const args = call.args as MovePartyArgs;
  const parties = await partiesOf(call);
  const offersFor = offersBySize(args.offer_ids, call.ctx);
  const moved = await fanOut(parties.locators, { width: WIDTH }, async (locator) => {
    try {
      const booking = await readNow(locator, call.ctx);
      return await lineFor(call, args, { booking, old: parties.replaced(booking), offersFor });
    } catch (error) {
      return leftOutFor(`Move booking ${locator}`, error);
    }
  });
  return moved.flatMap((one) => {
    if (one?.status === 'rejected') throw one.reason;
    return one?.value ?? [];
  });
}

interface MovingParty {
  readonly booking: Booking;
  /** What is replaced. */
  readonly old: readonly Segment[];
  readonly offersFor: OffersFor;
}

async function lineFor(
  { at, ctx, read }: RecipeCall,
  args: MovePartyArgs,
  { booking, old, offersFor }: MovingParty,
): Promise<PlanLine> {
  const party = partyAgain(booking);
  assertNotReplaced(booking, old, ctx);
  assertCanRebook(booking, old, party);
  const offerIds = await offersFor(countTypes(booking.travelers));
  const trip = await tripFromOffers(offerIds, ctx);
  const total = priceOf(trip);
  const { passengers, contact } = party;
  const create = await sendable(read('create_booking', { offer_ids: offerIds, contact, passengers }, at));
  const fresh = trip.options.flatMap(({ segments }) => segments);
  const facts = boundFacts(fresh, booking.travelers);
  const release = { act: `Release hold ${NEW_BOOKING}`, nature: 'cancellation' as const, sections: [], facts };
  const steps: PlanStep[] = [
    { tool: 'create_booking', args: create },
    {
      tool: 'pay_booking',
      args: { payment: args.payment },
      locatorOf: HOLD,
      after: [HOLD],
      bound: { ...paymentTerms({ booking, old, trip, total, args }, ctx), facts },
    },
    ...(await cancelling(booking, old, { at, read })),
    { tool: 'cancel_booking', args: {}, locatorOf: HOLD, insteadOf: PAY, bound: release },
  ];
  return {
    title: `Move booking ${booking.locator} to ${fresh.map(nameAndTime).join(', ')}`,
    locator: booking.locator,
    about: aboutBooking(booking, ctx.airline.placeName, ctx.settings),
    steps,
  };
}

const BY_HAND = 'A person must book this party by itself.';

/** Refuses a party that cannot be booked again from what the airline gives. */
function assertCanRebook(booking: Booking, old: readonly Segment[], { missing }: PartyAgain): void {
  const apart = booking.travelers.filter(
    ({ segmentRefs }) => segmentRefs.length > 0 && old.some(({ ref }) => !segmentRefs.includes(ref)),
  );
  if (apart.length > 0) {
    const who = apart.map(({ ref }) => ref).join(', ');
    throw notSent('E_NOT_PERMITTED', `Passenger ${who} does not travel on every segment that is replaced.`, BY_HAND);
  }
  if (missing.length === 0) return;
  throw notSent('E_NOT_PERMITTED', `The airline does not give or masks: ${missing.join('; ')}.`, BY_HAND);
}

/** What the airline gives is not the caller's mistake. */
async function sendable<T>(args: Promise<T>): Promise<T> {
  try {
    return await args;
  } catch (error) {
    if (!(error instanceof ClerkError) || error.code !== 'E_INPUT') throw error;
    const what = 'What the airline gives of the party cannot be sent again as it is.';
    throw notSent('E_NOT_PERMITTED', what, BY_HAND);
  }
}

function priceOf({ total }: Trip): Money {
  if (total !== undefined) return total;
  throw notSent('E_AIRLINE_REPLY', 'The price of the offer is not known.', 'Call search_fares for another offer.');
}

/** Nothing, where the airline has cancelled all of them already. */
async function cancelling(
  booking: Booking,
  old: readonly Segment[],
  { at, read }: Pick<RecipeCall, 'at' | 'read'>,
): Promise<readonly PlanStep[]> {
  const standing = old.filter((segment) => !isGone(segment));
  if (standing.length === 0) return [];
  const all = segmentsOf(booking).every((segment) => isGone(segment) || old.includes(segment));
  const { locator } = booking;
  if (!isPaid(booking) && !all) {
    const why = `Booking ${locator} is not paid: a part of it cannot be cancelled.`;
    throw notSent('E_NOT_PAID', why, 'Name no segment_refs, to move all of it.');
  }
  const tool = isPaid(booking) ? 'cancel_segment' : 'cancel_booking';
  const what = all ? { all: true } : { segment_refs: standing.map(({ ref }) => ref) };
  const args = await read(tool, { locator, ...(isPaid(booking) && what) }, at);
  return [{ tool, args, after: [PAY] }];
}

interface PartyMove {
  readonly booking: Booking;
  readonly old: readonly Segment[];
  readonly trip: Trip;
  readonly total: Money;
  readonly args: MovePartyArgs;
}

/** What the person approves before the new booking exists. */
function paymentTerms({ booking, old, trip, total, args }: PartyMove, ctx: ToolContext): Omit<BoundTerms, 'facts'> {
  const fresh = trip.options.flatMap(({ segments }) => segments);
  const ends = (segments: readonly Segment[]) => `${segments[0]?.from}-${segments.at(-1)?.to}`;
  return {
    act: `Pay ${showMoney(total)}`,
    nature: 'payment',
    money: { direction: 'payment', amount: total },
    sections: [
      section('act', `Book the new trip for the same passengers, and pay ${showMoney(total)} for it.`),
      section(
        'caution',
        ends(fresh) === ends(old) ? undefined : 'The new trip is between other stations than the old one.',
        old.every(isGone) ? GONE : undefined,
      ),
      tripSection(old, ctx, { before: 'Old: ' }),
      tripSection(fresh, ctx, { before: 'New: ' }),
      peopleSection(booking.travelers),
      section('refund', `New fare: ${refundWords(trip, args)}.`),
      section('note', paymentText(args.payment, ctx.settings.account), NOT_CARRIED_OVER),
    ],
  };
}

/** The note of an offer is about its own leg. */
function refundWords({ refundNote }: Trip, { offer_ids: ids }: MovePartyArgs): string {
  if (ids.length > 1) return 'each leg has refund rules of its own, which are not known here';
  return refundNote === undefined ? 'refund rules not known' : plainText(refundNote, MOST_WORDS);
}

const GONE =
  'The airline has cancelled the old trip already. This cancels nothing, and its refund is a matter of its own.';
const NOT_CARRIED_OVER = 'Seats and special services of the old booking are not carried over.';
