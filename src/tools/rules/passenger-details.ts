/** Checks passengers and the contact of a call, and converts them to what is sent (docs/wire/notes.md, Travellers). */
import { cleanRef, quoted } from '../../core/clean-text.ts';
import { addMonths, showDay } from '../../core/times.ts';
import { counted } from '../../core/words.ts';
import type { Dialect } from '../../domain/airline.ts';
import { type HiddenDetails, hiding } from '../../domain/booking/blanked-booking.ts';
import { arrivalDate, type Segment } from '../../domain/booking/booking.ts';
import { type ServiceWish, serviceProblem } from '../../domain/booking/special-services.ts';
import { airlineName, GIVEN_NAME, type NameBounds, SURNAME } from '../../domain/people/airline-name.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { titleIn } from '../../domain/people/titles.ts';
import {
  type Contact,
  DOCUMENT_TYPES,
  type EnteredDetails,
  type PersonName,
  type Phone,
  type TravelDocument,
  type Traveler,
} from '../../domain/people/traveler.ts';
import type {
  ContactInput,
  DocumentInput,
  KnownPassenger,
  PassengerInput,
  PhoneInput,
  ServiceInput,
} from '../definition/input-fields.ts';
import type { InputProblems } from './input-problems.ts';
import { type AgeType, firstMisfit } from './party-size.ts';

/** Bounds of titles and suffixes, in characters. */
const SHORT_NAME: NameBounds = { min: 1, max: 10 };

const NO_SERVICES_YET =
  'this airline takes no special services with a booking: hold without them, then read what the booking allows';

type NameParts = Pick<KnownPassenger, 'given_name' | 'middle_name' | 'surname'>;

const NAME_PARTS = ['given_name', 'middle_name', 'surname'] as const;

const DOCUMENT_NUMBER = /^[A-Za-z0-9]{3,30}$/;

/** Many countries require that a document is valid this long after the arrival. */
const VALID_MONTHS_AFTER = 6;

/** Where a title is written: in the field `title`, in this field, or nowhere, as for a contact. */
type TitlePlace = 'title' | 'here' | 'nowhere';

/** Converts a name to the airline's alphabet. A transliteration adds a warning. */
export function sentName(
  written: string,
  bounds: NameBounds,
  { field, titles = 'title' }: { readonly field: string; readonly titles?: TitlePlace },
  problems: InputProblems,
): string {
  const title = titles === 'here' ? undefined : titleIn(written);
  if (title !== undefined) {
    const advice = titles === 'title' ? `; write ${title} in title` : '';
    problems.add(field, `expected a name without a title${advice}`);
    return written;
  }

  const result = airlineName(written, bounds);
  if (!result.ok) {
    problems.add(field, result.problem);
    return written;
  }

  if (result.changed) problems.warnings.push(`The name ${quoted(written, 40)} is sent as ${quoted(result.name, 40)}.`);
  return result.name;
}

export function sentDocument(document: DocumentInput): TravelDocument {
  return {
    number: document.number.toUpperCase(),
    docType: DOCUMENT_TYPES[document.type],
    nationality: document.nationality,
    expires: document.expires,
  };
}

export function sentPhone(phone: PhoneInput): Phone {
  return { countryCode: phone.country_code, number: phone.number };
}

/**
 * Converts passengers to travellers with pointers 1..n, on every segment.
 *
 * @param options `latestToday`: the latest calendar date anywhere. `emails`: the contact's, for travellers without one, because some
 *   services require an e-mail address for each.
 */
export function sentTravelers(
  passengers: readonly PassengerInput[],
  segments: readonly Segment[],
  problems: InputProblems,
  options: { readonly latestToday: string; readonly emails: readonly string[] },
): readonly Traveler[] {
  const { latestToday, emails } = options;
  const attendants = pairAttendants(passengers, problems);
  const segmentRefs = segments.map((segment) => segment.ref);

  const holders = passengers.map(({ document, given_name: given, surname }) => {
    return { document, holder: quoted(`${given} ${surname}`, 60) };
  });
  checkDocuments('passengers', holders, segments, problems);

  return passengers.map((passenger, i) => {
    const field = `passengers[${i}]`;
    if (passenger.birth_date > latestToday)
      problems.add(`${field}.birth_date`, 'not born yet: expected a date not in the future');
    else checkAge(passenger, segments, field, problems);

    return {
      ref: String(i + 1),
      type: passenger.type,
      name: personName(passenger, field, problems),
      gender: passenger.gender,
      birthDate: passenger.birth_date,
      document: sentDocument(passenger.document),
      emails: passenger.email === undefined ? emails : [passenger.email],
      phones: passenger.phone ? [sentPhone(passenger.phone)] : [],
      addresses: [],
      segmentRefs,
      attendantRef: attendants.get(i),
      comments: [],
    };
  });
}

