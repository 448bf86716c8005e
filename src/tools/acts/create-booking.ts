/** Makes a booking: the tool, its act, and the evidence (the reply and its names, because no locator is known before). */
import * as z from 'zod';
import type { Terms, TermsSection } from '../../approvals/terms.ts';
import { cleanCode, plainText, quoted } from '../../core/clean-text.ts';
import { type ClerkError, inputError } from '../../core/errors.ts';
import { once } from '../../core/memoize.ts';
import { formatMoney, type Money, sameMoney, showMoney } from '../../core/money.ts';
import { addDays, instantOf, latestTime, showDeadline, utcDay } from '../../core/times.ts';
import type { NewBooking, NewGroupBooking } from '../../domain/airline.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { bookingState, hasPassed } from '../../domain/booking/booking-state.ts';
import { flightName, segmentText } from '../../domain/booking/flight-name.ts';
import { tripFacts } from '../../domain/booking/sold-facts.ts';
import { answerToService, findService, serviceAnswerText } from '../../domain/booking/special-services.ts';
import { airlineName, GIVEN_NAME, type NameBounds, SURNAME } from '../../domain/people/airline-name.ts';
import { type Digest, documentIdentityText } from '../../domain/people/identity-text.ts';
import { namesSent, namesShown } from '../../domain/people/name-keys.ts';
import { fullName, type PersonName, type Traveler } from '../../domain/people/traveler.ts';
import { type ChosenOffer, chosenOffer, fareDifferences } from '../../domain/pricing/fare-basis-codes.ts';
import type { PassengerCounts } from '../../domain/pricing/offers.ts';
import { type ActEvidence, type ActPart, expectedBy } from '../../journal/act.ts';
import type { Verdict } from '../../journal/evidence.ts';
import { type ArgsOf, type Done, defineAct, type ToolContext } from '../definition/define.ts';
import { listedByName, noted, strings } from '../definition/field-notes.ts';
import {
  approvalId,
  contact,
  counts,
  countsOf,
  details,
  type KnownPassenger,
  knownPassenger,
  listOf,
  OFFER,
  type PassengerInput,
  passenger,
  text,
} from '../definition/input-fields.ts';
import { InputProblems } from '../rules/input-problems.ts';
import {
  assertParty,
  checkAdult,
  checkCounts,
  countPassengers,
  partyInCodes,
  partyInWords,
  partySize,
  typesIn,
} from '../rules/party-size.ts';
import {
  assertEntered,
  enteredPassenger,
  otherNames,
  pairAttendants,
  sentContact,
  sentServices,
  sentTravelers,
} from '../rules/passenger-details.ts';
import { assertSendable, type Trip, tripFromOffers } from '../steps/offers.ts';
import { fullBooking } from '../views/booking-data.ts';
import { bookingSchema } from '../views/booking-schema.ts';
import { bookingText } from '../views/booking-text.ts';
import { bookingRefund, firstDeparture } from '../views/refund-estimate.ts';
import { type Refund, refundSchema } from '../views/refund-schema.ts';
import { refundText, ruleChangeText } from '../views/refund-text.ts';
import { personLine, quotedName, section, serviceLine, tripLines, tripSection } from '../views/terms-text.ts';
import { noteLines, priceChangedText } from './booking-change.ts';

const NOT_READ = 'The booking was made. Whether it is still held, paid or gone is not known.';
const PAY_OR_NOT =
  'Pay with pay_booking once the person agrees. If it is not wanted, let it lapse: it needs no release.';

const EXAMPLE_PASSENGER = [
  ...['type=ADT', 'given_name=Layla', 'surname=Haddad', 'gender=Female', 'birth_date=1991-04-17'],
  ...['document.type=passport', 'document.number=P4402917', 'document.nationality=SA', 'document.expires=2035-08-30'],
];

const NO_SERVICES: NonNullable<NewBooking['services']> = new Map();

/** How many characters of a fare, of a name and of the group's name are shown or sent. */
const FARE_CHARS = 30;
const NAME_CHARS = 70;
const GROUP_NAME_CHARS = 40;

/** How many names a note lists. */
const MOST_NAMES = 3;

