/**
 * The details of passengers and of the contact that calls change: a row for each says how a call changes it, and how the terms tell of
 * it. First the rows, then names, documents, and lists of which a call replaces the first.
 */

import { cleanCode, plainText, quoted } from '../../core/clean-text.ts';
import { capitalized, joined } from '../../core/words.ts';
import { GIVEN_NAME, type NameBounds, SURNAME } from '../../domain/people/airline-name.ts';
import type { TravelerDetail } from '../../domain/people/identity-text.ts';
import { emailText, maskEmail, maskNumber } from '../../domain/people/mask-text.ts';
import {
  type Address,
  type Contact,
  documentKind,
  emailKey,
  type PersonName,
  type Phone,
  type TravelDocument,
} from '../../domain/people/traveler.ts';
import type { ArgsOf } from '../definition/define.ts';
import type { addressFields, detailFields, PhoneInput } from '../definition/input-fields.ts';
import type { InputProblems } from '../rules/input-problems.ts';
import { sentDocument, sentName, sentPhone } from '../rules/passenger-details.ts';
import { quotedName } from '../views/terms-text.ts';

type DetailsInput = Partial<ArgsOf<typeof detailFields> & ArgsOf<typeof addressFields>> & {
  readonly email?: string | undefined;
  readonly phone?: PhoneInput | undefined;
};

/** What the lines of a person depend on beside the details. */
interface LineRules {
  /** The details that the call changes, or states. */
  readonly changed: readonly TravelerDetail[];
  /** Details were entered on the details page: no line names a birth date, a day of expiry, or what the booking has. */
  readonly areEntered: boolean;
}

const NONE_STATED: LineRules = { changed: [], areEntered: false };

interface DetailRow {
  /** What the terms call it. */
  readonly word: string;
  /** Gives it as it is after the call. Absent: it is a part of the name. */
  readonly merge?: (input: DetailsInput, before: Contact) => Partial<Contact>;
  /** Says how it changes. Undefined if it stays. */
  readonly told: (was: Contact, now: Contact, rules: LineRules) => string | undefined;
}

/** In the order in which the terms tell of them. */
const DETAIL_ROWS: readonly DetailRow[] = [
  { word: 'title', told: (was, now) => wasNow(titleText(was.name), titleText(now.name)) },
  {
    word: 'birth date',
    merge: ({ birth_date: birthDate }, before) => ({ birthDate: birthDate ?? before.birthDate }),
    told({ birthDate: was = 'none' }, { birthDate: now }, { changed, areEntered }) {
      if (!changed.includes('birth_date')) return undefined;
      return areEntered ? 'the one given now' : `was ${cleanCode(was)}, now ${now}`;
    },
  },
  {
    word: 'gender',
    merge: ({ gender }, before) => ({ gender: gender ?? before.gender }),
    told: ({ gender: was }, { gender: now }) =>
      was === now ? undefined : `was ${quoted(was ?? 'none', 12)}, now ${now}`,
  },
  {
    word: 'document',
    merge: ({ document }) => (document ? { document: sentDocument(document), otherDocuments: undefined } : {}),
    told: ({ document: was }, { document: now }, { changed, areEntered }) =>
      changed.includes('document') ? documentChange(was, now, areEntered) : undefined,
  },
  {
    word: 'e-mail',
    merge: ({ email }, { emails }) => ({ emails: replaceFirstEmail(emails, email) }),
    told: (was, now) => firstChangeText(was.emails, now.emails, EMAILS),
  },
  {
    word: 'phone',
    merge: ({ phone }, { phones }) => ({ phones: replaceFirst(phones, phone && sentPhone(phone), PHONES) }),
    told: (was, now) => firstChangeText(was.phones, now.phones, PHONES),
  },
  {
    word: 'address',
    merge: ({ city, country }, { addresses }) => ({ addresses: replaceFirstAddress(addresses, city, country) }),
    told: (was, now) => wasNow(placeText(was.addresses[0]), placeText(now.addresses[0])),
  },
];

