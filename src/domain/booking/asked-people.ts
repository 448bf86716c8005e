/**
 * The people that a booking was asked for, and in what those of the hold differ: first what a difference is, then the rows, what
 * is kept of people, and the comparison. asked-and-held.ts has the flights, the price and the whole.
 */

import { countryKey, type Digest, foldName, isMasked } from '../people/identity-text.ts';
import { namesSent, namesShown } from '../people/name-keys.ts';
import {
  type Contact,
  documentKind,
  emailKey,
  fullName,
  type PersonName,
  type Phone,
  type Traveler,
} from '../people/traveler.ts';
import type { Booking } from './booking.ts';
import { pairRows } from './pair-readings.ts';

/** In what a hold differs from what was asked for. */
export interface HeldDifference {
  /** The flight by its name, or the passenger by the pointer of the hold. Absent: the booking as a whole. */
  readonly of?: { readonly flight: string } | { readonly passenger: string } | 'contact' | 'party';
  /** What differs: `departure`, `class`, `birth date`. Absent: all of the flight or passenger. */
  readonly what?: string;
  /** The verb of a sentence about a flight: `leaves`. If not both values are there, it ends the sentence: `is cancelled`. */
  readonly says?: string;
  /** How people read the values: numbers and e-mail addresses masked, words of others quoted, our own as they are. */
  readonly form?: 'time' | 'code' | 'words' | 'plain' | 'number' | 'email';
  /** As sent. */
  readonly asked?: string | undefined;
  readonly held?: string | undefined;
}

type PersonField =
  | 'names'
  | 'document'
  | 'documentType'
  | 'birthDate'
  | 'expires'
  | 'nationality'
  | 'emails'
  | 'phones';

/** A person as they were sent: every form in which a hold may show each value. */
type AskedPerson = { readonly type?: string } & { readonly [field in PersonField]?: readonly string[] };

interface PersonRow {
  readonly field: PersonField;
  readonly what: string;
  readonly form: NonNullable<HeldDifference['form']>;
  /** The forms in which a hold may show the value that is sent. */
  readonly sent: (person: Contact) => readonly string[];
  /** The forms of the value that a hold shows: one of them must have been sent. Empty if it shows none. */
  readonly shown?: (person: Contact) => readonly string[];
  readonly show: (person: Contact) => string | undefined;
  /**
   * A birth date alone could be found by trying all of them: what is kept for later readings is a digest of the document
   * number too, so that without a number nothing is compared.
   */
  readonly kept: 'alone' | 'with document';
}

const PERSON_ROWS: readonly PersonRow[] = [
  {
    ...{ field: 'names', what: 'name', form: 'words', kept: 'alone' },
    sent: ({ name }) => (name === undefined ? [] : namesSent(spellings(name).map((spelling) => ({ name: spelling })))),
    shown: ({ name }) => (name === undefined ? [] : shownName(name)),
    show: ({ name }) => fullName(name),
  },
  {
    ...{ field: 'document', what: 'document number', form: 'number', kept: 'alone' },
    sent: ({ document }) => unmasked(document?.number).map(foldName),
    show: ({ document }) => document?.number,
  },
  {
    ...{ field: 'documentType', what: 'kind of document', form: 'code', kept: 'with document' },
    sent: ({ document }) => unmasked(document?.docType),
    show: ({ document }) => document?.docType && documentKind(document.docType),
  },
  {
    ...{ field: 'birthDate', what: 'birth date', form: 'number', kept: 'with document' },
    sent: ({ birthDate }) => unmasked(birthDate).map((date) => date.slice(0, 10)),
    show: ({ birthDate }) => birthDate,
  },
  {
    ...{ field: 'expires', what: 'expiry of the document', form: 'number', kept: 'with document' },
    sent: ({ document }) => unmasked(document?.expires).map((date) => date.slice(0, 10)),
    show: ({ document }) => document?.expires,
  },
  {
    ...{ field: 'nationality', what: 'nationality', form: 'code', kept: 'with document' },
    sent: ({ document }) => unmasked(document?.nationality).map(countryKey),
    show: ({ document }) => document?.nationality,
  },
  {
    ...{ field: 'emails', what: 'e-mail', form: 'email', kept: 'alone' },
    sent: ({ emails }) => emails.flatMap(unmasked).map(emailKey),
    show: ({ emails }) => emails[0],
  },
  {
    ...{ field: 'phones', what: 'telephone', form: 'number', kept: 'alone' },
    sent: ({ phones }) => phones.flatMap((phone) => [...phoneKey(phone), ...phoneKey({ number: phone.number })]),
    shown: ({ phones }) => phones.flatMap(phoneKey),
    show: ({ phones: [phone] }) => phone && [phone.countryCode, phone.number].join(''),
  },
];