/** What a new booking is expected to be, and what proves that it was made. */
type ExpectedBooking = {
  readonly kind: 'create';
  /** Its segments in words, for a person who looks for the hold at the airline. */
  readonly trip?: readonly string[];
  /** Digests of the travellers' names; absent while they have none. */
  readonly names?: readonly string[];
  /** The chosen offer, to compare with what is held and with another create of the same trip. */
  readonly offer?: ChosenOffer;
  /** The last departure in UTC, `2026-12-09T15:40:00.000Z`: the trip could be booked twice up to then. */
  readonly until?: string;
};

export function expectBooking(
  travelers: readonly Traveler[],
  digest: Digest,
  offer?: ChosenOffer,
  lastDeparture?: string,
  trip: readonly string[] = [],
): ExpectedBooking {
  const names = namesSent(travelers).map(digest);
  const until = instantOf(lastDeparture);
  return {
    kind: 'create',
    trip: trip.length > 0 ? trip : undefined,
    names: names.length > 0 ? names : undefined,
    offer,
    until: until === undefined ? undefined : new Date(until).toISOString(),
  };
}

const createEvidence: ActEvidence<ExpectedBooking> = {
  kind: 'create',
  reply: (expected, { booking }, { digest }) => judgeReply(expected, booking, digest),
  reading: () => 'void',
  learns: (_, { booking }) => ({ locator: booking?.locator }),
  toCheck: ({ trip }) =>
    `whether a hold was made for these flights and travellers${trip ? `, ${trip.join(' and ')}` : ''}`,
};

/** Compares names: the locator is new, and a socket can deliver somebody else's booking. */
function judgeReply({ names }: ExpectedBooking, made: Booking | undefined, digest: Digest): Verdict {
  if (made === undefined || made.locator === '') return 'void';
  const shownNames = namesShown(made.travelers);
  const isSomebodyElses =
    names !== undefined && shownNames.length > 0 && !shownNames.some((name) => names.includes(digest(name)));
  return isSomebodyElses ? 'void' : 'done';
}

const act: ActPart<ExpectedBooking> = {
  ...createEvidence,
  countedAs: 'hold',
  scope: 'air:book',
  word: 'booking',
  title: () => 'Held; nothing is paid yet',
  trip: ({ trip }) => trip,
  offer: ({ offer }) => offer,
};

/** The facts that are stored with the terms. Flights and people tell whether a second call asks for the same booking. */
interface CreateFacts {
  /** Name, departure and class of each. */
  readonly flights: readonly (readonly [string, string, string])[];
  readonly people: readonly string[];
  readonly total: Money | undefined;
  readonly refund?: string | undefined;
}

/** The fields of the input. `passengerSchema` says which fields of a passenger are required. */
const inputWith = <P extends z.ZodType>(passengerSchema: P) => ({
  offer_ids: noted(
    'The `offer_id` of each offer to book together, in the order of travel: {}.',
    listOf(text(20), 1, 6).describe('one for the trip, or one per leg'),
  ),
  contact: contact(),
  passengers: noted(
    'The travellers, as many and of the types that were searched. Ask the person; never invent them. Either this or `passenger_counts`. With `details` only `type` is required.',
    z.array(passengerSchema).optional(),
  ),
  passenger_counts: noted(
    'How many of each type, for a group whose names follow later, or with `details`: {}. Either this or `passengers`.',
    counts().optional(),
  ),
  details: details(),
  group_name: noted('Name of the group, with `passenger_counts` only.', text(GROUP_NAME_CHARS).optional()),
  again_after: noted(
    'Only on purpose, by its locator: {}.',
    text(60).optional().describe('earlier booking of this trip, to make another'),
    'a repeat books nothing',
  ),
  approval_id: approvalId(),
});

const input = () => inputWith(knownPassenger());

type NewBookingInput = ArgsOf<typeof input>;

/** What is sent: travellers with their details, or a group whose names follow later. */
type NewBookingSend =
  | { readonly kind: 'named'; readonly booking: NewBooking }
  | { readonly kind: 'group'; readonly booking: NewGroupBooking };

