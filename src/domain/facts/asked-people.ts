/**
 * The people that a booking was asked for, and in what those of the hold differ: first what a difference is, then what is
 * kept of people, their comparison, and that of their services. facts/person-rows.ts has the rows, compare-hold-with-offer.ts the flights, the
 * price and the whole.
 */

import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { listed } from '../../core/words.ts';
import {
  type Booking,
  isRunning,
  type Reading,
  type Segment,
  type SpecialService,
  segmentsOf,
} from '../booking/booking.ts';
import { flightName } from '../booking/flight-name.ts';
import { answerToService, SERVICE_CODES, serviceAnswerText, serviceTitle } from '../booking/special-services.ts';
import { countType } from '../booking/status-codes.ts';
import { type Digest, identityText } from '../people/identity-text.ts';
import { type Contact, fullName, type Traveler } from '../people/traveler.ts';
import { diff } from './differ.ts';
import type { ExpectedTraveler } from './expected-change.ts';
import { type Alike, type FlightKey, pairPersons } from './pair.ts';
import {
  ADDRESSES,
  DOCUMENT,
  formsOf,
  isSameValue,
  NAME,
  PERSON_ROWS,
  type PersonField,
  type PersonRow,
  readPerson,
  type SentForms,
  WRITTEN,
} from './person-rows.ts';
import { digitsOnly, timeBetween, type ValueForm } from './values.ts';

/** In what a hold differs from what was asked for. */
export interface HeldDifference {
  /** The flight by its name, or the passenger by the pointer of the hold. Absent: the booking as a whole. */
  readonly of?: { readonly flight: string } | { readonly passenger: string } | 'contact' | 'party';
  /** What differs: `departure`, `class`, `birth date`. Absent: all of the flight or passenger. */
  readonly what?: string;
  /** The verb of a sentence about a flight: `leaves`. If not both values are there, it ends the sentence: `is cancelled`. */
  readonly says?: string;
  /** How people read the values: numbers and e-mail addresses masked, words of others quoted, our own as they are. */
  readonly form?: ValueForm;
  /** As sent. */
  readonly asked?: string | undefined;
  readonly held?: string | undefined;
  /** `asked` is not what was offered, but what the hold said first. */
  readonly isSaidFirst?: boolean;
  /** The airline may still confirm it: that is no difference of a new hold. */
  readonly isPending?: boolean | undefined;
}

/** A person as they were sent. */
interface AskedPerson extends SentForms {
  readonly type?: string;
  /** Of an infant: the number of its adult among the passengers who were sent, from 1. */
  readonly lap?: string;
  /** Of a person who was changed: the pointer, and name and document as they were before. */
  readonly ref?: string;
  readonly was?: SentForms;
}

// What was asked of people, and its comparison.

/** The people of one request: as sent, or as digests. */
export interface AskedPeople {
  /** Empty for a group that is named later. */
  readonly passengers: readonly AskedPerson[];
  readonly contact?: AskedPerson | undefined;
  /** Only those who were changed, and of them only what was changed. */
  readonly isChange?: true;
}

interface PeopleSent {
  readonly travelers: readonly Traveler[];
  readonly contact?: Contact | undefined;
}

/**
 * Reads the people of a request with all rows.
 * @param digest keyed by the operation: then only digests are kept. Absent: for the call that sends them
 */
export function askedPeople({ travelers, contact }: PeopleSent, digest?: Digest): AskedPeople {
  return {
    passengers: travelers.map((traveler) => {
      const { type, attendantRef } = traveler;
      return { type, ...(attendantRef !== undefined && { lap: attendantRef }), ...readPerson(traveler, digest) };
    }),
    contact: contact && readPerson(contact, digest),
  };
}

/**
 * Reads what a request changes of people, who are given as they shall be: the pointer says who each passenger is in the
 * booking. A new document number is kept with all that is compared only beside it; a value of which nothing can be kept is
 * an empty list, so that it is not compared with the one before.
 */
export function askedChange(
  { travelers: booked, contact: bookedContact }: Reading,
  { travelers, contact }: PeopleSent,
  digest: Digest,
): AskedPeople {
  const passengers = travelers.map((after) => {
    const before = booked.find(({ ref }) => ref === after.ref);
    const was = before && readPerson(before, digest, [NAME, DOCUMENT]);
    return { type: after.type, ref: after.ref, was, ...readChanged(before, after, digest) };
  });
  return { passengers, contact: contact && readChanged(bookedContact, contact, digest), isChange: true };
}

