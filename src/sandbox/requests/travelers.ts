/** Checks names, documents, ages, counts, and on whose lap an infant sits (docs/wire/notes.md, Travellers). */
import { MOST_TRAVELERS } from '../carrier.ts';
import type { Counts, Name, Person, Traveler } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { Departure } from '../timetable.ts';
import { isDate, localDate } from '../zone.ts';

const NAME = /^[A-Za-z](?:[A-Za-z' -]*[A-Za-z'])?$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;
const LONGEST_NAME = 30;
/** OpenTravel: passport, national identity card. */
const DOCUMENT_TYPES = ['2', '5'];
/** The ages, in years, from which somebody is a child and an adult. */
const CHILD_AGE = 2;
const ADULT_AGE = 12;

/** Checks a name. Each refusal's detail begins with `who`: `traveler 2`. */
export function checkName(name: Name | undefined, who: string): Name {
  const givenName = [...(name?.given ?? []), ...(name?.middle ?? [])].join(' ').trim();
  const surname = name?.surname.trim() ?? '';
  if (name === undefined || surname === '') throw new Refusal('310', `${who}: surname missing`);
  if (givenName === '') throw new Refusal('311', `${who}: given name missing`);
  if (surname.length > LONGEST_NAME) throw new Refusal('523', `${who}: surname over ${LONGEST_NAME} letters`);
  if (givenName.length > LONGEST_NAME) throw new Refusal('524', `${who}: given name over ${LONGEST_NAME} letters`);
  if (surname.length < 2 || !NAME.test(surname)) throw new Refusal('285', `${who}: surname not in A-Z`);
  if (!NAME.test(givenName)) throw new Refusal('285', `${who}: given name not in A-Z`);

  // Replies merge a middle name into the given name (docs/wire/interface.md, Changes).
  return { ...name, given: [givenName], middle: [], surname };
}

export function checkContact(contact: Person): Person {
  const who = 'contact traveler';
  const name = checkName(contact.name, who);
  const [email] = contact.emails;
  if (email === undefined) throw new Refusal('420', `${who}: e-mail missing`);
  if (!contact.emails.every((email) => EMAIL.test(email))) throw new Refusal('244', `${who}: e-mail malformed`);
  return { ...contact, name };
}

function checkDocument(traveler: Traveler, who: string, lastArrival: string): void {
  const { document } = traveler;
  if (document === undefined) throw new Refusal('860', `${who}: document missing`);
  if (!DOCUMENT_TYPES.includes(document.type ?? '')) throw new Refusal('878', `${who}: document type unknown`);
  if (!/^[A-Za-z0-9]{5,20}$/.test(document.number ?? '')) throw new Refusal('879', `${who}: document number malformed`);
  if (!/^[A-Z]{2}$/.test(document.nationality ?? '')) throw new Refusal('860', `${who}: nationality missing`);
  if (!isDate(document.expires ?? '')) throw new Refusal('860', `${who}: document expiry missing`);
  if ((document.expires ?? '') <= lastArrival)
    throw new Refusal('860', `${who}: document expires before the end of travel`);
}

/** Computes somebody's age in whole years at a date. Both dates are YYYY-MM-DD. */
function ageAt(birthDate: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return date.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

function fitsType(type: string, age: number): boolean {
  if (type === 'INF') return age >= 0 && age < CHILD_AGE;
  if (type === 'CHD') return age >= CHILD_AGE && age < ADULT_AGE;
  return age >= ADULT_AGE;
}

function checkAge(traveler: Traveler, who: string, departures: readonly Departure[]): void {
  const { birthDate = '', type } = traveler;
  if (!isDate(birthDate)) throw new Refusal('860', `${who}: birth date missing`);
  for (const departure of departures) {
    const date = localDate(departure.from.zone, departure.departsAt);
    if (!fitsType(type, ageAt(birthDate, date)))
      throw new Refusal('860', `${who}: age is not that of ${type} on ${date}`);
  }
}

/** Checks that a passenger has everything a ticket needs. Returns it with its middle name merged. */
export function checkPassenger(traveler: Traveler, who: string, departures: readonly Departure[]): Traveler {
  const name = checkName(traveler.name, who);
  if (traveler.gender === undefined) throw new Refusal('860', `${who}: gender missing`);
  const arrivals = departures.map((departure) => localDate(departure.to.zone, departure.arrivesAt)).sort();
  checkDocument(traveler, who, arrivals.at(-1) ?? '');
  checkAge(traveler, who, departures);
  if (!traveler.emails.every((email) => EMAIL.test(email))) throw new Refusal('244', `${who}: e-mail malformed`);
  return { ...traveler, name };
}

/** Refuses a document that two travellers share, in any spelling of its number. */
export function checkDocumentsDiffer(travelers: readonly Traveler[]): void {
  const documents = new Set<string>();
  for (const { ref, document } of travelers) {
    if (document?.number === undefined) continue;
    const key = `${document.type} ${document.number.toUpperCase()}`;
    if (documents.has(key)) throw new Refusal('1083', `traveler ${ref} has the document of another`);
    documents.add(key);
  }
}

/** Checks that every infant has an adult of its own in this booking. */
export function checkAttendants(travelers: readonly Traveler[]): void {
  const adults = new Set(travelers.filter((traveler) => traveler.type === 'ADT').map((traveler) => traveler.ref));
  const adultsWithInfant = new Set<string>();

  for (const infant of travelers.filter((traveler) => traveler.type === 'INF')) {
    const adult = infant.attendantRef;
    if (adult === undefined || !adults.has(adult)) throw new Refusal('3004', `infant ${infant.ref} has no adult`);
    if (adultsWithInfant.has(adult)) throw new Refusal('3005', `adult ${adult} has two infants`);
    adultsWithInfant.add(adult);
  }
}

/** Checks that traveller pointers differ and segment pointers exist. Some published requests omit pointers. */
export function checkPointers(travelers: readonly Traveler[], segmentRefs: readonly string[]): void {
  const refs = new Set<string>();
  for (const { ref, segmentRefs: pointers } of travelers) {
    if (ref === '' || refs.has(ref)) throw new Refusal('83', `traveler pointer ${ref} missing or given twice`);
    refs.add(ref);
    const unknownPointer = pointers.find((pointer) => !segmentRefs.includes(pointer));
    if (unknownPointer !== undefined) throw new Refusal('83', `traveler ${ref}: no segment ${unknownPointer}`);
  }
}

export function checkCounts(counts: Counts): void {
  const total = counts.ADT + counts.CHD + counts.INF;
  if (total === 0) throw new Refusal('20', 'nobody travels');
  if (total > MOST_TRAVELERS) throw new Refusal('22', `at most ${MOST_TRAVELERS} travellers in a booking`);
  if (counts.ADT === 0) throw new Refusal('26', 'children and infants travel with an adult');
  if (counts.INF > counts.ADT) throw new Refusal('124', 'one lap infant for each adult');
}

/** Counts the seats that a party needs. Infants sit on a lap. */
export function seatsFor(counts: Counts): number {
  return counts.ADT + counts.CHD;
}