/** Joins what a new passenger entered on the details page with what the page does not ask: title, e-mail, telephone, whose lap. */
export function enteredPassenger(
  { middle_name: _, ...fromCall }: KnownPassenger,
  { given_name, middle_name, surname, gender, birth_date, document }: EnteredDetails,
): PassengerInput {
  // The page keeps no card of a new passenger that lacks one of these.
  if (!given_name || !surname || !gender || !birth_date || !document) throw new Error('a card of the page has gaps');
  return { ...fromCall, given_name, middle_name, surname, gender, birth_date, document };
}

/**
 * Checks a special service. Undefined, with a problem, if the code is sold or unknown, or if the text repeats a document number or a
 * birth date of `people`.
 */
export function sentService(
  { code, text }: ServiceInput,
  people: readonly HiddenDetails[],
  field: string,
  problems: InputProblems,
): ServiceWish | undefined {
  const problem = serviceProblem(code);
  if (problem !== undefined) problems.add(`${field}.code`, problem);
  const repeatsDetails = text !== undefined && hiding(people)(text) !== text;
  if (repeatsDetails)
    problems.add(`${field}.text`, 'expected a text without document numbers, birth dates and days of expiry');
  return problem !== undefined || repeatsDetails ? undefined : { code, text };
}

/** The special services of each passenger, by pointer. Undefined if nobody asks for one. */
export function sentServices(
  passengers: readonly PassengerInput[],
  travelers: readonly Traveler[],
  dialect: Dialect | undefined,
  problems: InputProblems,
): ReadonlyMap<string, readonly ServiceWish[]> | undefined {
  const wishes = passengers.flatMap(({ services = [] }, i): [string, readonly ServiceWish[]][] => {
    const field = `passengers[${i}].services`;
    if (services.length === 0) return [];
    if (dialect !== 'airline') problems.add(field, NO_SERVICES_YET);
    const sent = services.flatMap((service, j) => sentService(service, travelers, `${field}[${j}]`, problems) ?? []);
    const codes = sent.map(({ code }) => code);
    if (new Set(codes).size < codes.length) problems.add(field, 'expected each service once');
    return [[String(i + 1), sent]];
  });
  return wishes.length === 0 ? undefined : new Map(wishes);
}

/** A warning for each name that a traveller entered otherwise than the call says; what was entered counts. */
export function otherNames(
  inCall: readonly NameParts[],
  entered: readonly EnteredDetails[] | undefined,
): readonly string[] {
  return (entered ?? []).flatMap((enteredName, i) => {
    const callName = inCall[i] ?? {};
    const parts = NAME_PARTS.filter((part) => callName[part] !== undefined && enteredName[part] !== undefined);
    const callText = parts.map((part) => callName[part]).join(' ');
    const enteredText = parts.map((part) => enteredName[part]).join(' ');
    if (foldName(callText) === foldName(enteredText)) return [];

    return [
      `A traveller entered the name ${quoted(enteredText, 70)}, and the call says ${quoted(callText, 70)}: what was entered counts.`,
    ];
  });
}

/** Asserts that every traveller has entered details: a call with `details` goes on only then. */
export function assertEntered(
  entered: readonly EnteredDetails[] | undefined,
  cards: number,
): asserts entered is readonly EnteredDetails[] {
  if (entered?.length !== cards) throw new Error('the details page has not as many cards as the call has travellers');
}

function personName(passenger: PassengerInput, field: string, problems: InputProblems): PersonName {
  const name = (text: string | undefined, bounds: NameBounds, part: string, titles?: TitlePlace) =>
    text === undefined ? [] : [sentName(text, bounds, { field: `${field}.${part}`, titles }, problems)];

  return {
    // Documented requests send titles as prefixes (docs/wire/notes.md, Travellers).
    prefix: name(passenger.title?.toUpperCase(), SHORT_NAME, 'title', 'here'),
    given: name(passenger.given_name, GIVEN_NAME, 'given_name'),
    middle: name(passenger.middle_name, GIVEN_NAME, 'middle_name'),
    surname: sentName(passenger.surname, SURNAME, { field: `${field}.surname` }, problems),
    suffix: name(passenger.suffix, SHORT_NAME, 'suffix', 'here'),
    title: [],
  };
}

function checkAge(
  passenger: PassengerInput,
  segments: readonly Segment[],
  field: string,
  problems: InputProblems,
): void {
  const { type, birth_date: birthDate } = passenger;
  const misfit = firstMisfit(type, birthDate, segments);
  if (misfit === undefined) return;

  const { age, date, fits, segment } = misfit;
  const when = `on ${showDay(date)}, the departure of segment ${cleanRef(segment.ref)}`;
  if (age < 0) {
    problems.add(`${field}.birth_date`, `this passenger is not born yet ${when}`);
    return;
  }

  const years = counted(age, 'year');
  const description = problems.hidesDetails ? `of type ${fits} ${when}` : `${years} old ${when}, so of type ${fits}`;

  problems.add(
    `${field}.type`,
    `this passenger is ${description}, not ${type} (ADT from 12, CHD 2 to 11, INF under 2). Do not change the birth date unless it was mistyped`,
    PRICED_FOR_PARTY,
  );
}

const PRICED_FOR_PARTY =
  'Call search_fares again for the right party: an offer is only for the party it was searched for. If a birthday changes the type during the trip, book each direction alone.';

