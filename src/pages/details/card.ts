/**
 * Checks the cards of the details form by the rules for arguments of tools (tools/rules/passenger-details.ts), in words for the
 * traveller, and stores the right ones, sealed. No mistake repeats what was typed. In order: reading and checking one card, storing.
 */

import { asciiDigits, visibleText } from '../../core/clean-text.ts';
import { addDays, dateText, isRealDate, showDay, utcDay, writtenDate } from '../../core/times.ts';
import { counted } from '../../core/words.ts';
import type { DetailsCard, DetailsForm, KeptDetails } from '../../details/details-form.ts';
import type { DetailsStore } from '../../details/ports.ts';
import { openCard, sealCard } from '../../details/seal.ts';
import type { Segment } from '../../domain/booking/booking.ts';
import { airlineName, GIVEN_NAME, type NameBounds, SURNAME } from '../../domain/people/airline-name.ts';
import { isCodeOfNoCountry, namedCountry } from '../../domain/people/countries.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import { titleIn } from '../../domain/people/titles.ts';
import type { EnteredDetails } from '../../domain/people/traveler.ts';
import { firstMisfit } from '../../tools/rules/party-size.ts';
import { isDocumentNumber, lastArrival, validityAfter } from '../../tools/rules/passenger-details.ts';
import {
  CARD_FIELDS,
  type CardField,
  FIELDS,
  inputName,
  type Mistake,
  type RefilledCard,
  type TypedCard,
} from './form.ts';

const NAMES = ['given_name', 'middle_name', 'surname'] as const;

/** What a card that asks for details can change. */
const CHANGES = ['gender', 'birth_date', 'document'] as const;

const GENDERS = ['Female', 'Male', 'Unknown'] as const;

const DOCUMENTS = ['passport', 'national_id'] as const;

const EXPIRY = ['expires_day', 'expires_month', 'expires_year'] as const;

const EARLIEST_BIRTH = '1900-01-01';

const AGES = { ADT: 'an adult (12 or older)', CHD: 'a child (2 to 11)', INF: 'an infant (under 2)' };

const ASK_SELLER = 'Ask the seller of the trip how the airline';

const ONE_NAME = 'If the passport has only one name, ask the seller of the trip how the airline takes it.';

const NAME_STAYS = 'The name stays as it is. Fill in what changes: gender, birth date or document.';

const LETTERS =
  'The airline takes the letters A to Z, spaces, hyphens and apostrophes. Write the name as in the lines at the bottom of the passport.';

const NO_TITLE = 'Write the name without a title, as in the passport.';

const NO_COUNTRY = `The airline needs a country here, and this is not one. ${ASK_SELLER} takes this document.`;

const UNKNOWN_COUNTRY = 'Write the country in English, or its letters in the passport, such as SAU.';

const IN_FIELDS = 'Enter the day, the month and the year, each in its field.';

/** What the page says once about a card that is stored, without the entered values. */
export const CARD_NOTES = {
  expires_soon: 'the document expires less than 6 months after the trip. Some countries refuse entry with it.',
  other_letters: 'the airline takes the letters A to Z alone, so the name is sent in these.',
  sent_before: 'this card was already sent. What you entered on it just now was not kept.',
} as const;

/** A note that the check of a card gives. */
type CardWarning = Exclude<keyof typeof CARD_NOTES, 'sent_before'>;

type CheckedCard =
  | { readonly kind: 'blank' }
  | { readonly kind: 'wrong'; readonly mistakes: readonly Mistake[] }
  | { readonly kind: 'right'; readonly entered: EnteredDetails; readonly warnings: readonly CardWarning[] };

/** What a card is checked against. */
interface CheckedAgainst {
  readonly form: DetailsForm;
  /** The latest calendar date anywhere, YYYY-MM-DD. */
  readonly latestToday: string;
  /** The places of stored cards, from 0, by the {@link numberKey} of their documents. */
  readonly placeByNumber: ReadonlyMap<string, number>;
}

/** Returns the same key for a document number in any spelling. */
function numberKey({ document }: EnteredDetails): string {
  return foldName(document?.number ?? '');
}

