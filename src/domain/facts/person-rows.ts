/**
 * The values of a person, each in every form in which an airline may show it, so that another spelling is no other value: first the
 * rows, then what is kept of a person, and the persons of two readings of a booking.
 */

import type { FindingKind } from '../booking/finding.ts';
import { namesSent, namesShown, withoutGluedTitle } from '../booking/name-keys.ts';
import { countryForms, type Digest, foldName, isMasked } from '../people/identity-text.ts';
import {
  type Contact,
  DOCUMENT_TYPES,
  documentKind,
  emailKey,
  fullName,
  type PersonName,
  type Phone,
} from '../people/traveler.ts';
import { diff, type FactRow } from './differ.ts';
import { type Alike, pairPersons } from './pair.ts';
import type { ValueForm } from './values.ts';

export type PersonField =
  | 'names'
  | 'written'
  | 'document'
  | 'documentType'
  | 'birthDate'
  | 'expires'
  | 'nationality'
  | 'gender'
  | 'emails'
  | 'phones';

/** Every form in which a hold may show each value that was sent. */
export type SentForms = { readonly [field in PersonField]?: readonly string[] };

export interface PersonRow extends FactRow<PersonField, readonly string[], SentForms> {
  readonly what: string;
  /** The finding for a changed value. */
  readonly kind: FindingKind;
  readonly form: ValueForm;
  /** The forms in which a hold may show the value that is sent. */
  readonly sent: (person: Contact) => readonly string[];
  /** The forms of the value that a hold shows: one of them must have been sent. Empty if it shows none. */
  readonly shown?: (person: Contact) => readonly string[];
  /** The value in words. Documents are not in what is shown of a person: `read` has them, to be masked. */
  readonly show: (shown: Contact, read: Contact) => string | undefined;
  /**
   * A birth date alone could be found by trying all of them: what is kept for later readings is a digest of the document
   * number too, so that without a number nothing is compared.
   */
  readonly kept: 'alone' | 'with document';
}

/** Airlines write titles and other genders in many forms. */
const COMPARED_GENDERS = ['MALE', 'FEMALE'];

type PersonValues = Pick<PersonRow, 'sent' | 'shown' | 'show'> & Partial<Pick<PersonRow, 'same'>>;

/* @__NO_SIDE_EFFECTS__ */
function rowOf(kind: FindingKind, kept: PersonRow['kept'] = 'alone') {
  return (field: PersonField, what: string, form: ValueForm, values: PersonValues): PersonRow => {
    return { field, kind, what, form, kept, same: shareForm, ...values };
  };
}

const nameRow = /* @__PURE__ */ rowOf('name_changed');
const contactRow = /* @__PURE__ */ rowOf('contact_changed');
const documentRow = /* @__PURE__ */ rowOf('document_changed', 'with document');

export const PERSON_ROWS: readonly PersonRow[] = [
  nameRow('names', 'name', 'words', {
    sent: ({ name }) => (name === undefined ? [] : sentName(name)),
    shown: ({ name }) => (name === undefined ? [] : shownName(name)),
    show: ({ name }) => fullName(name),
  }),
  // For a name that is the same person's, and is not written as it was sent: exchanged, or cut.
  nameRow('written', 'name', 'words', {
    sent: ({ name }) => (name === undefined ? [] : writtenNames(name)),
    shown: ({ name }) => (name === undefined || shownName(name).length === 0 ? [] : writtenNames(name)),
    show: ({ name }) => fullName(name),
  }),
  {
    ...documentRow('document', 'document number', 'number', {
      sent: ({ document }) => unmasked(document?.number).map(foldName),
      show: (_, { document }) => document?.number,
    }),
    kept: 'alone',
  },
  documentRow('documentType', 'kind of document', 'code', {
    sent: ({ document }) => unmasked(document?.docType).flatMap(documentForms),
    show: (_, { document }) => document?.docType && documentKind(document.docType),
  }),
  documentRow('birthDate', 'birth date', 'number', {
    sent: ({ birthDate }) => unmasked(birthDate).map((date) => date.slice(0, 10)),
    show: (_, { birthDate }) => birthDate,
  }),
  documentRow('expires', 'expiry of the document', 'number', {
    sent: ({ document }) => unmasked(document?.expires).map((date) => date.slice(0, 10)),
    show: (_, { document }) => document?.expires,
  }),
  documentRow('nationality', 'nationality', 'code', {
    sent: ({ document }) => unmasked(document?.nationality).flatMap(countryForms),
    show: (_, { document }) => document?.nationality,
  }),
  // Its value is not shown: with two of them, one tells the other.
  documentRow('gender', 'gender', 'code', {
    sent: ({ gender = '' }) => COMPARED_GENDERS.filter((one) => one === gender.toUpperCase()),
    show: () => undefined,
  }),
  contactRow('emails', 'e-mail', 'email', {
    sent: ({ emails }) => emails.flatMap(unmasked).map(emailKey),
    show: ({ emails }) => emails[0],
  }),
  contactRow('phones', 'telephone', 'number', {
    same: isSamePhone,
    sent: ({ phones }) => phones.flatMap(sentPhone),
    show: ({ phones: [phone] }) => phone && [phone.countryCode, phone.number].join(''),
  }),
];

