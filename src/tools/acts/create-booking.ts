/**
 * Makes a booking: first the act and its evidence (the reply and its names, because no locator is known before), then the tool, what
 * its terms say, and what its report warns of. create-input.ts checks the input.
 */

import * as z from 'zod';
import type { Terms, TermsSection } from '../../approvals/terms.ts';
import { type ClerkError, inputError } from '../../core/errors.ts';
import { once } from '../../core/memoize.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { instantOf, latestTime } from '../../core/times.ts';
import { joined } from '../../core/words.ts';
import type { NewBooking } from '../../domain/airline.ts';
import { activeSegments, type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { bookingState } from '../../domain/booking/booking-state.ts';
import { flightName, segmentText } from '../../domain/booking/flight-name.ts';
import { comparePeople, type PersonSigns, personSigns } from '../../domain/booking/same-people.ts';
import { tripFacts } from '../../domain/booking/sold-facts.ts';
import { answerToService, type ServiceAnswer, serviceAnswerText } from '../../domain/booking/special-services.ts';
import { askedPeople, askedService, type HeldDifference, type PeopleLayer } from '../../domain/facts/asked-people.ts';
import {
  type ChosenOffer,
  chosenOffer,
  firstSaid,
  heldDifferences,
  listsFewerFlights,
} from '../../domain/facts/compare-hold-with-offer.ts';
import { type SentBooking, signsSent, signsShown } from '../../domain/facts/own-signs.ts';
import type { SaidLine } from '../../domain/facts/said.ts';
import { isSameTime } from '../../domain/facts/values.ts';
import { type Digest, detailText } from '../../domain/people/identity-text.ts';
import { fullName, type Traveler } from '../../domain/people/traveler.ts';
import { type ActEvidence, type ActPart, expectedBy } from '../../journal/act.ts';
import type { Verdict } from '../../journal/evidence.ts';
import { type Operation, tripOf } from '../../journal/operation.ts';
import { type Done, defineAct, type ToolContext, vehicleOf } from '../definition/define.ts';
import { filled, listedWithoutShape } from '../definition/field-notes.ts';
import { OFFER, passenger } from '../definition/input-fields.ts';
import { partyInCodes, partyInWords, partySize } from '../rules/party-size.ts';
import type { Trip } from '../steps/offers.ts';
import { operationsOn } from '../steps/record-booking.ts';
import { fullBooking } from '../views/booking-data.ts';
import { bookingSchema } from '../views/booking-schema.ts';
import { bookingText } from '../views/booking-text.ts';
import { notAsOffered, notAsOfferedSchema, viewDifferences } from '../views/not-as-offered.ts';
import { bookingRefund } from '../views/refund-data.ts';
import { refundSchema } from '../views/refund-schema.ts';
import { refundText } from '../views/refund-text.ts';
import { personLine, quotedName, section, serviceLine, tripLines, tripSection } from '../views/terms-text.ts';
import { noteLines } from './booking-change.ts';
import {
  input,
  inputWith,
  type NewBookingInput,
  type NewBookingSend,
  newBooking,
  passengersToEnter,
  sendableTrip,
} from './create-input.ts';

const NOT_READ = 'The booking was made. Whether it is still held, paid or gone is not known.';
const TELL_FIRST = 'Tell the person what differs.';
const STILL_OR_NOT =
  'If they still want it, call pay_booking, whose question says it again. If not, release it with cancel_booking.';
const PAY_OR_NOT =
  'Pay with pay_booking once the person agrees. An unwanted hold expires by itself. If the person asks for its release, call cancel_booking.';

const EXAMPLE_NAME = { given_name: 'Layla', surname: 'Haddad' };
const EXAMPLE_DOCUMENT = { type: 'passport', number: 'P4402917', nationality: 'SA', expires: '2035-08-30' };

/** Not a service that the airline may still confirm, or of which it sends no status. */
const TOLD_AS_DIFFERENCE: readonly ServiceAnswer[] = ['confirmed', 'none', 'refused', 'cancelled'];

const NO_SERVICES: NonNullable<NewBooking['services']> = new Map();

/** What a new booking is expected to be, and what proves that it was made. */
type ExpectedBooking = {
  readonly kind: 'create';
  /** Its segments in words, for a person who looks for the hold at the airline. */
  readonly trip?: readonly string[];
  /** Digests of the signs that it is the booking that was sent; absent while no traveller has a name. */
  readonly names?: readonly string[];
  /** The chosen offer, to compare with what is held and with another create of the same trip. */
  readonly offer?: ChosenOffer;
  /** What tells its travellers from others; of a group, whom it is for. */
  readonly people?: readonly PersonSigns[];
  /** The last departure in UTC, `2026-12-09T15:40:00.000Z`: the trip could be booked twice up to then. */
  readonly until?: string;
};

/** What is known of the trip of a new booking. */
interface ExpectedTrip {
  readonly offer?: ChosenOffer | undefined;
  readonly lastDeparture?: string | undefined;
  /** The segments in words. */
  readonly segmentTexts?: readonly string[];
  readonly sent?: Omit<SentBooking, 'travelers'>;
  readonly people?: readonly PersonSigns[];
}

export function expectBooking(
  travelers: readonly Traveler[],
  digest: Digest,
  { offer, lastDeparture, segmentTexts = [], sent, people }: ExpectedTrip = {},
): ExpectedBooking {
  const names = signsSent({ travelers, ...sent }).map(digest);
  const until = instantOf(lastDeparture);

  return {
    kind: 'create',
    trip: filled(segmentTexts),
    names: filled(names),
    offer,
    people,
    until: until === undefined ? undefined : new Date(until).toISOString(),
  };
}

const createEvidence: ActEvidence<ExpectedBooking> = {
  kind: 'create',
  reply: (expected, { booking }, { digest }) => judgeReply(expected, booking, digest),
  reading: (expected, booking, { digest }) =>
    isOfTrip(expected, booking) ? judgeReply(expected, booking, digest) : 'void',
  learns: (_, { booking }, at) => ({ locator: booking?.locator, first: booking && firstSaid(booking, at) }),
  toCheck: ({ trip }) =>
    `whether a hold was made for these flights and travellers${trip ? `, ${trip.join(' and ')}` : ''}`,
};

/** Compares the signs of whose booking it is: the locator is new, and a socket can deliver somebody else's booking. */
function judgeReply({ names }: ExpectedBooking, made: Booking | undefined, digest: Digest): Verdict {
  if (made === undefined || made.locator === '') return 'void';
  const shown = signsShown(made);
  const isSomebodyElses =
    names !== undefined && shown.length > 0 && !shown.some((sign) => names.includes(digest(sign)));
  return isSomebodyElses ? 'void' : 'done';
}

/** Whether a booking that the airline's answer names has exactly the flights of the offer. */
function isOfTrip({ offer }: ExpectedBooking, booking: Booking): boolean {
  const held = activeSegments(booking);
  if (offer === undefined || held.length !== offer.segments.length) return false;
  return offer.segments.every(({ from, to, departs = '' }) =>
    held.some((segment) => segment.from === from && segment.to === to && isSameTime(segment.departs, departs)),
  );
}

const act: ActPart<ExpectedBooking> = {
  ...createEvidence,
  countedAs: 'hold',
  scope: 'air:book',
  word: 'booking',
  title: () => 'Held; nothing is paid yet',
  trip: ({ trip }) => trip,
  offer: ({ offer }) => offer,
  people: ({ people }) => people,
};

/** The facts that are stored with the terms. Flights and people tell whether a second call asks for the same booking. */
interface CreateFacts {
  /** Name, departure and class of each. */
  readonly flights: readonly (readonly [string, string, string])[];
  readonly people: readonly string[];
  readonly total: Money | undefined;
}

export const createBooking = defineAct({
  act,
  // It asks before there is a booking: only a repeated call finds one, whose changes its result tells.
  requests: ['create', 'createFromCounts'],
  name: 'create_booking',
  title: 'Create booking',
  description:
    'Hold offers from search_fares, free and unpaid, until pay_by. Give passengers, or passenger_counts for a group named later. Ask the person for names and documents; never invent them.',
  toolset: 'core',
  example: {
    offer_ids: [OFFER],
    contact: { ...EXAMPLE_NAME, email: 'layla@example.com' },
    passengers: [
      { type: 'ADT', ...EXAMPLE_NAME, gender: 'Female', birth_date: '1991-04-17', document: EXAMPLE_DOCUMENT },
    ],
  },
  effect: 'hold',
  input,
  inputAlone: once(() => z.strictObject(inputWith(passenger()))),

  output: () => ({
    not_as_offered: notAsOfferedSchema(),
    booking: bookingSchema(),
    refund: listedWithoutShape(refundSchema().optional()),
  }),

  showsFullBooking: true,

  async detailsForm(args, ctx) {
    const trip = await sendableTrip(args, ctx);
    const passengers = passengersToEnter(args, trip, ctx);
    if (args.again_after !== undefined) await earlierBookings(args.again_after, ctx);
    const segments = segmentsOf(trip);
    return { trip: tripLines(segments, ctx), segments, cards: passengers.map(({ type }) => ({ type, asks: 'new' })) };
  },

  async preview(args, ctx): Promise<Terms<NewBookingSend>> {
    const trip = await sendableTrip(args, ctx);
    const { send, warnings } = newBooking(args, trip, ctx);
    const facts: CreateFacts = { flights: listFlights(trip), people: identifyPeople(send), total: trip.total };

    const { people, ...fingerprints } = identifyBooking(send, facts, ctx);
    const supersedes = await findSuperseded(args.again_after, { people, ...fingerprints }, ctx);

    const segments = segmentsOf(trip);
    const { travelers } = peopleIn(send);
    const unnamedCount = send.kind === 'named' ? 0 : partySize(trip.passengers);

    return {
      facts,
      sold: tripFacts(segments, trip.passengers, unnamedCount),
      sections: holdSections(trip, send, { supersedes, warnings }, ctx),
      act: { verb: 'Make', object: 'another booking of the same trip' },
      nature: 'change',
      ask: supersedes !== undefined,
      subject: expectBooking(travelers, ctx.identity, {
        offer: offerOf(trip, send, ctx),
        lastDeparture: latestTime(segments.map(({ departs }) => departs)),
        segmentTexts: segments.map(segmentText),
        sent: { contact: send.booking.contact, options: send.booking.options },
        people,
      }),
      ...fingerprints,
      travelers,
      supersedes,
      asked: (digest) => askedPeople(peopleIn(send), digest),
      customer: args.customer,
      warnings,
      send,
    };
  },

  async commit({ send, dispatch }, ctx) {
    const booking =
      send.kind === 'named'
        ? await ctx.airline.create(send.booking, dispatch)
        : await ctx.airline.createFromCounts(send.booking, dispatch);
    return { booking };
  },

  async report(done, ctx) {
    const { booking, operation } = done;
    const passAgainAfter = `pass again_after: "${operation.id}"`;
    if (booking === undefined) {
      const next = `Call read_booking. Only if the booking no longer exists, ${passAgainAfter} to make another.`;
      return { summary: NOT_READ, next, added: {} };
    }

    const { view, head, refused } = await fullBooking(booking, await operationsOn(booking, ctx), ctx);
    const isOpen = view.state === 'held' || view.state === 'unknown';
    const isPayable = refused.pay_booking === undefined;

    const differences = await compareWithAsked(done, booking, isOpen, ctx);
    const areEntered = differences.length > 0 && (await ctx.state.enteredOnPage(booking));
    const readers = { vehicle: vehicleOf(ctx.settings), areEntered };
    const differs = notAsOffered(differences, readers);

    const payHint = differs === undefined ? PAY_OR_NOT : STILL_OR_NOT;
    const anotherHint = isRepeat(done) ? `To make another booking of this trip, ${passAgainAfter}.` : undefined;
    const next = [differs && TELL_FIRST, head.next ?? (isPayable ? payHint : undefined), anotherHint];
    const madeBefore = isRepeat(done) && !isOpen ? 'This booking was made before.' : undefined;
    const showsRefund = isOpen && !listsFewerFlights(offerKept(done), booking);

    return {
      summary: joined([differs, madeBefore, head.summary], ' '),
      next: joined(next, ' ') || undefined,
      warnings: reportWarnings(done, booking),
      added: {
        booking: view,
        not_as_offered: viewDifferences(differences, readers),
        refund: showsRefund ? bookingRefund(booking, ctx.now(), ctx) : undefined,
      },
    };
  },

  text({ booking, refund }) {
    const refundLines = refund && refundText(refund, booking?.currency ?? '').join(' ');
    return [refundLines && `Refund if cancelled after payment: ${refundLines}`, booking && bookingText(booking)];
  },
});

function listFlights(trip: Trip): CreateFacts['flights'] {
  return segmentsOf(trip).map((segment) => [flightName(segment), segment.departs, segment.bookingClass ?? ''] as const);
}

/** Identifies travellers by type and name, and a group by its size, its name and its contact. */
function identifyPeople(send: NewBookingSend): readonly string[] {
  if (send.kind === 'named')
    return send.booking.travelers.map((one) => `${one.type} ${detailText(one, 'name')}`).sort();
  const { passengers, contact, groupName = '' } = send.booking;
  return [partyInCodes(passengers), groupName, fullName(contact.name)];
}

/** What tells whether a second call asks for the same booking. */
interface BookingIdentity {
  readonly people: readonly PersonSigns[];
  readonly fingerprint: string;
  readonly fingerprintBefore: string;
}

/** Identifies flights and people. The signs of people are digests for this trip alone, so that they connect no two trips of a person. */
function identifyBooking(send: NewBookingSend, facts: CreateFacts, { identity, caller }: ToolContext): BookingIdentity {
  const trip = identity(JSON.stringify(['create', caller.tenant, facts.flights]));
  const ofTrip: Digest = (text) => identity(`${trip}|${text}`);
  const people =
    send.kind === 'named'
      ? send.booking.travelers.map((traveler) => personSigns(traveler, ofTrip))
      : [{ name: ofTrip(JSON.stringify(facts.people)) }];
  const inAnyOrder = people.map(({ name, born, documents }) => JSON.stringify([name, born, documents])).sort();

  // Version 0.4.0 knew travellers by their names, and groups by the addresses of their contact too.
  const namesBefore = send.kind === 'named' ? facts.people : [...facts.people, send.booking.contact.emails.join()];
  return {
    people,
    fingerprint: `${trip}.${identity(JSON.stringify(inAnyOrder))}`,
    fingerprintBefore: identity(JSON.stringify(['create', caller.tenant, facts.flights, namesBefore])),
  };
}

function holdSections(
  trip: Trip,
  send: NewBookingSend,
  { supersedes, warnings }: { readonly supersedes: string | undefined; readonly warnings: readonly string[] },
  ctx: ToolContext,
): readonly TermsSection[] {
  const price = trip.total === undefined ? '' : `, offered at ${showMoney(trip.total)}`;
  return [
    section('act', `Hold seats, unpaid${price}. No money moves; an unpaid hold expires by itself.`),
    section('caution', supersedes && 'An earlier booking of this trip exists or may exist: this is another.'),
    tripSection(segmentsOf(trip), ctx),
    send.kind === 'named'
      ? section('people', ...send.booking.travelers.map(personLine), ...serviceLines(send.booking))
      : section('people', `Passengers: ${partyInWords(send.booking.passengers)}, named later`),
    section('note', `Contact: ${quotedName(send.booking.contact.name)}`, ...noteLines(warnings)),
  ];
}

function serviceLines({ services = NO_SERVICES }: NewBooking): readonly SaidLine[] {
  return [...services].flatMap(([ref, wishes]) => wishes.map((wish) => serviceLine(ref, wish)));
}

/** Finds the operation of an earlier booking of the same trip. Throws E_INPUT if `reference` names none of this trip. */
async function findSuperseded(reference: string | undefined, booking: BookingIdentity, ctx: ToolContext) {
  if (reference === undefined) return undefined;
  const earlier = (await earlierBookings(reference, ctx)).find((operation) => isOfSameTrip(operation, booking));
  if (earlier !== undefined) return earlier.id;
  throw noEarlierBooking();
}

/** Whether an operation made a booking of this trip for people of these names or documents. */
function isOfSameTrip({ fingerprint = '', subject }: Operation, booking: BookingIdentity): boolean {
  if (fingerprint === booking.fingerprintBefore) return true;
  const { people } = subject as Partial<ExpectedBooking>;
  if (people === undefined || tripOf(fingerprint) !== tripOf(booking.fingerprint)) return false;
  return comparePeople({ signs: booking.people }, { signs: people }) !== undefined;
}

/**
 * Reads the tenant's operation with this id, or those that made the booking with this locator. Throws E_INPUT if there are
 * none.
 */
async function earlierBookings(reference: string, { caller, state }: ToolContext) {
  const { tenant } = caller;
  const { operations } = state;
  const byId = await operations.get(reference);
  const byLocator = { tenant, locator: reference.toUpperCase(), tool: 'create_booking' };
  const candidates = byId === undefined ? await operations.list(byLocator) : [byId];
  const ofTenant = candidates.filter((operation) => operation.tenant === tenant);
  if (ofTenant.length === 0) throw noEarlierBooking();

  return ofTenant;
}

function noEarlierBooking(): ClerkError {
  const expected = 'expected the locator of an earlier booking of this same trip, or the operation_id that made it.';
  return inputError('again_after', expected, 'Call create_booking without again_after: it says whether there is one.');
}

/** Whether an earlier call made the booking: this call sent nothing, so the airline answered it nothing. */
function isRepeat({ evidence }: Done<unknown>): boolean {
  return evidence === undefined;
}

/** What is kept of the offers, to compare the hold with them. */
function offerOf({ offered, passengers, total, terms }: Trip, send: NewBookingSend, ctx: ToolContext): ChosenOffer {
  const { adults: ADT, children: CHD, infants: INF } = passengers;
  const party = Object.fromEntries(Object.entries({ ADT, CHD, INF }).filter(([, count]) => count > 0));
  const { services = NO_SERVICES } = send.kind === 'named' ? send.booking : {};
  const asked = [...services].flatMap(([ref, wishes]) =>
    wishes.map(({ code }) => ctx.identity(askedService(ref, code))),
  );
  return chosenOffer(offered, { total, party, ...terms, services: filled(asked) });
}

function offerKept({ operation }: Done<unknown>): ChosenOffer | undefined {
  return expectedBy(act, operation)?.offer;
}

/**
 * Compares the booking with the offers and the arguments. What an earlier call made is compared while it is a hold, and with
 * what acts of ours changed since. A reply that lists a part is not compared.
 */
async function compareWithAsked(
  done: Done<NewBookingInput>,
  booking: Booking,
  isOpen: boolean,
  ctx: ToolContext,
): Promise<readonly HeldDifference[]> {
  if (done.isPartial || (isRepeat(done) && !isOpen)) return [];

  const asked = isRepeat(done)
    ? await ctx.state.askedFor(booking)
    : { offer: offerKept(done), layers: peopleSent(done), digest: ctx.identity };
  const { state } = bookingState(booking, done.now);

  return [
    ...(isOpen ? [] : [{ what: 'state', form: 'plain' as const, asked: 'held', held: state.replace('_', ' ') }]),
    ...heldDifferences(asked, booking, done.now).filter(({ isPending }) => isPending !== true),
  ];
}

/** The people of the call that sent them. */
function peopleSent({ terms }: Done<unknown>): readonly PeopleLayer[] {
  if (terms === undefined) return [];
  const sent = peopleIn(terms.send as NewBookingSend);
  return [{ people: askedPeople(sent), sent }];
}

function peopleIn({ kind, booking }: NewBookingSend) {
  return { travelers: kind === 'named' ? booking.travelers : [], contact: booking.contact };
}

/** Warns about what the airline did not confirm, and about what was sent otherwise than written. */
function reportWarnings(done: Done<NewBookingInput>, booking: Booking): readonly string[] {
  const isCompared = !done.isPartial && !isRepeat(done) && segmentsOf(booking).length > 0;
  return [
    ...serviceWarnings(booking, done.args, isCompared ? TOLD_AS_DIFFERENCE : ['confirmed']),
    ...(done.terms?.warnings ?? []),
  ];
}

/** Lists requested services with other answers than these. A booking that an earlier call made may lack those of this call. */
function serviceWarnings(booking: Booking, args: NewBookingInput, silent: readonly ServiceAnswer[]): readonly string[] {
  const segmentRefs = activeSegments(booking).map(({ ref }) => ref);
  return (args.passengers ?? []).flatMap(({ services = [] }, i) => {
    const travelerRef = String(i + 1);
    return services.flatMap(({ code }) => {
      const answer = answerToService(booking, { code, travelerRef, segmentRefs });
      return silent.includes(answer)
        ? []
        : [`${serviceLine(travelerRef, { code }).line}: ${serviceAnswerText(answer)}.`];
    });
  });
}