/**
 * Reads what was typed on one card, without invisible characters. Cuts a text that is longer than its field, so that it stays too long: the
 * `maxlength` of a page binds browsers alone. @param card from 0
 */
export function typedCard(fields: URLSearchParams, card: number): TypedCard {
  const typed = (field: CardField) => {
    const value = fields.get(inputName(field, card)) ?? '';
    if (value.length > CARD_FIELDS[field].most) return value.slice(0, CARD_FIELDS[field].most + 1);
    return visibleText(asciiDigits(value)).replace(/\s+/gu, ' ').trim();
  };
  return Object.fromEntries(FIELDS.map((field) => [field, typed(field)])) as Record<CardField, string>;
}

/** Checks a card. @param place of the card in the form, from 0 */
function checkCard(place: number, typed: TypedCard, against: CheckedAgainst): CheckedCard {
  const card = against.form.cards[place];
  if (card === undefined || isBlank(typed)) return { kind: 'blank' };

  const tooLong = FIELDS.filter((field) => typed[field].length > CARD_FIELDS[field].most);
  if (tooLong.length > 0) return { kind: 'wrong', mistakes: tooLong.map(tooLongMistake) };

  const check = new CardCheck({ ...against, card, place, typed });
  const entered = check.entered();
  const { mistakes, warnings } = check;
  if (mistakes.length > 0) return { kind: 'wrong', mistakes: inOrder(mistakes) };

  return { kind: 'right', entered, warnings: [...warnings] };
}

function tooLongMistake(field: CardField): Mistake {
  return { field, words: `This field holds at most ${CARD_FIELDS[field].most} characters. Enter it again.` };
}

/** Sorts mistakes as their fields stand on the card. */
function inOrder(mistakes: readonly Mistake[]): readonly Mistake[] {
  return mistakes.toSorted((a, b) => FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field));
}

/** The kind of document is always chosen, so that it does not count by itself. */
export function isBlank(typed: TypedCard): boolean {
  return FIELDS.every((field) => field === 'document_type' || typed[field] === '');
}

interface GivenCard extends CheckedAgainst {
  readonly card: DetailsCard;
  /** Of the card in the form, from 0. */
  readonly place: number;
  readonly typed: TypedCard;
}

/** Checks one card: collects its mistakes. */
class CardCheck {
  readonly mistakes: Mistake[] = [];
  readonly warnings = new Set<CardWarning>();
  readonly #given: GivenCard;

  constructor(given: GivenCard) {
    this.#given = given;
  }

  entered(): EnteredDetails {
    const { asks } = this.#given.card;
    const needsNames = asks === 'new' || asks === 'unnamed';
    const { given_name: given, surname } = this.#given.typed;

    const ifMissing = (what: string, otherName: string): string | undefined => {
      if (!needsNames) return undefined;
      return otherName === '' ? `${what}.` : `${what}. ${ONE_NAME}`;
    };

    const gender = this.#gender();
    const parts = {
      given_name: this.#name('given_name', GIVEN_NAME, ifMissing('Enter the given names', surname)),
      middle_name: this.#name('middle_name', GIVEN_NAME, undefined),
      surname: this.#name('surname', SURNAME, ifMissing('Enter the surname', given)),
      gender,
      birth_date: this.#birthDate(),
      document: this.#document(),
    };

    // A card of a known traveller changes details alone: one that changes none has only a name, which stays.
    if (asks === 'details' && this.mistakes.length === 0 && !CHANGES.some((part) => parts[part] !== undefined)) {
      this.#add(NAMES.find((field) => this.#given.typed[field] !== '') ?? 'given_name', NAME_STAYS);
    }

    return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  }