export const createBooking = defineAct({
  act,
  name: 'create_booking',
  title: 'Create booking',
  description:
    'Hold offers from search_fares, free and unpaid, until pay_by. Give passengers, or passenger_counts for a group named later. Ask the person for names and documents; never invent them.',
  toolset: 'core',
  view: 'booking',
  example: [
    `offer_ids=${OFFER}`,
    'contact.given_name=Layla contact.surname=Haddad contact.email=layla@example.com',
    ...EXAMPLE_PASSENGER.map((field) => `passengers.0.${field}`),
  ].join(' '),
  effect: 'hold',
  input,
  inputAlone: once(() => z.strictObject(inputWith(passenger()))),
  output: () => ({
    price_changed: noted('the price before and now', z.object(strings({ was: 'before', now: 'now' })).optional()),
    booking: bookingSchema(),
    refund: listedByName(refundSchema().optional()),
  }),
  showsFullBooking: true,

  async detailsForm(args, ctx) {
    const trip = await sendableTrip(args, ctx);
    const problems = new InputProblems();
    checkParty(args, trip, ctx, problems);
    const passengers = knownPassengers(args);
    sentContact(args.contact, problems);
    pairAttendants(passengers, problems);
    problems.assertNone();
    if (args.again_after !== undefined) await earlierBookings(args.again_after, ctx);
    const segments = segmentsOfTrip(trip);
    return { trip: tripLines(segments, ctx), segments, cards: passengers.map(({ type }) => ({ type, asks: 'new' })) };
  },

  async preview(args, ctx): Promise<Terms<NewBookingSend>> {
    const trip = await sendableTrip(args, ctx);
    const problems = new InputProblems(ctx.entered !== undefined);
    const send = newBooking(args, trip, ctx, problems);
    const refund = args.offer_ids.length === 1 ? trip.refundNote : undefined;
    const facts: CreateFacts = {
      flights: listFlights(trip),
      people: identifyPeople(send),
      total: trip.total,
      refund,
    };
    const fingerprint = ctx.identity(JSON.stringify(['create', ctx.caller.tenant, facts.flights, facts.people]));
    const supersedes = await findSuperseded(args.again_after, fingerprint, ctx);
    const segments = segmentsOfTrip(trip);
    const lastDeparture = latestTime(segments.map(({ departs }) => departs));
    const travelers = send.kind === 'named' ? send.booking.travelers : [];
    const unnamedCount = send.kind === 'named' ? 0 : partySize(trip.passengers);
    return {
      facts,
      sold: tripFacts(segments, trip.passengers, unnamedCount),
      sections: holdSections(supersedes, trip, send, problems.warnings, ctx),
      act: 'Make another booking of the same trip',
      nature: 'change',
      ask: supersedes !== undefined,
      subject: expectBooking(
        travelers,
        ctx.identity,
        chosenOffer(trip.options, trip.total),
        lastDeparture,
        segments.map(segmentText),
      ),
      fingerprint,
      supersedes,
      warnings: problems.warnings,
      send,
    };
  },

  async commit({ terms, dispatch }, ctx) {
    const booking =
      terms.kind === 'named'
        ? await ctx.airline.create(terms.booking, dispatch)
        : await ctx.airline.createFromCounts(terms.booking, dispatch);
    return { booking };
  },

  async report(done, ctx) {
    const { booking, operation } = done;
    const repriced = priceChange(done);
    const added = {
      ...(repriced && { price_changed: { was: formatMoney(repriced.was), now: formatMoney(repriced.now) } }),
      refund: refundOfCompleteHold(done, ctx),
    };
    const passAgainAfter = `pass again_after: "${operation.id}"`;
    const changed = ['the booking was made'];
    if (booking === undefined) {
      const next = `Call read_booking. Only if the booking no longer exists, ${passAgainAfter} to make another.`;
      return { summary: NOT_READ, next, added, changed };
    }
    const { view, head, meta } = await fullBooking(booking, ctx);
    const isRepeat = done.evidence === undefined;
    const isOpen = view.state === 'held' || view.state === 'unknown';
    const isPayable = view.not_allowed?.some(({ tools }) => tools.includes('pay_booking')) !== true;
    const payHint = isPayable ? PAY_OR_NOT : undefined;
    const anotherHint = isRepeat ? `To make another booking of this trip, ${passAgainAfter}.` : undefined;
    return {
      summary: isOpen ? head.summary : `This booking was made before. ${head.summary}`,
      next: [head.next ?? payHint, anotherHint].filter(Boolean).join(' ') || undefined,
      warnings: reportWarnings(done, booking, ctx),
      added: { booking: view, ...added },
      changed,
      meta,
    };
  },

  text({ booking, refund }) {
    const refundLines = refund && refundText(refund, booking?.currency ?? '').join(' ');
    return [refundLines && `Refund if cancelled after payment: ${refundLines}`, booking && bookingText(booking)];
  },
});