/** Gives the person with the details of a call; the others stay. */
export function mergedDetails<P extends Contact>(before: P, input: DetailsInput): P {
  return Object.assign({ ...before }, ...DETAIL_ROWS.map(({ merge }) => merge?.(input, before)));
}

/** Writes a line for each detail of a passenger that changes, without the name: `  e-mail: was …, now …`. */
export function detailLines(was: Contact, now: Contact, rules = NONE_STATED): readonly string[] {
  return DETAIL_ROWS.flatMap(({ word, told }) => {
    const text = told(was, now, rules);
    return text === undefined ? [] : [`  ${word}: ${text}`];
  });
}

/** Writes the same of the contact, its name too. */
export function contactLines(was: Contact, now: Contact): readonly string[] {
  const [nameWas = '', nameNow = ''] = [was, now].map(({ name }) => name && quotedName(name));
  const name = wasNow(nameWas, nameNow);
  const others = detailLines(was, now).map((line) => capitalized(line.trim()));
  return name === undefined ? others : [`Name: ${name}`, ...others];
}

/** `was …, now …`. Undefined if it is the same. */
function wasNow(was: string, now: string): string | undefined {
  return was === now ? undefined : `was ${was || 'none'}, now ${now}`;
}

/** The fields of a call that change a name. */
interface NameInput {
  readonly given_name?: string | undefined;
  readonly middle_name?: string | undefined;
  readonly surname?: string | undefined;
  readonly title?: string | undefined;
}

/** Where a name belongs: the beginning of its fields in the input, and whose it is. */
export interface NamePlace {
  /** `changes[0].`; empty for the contact. */
  readonly path: string;
  /** A contact has no title and no middle name in the input, so that a given name stands for all of them. */
  readonly of: 'passenger' | 'contact';
  readonly problems: InputProblems;
}

/** Gives the name with the parts of a call; the others stay. */
export function mergedName(
  input: NameInput,
  before: PersonName | undefined,
  { path, of, problems }: NamePlace,
): PersonName {
  const sent = (part: 'given_name' | 'middle_name' | 'surname', bounds: NameBounds): string | undefined => {
    const written = input[part];
    const field = { field: `${path}${part}`, titles: of === 'contact' ? ('nowhere' as const) : undefined };
    return written && sentName(written, bounds, field, problems);
  };

  const given = sent('given_name', GIVEN_NAME);
  const middle = sent('middle_name', GIVEN_NAME);
  const surname = sent('surname', SURNAME);
  if (before === undefined && (given === undefined || surname === undefined)) {
    const missing = given === undefined ? 'given_name' : 'surname';
    const whom = of === 'contact' ? 'a contact without a name' : 'a passenger not named yet';
    problems.add(`${path}${missing}`, `expected for ${whom}`);
  }

  const middleBefore = of === 'contact' && given !== undefined ? [] : (before?.middle ?? []);
  const { title } = input;

  return {
    // A title is a prefix (docs/wire/notes.md, Travellers); a new one replaces what was there.
    prefix: title === undefined ? (before?.prefix ?? []) : [title],
    given: given === undefined ? (before?.given ?? []) : [given],
    middle: middle === undefined ? middleBefore : [middle],
    surname: surname ?? before?.surname ?? '',
    suffix: before?.suffix ?? [],
    title: title === undefined ? (before?.title ?? []) : [],
  };
}

/** Joins the prefix and the title: airlines store a title as either (docs/wire/notes.md, Travellers). */
function titleText(name: PersonName | undefined): string {
  const text = [...(name?.prefix ?? []), ...(name?.title ?? [])].join(' ').trim();
  return text === '' ? 'none' : quoted(text, 20);
}

/** Says how a document changes, with masked numbers, and marks documents that differ although they look alike. */
function documentChange(was: TravelDocument | undefined, now: TravelDocument | undefined, areEntered: boolean): string {
  if (areEntered) return `now ${documentText(now && { ...now, number: '', expires: undefined })}`;
  const looksAlike = was?.number !== now?.number && numberText(was) === numberText(now);
  return `was ${documentText(was)}, now ${documentText(now)}${looksAlike ? ' (another number)' : ''}`;
}

