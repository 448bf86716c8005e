/**
 * The recipe "move this party to train X": a line of three steps, which hold the offer for the same passengers, pay it, and cancel the old
 * segments. Below the recipe: the line of one booking, which of its segments are replaced, the party as the airline gives it.
 */

import { bookingGist } from '../../approvals/booking-gist.ts';
import { OLD } from '../../approvals/terms.ts';
import { fanOut } from '../../core/at-once.ts';
import { cleanCode, MOST_WORDS, plainText } from '../../core/clean-text.ts';
import { InputError, inputError, notSent } from '../../core/errors.ts';
import { dateOf, showDay, showTrip } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import { type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import type { PassengerCounts } from '../../domain/booking/offers.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { segmentStatus, standing } from '../../domain/booking/status-codes.ts';
import { readFlight } from '../../domain/facts/flight-rows.ts';
import { mayBeMoved } from '../../domain/facts/pair.ts';
import { isMasked } from '../../domain/people/identity-text.ts';
import { titleIn, withoutTitles } from '../../domain/people/titles.ts';
import {
  type Contact,
  contactOf,
  documentKind,
  type PersonName,
  type Phone,
  type Traveler,
} from '../../domain/people/traveler.ts';
import type { BoundTerms, PlanLine, PlanStep } from '../../plans/plan.ts';
import { accountsFor } from '../acts/pay-booking.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { COUNTRY_CODE, PHONE_NUMBER } from '../definition/input-fields.ts';
import { readTrain } from '../rules/booking-filters.ts';
import { manyByRef } from '../rules/find-by-ref.ts';
import { countPassengers, isSameParty, partyInWords } from '../rules/party-size.ts';
import { type Trip, tripFromOffers } from '../steps/offers.ts';
import { customerOf, readNow } from '../steps/record-booking.ts';
import { chargedAccount, paymentNote, section, tripSection } from '../views/terms-text.ts';
import { type LeftOut, leftOutFor, type RecipeArgs, type RecipeCall } from './recipe.ts';

type MovePartyArgs = RecipeArgs<'move_party'>;

/** The places of two steps in a line. */
const HOLD = 0;
const PAY = 1;

/** How many bookings are read at once. */
const PARALLEL_READS = 4;

/** The arguments of the new booking would be stored with the plan. */
const ENTERED = 'Travellers entered their details on the details page, and a plan keeps none of them.';
const BOOK_ANEW = 'Book the new trip with create_booking and details "page", then cancel the old one.';
const BY_HAND = 'Tell the person that this party must be booked by itself.';
const ALREADY_CANCELLED =
  'The airline has cancelled the old trip already. This cancels nothing, and its refund is a matter of its own.';
const OTHER_STATIONS = 'The new trip is between other stations than the old one.';
const ANOTHER_OFFER = 'Call search_fares for another offer.';
const NOT_CARRIED_OVER = 'Seats and special services of the old booking are not carried over.';

/** Expands the recipe to one line for each booking, or says why a booking is left out. */
export async function moveParty(call: RecipeCall): Promise<readonly (PlanLine | LeftOut)[]> {
  const args = call.args as MovePartyArgs;
  assertClear(args, call.at);

  const { locator, locators = locator === undefined ? [] : [locator] } = args;
  const results = await fanOut(locators, { width: PARALLEL_READS }, async (each) => {
    try {
      const booking = await readNow(each, call.ctx);
      return await writeLine(call, args, { booking, oldSegments: replacedSegments(booking, args, call) });
    } catch (error) {
      return leftOutFor(`Move booking ${each}`, error);
    }
  });

  return results.flatMap((settled) => {
    if (settled?.status === 'rejected') throw settled.reason;
    return settled?.value ?? [];
  });
}

/** @throws ClerkError if the arguments do not say clearly which bookings and segments are meant */
function assertClear({ locator, locators, segment_refs: refs, train, date }: MovePartyArgs, at: string): void {
  const isOfOne = locator !== undefined && [train, date, locators].every((argument) => argument === undefined);
  const isOfTrain = [train, date, locators].every((argument) => argument !== undefined) && refs === undefined;
  if (isOfOne || (isOfTrain && locator === undefined)) return;
  throw inputError(`${at}.arguments`, 'expected either locator, or train, date and locators.');
}

/** A booking that moves. */
interface MovingParty {
  readonly booking: Booking;
  /** The segments that are replaced. */
  readonly oldSegments: readonly Segment[];
}

/**
 * Writes the line of the plan that moves one booking. Its steps:
 *
 *   HOLD     create_booking                      at once
 *   PAY      pay_booking, what HOLD made         after HOLD
 *   -        cancel_segment or cancel_booking    after PAY; none if the airline has cancelled the old trip
 *
 * @throws ClerkError if it cannot be moved
 */
async function writeLine(
  { at, ctx, parseArguments }: RecipeCall,
  args: MovePartyArgs,
  { booking, oldSegments }: MovingParty,
): Promise<PlanLine> {
  if (await ctx.state.enteredOnPage(booking)) throw notSent('E_NOT_PERMITTED', ENTERED, BOOK_ANEW);

  assertNotReplaced(booking, oldSegments, ctx);
  assertAllTravel(booking, oldSegments);

  const offerIds = await offersFor(countPassengers(booking.travelers), args.offer_ids, ctx);
  const trip = await tripFromOffers(offerIds, ctx);
  const customer = await customerOf(booking, ctx);
  const newBooking = { offer_ids: offerIds, ...describeParty(booking), ...(customer && { customer }) };

  const steps: PlanStep[] = [
    { tool: 'create_booking', args: createArguments(newBooking, { at, parseArguments }) },
    {
      tool: 'pay_booking',
      args: { payment: args.payment },
      locatorOf: HOLD,
      after: [HOLD],
      bound: await paymentTerms({ oldSegments, trip, payment: args.payment }, ctx),
    },
    ...cancelSteps(booking, oldSegments, { at, parseArguments }),
  ];

  return {
    title: `Move booking ${booking.locator} to ${segmentsOf(trip).map(nameAndTimes).join(', ')}`,
    locator: booking.locator,
    about: bookingGist(booking, ctx.airline.placeName, ctx.settings),
    steps,
  };
}

function assertAllTravel({ travelers }: Booking, oldSegments: readonly Segment[]): void {
  const absentees = travelers.filter(
    ({ segmentRefs }) => segmentRefs.length > 0 && oldSegments.some(({ ref }) => !segmentRefs.includes(ref)),
  );
  if (absentees.length === 0) return;
  const who = absentees.map(({ ref }) => ref).join(', ');
  throw notSent('E_NOT_PERMITTED', `Passenger ${who} does not travel on every segment that is replaced.`, BY_HAND);
}

/** Selects the offers for a party of this size. An offer that is not known is refused later, when the trip is read. */
async function offersFor(
  size: PassengerCounts,
  ids: readonly string[],
  { state, caller }: ToolContext,
): Promise<readonly string[]> {
  const offers = await Promise.all(ids.map((id) => state.offers.get(caller, id)));
  const fitting = ids.filter((_, i) => isSameParty(offers[i]?.passengers ?? size, size));
  if (fitting.length > 0) return fitting;
  const what = `No offer is for ${partyInWords(size) || 'such a party'}.`;
  throw notSent('E_NO_AVAILABILITY', what, 'Call search_fares for this party, and give that offer too.');
}

/** @throws ClerkError for what the airline masks or omits: the caller did not write it, and cannot mend it */
function createArguments(
  newBooking: object,
  { at, parseArguments }: Pick<RecipeCall, 'at' | 'parseArguments'>,
): PlanStep['args'] {
  try {
    return parseArguments('create_booking', newBooking, at);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const fields = error.faults.map(({ field }) => detailName(field.replace(`${at}.arguments.`, '')));
    throw notSent('E_NOT_PERMITTED', `The airline does not give or masks: ${listed(fields)}.`, BY_HAND);
  }
}

/** Gives the step that cancels the old segments, or none if the airline has cancelled all of them already. */
function cancelSteps(
  booking: Booking,
  oldSegments: readonly Segment[],
  { at, parseArguments }: Pick<RecipeCall, 'at' | 'parseArguments'>,
): readonly PlanStep[] {
  const uncancelled = oldSegments.filter((segment) => !isCancelled(segment));
  if (uncancelled.length === 0) return [];

  const isWholeTrip = segmentsOf(booking).every((segment) => isCancelled(segment) || oldSegments.includes(segment));
  const { locator } = booking;
  if (isPaid(booking)) {
    const what = isWholeTrip ? { all: true } : { segment_refs: uncancelled.map(({ ref }) => ref) };
    return [{ tool: 'cancel_segment', args: parseArguments('cancel_segment', { locator, ...what }, at), after: [PAY] }];
  }

  if (!isWholeTrip) {
    const why = `Booking ${locator} is not paid: a part of it cannot be cancelled.`;
    throw notSent('E_NOT_PAID', why, 'Name no segment_refs, to move all of it.');
  }

  return [{ tool: 'cancel_booking', args: parseArguments('cancel_booking', { locator }, at), after: [PAY] }];
}

/** `passenger 1 birth date`, for `passengers[0].birth_date`. */
function detailName(field: string): string {
  return field.replace(/^passengers\[(\d+)\]/, (_, i) => `passenger ${Number(i) + 1}`).replaceAll(/[._]/g, ' ');
}

/** The new trip in place of the old segments. */
interface PaidMove extends Pick<MovePartyArgs, 'payment'> {
  readonly oldSegments: readonly Segment[];
  readonly trip: Trip;
}

/** What a payment before its booking exists is bound to: to the offers, since the new booking must cost what they do. */
async function paymentTerms({ oldSegments, trip, payment }: PaidMove, ctx: ToolContext): Promise<BoundTerms> {
  const { total, terms } = trip;
  if (total === undefined) throw notSent('E_AIRLINE_REPLY', 'The price of the offer is not known.', ANOTHER_OFFER);

  const accounts = await accountsFor(payment, ctx);
  const isElsewhere = endStations(segmentsOf(trip)) !== endStations(oldSegments);

  return {
    act: { verb: 'Pay', sum: { moves: 'paid', exactly: total } },
    nature: 'payment',
    money: { direction: 'payment', amount: total },
    account: chargedAccount({ payment, total, accounts }, ctx),
    sections: [
      section(
        'caution',
        isElsewhere ? OTHER_STATIONS : undefined,
        oldSegments.every(isCancelled) ? ALREADY_CANCELLED : undefined,
      ),
      tripSection(oldSegments, ctx, { before: OLD }),
      section('refund', `New fare: ${plainText(terms?.ruleWords ?? 'refund rules not known here', MOST_WORDS)}.`),
      paymentNote({ payment }, ctx, NOT_CARRIED_OVER),
    ],
  };
}

/** `HHR-JED`: where a trip begins and ends. */
function endStations(segments: readonly Segment[]): string {
  return `${segments[0]?.from}-${segments.at(-1)?.to}`;
}

function isCancelled(segment: Segment): boolean {
  return standing(segment) === 'cancelled';
}

function nameAndTimes(segment: Segment): string {
  return `${flightName(segment)}, ${showTrip(segment.departs, segment.arrives)}`;
}

/**
 * Refuses a party that the airline has put on another train already: it needs no second trip, even if the airline still owes a
 * refund for the cancelled segment.
 */
function assertNotReplaced(booking: Booking, oldSegments: readonly Segment[], { settings }: ToolContext): void {
  const others = runningSegments(booking).filter((segment) => !oldSegments.includes(segment));
  for (const lost of oldSegments.filter(({ statusCode }) => segmentStatus(statusCode) !== 'active')) {
    const replacement = others.find((segment) => mayBeMoved(readFlight(lost), readFlight(segment)));
    if (replacement === undefined) continue;
    const change = `${vehicleOf(settings)} ${nameAndTimes(replacement)}, in place of ${flightName(lost)}`;
    throw notSent('E_NOT_PERMITTED', `Booking ${booking.locator} has ${change}.`, 'Call read_booking to see its trip.');
  }
}

function runningSegments(booking: Booking): readonly Segment[] {
  return segmentsOf(booking).filter(({ statusCode }) => segmentStatus(statusCode) === 'active');
}

/**
 * Finds the segments of the arguments, even if they are cancelled. Without refs or a train: all that are not cancelled, or else all.
 * @throws ClerkError if the booking has none of them
 */
function replacedSegments(
  booking: Booking,
  { segment_refs: refs, train, date }: MovePartyArgs,
  { at, ctx }: Pick<RecipeCall, 'at' | 'ctx'>,
): readonly Segment[] {
  const segments = segmentsOf(booking);
  if (refs !== undefined) return manyByRef(segments, refs, `${at}.arguments.segment_refs`, 'the booking has');

  if (train === undefined || date === undefined) {
    const uncancelled = segments.filter((segment) => !isCancelled(segment));
    return uncancelled.length > 0 ? uncancelled : segments;
  }

  // Of any carrier: the same train may be named by another one, or by none.
  const number = readTrain(train)?.number;
  const onTrain = segments.filter(
    (segment) => readTrain(flightName(segment))?.number === number && dateOf(segment.departs) === date,
  );
  if (number !== undefined && onTrain.length > 0) return onTrain;

  const wanted = `${vehicleOf(ctx.settings)} ${cleanCode(train, 12)} on ${showDay(`${date}T00:00`)}`;
  const active = runningSegments(booking).map(nameAndTimes).join('; ') || 'no active segment';
  const what = `Booking ${booking.locator} has no segment of ${wanted}. It has ${active}.`;
  throw notSent('E_NOT_PERMITTED', what, 'Call read_booking to see its trip.');
}

/** Describes the party exactly as the airline gives it. What it masks or omits is left out, and never made up. */
function describeParty({ reading: booking }: Booking) {
  const { travelers } = booking;
  return {
    passengers: travelers.map((traveler) => describePassenger(traveler, travelers)),
    contact: describeContact(contactOf(booking)),
  };
}

/** Gives the text. Undefined if it is absent or masked. */
function unlessMasked(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' || isMasked(text) ? undefined : text;
}

function joinParts(parts: readonly string[] | undefined): string | undefined {
  return unlessMasked(parts?.join(' '));
}

function describePassenger(traveler: Traveler, party: readonly Traveler[]) {
  const { type, name, document, gender, birthDate, emails, phones, attendantRef } = traveler;
  return {
    type,
    ...describeName(name),
    gender,
    birth_date: birthDate,
    document: {
      type: document && documentKind(document.docType),
      number: unlessMasked(document?.number),
      nationality: document?.nationality,
      expires: document?.expires,
    },
    // No adult has place 0: one that is not in the party is refused.
    with_adult: attendantRef === undefined ? undefined : party.findIndex(({ ref }) => ref === attendantRef) + 1,
    email: unlessMasked(emails[0]),
    phone: describePhone(phones[0]),
  };
}

function describeContact({ name, emails = [], phones = [], addresses = [] }: Partial<Contact> = {}) {
  const { given_name, surname } = describeName(name);
  const { city, countryCode } = addresses[0] ?? {};

  return {
    given_name,
    surname,
    email: unlessMasked(emails[0]),
    phone: describePhone(phones[0]),
    city: unlessMasked(city),
    country: unlessMasked(countryCode),
  };
}

function describeName(name: PersonName | undefined) {
  const [given, middle, surname] = [joinParts(name?.given), joinParts(name?.middle), unlessMasked(name?.surname)];
  // An airline may write a title into a name. It is none of a new booking.
  const written = [given, middle, surname].flatMap((part) => titleIn(part ?? '') ?? []);

  return {
    given_name: given && nameAlone(given),
    middle_name: middle && nameAlone(middle),
    surname: surname && nameAlone(surname),
    suffix: joinParts(name?.suffix),
    title: joinParts(name?.prefix) ?? joinParts(name?.title) ?? written[0],
  };
}

/** Undefined if it is a title only. */
function nameAlone(part: string): string | undefined {
  return titleIn(part) === undefined ? part : withoutTitles(part) || undefined;
}

/** Gives the telephone, an optional argument. Undefined unless code and number are complete. */
function describePhone({ countryCode, number }: Phone = {}): object | undefined {
  const [code, digits] = [countryCode, number].map((part) => unlessMasked(part)?.replace(/[\s()+.-]/g, ''));
  const isComplete = COUNTRY_CODE.test(code ?? '') && PHONE_NUMBER.test(digits ?? '');
  return isComplete ? { country_code: code, number: digits } : undefined;
}