/** Warns about all in which the booking differs from what was offered, chosen or asked for. */
function reportWarnings(done: Done<NewBookingInput>, booking: Booking, ctx: ToolContext): readonly string[] {
  const repriced = priceChange(done);
  const ruleWarning = ruleChangeWarning(done, ctx);
  const isRepeat = done.evidence === undefined;
  return [
    ...(ruleWarning === undefined ? [] : [ruleWarning]),
    ...(repriced === undefined ? [] : [priceChangedText(repriced, ' before paying')]),
    ...fareWarnings(done),
    ...serviceWarnings(done),
    ...(isRepeat ? otherNamesNote(namedPassengers(done.args, ctx), booking) : []),
    ...(done.terms?.warnings ?? []),
  ];
}

/** Estimates the refund if the hold is paid and then cancelled. Undefined unless it shows every flight of the offers. */
function refundOfCompleteHold(done: Done<unknown>, ctx: ToolContext): Refund | undefined {
  const { booking } = done;
  return booking && showsAllFlights(done, ctx) ? bookingRefund(booking, ctx.now(), ctx) : undefined;
}

/** Warns that the refund rule differs from the offered one. Undefined if it does not. */
function ruleChangeWarning(done: Done<unknown>, ctx: ToolContext): string | undefined {
  const { booking, terms } = done;
  if (booking === undefined || !showsAllFlights(done, ctx)) return undefined;
  return ruleChangeText(booking, createFacts(terms)?.refund, ctx.now(), firstDeparture(booking));
}

/** Whether the booking is a hold, as far as the airline shows, and lists every flight of the offers. */
function showsAllFlights({ booking, terms }: Done<unknown>, { now }: ToolContext): boolean {
  if (booking === undefined || !['held', 'unknown'].includes(bookingState(booking, now()).state)) return false;
  return !listsFewer(booking, createFacts(terms));
}

function createFacts(terms: Done<unknown>['terms']): CreateFacts | undefined {
  return terms?.facts as CreateFacts | undefined;
}

/**
 * Whether the booking lists fewer flights than the offers: a reply can list some, with their price alone (docs/wire/notes.md,
 * Replies).
 */
function listsFewer(booking: Booking, facts: CreateFacts | undefined): boolean {
  return facts !== undefined && segmentsOf(booking).length < facts.flights.length;
}

/** Compares the price of the booking with the offered one. Undefined if they are the same. */
function priceChange({ booking, terms }: Done<unknown>): { was: Money; now: Money } | undefined {
  const facts = createFacts(terms);
  if (booking !== undefined && listsFewer(booking, facts)) return undefined;
  const was = facts?.total;
  const now = booking?.pricing?.total?.total;
  return was === undefined || now === undefined || sameMoney(was, now) ? undefined : { was, now };
}

/** Warns about segments that the airline holds in another fare than the chosen one. */
function fareWarnings({ booking, operation }: Done<unknown>): readonly string[] {
  const offer = expectedBy(act, operation)?.offer;
  if (booking === undefined || offer === undefined) return [];
  return fareDifferences(offer, booking).map(({ ref, chosen, held }) => {
    const heldFare = cleanCode(held, FARE_CHARS);
    const chosenFare = cleanCode(chosen, FARE_CHARS);
    return `Segment ${ref} is held in fare ${heldFare}, not in ${chosenFare} as chosen; its rules may differ. Tell the person before paying.`;
  });
}

function listFlights(trip: Trip): CreateFacts['flights'] {
  return segmentsOfTrip(trip).map(
    (segment) => [flightName(segment), segment.departs, segment.bookingClass ?? ''] as const,
  );
}

function segmentsOfTrip({ options }: Pick<Trip, 'options'>): readonly Segment[] {
  return options.flatMap((option) => option.segments);
}

/** Identifies travellers by documents rather than names: a corrected name must not make a second booking. */
function identifyPeople(send: NewBookingSend): readonly string[] {
  if (send.kind === 'named') return send.booking.travelers.map(documentIdentityText).sort();
  const { passengers, contact, groupName = '' } = send.booking;
  return [partyInCodes(passengers), groupName, fullName(contact.name), contact.emails.join()];
}