/** `passport •••••678 (SA, expires 2031-01-01)`; `document of type 9, no details known` where the airline states no more. */
function documentText(document: TravelDocument | undefined): string {
  if (document === undefined) return 'none';

  const { docType, number, nationality, expires } = document;
  const kind = kindText(docType);
  const country = nationality && cleanCode(nationality, 12);
  const expiry = expires && `expires ${cleanCode(expires, 12)}`;
  const details = joined([country, expiry]);
  if (number === undefined && details === '') return `${kind}, no details known`;

  const name = number === undefined ? `${kind}, number not known` : `${kind} ${numberText(document)}`;
  return details === '' ? name : `${name} (${details})`;
}

function kindText(docType: string | undefined): string {
  if (docType === undefined) return 'document';
  const kind = cleanCode(documentKind(docType));
  return kind === cleanCode(docType) ? `document of type ${kind}` : kind;
}

function numberText(document: TravelDocument | undefined): string {
  return document?.number === undefined ? '?' : maskNumber(cleanCode(document.number, 40));
}

/** How the items of a list are written, and which are the same. */
interface ItemForms<T> {
  readonly text: (item: T | undefined) => string;
  readonly key: (text: string) => string;
  readonly whole: (text: string) => string;
  readonly masked: (text: string) => string;
}

const EMAILS: ItemForms<string> = {
  text: (email = '') => email,
  key: emailKey,
  // quoted() would put a space after each full stop.
  whole: (email) => `“${emailText(email)}”`,
  masked: (email) => `“${maskEmail(email)}”`,
};

const PHONES: ItemForms<Phone> = { text: phoneText, key: (text) => text, whole: (text) => text, masked: maskNumber };

/** `+966551234567`, or empty. */
export function phoneText(phone: Phone | undefined): string {
  const digits = `${phone?.countryCode ?? ''}${phone?.number ?? ''}`.replace(/\D/g, '');
  return digits === '' ? '' : `+${digits}`;
}

/** Gives the e-mail addresses with this one as the first. An airline may list one twice. */
function replaceFirstEmail(before: readonly string[], email: string | undefined): readonly string[] {
  if (email === undefined) return before;
  const each = new Map(before.map((known) => [emailKey(known), known]));
  return replaceFirst([...each.values()], email, EMAILS);
}

/** Replaces the first item; the others stay, as a request carries all of them (docs/wire/interface.md, Traveller). */
function replaceFirst<T>(before: readonly T[], fresh: T | undefined, { text, key }: ItemForms<T>): readonly T[] {
  if (fresh === undefined) return before;
  const [first, ...others] = before;
  const isFresh = (item: T) => key(text(item)) === key(text(fresh));
  return first !== undefined && isFresh(first) ? before : [fresh, ...others.filter((known) => !isFresh(known))];
}

/** Says how the first item changes, and which others stay. Undefined if it does not change. */
function firstChangeText<T>(before: readonly T[], after: readonly T[], items: ItemForms<T>): string | undefined {
  const [was, now, ...others] = [before[0], ...after].map(items.text);
  if (was === (now ?? '')) return undefined;
  const stay =
    others.length === 0 ? '' : `; ${others.map(items.masked).join(', ')} ${others.length === 1 ? 'stays' : 'stay'}`;
  return `was ${was ? items.masked(was) : 'none'}, now ${items.whole(now ?? '')}${stay}`;
}

/** Gives the addresses with the new city and country in the first. */
function replaceFirstAddress(
  before: readonly Address[],
  city: string | undefined,
  country: string | undefined,
): readonly Address[] {
  if (city === undefined && country === undefined) return before;
  const [first = {}, ...others] = before;
  const { city: _, ...otherFields } = first;
  const countryFields = country === undefined ? otherFields : { countryCode: country };
  return [{ city: city ?? first.city, ...countryFields }, ...others];
}

function placeText(address: Address | undefined): string {
  const names = [address?.city, address?.countryCode ?? address?.countryName].flatMap((part) => part ?? []);
  return names.length === 0 ? '' : `“${plainText(names.join(', '), 80)}”`;
}