  /** Notes a mistake. Returns the value of the wrong field: undefined. */
  #add(field: CardField, words: string): undefined {
    this.mistakes.push({ field, words });
  }

  /** @param ifMissing the mistake of a name that was left blank; undefined if it may be */
  #name(field: CardField, bounds: NameBounds, ifMissing: string | undefined): string | undefined {
    const written = this.#given.typed[field];
    if (written === '') return ifMissing === undefined ? undefined : this.#add(field, ifMissing);
    if (titleIn(written) !== undefined) return this.#add(field, NO_TITLE);

    // Checks the letters alone, at any length: a letter becomes four at most, as Щ becomes SHCH.
    const letters = airlineName(written, { min: 1, max: written.length * 4 });
    if (!letters.ok) return this.#add(field, LETTERS);

    if (!airlineName(written, bounds).ok) {
      return this.#add(
        field,
        `The airline takes ${bounds.min} to ${bounds.max} letters here. ${ASK_SELLER} takes this name.`,
      );
    }

    if (letters.changed) this.warnings.add('other_letters');
    return written;
  }

  #gender(): EnteredDetails['gender'] {
    const chosen = GENDERS.find((gender) => gender === this.#given.typed.gender);
    // A list may have brought another word.
    const isWrong = chosen === undefined && (this.#needsAll() || this.#given.typed.gender !== '');
    return isWrong ? this.#add('gender', 'Choose one, as in the passport.') : chosen;
  }

  #needsAll(): boolean {
    return this.#given.card.asks === 'new';
  }

  #birthDate(): string | undefined {
    const date = this.#date('birth', this.#needsAll() ? 'Enter the birth date.' : undefined);
    if (date === undefined) return undefined;

    const { latestToday, form } = this.#given;
    if (date < EARLIEST_BIRTH) {
      const age = Number(latestToday.slice(0, 4)) - Number(date.slice(0, 4));
      return this.#add('birth_day', `Check the birth date: it makes this traveller ${age}.`);
    }
    if (date > latestToday) return this.#add('birth_day', 'This day is not over yet. Compare it with the passport.');

    const words = ageMistake(this.#given.card.type, date, form.segments);
    return words === undefined ? date : this.#add('birth_day', words);
  }

  #document(): EnteredDetails['document'] {
    const { document_type, document_number: typedNumber, nationality: typedCountry } = this.#given.typed;
    const hasDate = EXPIRY.some((part) => this.#given.typed[part] !== '');
    if (!this.#needsAll() && typedNumber === '' && typedCountry === '' && !hasDate) return undefined;

    const type = DOCUMENTS.find((each) => each === (document_type || 'passport'));
    if (type === undefined) this.#add('document_type', 'Choose passport or identity card.');

    const number = this.#number(typedNumber);
    const nationality = namedCountry(typedCountry);
    if (typedCountry === '') this.#add('nationality', 'Enter the country.');
    else if (nationality === undefined) {
      this.#add('nationality', isCodeOfNoCountry(typedCountry) ? NO_COUNTRY : UNKNOWN_COUNTRY);
    }

    const expires = this.#expiry();
    if (type === undefined || number === undefined || nationality === undefined || expires === undefined)
      return undefined;

    return { type, number, nationality, expires };
  }

  #number(typed: string): string | undefined {
    if (typed === '') return this.#add('document_number', 'Enter the number.');

    const number = typed.replace(/ /g, '').toUpperCase();
    if (!isDocumentNumber(number)) {
      return this.#add('document_number', 'Use 3 to 30 letters A to Z and digits, and nothing else.');
    }

    const owner = this.#given.placeByNumber.get(foldName(number)) ?? this.#given.place;
    if (owner === this.#given.place) return number;

    return this.#add('document_number', `Traveller ${owner + 1} has this number. Every document has its own.`);
  }

  #expiry(): string | undefined {
    const expires = this.#date('expires', 'Enter the expiry date.');
    const last = lastArrival(this.#given.form.segments);
    if (expires === undefined || last === '') return expires;

    const validity = validityAfter(last, expires);
    if (validity === 'expired') {
      const words = `The trip ends on ${fullDay(last)}, and the document must be valid after that day.`;
      return this.#add('expires_day', words);
    }

    if (validity === 'expires_soon') this.warnings.add('expires_soon');
    return expires;
  }

  /**
   * Reads a date from its three fields, or a whole date from the first field, where browsers and people paste it.
   * @param ifMissing the mistake of a date that was left blank; undefined if it may be
   */
  #date(which: 'birth' | 'expires', ifMissing: string | undefined): string | undefined {
    const [day, month, year] = [`${which}_day`, `${which}_month`, `${which}_year`] as const;
    const [d, m, y] = [this.#given.typed[day], this.#given.typed[month], this.#given.typed[year]];
    if (d + m + y === '') return ifMissing === undefined ? undefined : this.#add(day, ifMissing);
    if (m + y === '' && d.length > 2) return writtenDate(d) ?? this.#add(day, IN_FIELDS);
    if (d === '' || m === '' || y === '') return this.#add(day, 'Enter the day, the month and the year.');
    if (!/^\d{4}$/.test(y)) return this.#add(day, 'Write the year with four digits.');

    const date = dateText(y, m, d);
    return isRealDate(date) ? date : this.#add(day, 'There is no such day. Compare it with the document.');
  }
}