function readChanged(before: Contact | undefined, after: Contact, digest: Digest): SentForms {
  const rows = changedRows(before, after);
  return { ...Object.fromEntries(rows.map(({ field }) => [field, []])), ...readPerson(after, digest, rows) };
}

/** The rows whose values differ. */
function changedRows(before: Contact | undefined, after: Contact): readonly PersonRow[] {
  const sentText = ({ sent }: PersonRow, person: Contact | undefined) => JSON.stringify(person ? sent(person) : []);
  const changed = PERSON_ROWS.filter((each) => sentText(each, before) !== sentText(each, after));
  const isOtherDocument = changed.includes(DOCUMENT);
  return PERSON_ROWS.filter((each) => changed.includes(each) || (isOtherDocument && each.kept === 'with document'));
}

/** The people of one request, beside what their digests are made with. Values are plain without a digest. */
export interface PeopleLayer {
  readonly people: AskedPeople;
  readonly digest?: Digest;
  /** The people themselves, in the call that sends them. */
  readonly sent?: PeopleSent;
}

/** One person of one layer. */
interface LayeredPerson extends Pick<PeopleLayer, 'digest'> {
  readonly asked: AskedPerson;
  readonly sent: Contact | undefined;
}

/** The forms of the value that a hold shows, as the layer keeps those that were sent. */
function formsShown(row: PersonRow, { digest }: LayeredPerson, shown: Contact): SentForms {
  return { [row.field]: formsOf(row, shown, digest, row.shown) };
}

/** Whether the hold shows none of the forms that were sent. False if either side left the value out. */
const isOther = (row: PersonRow, person: LayeredPerson, shown: Contact): boolean =>
  diff([row], person.asked, formsShown(row, person, shown)).length > 0;

/** Whether both sides state the value, and it is the same. */
const isSame = (row: PersonRow, person: LayeredPerson, shown: Contact, sent: SentForms = person.asked): boolean =>
  isSameValue(row, sent, formsShown(row, person, shown));

/** What was sent of one person of a hold, and of those beside them. */
interface SentOfPerson {
  /** The same person as several requests sent them, of which the newest counts for each value that it states. */
  readonly persons: readonly LayeredPerson[];
  /** People whose e-mail and telephone they may have too. */
  readonly others?: readonly LayeredPerson[];
  /** The contact, if the hold shows it on its passengers alone: theirs then must be that of somebody who was sent. */
  readonly carried?: readonly LayeredPerson[];
}

/** @param of whose it is */
function personDifferences(
  of: NonNullable<HeldDifference['of']>,
  { read, shown }: Readonly<Record<'read' | 'shown', Contact>>,
  { persons, others = [], carried = [] }: SentOfPerson,
): readonly HeldDifference[] {
  const stating = (field: PersonField, among = persons) => among.find(({ asked }) => asked[field] !== undefined);
  const numbered = stating('document');

  return PERSON_ROWS.flatMap((each) => {
    const { what, form, show, kept, field } = each;
    if (each === WRITTEN && persons.some((person) => isOther(NAME, person, read))) return [];

    const isOfAnybody = ADDRESSES.some((address) => address === each);
    const person = stating(field) ?? (isOfAnybody ? stating(field, carried) : undefined);
    if (person === undefined || !isOther(each, person, read)) return [];

    const isOfOther = isOfAnybody && others.some((other) => isSame(each, other, read));

    // The digest of a birth date has the document number in it: with another number it proves nothing.
    const isSameDocument = numbered !== undefined && isSame(DOCUMENT, numbered, read);
    const provesNothing = kept === 'with document' && person.digest !== undefined && !isSameDocument;
    if (isOfOther || provesNothing) return [];

    return [{ of, what, form, asked: person.sent && show(person.sent, person.sent), held: show(shown, read) }];
  });
}

/** The people of a hold, each beside the one who was asked for. */
export function peopleDifferences(booking: Booking, layers: readonly PeopleLayer[]): readonly HeldDifference[] {
  const contacts = layers.flatMap((layer) => layeredContact(layer));
  const [shown, read] = [booking.contact, booking.reading.contact];
  const ofContact = shown && read ? personDifferences('contact', { read, shown }, { persons: contacts }) : [];
  return [...passengerDifferences(booking, layers, contacts), ...ofContact];
}