const personRow = <Field extends PersonField>(field: Field): PersonRow & { readonly field: Field } =>
  PERSON_ROWS.find((each) => each.field === field) as PersonRow & { readonly field: Field };
export const NAME = personRow('names');
export const DOCUMENT = personRow('document');
export const WRITTEN = personRow('written');
export const EMAILS = personRow('emails');
export const ADDRESSES = [EMAILS, personRow('phones')] as const;
/** The rows of which a person may have several values. */
export const SEVERAL = [DOCUMENT, personRow('expires'), ...ADDRESSES] as const;
const ROWS_BESIDE_NAMES = PERSON_ROWS.filter((row) => row !== NAME && row !== WRITTEN);

/** Keys of a name, cut or not, and its surname, which a hold may show alone. */
function sentName(name: PersonName): readonly string[] {
  const names = [...namesSent([{ name }]), ...cutNames(name)];
  const surname = foldName(name.surname);
  return surname === '' ? names : [...names, surname];
}

/** Keys of a name; the name itself if it is one word. Empty for a masked name and for other letters than Latin ones. */
function shownName(name: PersonName): readonly string[] {
  const text = fullName(name);
  if (isMasked(text) || !/[A-Z]/.test(foldName(text))) return [];
  const keys = namesShown([{ name }]);
  return keys.length > 0 ? [...keys, ...cutNames(name)] : [foldName(text)];
}

/** Surname and given names in their order, with and without a title behind the given names, and without middle names. */
function writtenNames(name: PersonName): readonly string[] {
  const surname = foldName(name.surname);
  const givenNames = [
    [...name.given, ...name.middle].join(''),
    withoutGluedTitle(name).given.join(''),
    name.given.join(''),
  ].map(foldName);
  return [...new Set(givenNames.map((given) => `${surname}/${given}`))];
}

/** An airline cuts long names. No cut name has fewer letters than this: a shorter beginning is another name. */
const SHORTEST_CUT = 15;

/** The code of a document, and that of a passport for its letter. */
function documentForms(docType: string): readonly string[] {
  return /^(p|passport)$/i.test(docType.trim()) ? [docType, DOCUMENT_TYPES.passport] : [docType];
}

/** The text in a list; an empty list if it is absent, blank or masked. */
function unmasked(text = ''): readonly string[] {
  return text.trim() === '' || isMasked(text) ? [] : [text];
}

/** Digits without leading zeros, of the number too: `+966 055…` and `00966 55…` are one. */
export function phoneKey({ countryCode = '', number = '' }: Phone): readonly string[] {
  if (isMasked(number)) return [];
  const digits = `${countryCode.replace(/\D/g, '')}${number.replace(/\D/g, '').replace(/^0+/, '')}`.replace(/^0+/, '');
  return digits === '' ? [] : [digits];
}

/** The forms of one telephone, or digests of them. */
interface PhoneForms {
  /** With its country: `966551234567`. Where the country is left out, as `national`. */
  readonly international: string;
  /** Without its country: `551234567`. */
  readonly national: string;
  /** With its country, and the zero of a call within that country behind it: `9660551234567`. */
  readonly withTrunkZero: string;
}

/** How many forms a telephone has in a list. */
const FORMS_OF_PHONE = 3;