/** Keys of a name; the name itself if it is one word. Empty for a masked name and for other letters than Latin ones. */
function shownName(name: PersonName): readonly string[] {
  const text = fullName(name);
  if (isMasked(text) || !/[A-Z]/.test(foldName(text))) return [];
  const keys = namesShown([{ name }]);
  return keys.length > 0 ? keys : [foldName(text)];
}

/** An airline cuts long names. No cut name is shorter than this many letters. */
const SHORTEST_CUT = 15;

/** A name, and the names that an airline makes of it by cutting its surname or its given names. */
function spellings(name: PersonName): readonly PersonName[] {
  const given = [...name.given, ...name.middle].join(' ');
  const cuts = (text: string) =>
    Array.from({ length: Math.max(0, text.length - SHORTEST_CUT) }, (_, i) => text.slice(0, SHORTEST_CUT + i));
  return [
    name,
    ...cuts(name.surname).map((surname) => ({ ...name, surname })),
    ...cuts(given).map((cut) => ({ ...name, given: [cut], middle: [] })),
  ];
}

/** The text in a list; an empty list if it is absent, blank or masked. */
function unmasked(text = ''): readonly string[] {
  return text.trim() === '' || isMasked(text) ? [] : [text];
}

/** Digits without leading zeros, of the number too: `+966 055…` and `00966 55…` are one. */
function phoneKey({ countryCode = '', number = '' }: Phone): readonly string[] {
  if (isMasked(number)) return [];
  const digits = `${countryCode.replace(/\D/g, '')}${number.replace(/\D/g, '').replace(/^0+/, '')}`.replace(/^0+/, '');
  return digits === '' ? [] : [digits];
}

// What was asked of people, and its comparison.

/** The people of one request: as sent, or as digests. */
export interface AskedPeople {
  /** Empty for a group that is named later. */
  readonly passengers: readonly AskedPerson[];
  readonly contact?: AskedPerson | undefined;
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
    passengers: travelers.map((traveler) => ({ type: traveler.type, ...readPerson(traveler, digest) })),
    contact: contact && readPerson(contact, digest),
  };
}

function readPerson(person: Contact, digest: Digest | undefined): AskedPerson {
  const values = PERSON_ROWS.flatMap((row) => {
    const forms = keptForms(row, row.sent(person), person, digest);
    return forms.length === 0 ? [] : [[row.field, forms] as const];
  });
  return Object.fromEntries(values);
}

/** The forms as they are, or their digests as the row keeps them. */
function keptForms({ kept, field }: PersonRow, forms: readonly string[], person: Contact, digest: Digest | undefined) {
  if (digest === undefined) return forms;
  if (kept === 'alone') return forms.map(digest);
  const [number] = unmasked(person.document?.number);
  return number === undefined ? [] : forms.map((form) => digest(`${foldName(number)}|${field}|${form}`));
}

/** The people of one request, beside what their digests are made with. Values are plain without a digest. */
export interface PeopleLayer {
  readonly people: AskedPeople;
  readonly digest?: Digest;
  /** The people themselves, in the call that sends them. */
  readonly sent?: PeopleSent;
}

/** One person of a layer. */
interface LayeredPerson {
  readonly asked: AskedPerson;
  readonly layer: PeopleLayer;
  readonly sent: Contact | undefined;
}

/** The forms of the value that a hold shows, as the layer keeps those that were sent. */
function formsShown(row: PersonRow, { layer }: LayeredPerson, shown: Contact): readonly string[] {
  return keptForms(row, (row.shown ?? row.sent)(shown), shown, layer.digest);
}

/** Whether the hold shows none of the forms that were sent. False if either side left the value out. */
function isOther(row: PersonRow, person: LayeredPerson, shown: Contact): boolean {
  const sent = person.asked[row.field];
  if (sent === undefined) return false;
  const forms = formsShown(row, person, shown);
  return forms.length > 0 && !forms.some((form) => sent.includes(form));
}