function layeredContact({ people: { contact }, digest, sent }: PeopleLayer): readonly LayeredPerson[] {
  return contact === undefined ? [] : [{ asked: contact, digest, sent: sent?.contact }];
}

/** Whether the passenger was sent with this value, or had it before they were changed. */
function wasKnown(personRow: PersonRow, person: LayeredPerson, shown: Contact): boolean {
  return isSame(personRow, person, shown) || isSame(personRow, person, shown, person.asked.was ?? {});
}

const ALIKE: Alike<LayeredPerson, Traveler> = {
  // Of those who were sent, neither pointer nor identity is kept.
  identity: () => false,
  name: (person, traveler) => Number(wasKnown(NAME, person, traveler)),
  document: (person, traveler) => wasKnown(DOCUMENT, person, traveler),
  type: ({ asked }, { type }) => asked.type === type,
  ref: ({ asked }, { ref }) => asked.ref === ref,
};

/** Gives each passenger the person of the layer who they are. */
function pairPassengers(travelers: readonly Traveler[], { people, sent, digest }: PeopleLayer) {
  const persons = people.passengers.map((asked, i): LayeredPerson => ({ asked, digest, sent: sent?.travelers[i] }));
  return { people, persons, pairs: pairPersons(travelers, persons, ALIKE, people.isChange ? 'some' : 'all') };
}

/** Compares the passengers. `layers`: the newest first. */
function passengerDifferences(
  { travelers: shownTravelers, reading: { travelers, contact } }: Booking,
  layers: readonly PeopleLayer[],
  contacts: readonly LayeredPerson[],
): readonly HeldDifference[] {
  const carried = contact === undefined ? contacts : [];
  const pairings = layers.map((layer) => pairPassengers(travelers, layer));
  const others = [...contacts, ...(contact === undefined ? pairings.flatMap(({ persons }) => persons) : [])];
  const first = pairings.find(({ people, persons }) => !people.isChange && persons.length > 0);

  const differences = travelers.flatMap((traveler, i): readonly HeldDifference[] => {
    const shown = shownTravelers[i] ?? traveler;
    const of = { passenger: traveler.ref };
    const asFirstSent = first?.pairs.get(traveler);
    if (first !== undefined && asFirstSent === undefined)
      return [{ of, says: 'was not asked for', held: fullName(shown.name) }];

    const persons = pairings.flatMap(({ pairs }) => pairs.get(traveler) ?? []);
    const ofType = asFirstSent === undefined ? [] : typeDifference(of, asFirstSent, traveler);
    const ofLap = first === undefined ? [] : lapDifference(of, traveler, first);
    return [...ofType, ...ofLap, ...personDifferences(of, { read: traveler, shown }, { persons, others, carried })];
  });

  return first === undefined
    ? differences
    : [...differences, ...missingPeople(first.persons, new Set(first.pairs.values()))];
}

function typeDifference(
  of: NonNullable<HeldDifference['of']>,
  person: LayeredPerson,
  { type }: Traveler,
): readonly HeldDifference[] {
  const { type: wanted } = person.asked;
  if (!wanted || type === '' || wanted === type) return [];
  return [{ of, what: 'type', form: 'code', asked: wanted, held: type }];
}

/** Says that an infant is on the lap of another passenger than in the request. Ignores a pointer that no passenger has. */
function lapDifference(
  of: NonNullable<HeldDifference['of']>,
  infant: Traveler,
  { pairs, persons }: ReturnType<typeof pairPassengers>,
): readonly HeldDifference[] {
  const sent = persons[Number(pairs.get(infant)?.asked.lap) - 1];
  const passengers = [...pairs.keys()];
  const now = passengers.find(({ ref }) => ref === infant.attendantRef);
  const wanted = passengers.find((passenger) => pairs.get(passenger) === sent);
  if (now === undefined || wanted === undefined || now === wanted) return [];
  return [{ of, says: `is on the lap of passenger ${cleanRef(now.ref)}, not of passenger ${cleanRef(wanted.ref)}` }];
}

/** People whom the hold lacks: by name in the call that sends them, later by type. */
function missingPeople(asked: readonly LayeredPerson[], found: ReadonlySet<LayeredPerson>): readonly HeldDifference[] {
  const missing = asked.filter((person) => !found.has(person));
  return missing.map(({ asked: { type = '' }, sent }) => ({
    of: 'party' as const,
    says: 'is missing',
    ...(sent === undefined
      ? { form: 'plain' as const, asked: countType(cleanCode(type), 1) }
      : { asked: fullName(sent.name) }),
  }));
}