function holdSections(
  supersedes: string | undefined,
  trip: Trip,
  send: NewBookingSend,
  warnings: readonly string[],
  ctx: ToolContext,
): readonly TermsSection[] {
  const price = trip.total === undefined ? '' : `, offered at ${showMoney(trip.total)}`;
  return [
    section('act', `Hold seats, unpaid${price}. No money moves; an unpaid hold expires by itself.`),
    section('caution', supersedes && 'An earlier booking of this trip exists or may exist: this is another.'),
    tripSection(segmentsOfTrip(trip), ctx),
    send.kind === 'named'
      ? section('people', ...send.booking.travelers.map(personLine), ...serviceLines(send.booking))
      : section('people', `Passengers: ${partyInWords(send.booking.passengers)}, named later`),
    section('note', `Contact: ${quotedName(send.booking.contact.name)}`, ...noteLines(warnings)),
  ];
}

function serviceLines({ services = NO_SERVICES }: NewBooking): readonly string[] {
  return [...services].flatMap(([ref, wishes]) => wishes.map((wish) => serviceLine(ref, wish)));
}

/** Lists requested services that are not confirmed. A booking that an earlier call made may lack those of this call. */
function serviceWarnings({ args, booking }: Done<NewBookingInput>): readonly string[] {
  if (booking === undefined) return [];
  const segmentRefs = activeSegments(booking).map(({ ref }) => ref);
  return (args.passengers ?? []).flatMap(({ services = [] }, i) => {
    const travelerRef = String(i + 1);
    return services.flatMap((wish) => {
      const service = findService(wish.code);
      if ('problem' in service) return [];
      const { code } = service;
      const answer = answerToService(booking, { code, travelerRef, segmentRefs });
      return answer === 'confirmed' ? [] : [`${serviceLine(travelerRef, { code })}: ${serviceAnswerText(answer)}.`];
    });
  });
}