const row = (field: PersonField): PersonRow => PERSON_ROWS.find((each) => each.field === field) as PersonRow;
const NAME = row('names');
const DOCUMENT = row('document');

/** Whether both sides state the value, and it is the same. */
function isSame(personRow: PersonRow, person: LayeredPerson, shown: Contact): boolean {
  return formsShown(personRow, person, shown).some((form) => person.asked[personRow.field]?.includes(form) === true);
}

/** @param of whose it is; `others`: people whose e-mail and telephone they may have too */
function personDifferences(
  of: NonNullable<HeldDifference['of']>,
  person: LayeredPerson,
  shown: Contact,
  others: readonly LayeredPerson[],
): readonly HeldDifference[] {
  return PERSON_ROWS.flatMap((each) => {
    const { what, form, show, kept, field } = each;
    if (!isOther(each, person, shown)) return [];
    const isOfOther = (field === 'emails' || field === 'phones') && others.some((other) => isSame(each, other, shown));
    // The digest of a birth date has the document number in it: with another number it proves nothing.
    const provesNothing =
      kept === 'with document' && person.layer.digest !== undefined && !isSame(DOCUMENT, person, shown);
    if (isOfOther || provesNothing) return [];
    return [{ of, what, form, asked: person.sent && show(person.sent), held: show(shown) }];
  });
}

/** The people of a hold, each beside the one who was asked for. */
export function peopleDifferences(booking: Booking, layers: readonly PeopleLayer[]): readonly HeldDifference[] {
  const contacts = layers.flatMap((layer) => layeredContact(layer));
  const [contact] = contacts;
  const ofContact =
    contact === undefined || booking.contact === undefined
      ? []
      : personDifferences('contact', contact, booking.contact, []);
  return [...passengerDifferences(booking, layers, contacts), ...ofContact];
}

function layeredContact(layer: PeopleLayer): readonly LayeredPerson[] {
  const { contact } = layer.people;
  return contact === undefined ? [] : [{ asked: contact, layer, sent: layer.sent?.contact }];
}

/** Compares the passengers. `layers`: the newest first; a newer one names passengers of an older one anew. */
function passengerDifferences(
  { travelers }: Booking,
  layers: readonly PeopleLayer[],
  contacts: readonly LayeredPerson[],
): readonly HeldDifference[] {
  const asked = layers.flatMap((layer) =>
    layer.people.passengers.map(
      (person, i): LayeredPerson => ({ asked: person, layer, sent: layer.sent?.travelers[i] }),
    ),
  );
  const pairs = pairRows(travelers, asked, {
    mayBeSame: () => true,
    likenesses: [
      (traveler, person) => isSame(NAME, person, traveler) && isType(person, traveler),
      (traveler, person) => isSame(NAME, person, traveler) || isSame(DOCUMENT, person, traveler),
      (traveler, person) => isType(person, traveler),
      () => true,
    ],
    distance: () => 0,
  });
  const isNamed = (layers.at(-1)?.people.passengers.length ?? 0) > 0;
  const differences = travelers.flatMap((traveler): readonly HeldDifference[] => {
    const of = { passenger: traveler.ref };
    const person = pairs.get(traveler);
    if (person === undefined) return isNamed ? [{ of, says: 'was not asked for', held: fullName(traveler.name) }] : [];
    return [...typeDifference(of, person, traveler), ...personDifferences(of, person, traveler, contacts)];
  });
  return [...differences, ...missingPeople(layers, asked, new Set(pairs.values()))];
}

function isType({ asked }: LayeredPerson, { type }: Traveler): boolean {
  return asked.type === type;
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

/** People whom the hold lacks. Of each layer as many may be missing as newer ones name anew. */
function missingPeople(
  layers: readonly PeopleLayer[],
  asked: readonly LayeredPerson[],
  found: ReadonlySet<LayeredPerson>,
): readonly HeldDifference[] {
  let newer = 0;
  return layers.flatMap((layer) => {
    const missing = asked.filter((person) => person.layer === layer && !found.has(person)).slice(newer);
    newer += layer.people.passengers.length;
    return missing.map(({ asked: { type = '' }, sent }) => ({
      of: 'party' as const,
      says: 'is missing',
      asked: sent === undefined ? type : fullName(sent.name),
    }));
  });
}