// Services of people.

/** A special service that was asked for, to be kept as a digest. `passenger`: the number with which they were sent. */
export function askedService(passenger: string, code: string): string {
  return ['service', passenger, code].join('|');
}

/** The same of one that an act adds: it differs between two passengers with the same service. */
export function addedService({ travelerRef, who }: ExpectedTraveler, code: string): string {
  return askedService(who === '' ? travelerRef : who, code);
}

/** Finds the service that an act added: the journal has only its digest. */
export function codesAdded(added: AddedToHold, digest: Digest): readonly string[] {
  return SERVICE_CODES.filter((code) => digest(addedService(added, code)) === added.service);
}

/** A special service that an act of ours added to a hold. */
export interface AddedToHold extends ExpectedTraveler {
  /** Digest of {@link addedService}. */
  readonly service: string;
  readonly on: readonly { readonly flight: FlightKey }[];
}

/** For whom an offer was made, and with which services. */
export interface OfferedParty {
  /** How many travellers of each type. */
  readonly party?: Readonly<Record<string, number>>;
  /** Digests of {@link askedService}: what somebody needs on a trip is about their health. */
  readonly services?: readonly string[] | undefined;
}

/** The services that passengers were to have. */
export interface AskedServices {
  readonly offer?: OfferedParty | undefined;
  /** The newest first. Empty if nothing is kept of the people. */
  readonly layers: readonly PeopleLayer[];
  /** What acts of ours added since. */
  readonly added?: readonly AddedToHold[];
  /** With which services are kept. Absent: they are not compared. */
  readonly digest?: Digest;
}

/** A service, and the flights on which the passenger with this pointer was to have it. */
interface WantedService {
  readonly code: string;
  readonly ref: string;
  readonly flights: readonly Segment[];
  /** How often somebody asked for it. */
  readonly times: number;
}

/**
 * Services that were asked for with the hold or afterwards, and that are not confirmed on each flight. One that was asked
 * for twice is one difference.
 * @param flights those for which the offered services are: they run and are held
 */
export function servicesMissing(
  asked: AskedServices,
  flights: readonly Segment[],
  booking: Booking,
): readonly HeldDifference[] {
  const all = [...servicesOffered(asked, flights, booking), ...servicesAdded(asked, booking)];
  const wanted = [...Map.groupBy(all, ({ code, ref }) => `${code} ${ref}`).values()].map(
    (same): WantedService => ({
      ...(same[0] as WantedService),
      flights: [...new Set(same.flatMap((one) => one.flights))],
      times: same.length,
    }),
  );
  return wanted.flatMap((one) => unconfirmedService(booking, one, wanted));
}

function servicesOffered(
  asked: AskedServices,
  flights: readonly Segment[],
  { reading: { travelers } }: Booking,
): readonly WantedService[] {
  const { offer, digest } = asked;
  const offered = offer?.services ?? [];
  if (digest === undefined || offered.length === 0) return [];
  return passengersSent(travelers, asked).flatMap(([number, { ref }]) => {
    const codes = SERVICE_CODES.filter((code) => offered.includes(digest(askedService(number, code))));
    return codes.map((code) => ({ code, ref, flights, times: 1 }));
  });
}

/**
 * Each passenger by the number with which they were sent: the one with the same name, else by pointer, for airlines keep the number, or
 * number all anew in the same order.
 */
function passengersSent(
  travelers: readonly Traveler[],
  { offer, layers }: AskedServices,
): readonly (readonly [number: string, traveler: Traveler])[] {
  const [first] = layers.filter(({ people }) => !people.isChange).map((layer) => pairPassengers(travelers, layer));
  const { persons = [], pairs } = first ?? {};

  const sentAs = (traveler: Traveler) => {
    const person = pairs?.get(traveler);
    return person && wasKnown(NAME, person, traveler) ? String(persons.indexOf(person) + 1) : undefined;
  };

  const size = Object.values(offer?.party ?? {}).reduce((sum, count) => sum + count, 0);
  const isKept = travelers.every(({ ref }) => Number(ref) >= 1 && Number(ref) <= size);
  const inOrder = travelers.toSorted((a, b) => Number(a.ref) - Number(b.ref));
  return inOrder.map((traveler, i) => [sentAs(traveler) ?? (isKept ? traveler.ref : String(i + 1)), traveler]);
}