/** Finds the operation of an earlier booking of the same trip. Throws E_INPUT if `reference` names none of this trip. */
async function findSuperseded(reference: string | undefined, fingerprint: string, ctx: ToolContext) {
  if (reference === undefined) return undefined;
  const earlier = (await earlierBookings(reference, ctx)).find((operation) => operation.fingerprint === fingerprint);
  if (earlier !== undefined) return earlier.id;
  throw noEarlierBooking();
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

/**
 * Says which passengers are booked under another name. Empty if the booking shows every name of the call, or no names at all.
 */
function otherNamesNote(passengers: readonly PassengerInput[], booking: Booking): readonly string[] {
  const bookedKeys = new Set(namesShown(booking.travelers));
  if (bookedKeys.size === 0) return [];
  const missing = passengers.map(sentName).filter((name) => {
    const keys = namesSent([{ name }]);
    return keys.length > 0 && !keys.some((key) => bookedKeys.has(key));
  });
  if (missing.length === 0) return [];
  const names = missing.slice(0, MOST_NAMES).map((name) => quoted(fullName(name), NAME_CHARS));
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : '';
  return [
    `The same documents are booked under another name than ${names.join(', ')}${more}. To correct the name: change_names.`,
  ];
}

/** Writes a passenger's name as the airline gets it. */
function sentName({ given_name, middle_name, surname }: PassengerInput): PersonName {
  const sentGiven = (text: string | undefined) => (text === undefined ? [] : [asSent(text, GIVEN_NAME)]);
  const empty = { prefix: [], suffix: [], title: [] };
  return { ...empty, given: sentGiven(given_name), middle: sentGiven(middle_name), surname: asSent(surname, SURNAME) };
}

/** Writes a part of a name as the airline gets it; unchanged if the airline cannot take it. */
function asSent(text: string, bounds: NameBounds): string {
  const result = airlineName(text, bounds);
  return result.ok ? result.name : text;
}

/** Reads the trip of the offers. Throws ClerkError if it cannot be booked as it is. */
async function sendableTrip({ offer_ids: offers }: NewBookingInput, ctx: ToolContext): Promise<Trip> {
  const trip = await tripFromOffers(offers, ctx);
  assertSendable(trip, ctx);
  return trip;
}

/**
 * Lists the passengers as far as the call describes them, at least by type. Check the party first: a count can be any number.
 */
function knownPassengers({ passengers, passenger_counts: counts }: NewBookingInput): readonly KnownPassenger[] {
  return passengers ?? typesIn(countsOf(counts ?? {})).map((type) => ({ type }));
}

/**
 * Lists passengers with their details, from the details page or the arguments. Empty for a group, and if the page's details
 * were erased.
 */
function namedPassengers(args: NewBookingInput, { entered }: ToolContext): readonly PassengerInput[] {
  // The input for a call without details requires all of them (inputAlone).
  if (args.details === undefined) return (args.passengers ?? []) as readonly PassengerInput[];
  const passengers = knownPassengers(args);
  return (entered ?? []).map((card, i) => enteredPassenger(passengers[i] as KnownPassenger, card));
}

/** Counts the party by type. Notes a problem if it is not the party that was searched for. */
function checkParty(args: NewBookingInput, trip: Trip, ctx: ToolContext, problems: InputProblems): PassengerCounts {
  assertForm(args);
  const { passengers = [], passenger_counts: groupCounts } = args;
  const field = args.passengers ? 'passengers' : 'passenger_counts';
  const party = groupCounts ? countsOf(groupCounts) : countPassengers(passengers);
  assertParty(party, ctx.settings.maxTravelers, field);
  checkCounts(party, trip.passengers, field, problems);
  return party;
}

/** Checks the input and writes what is sent. Throws E_INPUT with all problems. */
function newBooking(args: NewBookingInput, trip: Trip, ctx: ToolContext, problems: InputProblems): NewBookingSend {
  const isGroup = args.passenger_counts !== undefined && args.details === undefined;
  const party = checkParty(args, trip, ctx, problems);
  if (args.details !== undefined) assertEntered(ctx.entered, partySize(party));
  problems.warnings.push(...otherNames(args.passengers ?? [], ctx.entered));
  const passengers = namedPassengers(args, ctx);
  const { options } = trip;
  const contact = sentContact(args.contact, problems);
  const segments = segmentsOfTrip(trip);
  checkAdult(passengers, segments, problems);
  const latestToday = addDays(utcDay(ctx.now()), 1);
  const travelers = sentTravelers(passengers, segments, problems, { latestToday, emails: contact.emails });
  const services = sentServices(passengers, travelers, ctx.settings.dialect, problems);
  problems.assertNone();
  if (!isGroup) return { kind: 'named', booking: { options, contact, travelers, services } };
  const namesWarning = nameLimitWarning(trip, ctx.now());
  if (namesWarning !== undefined) problems.warnings.push(namesWarning);
  const { group_name: groupName } = args;
  const group = groupName === undefined ? {} : { groupName: plainText(groupName, GROUP_NAME_CHARS) };
  return { kind: 'group', booking: { options, contact, passengers: party, ...group } };
}

/** Checks that the call gives either passengers or counts. Throws E_INPUT. */
function assertForm(args: NewBookingInput): void {
  const { passengers, passenger_counts: groupCounts, group_name: groupName, details } = args;
  if ((passengers === undefined) === (groupCounts === undefined)) {
    const lacksCounts = groupCounts === undefined && details !== undefined;
    const next = lacksCounts
      ? 'Call create_booking again with passenger_counts too: the page asks for the rest.'
      : undefined;
    throw inputError('passengers', 'expected exactly one of passengers and passenger_counts.', next);
  }
  if (groupName !== undefined && groupCounts === undefined) {
    throw inputError('group_name', 'expected only with passenger_counts.');
  }
  if (groupName !== undefined && details !== undefined) {
    throw inputError('group_name', 'expected only for a group that is named later: details name every traveller now.');
  }
}

/** Warns if the time limit for names is past, or is before the payment is due. */
function nameLimitWarning({ limits: { namesUntil, payBy }, options }: Trip, now: number): string | undefined {
  if (namesUntil === undefined) return undefined;
  const show = (limit: string) => showDeadline(limit, options[0]?.segments[0]?.departs);
  if (hasPassed(namesUntil, now)) {
    return `names could be given until ${show(namesUntil)}: this group cannot be named any more.`;
  }
  if (payBy === undefined || !hasPassed(namesUntil, instantOf(payBy) ?? Number.NEGATIVE_INFINITY)) return undefined;
  return `this group must be named by ${show(namesUntil)}, before its payment is due at ${show(payBy)}.`;
}