/** The forms of a telephone, in the order of {@link PhoneForms}. Readings are kept with this order. */
function sentPhone({ countryCode = '', number }: Phone): readonly string[] {
  return phoneKey({ number }).flatMap((national) => [
    ...phoneKey({ countryCode, number: national }),
    national,
    ...phoneKey({ number: `${countryCode}0${national}` }),
  ]);
}

/** The telephones in a list of {@link sentPhone}, or of digests: all forms of the first one, then all of the second. */
function phonesIn(forms: readonly string[]): readonly PhoneForms[] {
  const phones: PhoneForms[] = [];
  for (let start = 0; start < forms.length; start += FORMS_OF_PHONE) {
    const [international = '', national = '', withTrunkZero = ''] = forms.slice(start, start + FORMS_OF_PHONE);
    phones.push({ international, national, withTrunkZero });
  }

  return phones;
}

// What is kept of a person.

export function readPerson(person: Contact, digest: Digest | undefined, rows = PERSON_ROWS): SentForms {
  const values = rows.flatMap((each) => {
    const forms = formsOf(each, person, digest);
    return forms.length === 0 ? [] : [[each.field, forms] as const];
  });
  return Object.fromEntries(values);
}

/** The forms of a value, of a document those of each that the person has. */
export function formsOf(
  row: PersonRow,
  person: Contact,
  digest: Digest | undefined,
  read = row.sent,
): readonly string[] {
  const each = row.kind === 'document_changed' ? eachDocument(person) : [person];
  return each.flatMap((one) => keptForms(row, read(one), one, digest));
}

/** The person with each of their documents alone. */
export function eachDocument({ otherDocuments = [], ...person }: Contact): readonly Contact[] {
  return [person, ...otherDocuments.map((document) => ({ ...person, document }))];
}

/** The forms as they are, or their digests as the row keeps them. */
export function keptForms(
  { kept, field }: PersonRow,
  forms: readonly string[],
  person: Contact,
  digest: Digest | undefined,
) {
  if (digest === undefined) return forms;
  if (kept === 'alone') return forms.map(digest);
  const [number] = unmasked(person.document?.number);
  return number === undefined ? [] : forms.map((form) => digest(`${foldName(number)}|${field}|${form}`));
}

/** In place of a value that an act of ours replaced, and that the airline still shows later: no form of any value is like it. */
export const CHANGED_HERE: readonly string[] = ['changed here'];

// People as a reading keeps them.

/** A passenger. Beside type, pointer and flights there are only keyed digests: whoever has the key can test a guess, and read nothing. */
export interface KeptPerson extends SentForms {
  /** The airline's pointer in that reading. */
  readonly ref: string;
  /** Digest of their identity. */
  readonly who: string;
  readonly type?: string;
  /** Indexes of their segments in the reading. Absent: the reading does not say. */
  readonly on?: readonly number[];
  /** Of an infant: the pointer of the adult on whose lap it is. Absent: the reading does not say. */
  readonly lap?: string;
}

/** Digests of every form in which a later reading may show what this one shows of a person. */
export function shownForms(person: Contact, digest: Digest): SentForms {
  const forms = readPerson(person, digest, ROWS_BESIDE_NAMES);
  const { name } = person;
  if (name === undefined || shownName(name).length === 0) return forms;
  // None is of a surname alone, which others of the booking have too.
  const parts = namesSent([name, withoutGluedTitle(name)].map((each) => ({ name: each })));
  const names = [...parts, ...wholeNames(name)].map(digest);
  return names.length === 0 ? forms : { ...forms, names };
}

/**
 * Keys of a name as a whole: in either order of its parts, with and without a title or middle names, cut or not. Empty for a masked name.
 * {@link shownForms} also knows a person by a part of the name: enough to find them, and not to say that nothing changed.
 */
export function wholeNames(name: PersonName): readonly string[] {
  return shownName(name).length === 0 ? [] : cutNames(name);
}

function cutNames(name: PersonName): readonly string[] {
  return [...new Set([name, withoutGluedTitle(name), { ...name, middle: [] }].flatMap(cutName))];
}

/** The same key for a long name and for what an airline leaves of it. */
function cutName({ surname, given, middle }: PersonName): readonly string[] {
  const parts = [surname, [...given, ...middle].join('')].map((text) => foldName(text).slice(0, SHORTEST_CUT));
  return parts.includes('') ? [] : [['cut', ...parts.toSorted()].join('/')];
}