function servicesAdded({ added = [], digest }: AskedServices, booking: Booking): readonly WantedService[] {
  if (digest === undefined) return [];
  return added.flatMap((one) => {
    const codes = codesAdded(one, digest);
    const flights = one.on.flatMap(({ flight }) => nearestFlight(flight, booking));
    const people = addedFor(one, booking, digest);
    return codes.flatMap((code) => people.map(({ ref }) => ({ code, ref, flights, times: 1 })));
  });
}

/** The passenger: by name if they had one and still have it, else by the pointer, for names can be changed or respelt. */
function addedFor(
  { travelerRef, who }: ExpectedTraveler,
  { reading: { travelers } }: Booking,
  digest: Digest,
): readonly Traveler[] {
  const isWho = (traveler: Traveler) => digest(identityText(traveler)) === who;
  const wasUnnamed = travelers.some((traveler) => isWho({ ...traveler, name: undefined }));
  const matches = wasUnnamed ? [] : travelers.filter(isWho);
  return matches.length === 1 ? matches : travelers.filter(({ ref }) => ref === travelerRef);
}

/** The flight that runs between these stations with this number, at the nearest time: another time is a difference of its own. */
function nearestFlight({ from, to, number, departs }: FlightKey, booking: Booking): readonly Segment[] {
  const alike = segmentsOf(booking).filter(
    (one) => isRunning(one) && one.from === from && one.to === to && digitsOnly(one.flightNumber) === number,
  );
  return alike.toSorted((a, b) => timeBetween(a.departs, departs) - timeBetween(b.departs, departs)).slice(0, 1);
}

const isStated = ({ status = '' }: SpecialService): boolean => status !== '';

function hasService({ services }: Booking, ref: string, code: string, fits = (_: SpecialService) => true): boolean {
  return services.some((line) => line.code?.toUpperCase() === code && line.travelerRefs.includes(ref) && fits(line));
}

/** @param wanted all services that somebody asked for: another one may be held in the place of this one */
function unconfirmedService(
  booking: Booking,
  { code, ref, flights, times }: WantedService,
  wanted: readonly WantedService[],
): readonly HeldDifference[] {
  const isWanted = (other: string) => wanted.some((one) => one.code === other && one.ref === ref);
  const shown = SERVICE_CODES.filter((other) => hasService(booking, ref, other) && !isWanted(other));

  const onFlights = (some: readonly Segment[]) =>
    some.length === flights.length ? '' : ` on ${listed(some.map((flight) => flightName(flight)))}`;

  const byQuantity = Map.groupBy(flights, (flight) => otherQuantity(booking, { code, ref, flight, times }));
  const differing = [...byQuantity].flatMap(([quantity, some]) => {
    const says = `has ${quantity} × ${serviceTitle(code)}${onFlights(some)}, not ${times}`;
    return quantity === undefined ? [] : [{ of: { passenger: ref }, says }];
  });

  const byAnswer = Map.groupBy(byQuantity.get(undefined) ?? [], (flight) =>
    answerToService(booking, { code, travelerRef: ref, segmentRefs: [flight.ref] }),
  );

  const unconfirmed = [...byAnswer].flatMap(([answer, some]) => {
    // A service without a status is left open, not refused.
    if (answer === 'confirmed' || (answer === 'unknown' && !hasService(booking, ref, code, isStated))) return [];
    const where = onFlights(some);
    const instead = answer === 'none' && shown.length > 0 ? `, but ${listed(shown.map(serviceTitle))}` : '';
    const says = `has no confirmed ${serviceTitle(code)}${where}: ${serviceAnswerText(answer)}${instead}`;
    return [{ of: { passenger: ref }, says, isPending: answer === 'requested' }];
  });

  return [...differing, ...unconfirmed];
}

/** How many of a service a line states for a passenger on a flight, if that is none, or more than somebody asked for. */
function otherQuantity(
  { services }: Booking,
  { code, ref, flight, times }: Pick<WantedService, 'code' | 'ref' | 'times'> & { readonly flight: Segment },
): number | undefined {
  // A line for several people may count all of them.
  const lines = services.filter(
    (line) =>
      line.code?.toUpperCase() === code && line.travelerRefs.join() === ref && line.segmentRefs.includes(flight.ref),
  );
  return lines.map(({ quantity }) => quantity).find((quantity = times) => quantity === 0 || quantity > times);
}
