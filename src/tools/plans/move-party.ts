/**
 * The recipe "move this party to train X": hold the offer for the same passengers, pay it, and cancel the old segments. Below the
 * recipe: the line of one booking and its terms, which bookings and segments move, offers for each size of party, the party as the
 * airline gives it.
 */

import { bookingGist } from '../../approvals/booking-gist.ts';
import { OLD } from '../../approvals/terms.ts';
import { fanOut } from '../../core/at-once.ts';
import { cleanCode, cleanRef, MOST_WORDS, plainText } from '../../core/clean-text.ts';
import { ClerkError, inputError, notSent } from '../../core/errors.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { dateOf, isRealDate, showDay, showTrip } from '../../core/times.ts';
import { type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { segmentStatus, standing } from '../../domain/booking/status-codes.ts';
import { diffFlight } from '../../domain/facts/differ.ts';
import { type FlightFacts, readFlight } from '../../domain/facts/flight-rows.ts';
import { mayBeMoved } from '../../domain/facts/pair.ts';
import { twoLetterCountry } from '../../domain/people/countries.ts';
import { isMasked } from '../../domain/people/identity-text.ts';
import { titleIn, withoutTitles } from '../../domain/people/titles.ts';
import {
  type Contact,
  contactOf,
  DOCUMENT_TYPES,
  documentKind,
  GENDERS,
  type PersonName,
  type Phone,
  type Traveler,
} from '../../domain/people/traveler.ts';
import type { FareSearchResult, Offer, PassengerCounts, ShelvedOffer } from '../../domain/pricing/offers.ts';
import { type BoundTerms, MOST_LINES, type PlanLine, type PlanStep } from '../../plans/plan.ts';
import { accountsFor } from '../acts/pay-booking.ts';
import { readCall, type ToolContext, vehicleOf } from '../definition/define.ts';
import { manyByRef } from '../rules/find-by-ref.ts';
import { countPassengers, partyInWords } from '../rules/party-size.ts';
import { callerFindings } from '../steps/findings.ts';
import { storeOffers, type Trip, tripFromOffers } from '../steps/offers.ts';
import { customerOf, readNow } from '../steps/record-booking.ts';
import { chargedAccount, paymentNote, peopleSection, section, tripSection } from '../views/terms-text.ts';
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
const NOT_CARRIED_OVER = 'Seats and special services of the old booking are not carried over.';

/** Expands the recipe to one line for each booking, or says why a booking is left out. */
export async function moveParty(call: RecipeCall): Promise<readonly (PlanLine | LeftOut)[]> {
  const args = call.args as MovePartyArgs;
  const parties = await findParties(call);
  const offersFor = offersBySize(args.offer_ids, call.ctx);
  const results = await fanOut(parties.locators, { width: PARALLEL_READS }, async (locator) => {
    try {
      const booking = await readNow(locator, call.ctx);
      return await writeLine(call, args, { booking, oldSegments: parties.findReplaced(booking), offersFor });
    } catch (error) {
      return leftOutFor(`Move booking ${locator}`, error);
    }
  });
  return results.flatMap((settled) => {
    if (settled?.status === 'rejected') throw settled.reason;
    return settled?.value ?? [];
  });
}

/** Finds the offers of the same trip and fare for a party of this size. @throws ClerkError E_NO_AVAILABILITY */
type OffersFor = (size: PassengerCounts) => Promise<readonly string[]>;

/** A booking that moves, and how offers for it are found. */
interface MovingParty {
  readonly booking: Booking;
  /** The segments that are replaced. */
  readonly oldSegments: readonly Segment[];
  readonly offersFor: OffersFor;
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
  { booking, oldSegments, offersFor }: MovingParty,
): Promise<PlanLine> {
  if (await ctx.state.enteredOnPage(booking)) throw notSent('E_NOT_PERMITTED', ENTERED, BOOK_ANEW);
  const party = describeParty(booking);
  assertNotReplaced(booking, oldSegments, ctx);
  assertCanRebook(booking, oldSegments, party);
  const offerIds = await offersFor(countPassengers(booking.travelers));
  const trip = await tripFromOffers(offerIds, ctx);
  const total = statedPrice(trip);
  const { passengers, contact } = party;
  const customer = await customerOf(booking, ctx);
  const createArgs = await refuseIfInvalid(
    parseArguments('create_booking', { offer_ids: offerIds, contact, passengers, ...(customer && { customer }) }, at),
  );
  const newSegments = segmentsOf(trip);
  const steps: PlanStep[] = [
    { tool: 'create_booking', args: createArgs },
    {
      tool: 'pay_booking',
      args: { payment: args.payment },
      locatorOf: HOLD,
      after: [HOLD],
      bound: await writePaymentTerms({ booking, oldSegments, trip, total, args }, ctx),
    },
    ...(await cancelSteps(booking, oldSegments, { at, parseArguments })),
  ];
  return {
    title: `Move booking ${booking.locator} to ${newSegments.map(nameAndTimes).join(', ')}`,
    locator: booking.locator,
    about: bookingGist(booking, ctx.airline.placeName, ctx.settings),
    steps,
  };
}

/** Refuses a party that cannot be booked again from what the airline gives. */
function assertCanRebook(booking: Booking, oldSegments: readonly Segment[], { missing }: PartyInput): void {
  const absentees = booking.travelers.filter(
    ({ segmentRefs }) => segmentRefs.length > 0 && oldSegments.some(({ ref }) => !segmentRefs.includes(ref)),
  );
  if (absentees.length > 0) {
    const who = absentees.map(({ ref }) => ref).join(', ');
    throw notSent('E_NOT_PERMITTED', `Passenger ${who} does not travel on every segment that is replaced.`, BY_HAND);
  }
  if (missing.length === 0) return;
  throw notSent('E_NOT_PERMITTED', `The airline does not give or masks: ${missing.join('; ')}.`, BY_HAND);
}

/** Turns an input error into a refusal: the caller did not write what the airline gives of the party. */
async function refuseIfInvalid<T>(args: Promise<T>): Promise<T> {
  try {
    return await args;
  } catch (error) {
    if (!(error instanceof ClerkError) || error.code !== 'E_INPUT') throw error;
    const what = 'What the airline gives of the party cannot be sent again as it is.';
    throw notSent('E_NOT_PERMITTED', what, BY_HAND);
  }
}

/** Gives the price of the offers. @throws ClerkError E_AIRLINE_REPLY if it is not known */
function statedPrice({ total }: Trip): Money {
  if (total !== undefined) return total;
  throw notSent('E_AIRLINE_REPLY', 'The price of the offer is not known.', 'Call search_fares for another offer.');
}

/** Gives the step that cancels the old segments, or none if the airline has cancelled all of them already. */
async function cancelSteps(
  booking: Booking,
  oldSegments: readonly Segment[],
  { at, parseArguments }: Pick<RecipeCall, 'at' | 'parseArguments'>,
): Promise<readonly PlanStep[]> {
  const uncancelled = oldSegments.filter((segment) => !isCancelled(segment));
  if (uncancelled.length === 0) return [];
  const isWholeTrip = segmentsOf(booking).every((segment) => isCancelled(segment) || oldSegments.includes(segment));
  const { locator } = booking;
  if (isPaid(booking)) {
    const what = isWholeTrip ? { all: true } : { segment_refs: uncancelled.map(({ ref }) => ref) };
    return [
      { tool: 'cancel_segment', args: await parseArguments('cancel_segment', { locator, ...what }, at), after: [PAY] },
    ];
  }
  if (!isWholeTrip) {
    const why = `Booking ${locator} is not paid: a part of it cannot be cancelled.`;
    throw notSent('E_NOT_PAID', why, 'Name no segment_refs, to move all of it.');
  }
  return [{ tool: 'cancel_booking', args: await parseArguments('cancel_booking', { locator }, at), after: [PAY] }];
}

/** The move of a party to a trip, as the person approves it. */
interface PartyMove {
  readonly booking: Booking;
  readonly oldSegments: readonly Segment[];
  readonly trip: Trip;
  readonly total: Money;
  readonly args: MovePartyArgs;
}

/** Writes the terms of the payment, which the person approves before the new booking exists. */
async function writePaymentTerms(
  { booking, oldSegments, trip, total, args }: PartyMove,
  ctx: ToolContext,
): Promise<BoundTerms> {
  const { payment } = args;
  const accounts = await accountsFor(payment, ctx);
  const paymentTerms = { payment, total, accounts };
  const newSegments = segmentsOf(trip);
  const caution = section(
    'caution',
    endStations(newSegments) === endStations(oldSegments)
      ? undefined
      : 'The new trip is between other stations than the old one.',
    oldSegments.every(isCancelled) ? ALREADY_CANCELLED : undefined,
  );
  return {
    act: { verb: 'Pay', sum: { moves: 'paid', exactly: total } },
    nature: 'payment',
    money: { direction: 'payment', amount: total },
    account: chargedAccount(paymentTerms, ctx),
    sections: [
      section('act', `Book the new trip for the same passengers, and pay ${showMoney(total)} for it.`),
      caution,
      tripSection(oldSegments, ctx, { before: OLD }),
      tripSection(newSegments, ctx, { before: 'New: ' }),
      peopleSection(booking),
      section('refund', `New fare: ${refundRuleText(trip, args)}.`),
      paymentNote(paymentTerms, ctx, NOT_CARRIED_OVER),
    ],
  };
}

/** `HHR-JED`: where a trip begins and ends. */
function endStations(segments: readonly Segment[]): string {
  return `${segments[0]?.from}-${segments.at(-1)?.to}`;
}

/** Says the refund rule of the new trip. It is known for a single offer only: the note of an offer is about its own leg. */
function refundRuleText({ refundNote }: Trip, { offer_ids }: MovePartyArgs): string {
  if (offer_ids.length > 1) return 'each leg has refund rules of its own, which are not known here';
  return refundNote === undefined ? 'refund rules not known' : plainText(refundNote, MOST_WORDS);
}

/** Which bookings are moved, and which of their segments. */
interface Parties {
  readonly locators: readonly string[];
  /** Finds the segments of a booking that are replaced. @throws ClerkError if it has none */
  findReplaced(booking: Booking): readonly Segment[];
}

/**
 * Reads from the arguments which bookings move. @throws ClerkError if the arguments do not fit together, or no finding is
 * about the train
 */
async function findParties({ args, at, ctx }: RecipeCall): Promise<Parties> {
  const { locator, segment_refs: refs, train, date, locators } = args as RecipeArgs<'move_party'>;
  const place = `${at}.arguments`;
  if (locator !== undefined && [train, date, locators].every((argument) => argument === undefined)) {
    return {
      locators: [locator],
      findReplaced: (booking) => replacedSegments(booking, refs, `${place}.segment_refs`),
    };
  }
  if (locator !== undefined || train === undefined || date === undefined || refs !== undefined) {
    throw inputError(place, 'expected either locator, or train and date.');
  }
  return {
    locators: locators ?? (await bookingsOnTrain(train, date, place, ctx)),
    findReplaced: (booking) => segmentsOn(booking, train, date, ctx),
  };
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

/** Finds the named segments, even if they are cancelled. By default: all that are not cancelled, or else all. */
function replacedSegments(booking: Booking, refs: readonly string[] | undefined, at: string): readonly Segment[] {
  const segments = segmentsOf(booking);
  if (refs !== undefined) return manyByRef(segments, refs, at, 'the booking has');
  const uncancelled = segments.filter((segment) => !isCancelled(segment));
  return uncancelled.length > 0 ? uncancelled : segments;
}

/** `101` for `HHR101` and `0101`: a carrier may precede the number. */
function trailingNumber(number: string): string {
  return (/(?:^|\D)(\d+)$/.exec(number.trim())?.[1] ?? number.trim()).replace(/^0+(?=\d)/, '');
}

function trainText(train: string, date: string, { settings }: ToolContext): string {
  return `${vehicleOf(settings)} ${cleanCode(train, 12)} on ${showDay(`${date}T00:00`)}`;
}

/**
 * Lists the bookings with an open finding about the train that day. @throws ClerkError if there are none, or too many for a
 * plan
 */
async function bookingsOnTrain(
  train: string,
  date: string,
  place: string,
  ctx: ToolContext,
): Promise<readonly string[]> {
  const findings = await callerFindings(ctx);
  const aboutTrain = findings.filter(
    ({ segment }) =>
      segment !== undefined &&
      trailingNumber(segment.number) === trailingNumber(train) &&
      dateOf(segment.departs) === date,
  );
  const locators = [...new Set(aboutTrain.map(({ locator }) => locator))].toSorted();
  const findingText = `an open finding about ${trainText(train, date, ctx)}`;
  if (locators.length > MOST_LINES) {
    const next = `Name at most ${MOST_LINES} of them in locators, and the others in further plans.`;
    throw inputError(place, `${locators.length} bookings have ${findingText}.`, next);
  }
  if (locators.length > 0) return locators;
  const what = `No booking of yours has ${findingText}.`;
  throw notSent('E_NOT_FOUND', what, 'Call list_bookings with needs_attention, or name the bookings in locators.');
}

/** Finds the segments of a booking on this train that day. @throws ClerkError if there are none */
function segmentsOn(booking: Booking, train: string, date: string, ctx: ToolContext): readonly Segment[] {
  const onTrain = segmentsOf(booking).filter(
    ({ flightNumber, departs }) => trailingNumber(flightNumber) === trailingNumber(train) && dateOf(departs) === date,
  );
  if (onTrain.length > 0) return onTrain;
  const what = `Booking ${booking.locator} has no segment of ${trainText(train, date, ctx)}.`;
  const active = runningSegments(booking).map(nameAndTimes);
  const trip = active.length === 0 ? 'No segment of it is active.' : `It has ${active.join('; ')}.`;
  throw notSent('E_NOT_PERMITTED', `${what} ${trip}`, 'Call read_booking to see its trip.');
}

/** Looks the same trip in the same fare up once for each size of party. */
function offersBySize(ids: readonly string[], ctx: ToolContext): OffersFor {
  const bySize = new Map<string, Promise<readonly string[]>>();
  return (size) => {
    const key = JSON.stringify([size.adults, size.children, size.infants]);
    const offerIds = bySize.get(key) ?? offersFor(ids, size, ctx);
    bySize.set(key, offerIds);
    return offerIds;
  };
}

async function offersFor(ids: readonly string[], size: PassengerCounts, ctx: ToolContext): Promise<readonly string[]> {
  const stored = await Promise.all(ids.map((id) => ctx.state.offers.get(ctx.caller, id)));
  const chosen = stored.flatMap((offer) => offer ?? []);
  // An offer that is not known is refused later, when the trip is read (tripFromOffers).
  if (chosen.length < ids.length || chosen.every(({ passengers }) => isSameSize(passengers, size))) return ids;
  const offerIds: string[] = [];
  for (const [legs, sameSearch] of Map.groupBy(chosen, (offer) => JSON.stringify(offer.legs))) {
    const search = { legs: JSON.parse(legs) as ShelvedOffer['legs'], passengers: size };
    offerIds.push(...(await searchForSize(sameSearch, search, ctx)));
  }
  return offerIds;
}

function isSameSize(a: PassengerCounts, b: PassengerCounts): boolean {
  return a.adults === b.adults && a.children === b.children && a.infants === b.infants;
}

/** Repeats one search for a party of another size, and stores the offers that match the chosen ones. */
async function searchForSize(
  chosen: readonly ShelvedOffer[],
  { legs, passengers }: Pick<ShelvedOffer, 'legs' | 'passengers'>,
  ctx: ToolContext,
): Promise<readonly string[]> {
  if (passengers.adults === 0) throw notOfferedTo(passengers);
  const query = {
    legs: legs.map((leg) => ({ ...leg, daysBefore: 0, daysAfter: 0 })),
    passengers,
    bookingClasses: [],
    includeSoldOut: false,
  };
  const { offers, validUntil }: FareSearchResult = await ctx.airline.searchFares(query, readCall(ctx));
  const matches = chosen.flatMap(({ offer }) => offers.find((candidate) => isSameTrip(offer, candidate)) ?? []);
  if (matches.length < chosen.length) throw notOfferedTo(passengers);
  return storeOffers(matches, query, ctx, validUntil);
}

/** Whether two offers are of the same trains, times, classes and fares. */
function isSameTrip(a: Offer, b: Offer): boolean {
  const [wanted, offered] = [flightsIn(a), flightsIn(b)];
  const isOffered = (flight: FlightFacts, i: number) => diffFlight(flight, offered[i] ?? flight).length === 0;
  return a.leg === b.leg && wanted.length === offered.length && wanted.every(isOffered);
}

const flightsIn = ({ options }: Offer): readonly FlightFacts[] =>
  options.flatMap(({ segments }) => segments.map(readFlight));

function notOfferedTo(size: PassengerCounts): ClerkError {
  const what = `The airline does not offer this trip in this fare to ${partyInWords(size) || 'this party'}.`;
  return notSent('E_NO_AVAILABILITY', what, 'Call search_fares for this party, and move it with an offer of its own.');
}

interface PartyInput {
  readonly passengers: readonly object[];
  readonly contact: object;
  /** `passenger 2: gender, birth date`. */
  readonly missing: readonly string[];
}

/** Describes the party exactly as the airline gives it. What it masks or omits is missing, and never made up. */
function describeParty({ reading: booking }: Booking): PartyInput {
  const people = booking.travelers.map((traveler) => describePassenger(traveler, booking.travelers));
  const contact = describeContact(contactOf(booking));
  return {
    passengers: people.map(({ args }) => args),
    contact: contact.args,
    missing: [
      ...people.flatMap(({ missing }, i) =>
        missingText(`passenger ${cleanRef(booking.travelers[i]?.ref ?? '')}`, missing),
      ),
      ...missingText('contact', contact.missing),
    ],
  };
}

/** `passenger 2: gender, birth date`; nothing if nothing is missing. */
function missingText(who: string, missing: readonly string[]): readonly string[] {
  return missing.length === 0 ? [] : [`${who}: ${missing.join(', ')}`];
}

/** Gives the text. Undefined if it is absent or masked. */
function unlessMasked(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' || isMasked(text) ? undefined : text;
}

function joinParts(parts: readonly string[] | undefined): string | undefined {
  return unlessMasked(parts?.join(' '));
}

function describePassenger(traveler: Traveler, party: readonly Traveler[]) {
  const { type, name, document, birthDate, emails, phones, attendantRef } = traveler;
  const { number, nationality, expires } = document ?? {};
  const names = describeName(name);
  const required = {
    'given name': names.given_name,
    surname: names.surname,
    gender: GENDERS.find((one) => one === traveler.gender),
    'birth date': realDay(birthDate),
    'document type': readDocumentKind(document?.docType),
    'document number': unlessMasked(number),
    'nationality of the document': readCountry(nationality),
    'last valid day of the document': realDay(expires),
    ...(attendantRef !== undefined && { 'its adult': placeInParty(attendantRef, party) }),
  };
  const args = {
    type,
    ...names,
    gender: required.gender,
    birth_date: required['birth date'],
    document: {
      type: required['document type'],
      number: required['document number'],
      nationality: required['nationality of the document'],
      expires: required['last valid day of the document'],
    },
    with_adult: attendantRef === undefined ? undefined : placeInParty(attendantRef, party),
    email: unlessMasked(emails[0]),
    phone: describePhone(phones[0]),
  };
  return { args, missing: missingNames(required) };
}

function describeContact(contact: Contact | undefined) {
  const { name, emails = [], phones = [], addresses = [] }: Partial<Contact> = contact ?? {};
  const names = describeName(name);
  const required = {
    'given name': names.given_name,
    surname: names.surname,
    'e-mail': unlessMasked(emails[0]),
  };
  const { city, countryCode } = addresses[0] ?? {};
  const args = {
    given_name: required['given name'],
    surname: required.surname,
    email: required['e-mail'],
    phone: describePhone(phones[0]),
    city: unlessMasked(city),
    country: readCountry(countryCode),
  };
  return { args, missing: missingNames(required) };
}

/** Names the required fields without a value. */
function missingNames(required: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(required).filter((name) => required[name] === undefined);
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

/** Gives the place of a passenger in the list, from 1. */
function placeInParty(ref: string, party: readonly Traveler[]): number | undefined {
  const index = party.findIndex((traveler) => traveler.ref === ref);
  return index < 0 ? undefined : index + 1;
}

const realDay = (day = ''): string | undefined => (isRealDate(day) ? day : undefined);

function readDocumentKind(code: string | undefined): string | undefined {
  const kind = documentKind(code);
  return Object.hasOwn(DOCUMENT_TYPES, kind) ? kind : undefined;
}

function readCountry(code: string | undefined): string | undefined {
  const upper = code?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(upper) ? upper : twoLetterCountry(upper);
}

/** Gives the telephone, an optional argument. Undefined unless code and number are complete. */
function describePhone({ countryCode, number }: Phone = {}): object | undefined {
  const [code, digits] = [countryCode, number].map((part) => unlessMasked(part)?.replace(/[\s()+.-]/g, ''));
  const isComplete = /^\d{1,4}$/.test(code ?? '') && /^\d{4,15}$/.test(digits ?? '');
  return isComplete ? { country_code: code, number: digits } : undefined;
}
