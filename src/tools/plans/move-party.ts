/**
 * The recipe "move this party to train X": hold the offer for the same passengers, pay it, cancel the old segments; if the payment
 * is certainly not made, release the hold.
 */
import { bookingGist } from '../../approvals/booking-gist.ts';
import { fanOut } from '../../core/at-once.ts';
import { cleanCode, MOST_WORDS, plainText } from '../../core/clean-text.ts';
import { ClerkError, inputError } from '../../core/errors.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { dateOf, daysBetween, isRealDate, showDay, showTrip } from '../../core/times.ts';
import { type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { segmentStatus, standing } from '../../domain/booking/status-codes.ts';
import { twoLetterCountry } from '../../domain/people/countries.ts';
import {
  type Contact,
  contactOf,
  DOCUMENT_TYPES,
  documentKind,
  type PersonName,
  type Phone,
  type Traveler,
} from '../../domain/people/traveler.ts';
import type { FareSearchResult, Offer, PassengerCounts, ShelvedOffer } from '../../domain/pricing/offers.ts';
import { type BoundTerms, MOST_LINES, type PlanLine, type PlanStep } from '../../plans/plan.ts';
import { boundFacts, NEW_BOOKING } from '../../plans/propose.ts';
import { accountsFor, paymentNote, withAccountCaution } from '../acts/pay-booking.ts';
import { readCall, type ToolContext, vehicleOf } from '../definition/define.ts';
import { manyByRef } from '../rules/find-by-ref.ts';
import { countPassengers, partyInWords } from '../rules/party-size.ts';
import { notSent } from '../rules/why-not.ts';
import { callerFindings } from '../steps/findings.ts';
import { storeOffers, type Trip, tripFromOffers } from '../steps/offers.ts';
import { readNow } from '../steps/record-booking.ts';
import { peopleSection, section, tripSection } from '../views/terms-text.ts';
import { type LeftOut, leftOutFor, type RecipeArgs, type RecipeCall } from './recipe.ts';

type MovePartyArgs = RecipeArgs<'move_party'>;

/** Steps of the line, by their place. */
const [HOLD, PAY] = [0, 1];

/** Bookings that are read at once. */
const WIDTH = 4;

export async function moveParty(call: RecipeCall): Promise<readonly (PlanLine | LeftOut)[]> {
  const args = call.args as MovePartyArgs;
  const parties = await findParties(call);
  const offersFor = offersBySize(args.offer_ids, call.ctx);
  const moved = await fanOut(parties.locators, { width: WIDTH }, async (locator) => {
    try {
      const booking = await readNow(locator, call.ctx);
      return await lineFor(call, args, { booking, old: parties.replaced(booking), offersFor });
    } catch (error) {
      return leftOutFor(`Move booking ${locator}`, error);
    }
  });
  return moved.flatMap((settled) => {
    if (settled?.status === 'rejected') throw settled.reason;
    return settled?.value ?? [];
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
  if (await ctx.enteredOnPage(booking)) throw notSent('E_NOT_PERMITTED', ENTERED, BOOK_ANEW);
  const party = partyAgain(booking);
  assertNotReplaced(booking, old, ctx);
  assertCanRebook(booking, old, party);
  const offerIds = await offersFor(countPassengers(booking.travelers));
  const trip = await tripFromOffers(offerIds, ctx);
  const total = statedPrice(trip);
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
      bound: { ...(await paymentTerms({ booking, old, trip, total, args }, ctx)), facts },
    },
    ...(await cancelling(booking, old, { at, read })),
    { tool: 'cancel_booking', args: {}, locatorOf: HOLD, insteadOf: PAY, bound: release },
  ];
  return {
    title: `Move booking ${booking.locator} to ${fresh.map(nameAndTime).join(', ')}`,
    locator: booking.locator,
    about: bookingGist(booking, ctx.airline.placeName, ctx.settings),
    steps,
  };
}

/** The arguments of the new booking would be kept with the plan. */
const ENTERED = 'Travellers entered their details on the details page, and a plan keeps none of them.';
const BOOK_ANEW = 'Book the new trip with create_booking and details "page", then cancel the old one.';
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

/** Turns an error of input into a refusal: what the airline gives of the party is not the caller's mistake. */
async function sendable<T>(args: Promise<T>): Promise<T> {
  try {
    return await args;
  } catch (error) {
    if (!(error instanceof ClerkError) || error.code !== 'E_INPUT') throw error;
    const what = 'What the airline gives of the party cannot be sent again as it is.';
    throw notSent('E_NOT_PERMITTED', what, BY_HAND);
  }
}

function statedPrice({ total }: Trip): Money {
  if (total !== undefined) return total;
  throw notSent('E_AIRLINE_REPLY', 'The price of the offer is not known.', 'Call search_fares for another offer.');
}

/** The step that cancels the old segments. There is none where the airline has cancelled all of them already. */
async function cancelling(
  booking: Booking,
  old: readonly Segment[],
  { at, read }: Pick<RecipeCall, 'at' | 'read'>,
): Promise<readonly PlanStep[]> {
  const uncancelled = old.filter((segment) => !isGone(segment));
  if (uncancelled.length === 0) return [];
  const isWholeTrip = segmentsOf(booking).every((segment) => isGone(segment) || old.includes(segment));
  const { locator } = booking;
  if (!isPaid(booking) && !isWholeTrip) {
    const why = `Booking ${locator} is not paid: a part of it cannot be cancelled.`;
    throw notSent('E_NOT_PAID', why, 'Name no segment_refs, to move all of it.');
  }
  const tool = isPaid(booking) ? 'cancel_segment' : 'cancel_booking';
  const what = isWholeTrip ? { all: true } : { segment_refs: uncancelled.map(({ ref }) => ref) };
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
async function paymentTerms(
  { booking, old, trip, total, args }: PartyMove,
  ctx: ToolContext,
): Promise<Omit<BoundTerms, 'facts'>> {
  const { payment } = args;
  const paymentTerms = {
    payment,
    total,
    accounts: await accountsFor(payment, ctx),
    asOf: 'when this plan was proposed',
  };
  const fresh = trip.options.flatMap(({ segments }) => segments);
  const ends = (segments: readonly Segment[]) => `${segments[0]?.from}-${segments.at(-1)?.to}`;
  return {
    act: `Pay ${showMoney(total)}`,
    nature: 'payment',
    money: { direction: 'payment', amount: total },
    sections: [
      section('act', `Book the new trip for the same passengers, and pay ${showMoney(total)} for it.`),
      withAccountCaution(
        section(
          'caution',
          ends(fresh) === ends(old) ? undefined : 'The new trip is between other stations than the old one.',
          old.every(isGone) ? GONE : undefined,
        ),
        paymentTerms,
        ctx,
      ),
      tripSection(old, ctx, { before: 'Old: ' }),
      tripSection(fresh, ctx, { before: 'New: ' }),
      peopleSection(booking.travelers),
      section('refund', `New fare: ${refundWords(trip, args)}.`),
      paymentNote(paymentTerms, ctx, NOT_CARRIED_OVER),
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

interface Parties {
  readonly locators: readonly string[];
  /** The segments of a booking that are replaced. @throws ClerkError if it has none */
  replaced(booking: Booking): readonly Segment[];
}

/** @throws ClerkError for arguments that do not fit together, and for a train that no finding is about */
async function findParties({ args, at, ctx }: RecipeCall): Promise<Parties> {
  const { locator, segment_refs: refs, train, date, locators } = args as RecipeArgs<'move_party'>;
  const place = `${at}.arguments`;
  if (locator !== undefined && [train, date, locators].every((argument) => argument === undefined)) {
    return {
      locators: [locator],
      replaced: (booking) => replacedSegments(booking, refs, `${place}.segment_refs`),
    };
  }
  if (locator !== undefined || train === undefined || date === undefined || refs !== undefined) {
    throw inputError(place, 'expected either locator, or train and date.');
  }
  return {
    locators: locators ?? (await onTrain(train, date, place, ctx)),
    replaced: (booking) => segmentsOn(booking, train, date, ctx),
  };
}

const isGone = (segment: Segment) => standing(segment) === 'cancelled';

const nameAndTime = (segment: Segment) => `${flightName(segment)}, ${showTrip(segment.departs, segment.arrives)}`;

/**
 * Refuses a party that the airline has put on another train already: it needs no second trip. Also where the airline owes a refund
 * for the cancelled segment.
 */
function assertNotReplaced(booking: Booking, old: readonly Segment[], { settings }: ToolContext): void {
  const others = running(booking).filter((other) => !old.includes(other));
  for (const was of old.filter((lost) => segmentStatus(lost.statusCode) !== 'active')) {
    const replacement = others.find(
      ({ from, to, departs }) =>
        from === was.from && to === was.to && Math.abs(daysBetween(dateOf(was.departs), dateOf(departs))) <= 1,
    );
    if (replacement === undefined) continue;
    const has = `${vehicleOf(settings)} ${nameAndTime(replacement)}, in place of ${flightName(was)}`;
    throw notSent('E_NOT_PERMITTED', `Booking ${booking.locator} has ${has}.`, 'Call read_booking to see its trip.');
  }
}

const running = (booking: Booking) =>
  segmentsOf(booking).filter((segment) => segmentStatus(segment.statusCode) === 'active');

/** The named segments, also those that the airline cancelled; by default every one that is not cancelled, or else all. */
function replacedSegments(booking: Booking, refs: readonly string[] | undefined, at: string): readonly Segment[] {
  const all = segmentsOf(booking);
  if (refs !== undefined) return manyByRef(all, refs, at, 'the booking has');
  const uncancelled = all.filter((segment) => !isGone(segment));
  return uncancelled.length > 0 ? uncancelled : all;
}

/** `101` for `HHR101` and `0101`: a carrier may stand before it. */
function trailingNumber(number: string): string {
  return (/\d+$/.exec(number.trim())?.[0] ?? number.trim()).replace(/^0+(?=\d)/, '');
}

function trainText(train: string, date: string, { settings }: ToolContext): string {
  return `${vehicleOf(settings)} ${cleanCode(train, 12)} on ${showDay(`${date}T00:00`)}`;
}

/** Bookings with an open finding about the train that day. */
async function onTrain(train: string, date: string, place: string, ctx: ToolContext): Promise<readonly string[]> {
  const open = await callerFindings(ctx);
  const about = open.filter(
    ({ segment }) =>
      segment !== undefined &&
      trailingNumber(segment.number) === trailingNumber(train) &&
      dateOf(segment.departs) === date,
  );
  const locators = [...new Set(about.map(({ locator }) => locator))].toSorted();
  const finding = `an open finding about ${trainText(train, date, ctx)}`;
  if (locators.length > MOST_LINES) {
    const next = `Name at most ${MOST_LINES} of them in locators, and the others in further plans.`;
    throw inputError(place, `${locators.length} bookings have ${finding}.`, next);
  }
  if (locators.length > 0) return locators;
  const what = `No booking of yours has ${finding}.`;
  throw notSent('E_NOT_FOUND', what, 'Call list_bookings with needs_attention, or name the bookings in locators.');
}

/** The segments of a booking on this train that day. @throws ClerkError if there are none */
function segmentsOn(booking: Booking, train: string, date: string, ctx: ToolContext): readonly Segment[] {
  const found = segmentsOf(booking).filter(
    ({ flightNumber, departs }) => trailingNumber(flightNumber) === trailingNumber(train) && dateOf(departs) === date,
  );
  if (found.length > 0) return found;
  const what = `Booking ${booking.locator} has no segment of ${trainText(train, date, ctx)}.`;
  const has = running(booking).map(nameAndTime);
  const trip = has.length === 0 ? 'No segment of it is active.' : `It has ${has.join('; ')}.`;
  throw notSent('E_NOT_PERMITTED', `${what} ${trip}`, 'Call read_booking to see its trip.');
}

/** The offers that stand for these in a party of that size. @throws ClerkError E_NO_AVAILABILITY */
type OffersFor = (size: PassengerCounts) => Promise<readonly string[]>;

/** The same trip in the same fare is looked up once for each other size. */
function offersBySize(ids: readonly string[], ctx: ToolContext): OffersFor {
  const bySize = new Map<string, Promise<readonly string[]>>();
  return (size) => {
    const key = JSON.stringify([size.adults, size.children, size.infants]);
    const found = bySize.get(key) ?? offersFor(ids, size, ctx);
    bySize.set(key, found);
    return found;
  };
}

async function offersFor(ids: readonly string[], size: PassengerCounts, ctx: ToolContext): Promise<readonly string[]> {
  const stored = await Promise.all(ids.map((id) => ctx.state.offers.get(ctx.caller, id)));
  const chosen = stored.flatMap((offer) => offer ?? []);
  // An offer that is not known is refused later, when the trip is read (tripFromOffers).
  if (chosen.length < ids.length || chosen.every(({ passengers }) => isSameSize(passengers, size))) return ids;
  const found: string[] = [];
  for (const [legs, those] of Map.groupBy(chosen, (held) => JSON.stringify(held.legs))) {
    const search = { legs: JSON.parse(legs) as ShelvedOffer['legs'], passengers: size };
    found.push(...(await searchAgain(those, search, ctx)));
  }
  return found;
}

function isSameSize(a: PassengerCounts, b: PassengerCounts): boolean {
  return a.adults === b.adults && a.children === b.children && a.infants === b.infants;
}

async function searchAgain(
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
  const same = chosen.map(({ offer }) => offers.find((candidate) => describeTrip(candidate) === describeTrip(offer)));
  if (same.some((match) => match === undefined)) throw notOfferedTo(passengers);
  return storeOffers(
    same.flatMap((found) => found ?? []),
    query,
    ctx,
    validUntil,
  );
}

/** What makes two offers the same trip: trains, times, classes and fares. */
function describeTrip({ leg, options }: Offer): string {
  const segments = options.flatMap((option) => option.segments);
  return JSON.stringify([
    leg ?? null,
    segments.map((segment) => [
      flightName(segment),
      segment.from,
      segment.to,
      segment.departs,
      segment.bookingClass,
      segment.fareBasis ?? null,
    ]),
  ]);
}

function notOfferedTo(size: PassengerCounts) {
  const what = `The airline does not offer this trip in this fare to ${partyInWords(size) || 'this party'}.`;
  return notSent('E_NO_AVAILABILITY', what, 'Call search_fares for this party, and move it with an offer of its own.');
}

interface PartyAgain {
  readonly passengers: readonly object[];
  readonly contact: object;
  /** `passenger 2: gender, birth date`. */
  readonly missing: readonly string[];
}

/** Exactly what the airline gives. What it masks or does not give is missing, and never made up. */
function partyAgain(booking: Booking): PartyAgain {
  const people = booking.travelers.map((traveler) => passengerAgain(traveler, booking.travelers));
  const contact = contactAgain(contactOf(booking));
  return {
    passengers: people.map(({ args }) => args),
    contact: contact.args,
    missing: [
      ...people.flatMap(({ lacks }, i) => lackText(`passenger ${booking.travelers[i]?.ref}`, lacks)),
      ...lackText('contact', contact.lacks),
    ],
  };
}

function lackText(who: string, lacks: readonly string[]): readonly string[] {
  return lacks.length === 0 ? [] : [`${who}: ${lacks.join(', ')}`];
}

/** Signs that airlines put in place of personal data. */
const MASK = /[*\u2022\u25CF#]|x{3,}/i;

/** Undefined if it is absent or masked. */
function unlessMasked(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' || MASK.test(text) ? undefined : text;
}

const joined = (parts: readonly string[] | undefined) => unlessMasked(parts?.join(' '));

function passengerAgain(traveler: Traveler, party: readonly Traveler[]) {
  const { type, name, document, birthDate, emails, phones, attendantRef } = traveler;
  const { number, nationality, expires } = document ?? {};
  const needs = {
    'given name': joined(name?.given),
    surname: unlessMasked(name?.surname),
    gender: readGender(traveler.gender),
    'birth date': readDay(birthDate),
    'document type': readDocumentKind(document?.docType),
    'document number': unlessMasked(number),
    'nationality of the document': readCountry(nationality),
    'last valid day of the document': readDay(expires),
    ...(attendantRef !== undefined && { 'its adult': placeInParty(attendantRef, party) }),
  };
  const args = {
    type,
    ...nameAgain(name),
    gender: needs.gender,
    birth_date: needs['birth date'],
    document: {
      type: needs['document type'],
      number: needs['document number'],
      nationality: needs['nationality of the document'],
      expires: needs['last valid day of the document'],
    },
    with_adult: attendantRef === undefined ? undefined : placeInParty(attendantRef, party),
    email: unlessMasked(emails[0]),
    phone: phoneAgain(phones[0]),
  };
  return { args, lacks: lackingIn(needs) };
}

function contactAgain(contact: Contact | undefined) {
  const { name, emails = [], phones = [], addresses = [] }: Partial<Contact> = contact ?? {};
  const needs = {
    'given name': joined(name?.given),
    surname: unlessMasked(name?.surname),
    'e-mail': unlessMasked(emails[0]),
  };
  const { city, countryCode } = addresses[0] ?? {};
  const args = {
    given_name: needs['given name'],
    surname: needs.surname,
    email: needs['e-mail'],
    phone: phoneAgain(phones[0]),
    city: unlessMasked(city),
    country: readCountry(countryCode),
  };
  return { args, lacks: lackingIn(needs) };
}

function lackingIn(needs: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(needs).filter((what) => needs[what] === undefined);
}

function nameAgain(name: PersonName | undefined) {
  return {
    given_name: joined(name?.given),
    middle_name: joined(name?.middle),
    surname: unlessMasked(name?.surname),
    suffix: joined(name?.suffix),
    title: joined(name?.prefix) ?? joined(name?.title),
  };
}

/** Its place in the list of passengers, from 1. */
function placeInParty(ref: string, party: readonly Traveler[]): number | undefined {
  const at = party.findIndex((traveler) => traveler.ref === ref);
  return at < 0 ? undefined : at + 1;
}

const GENDERS: Readonly<Record<string, string>> = { M: 'Male', F: 'Female', U: 'Unknown' };

function readGender(text: string | undefined): string | undefined {
  const first = text?.trim().charAt(0).toUpperCase() ?? '';
  return own(GENDERS, first);
}

function readDay(text: string | undefined): string | undefined {
  const day = text?.slice(0, 10) ?? '';
  return isRealDate(day) ? day : undefined;
}

function readDocumentKind(code: string | undefined): string | undefined {
  const kind = documentKind(code);
  return Object.hasOwn(DOCUMENT_TYPES, kind) ? kind : undefined;
}

function readCountry(code: string | undefined): string | undefined {
  const upper = code?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(upper) ? upper : twoLetterCountry(upper);
}

/** An optional field: left out unless it is whole. */
function phoneAgain({ countryCode, number }: Phone = {}): object | undefined {
  const [code, digits] = [countryCode, number].map((part) => unlessMasked(part)?.replace(/[\s()+.-]/g, ''));
  const isComplete = /^\d{1,4}$/.test(code ?? '') && /^\d{4,15}$/.test(digits ?? '');
  return isComplete ? { country_code: code, number: digits } : undefined;
}