/** Whether two sides agree about a value in one form. */
function shareForm(was: readonly string[] = [], is: readonly string[] = []): boolean {
  return was.some((form) => is.includes(form));
}

/**
 * Whether two sides have a telephone in common. Where one side leaves its country out, the national number is enough. Where both have a
 * country, it is not: telephones of two countries can have the same one.
 */
function isSamePhone(was: readonly string[], is: readonly string[]): boolean {
  const abroadBefore = nationalsAbroad(was);
  const abroadNow = nationalsAbroad(is);
  return was.some((form) => is.includes(form) && !(abroadBefore.has(form) && abroadNow.has(form)));
}

/** The national numbers of telephones that have a country. */
function nationalsAbroad(forms: readonly string[]): ReadonlySet<string> {
  const abroad = phonesIn(forms).filter(({ international, national }) => international !== national);
  return new Set(abroad.map(({ national }) => national));
}

/** Whether both sides state a value, and it is the same. */
export function isSameValue({ field, same }: PersonRow, was: SentForms, now: SentForms): boolean {
  return same(was[field] ?? [], now[field] ?? [], was, now);
}

/** Finds the rows in which two readings of one person differ. Ignores what either of them leaves out. */
export function otherDetails(was: SentForms, now: SentForms): readonly PersonRow[] {
  // The digest of a birth date has the document number in it: with another number it proves nothing.
  const provesAll = shareForm(was.document, now.document);
  const others = diff(PERSON_ROWS, was, now).map(({ row }) => row);
  return others.filter((row) => row.kept === 'alone' || provesAll);
}

/**
 * Finds the rows in which a person keeps a document, an e-mail address or a telephone, and has another one that nobody of the booking had
 * before.
 * @param known everybody of the booking before
 */
export function addedBeside(was: SentForms, now: SentForms, known: readonly SentForms[]): readonly PersonRow[] {
  const added = SEVERAL.filter((row) => {
    if (!isSameValue(row, was, now)) return false;

    const before = new Set(known.flatMap((forms) => forms[row.field] ?? []));
    return valuesOf(row, now).some((forms) => !forms.some((form) => before.has(form)));
  });
  return added.filter((row) => row.field !== 'expires' || !added.includes(DOCUMENT));
}

/** Each value of a row that a person has, in all its forms. */
function valuesOf({ field }: (typeof SEVERAL)[number], person: SentForms): readonly (readonly string[])[] {
  const forms = person[field] ?? [];
  if (field !== 'phones') return forms.map((form) => [form]);
  return phonesIn(forms).map(({ international, national, withTrunkZero }) => [international, national, withTrunkZero]);
}

const isSameName = (a: KeptPerson, b: KeptPerson): boolean => shareForm(a.names, b.names);
const isSameDocument = (a: KeptPerson, b: KeptPerson): boolean => shareForm(a.document, b.document);
const isOne = (was: KeptPerson, now: KeptPerson): boolean => isSameName(was, now) || isSameDocument(was, now);

const ALIKE: Alike<KeptPerson, KeptPerson> = {
  identity: (a, b) => a.who === b.who,
  name: ({ names = [] }, b) => names.filter((name) => b.names?.includes(name)).length,
  document: isSameDocument,
  type: (a, b) => a.type === b.type,
  ref: (a, b) => a.ref === b.ref,
};

/** A passenger in both readings. */
export interface PersonPair {
  readonly was: KeptPerson;
  readonly now: KeptPerson;
  /** Name or document say that they are one person. Else it is only that nobody else is left. */
  readonly isSure: boolean;
}

export function pairPeople(
  earlier: readonly KeptPerson[] = [],
  later: readonly KeptPerson[] = [],
): readonly PersonPair[] {
  const pairs = [...pairPersons(later, earlier, ALIKE, 'all')];
  return pairs.map(([now, was]) => ({ was, now, isSure: isOne(was, now) }));
}

/** Whether the airline names a pair by the same pointer, or nobody else of the later reading is like them. */
export function isCertain({ was, now }: PersonPair, later: readonly KeptPerson[] = []): boolean {
  if (was.ref === now.ref) return true;
  const same = later.filter(({ who }) => who === was.who);
  const alike = same.length > 0 ? same : later.filter((other) => isOne(was, other));
  return alike.length === 1 && alike[0] === now;
}