/**
 * Maps the index of each infant to the pointer of its adult: the one that `with_adult` names, or the nth adult for the nth infant.
 * Places count from 1.
 */
export function pairAttendants(
  passengers: readonly Pick<PassengerInput, 'type' | 'with_adult'>[],
  problems: InputProblems,
): Map<number, string> {
  const listPlaces = (type: AgeType) => passengers.flatMap((passenger, i) => (passenger.type === type ? [i + 1] : []));
  const adults = listPlaces('ADT');
  const attendants = new Map<number, string>();
  const adultsWithInfant = new Set<number>();

  for (const [nth, place] of listPlaces('INF').entries()) {
    const field = `passengers[${place - 1}].with_adult`;
    const adult = passengers[place - 1]?.with_adult ?? adults[nth];

    if (adult === undefined || !adults.includes(adult)) {
      problems.add(field, `expected the place of an adult in passengers: ${adults.join(', ') || 'there is none'}`);
    } else if (adultsWithInfant.has(adult)) {
      problems.add(field, `expected another adult: adult ${adult} has a lap infant already`);
    } else {
      adultsWithInfant.add(adult);
      attendants.set(place - 1, String(adult));
    }
  }

  for (const [i, { type, with_adult }] of passengers.entries()) {
    if (with_adult !== undefined && type !== 'INF') {
      problems.add(`passengers[${i}].with_adult`, 'expected only for an infant (INF)');
    }
  }

  return attendants;
}

/** A person of a call, and their document if the call states one. */
interface DocumentHolder {
  readonly document?: DocumentInput | undefined;
  /** Quoted. */
  readonly holder: string;
}

/**
 * Checks each number, that no two people have the same, and each expiry against the last arrival.
 * @param list the field of the people: `passengers`
 */
export function checkDocuments(
  list: string,
  people: readonly DocumentHolder[],
  segments: readonly Segment[],
  problems: InputProblems,
): void {
  const lastArrivalDate = lastArrival(segments);
  const numbers = people.map(({ document }) => document && foldName(document.number));

  for (const [i, { document, holder }] of people.entries()) {
    if (document === undefined) continue;

    const field = `${list}[${i}].document`;
    const first = numbers.indexOf(numbers[i]);
    if (first !== i) problems.add(`${field}.number`, `expected another number than ${list}[${first}] has`);

    checkNumber(document.number, field, problems);
    checkExpiry(document.expires, lastArrivalDate, { field, holder }, problems);
  }
}

/** The number is sent as given, and no source allows separators. */
export function isDocumentNumber(number: string): boolean {
  return DOCUMENT_NUMBER.test(number);
}

/** Adds a problem, which never contains the number. */
function checkNumber(number: string, field: string, problems: InputProblems): void {
  if (isDocumentNumber(number)) return;
  problems.add(`${field}.number`, 'expected 3 to 30 letters and digits, without separators');
}

/** How a document's expiry fits a trip: some countries refuse entry if it expires soon after. Both are dates. */
export function validityAfter(lastArrivalDate: string, expires: string): 'expired' | 'expires_soon' | 'valid' {
  if (expires <= lastArrivalDate) return 'expired';
  return expires < addMonths(lastArrivalDate, VALID_MONTHS_AFTER) ? 'expires_soon' : 'valid';
}

/** @param document its path in the arguments, and whose it is, quoted */
export function checkExpiry(
  expires: string,
  lastArrivalDate: string,
  { field, holder }: Readonly<Record<'field' | 'holder', string>>,
  problems: InputProblems,
): void {
  const validity = validityAfter(lastArrivalDate, expires);
  if (validity === 'expired') {
    problems.add(`${field}.expires`, `expected a document valid after the last arrival on ${lastArrivalDate}`);
  } else if (validity === 'expires_soon') {
    const when = problems.hidesDetails ? '' : ` on ${showDay(expires)} ${expires.slice(0, 4)},`;
    problems.warnings.push(
      `The travel document of ${holder} expires${when} less than ${VALID_MONTHS_AFTER} months after the last arrival; some countries refuse entry.`,
    );
  }
}

/** The local date of the last arrival. */
export function lastArrival(segments: readonly Segment[]): string {
  return segments.map(arrivalDate).sort().at(-1) ?? '';
}

export function sentContact(contact: ContactInput, problems: InputProblems): Contact {
  const given = sentName(contact.given_name, GIVEN_NAME, { field: 'contact.given_name', titles: 'nowhere' }, problems);
  const surname = sentName(contact.surname, SURNAME, { field: 'contact.surname', titles: 'nowhere' }, problems);
  const address = { city: contact.city, countryCode: contact.country };
  if (contact.document) checkNumber(contact.document.number, 'contact.document', problems);

  return {
    name: { prefix: [], given: [given], middle: [], surname, suffix: [], title: [] },
    document: contact.document && sentDocument(contact.document),
    emails: [contact.email],
    phones: contact.phone ? [sentPhone(contact.phone)] : [],
    addresses: contact.city === undefined && contact.country === undefined ? [] : [address],
    comments: [],
  };
}