function ageMistake(type: DetailsCard['type'], born: string, segments: readonly Segment[]): string | undefined {
  const misfit = firstMisfit(type, born, segments);
  if (misfit === undefined) return undefined;
  const when = `on ${fullDay(misfit.date)}`;
  if (misfit.age < 0) return `This traveller is not born yet ${when}. Compare the date with the passport.`;
  const years = counted(misfit.age, 'year');
  return `This traveller is ${years} old ${when}, and this card is for ${AGES[type]}. If the date is right, ask the assistant for another fare.`;
}

/** `Mon 7 Dec 2026` */
function fullDay(date: string): string {
  return `${showDay(date)} ${date.slice(0, 4)}`;
}

/** A form that is open, with its details id, which opens and seals its cards. */
export interface OpenForm {
  readonly id: string;
  readonly kept: KeptDetails;
}

/** The cards of a form as they were typed, by their place from 0. */
export type TypedCards = ReadonlyMap<number, TypedCard>;

/** A note about the card at a place, from 0. */
interface CardNote {
  readonly place: number;
  readonly name: keyof typeof CARD_NOTES;
}

interface StoredCards {
  /** All cards that are stored now, by their place. */
  readonly sealedCards: ReadonlyMap<number, string>;
  /** The cards that are not stored, by their place. */
  readonly refills: ReadonlyMap<number, RefilledCard>;
  readonly notes: readonly CardNote[];
}

/** Seals and stores the cards that are right. Undefined if the form is used, forgotten or over meanwhile. */
export async function storeCards(
  { id, kept }: OpenForm,
  typedCards: TypedCards,
  { details, now }: { readonly details: DetailsStore; now(): number },
): Promise<StoredCards | undefined> {
  const placeByNumber = storedNumbers(id, kept);
  const sealedCards = new Map(kept.cards);
  const refills = new Map<number, RefilledCard>();
  const notes: CardNote[] = [];

  for (const [place, typed] of typedCards) {
    if (kept.cards.has(place)) {
      if (!isBlank(typed)) notes.push({ place, name: 'sent_before' });
      continue;
    }

    const against = { form: kept.form, latestToday: latestToday(now()), placeByNumber };
    const checked = checkCard(place, typed, against);
    if (checked.kind !== 'right') {
      if (checked.kind === 'wrong') refills.set(place, { typed, mistakes: checked.mistakes });
      continue;
    }

    const { entered, warnings } = checked;
    const sealed = sealCard(id, kept, place, entered);

    if (await details.submit(kept.idHash, place, sealed, now())) {
      placeByNumber.set(numberKey(entered), place);
      notes.push(...warnings.map((name) => ({ place, name })));
    } else {
      const isSentByOther = (await details.find(kept.idHash, now()))?.cards.has(place) === true;
      if (!isSentByOther) return undefined;
      notes.push({ place, name: 'sent_before' });
    }

    sealedCards.set(place, sealed);
  }

  return { sealedCards, refills, notes };
}

/** Finds the places of the cards that are stored, from 0, by {@link numberKey}. */
function storedNumbers(id: string, kept: KeptDetails): Map<string, number> {
  return new Map([...kept.cards].map(([place, sealed]) => [numberKey(openCard(id, kept, place, sealed)), place]));
}

/** The latest calendar date anywhere, YYYY-MM-DD. @param now milliseconds since 1970 */
function latestToday(now: number): string {
  return addDays(utcDay(now), 1);
}
