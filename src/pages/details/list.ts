/**
 * Reads a list of travellers as people copy it from a spreadsheet. It recognises the kind of each column by its heading and its values,
 * and a person confirms the kinds. It guesses no name, date or gender. In order: the list and its columns, the mistakes in the chosen
 * kinds, the rows as cards, and the places of these cards in the form.
 */

import Papa from 'papaparse';
import { asciiDigits, visibleText } from '../../core/clean-text.ts';
import { addMonths } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import type { DetailsCard } from '../../details/details-form.ts';
import type { Segment } from '../../domain/booking/booking.ts';
import { withoutTitles } from '../../domain/people/titles.ts';
import { typeByAge, typedKey } from './card.ts';
import { BLANK_CARD, type CardField, type Mistake, type TypedCard } from './form.ts';
import {
  countryIn,
  countryOnCard,
  DOCUMENT_WORDS,
  daysIn,
  documentTypeIn,
  folded,
  genderIn,
  genderOfWord,
  headingMeaning,
  kindOfHeading,
  type ListColumnKind,
  type ListedDay,
  possibleDates,
  TYPE_WORDS,
  typeIn,
} from './list-words.ts';

/** Signs of a cell: more than any field of a card takes. */
const MOST_CELL_SIGNS = 300;
const MOST_ROWS = 200;
const MOST_COLUMNS = 30;
const MOST_COUNTRIES_TRIED = 20;
/** Kinds of which the values show nothing but that they are names. */
const NAMES: ReadonlySet<string | undefined> = new Set(['given_name', 'middle_name', 'surname']);

/** Kinds of dates. A kind with an order is a person's choice, which overrules what the values show. */
const DATE_KINDS: Readonly<Partial<Record<ListColumnKind, { which: 'birth' | 'expires'; order?: 'dmy' | 'mdy' }>>> = {
  birth: { which: 'birth' },
  birth_dmy: { which: 'birth', order: 'dmy' },
  birth_mdy: { which: 'birth', order: 'mdy' },
  expires: { which: 'expires' },
  expires_dmy: { which: 'expires', order: 'dmy' },
  expires_mdy: { which: 'expires', order: 'mdy' },
};

/** Mistakes of a row, as the traveller reads them on the card. */
const NOT_READ = {
  gender: 'The list says neither F, M nor X here. Choose one, as in the passport.',
  document_type: 'The list says neither passport nor identity card here. Choose one.',
  date: 'The list has no date here that fits its column. Compare it with the document.',
  title: 'The list has a title here. Write the name alone, as in the passport.',
  number: 'The list has no number here. Enter it as in the document.',
  name: 'The list has no / between surname and given names here. Put each into its field.',
};

/** Why a row got no card. */
const SAME_ROW = 'another row has the same details';
const NO_CARD = 'no blank card is left';
const NO_CARD_FOR = {
  ADT: 'no blank card of an adult is left',
  CHD: 'no blank card of a child is left',
  INF: 'no blank card of an infant is left',
  unclear: 'the list does not say whether this is an adult, a child or an infant',
};

export interface ListColumn {
  /** From 0. */
  readonly place: number;
  /** The cells that are not blank, without the heading, in the order of the rows. */
  readonly values: readonly string[];
  readonly heading?: string;
  /** The kind that was recognised. Undefined: a person has to choose. */
  readonly kind: ListColumnKind | undefined;
  /** The order of its dates. `unclear` if the order matters for some dates, and no date shows it or dates contradict each other. */
  readonly order: 'dmy' | 'mdy' | 'unclear';
}

export interface PastedList {
  readonly delimiter: string;
  /** All rows, with blank ones: a row's number is its place here, from 1, as a spreadsheet counts. */
  readonly rows: readonly (readonly string[])[];
  readonly columns: readonly ListColumn[];
  readonly hasHeadings: boolean;
}

type ListReading =
  | { readonly ok: true; readonly list: PastedList }
  /** `words`: for the person; they repeat nothing of the list. */
  | { readonly ok: false; readonly words: string };

/** Reads the text of a list. @param latestToday YYYY-MM-DD; no birth date is after it */
export function readList(text: string, latestToday: string): ListReading {
  const wrong = (words: string): ListReading => ({ ok: false, words });
  const separatorLine = /^sep=([^\n])\n/i.exec(text);
  const rowsText = text.slice(separatorLine?.[0].length ?? 0);
  const { data, errors, meta } = Papa.parse<readonly string[]>(rowsText, {
    delimiter: separatorLine?.[1] ?? delimiterIn(rowsText),
    newline: '\n',
  });
  if (errors.some(({ type }) => type === 'Quotes'))
    return wrong('A quotation mark opens a cell and nothing closes it. Correct it, or leave it out.');
  const longRow = data.findIndex((row) => row.some((cell) => cell.length > MOST_CELL_SIGNS));
  if (longRow >= 0)
    return wrong(
      `Row ${longRow + 1} has a cell of more than ${MOST_CELL_SIGNS} characters. Shorten it, then read the list again.`,
    );
  const rows = withoutTitle(data.map((row) => row.map(cellText)));
  const filledRows = rows.filter(isFilled);
  if (filledRows.length === 0) return wrong('Paste the rows of the list here.');
  const hasHeadings = areHeadings(filledRows[0] ?? []);
  const travellerRows = filledRows.slice(hasHeadings ? 1 : 0);
  if (travellerRows.length === 0) return wrong('This list has headings and no rows. Copy the rows too.');
  if (travellerRows.length > MOST_ROWS)
    return wrong(`A list has at most ${MOST_ROWS} rows, and this one has ${travellerRows.length}.`);
  const places = [...Array(Math.max(...filledRows.map((row) => row.length))).keys()];
  const usedPlaces = places.filter((place) => travellerRows.some((row) => (row[place] ?? '') !== ''));
  if (usedPlaces.length > MOST_COLUMNS)
    return wrong(`A list has at most ${MOST_COLUMNS} columns, and this one has ${usedPlaces.length}.`);
  const columns = usedPlaces.map((place) =>
    readColumn(
      place,
      travellerRows.map((row) => row[place] ?? ''),
      hasHeadings ? filledRows[0]?.[place] : undefined,
      latestToday,
    ),
  );
  return { ok: true, list: { delimiter: meta.delimiter, rows, columns: withoutDoubles(columns), hasHeadings } };
}

/** Finds the delimiter. A spreadsheet copies cells with tabs between them; commas in such cells are part of names. */
function delimiterIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  // A title above the rows has none.
  if (first.includes('\t') || lines.filter((line) => line.includes('\t')).length * 2 > lines.length) return '\t';
  const delimitersToGuess = [';', ',', '|'];
  const { errors, meta } = Papa.parse(text, { delimitersToGuess, newline: '\n', skipEmptyLines: 'greedy', preview: 1 });
  if (!errors.some(({ type }) => type === 'Delimiter')) return meta.delimiter;
  return delimitersToGuess.find((sign) => first.includes(sign)) ?? ',';
}

/** Cleans the text of a cell. A dash or `N/A` counts as blank. */
const cellText = (cell: string) =>
  visibleText(asciiDigits(cell))
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^(?:[-\u2013\u2014]+|n\/a)$/i, '');
export const isFilled = (row: readonly string[]) => row.some((cell) => cell !== '');

/** Rows of one cell above the headings are a title of the list. They become blank, so that the others keep their numbers. */
function withoutTitle(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const first = rows.findIndex((row) => row.filter((cell) => cell !== '').length > 1);
  const headings = rows[first] ?? [];
  if (first < 0 || !areHeadings(headings)) return rows;
  // Lists that were printed have their headings on each page.
  const repeatsHeadings = (row: readonly string[]) => headings.every((cell, place) => cell === (row[place] ?? ''));
  return rows.map((row, n) => (n < first || (n > first && repeatsHeadings(row)) ? [] : row));
}

interface JudgedColumn extends ListColumn {
  /** Whether the heading decided the kind. */
  readonly isByHeading: boolean;
  /** Whether its days may be days of issue of passports, which are valid for ten years at most. */
  readonly isRecent: boolean;
}

/** Reads one column, and recognises its kind. @param cells of the travellers' rows, with blank ones */
function readColumn(
  place: number,
  cells: readonly string[],
  title: string | undefined,
  latestToday: string,
): JudgedColumn {
  const values = cells.filter((cell) => cell !== '');
  const heading = title === '' ? undefined : title;
  const order = orderIn(values);
  const kind = recognisedKind(heading, values, latestToday);
  const isDate = kind === 'birth' || kind === 'expires';
  return {
    place,
    values,
    order,
    heading,
    kind: isDate && order === 'unclear' ? undefined : kind,
    isByHeading: kind !== undefined && heading !== undefined && kind === kindOfHeading(heading),
    isRecent: areRecent(values, latestToday),
  };
}

/**
 * Recognises the kind of a column, first match first:
 *
 * | the heading               | the values can be                | kind                   |
 * | ------------------------- | -------------------------------- | ---------------------- |
 * | names a kind              | of this kind                     | the heading's          |
 * | any, or no heading        | of no kind that values show      | the heading's          |
 * | any, or no heading        | of several kinds                 | unknown                |
 * | no heading                | of one kind                      | the values'            |
 * | given name, then surname  | of one kind                      | unknown                |
 * | any other                 | document numbers                 | unknown                |
 * | any other                 | of one other kind                | the values'            |
 *
 * {@link fitsHeading} decides the first row: names have no digits, and an unused column can have any values. Under a heading
 * that does not say so, numbers may be those of frequent flyers and not of documents.
 */
function recognisedKind(
  heading: string | undefined,
  values: readonly string[],
  latestToday: string,
): ListColumnKind | undefined {
  const headingKind = heading === undefined ? undefined : kindOfHeading(heading);
  const valueKinds = kindsByValues(values, latestToday);
  if (headingKind !== undefined && fitsHeading(headingKind, values, valueKinds)) return headingKind;
  if (valueKinds.size === 0) return headingKind;
  if (valueKinds.size > 1) return undefined;
  const [onlyKind] = valueKinds;
  if (heading === undefined) return onlyKind;
  return headingMeaning(heading) === 'given_first' || onlyKind === 'document_number' ? undefined : onlyKind;
}

/** Whether the values can be what the heading says. Nothing shows a name to be a given name, and any value can be unused. */
function fitsHeading(
  headingKind: ListColumnKind,
  values: readonly string[],
  valueKinds: ReadonlySet<ListColumnKind>,
): boolean {
  if (headingKind === 'unused' || valueKinds.has(headingKind)) return true;
  return NAMES.has(headingKind) && most(values, hasNoDigit);
}

/** Whether every date can be a day of the last ten years, or a later one. True without dates, where it does not count. */
function areRecent(values: readonly string[], latestToday: string): boolean {
  const tenYearsAgo = addMonths(latestToday, -10 * 12);
  const isRecent = (day: ListedDay) => possibleDates(day).some((date) => date > tenYearsAgo);
  return values.every((value) => Object.values(daysIn(value)).every(isRecent));
}

const hasNoDigit = (text: string) => !/\d/.test(text);

/** Whether the text has one slash or comma, with a letter on both sides. */
function isWholeName(text: string): boolean {
  const parts = text.split(/[/,]/, 3);
  return parts.length === 2 && parts.every((part) => /\p{L}/u.test(part));
}

/** Whether four of five values fit: one mistyped value in five does not hide what a column is. */
function most(values: readonly string[], fits: (value: string) => boolean): boolean {
  return values.filter(fits).length * 5 >= values.length * 4;
}

/**
 * Leaves a kind to the person that two columns have, unless only one of them has it by its heading. Also leaves recent days to the person
 * that only their values show as birth dates: passports may have been issued then.
 */
function withoutDoubles(columns: readonly JudgedColumn[]): readonly ListColumn[] {
  const columnsByKind = Map.groupBy(columns, ({ kind }) => kind);
  return columns.map(({ isByHeading, isRecent, ...column }) => {
    if (column.kind === 'unused') return column;
    const undecided = { ...column, kind: undefined };
    const mayBeDaysOfIssue = column.kind === 'birth' && isRecent && !isByHeading;
    if (mayBeDaysOfIssue) return undecided;
    const alike = columnsByKind.get(column.kind) ?? [];
    if (alike.length === 1) return column;
    const isOnlyHeading = isByHeading && alike.filter((other) => other.isByHeading).length === 1;
    return isOnlyHeading ? column : undecided;
  });
}

/** Finds the kinds that the values can be, apart from parts of names, which no value shows. */
function kindsByValues(values: readonly string[], latestToday: string): ReadonlySet<ListColumnKind> {
  const kinds = new Set<ListColumnKind>();
  const words = values.map(folded);
  const wordSet = new Set(words);
  if (areCounted(values)) kinds.add('unused');
  if (most(words, (word) => genderOfWord(word, wordSet) !== undefined)) kinds.add('gender');
  if (most(words, (word) => TYPE_WORDS().has(word))) kinds.add('type');
  if (most(words, (word) => DOCUMENT_WORDS().has(word))) kinds.add('document_type');
  if (areCountries(values)) kinds.add('nationality');
  if (most(values, (value) => isWholeName(value) && hasNoDigit(value))) kinds.add('whole_name');
  // Dates have letters and digits too, and are no document numbers.
  if (most(values, holdsDate)) return kinds.union(dateKinds(values.filter(holdsDate), latestToday));
  if (kinds.size === 0 && areDocumentNumbers(values)) kinds.add('document_number');
  return kinds;
}

/** Whether the values number the rows. Passports that were issued together have numbers in a row too, and longer ones. */
function areCounted(values: readonly string[]): boolean {
  const [first = ''] = values;
  if (values.length < 2 || !/^\d{1,3}$/.test(first)) return false;
  return values.every((value, n) => Number(value) === Number(first) + n);
}

/** Whether the values are countries. Tries some alone: finding a country takes a while, and a group has few. */
function areCountries(values: readonly string[]): boolean {
  const countries = new Map(
    [...new Set(values)].slice(0, MOST_COUNTRIES_TRIED).map((value) => [value, countryIn(value)]),
  );
  const triedValues = values.filter((value) => countries.has(value));
  return most(triedValues, (value) => hasNoDigit(value) && countries.get(value) !== undefined);
}

/** Whether the values are different and mix letters and digits. Digits alone may be a phone number, or a date without separators. */
function areDocumentNumbers(values: readonly string[]): boolean {
  const isNumber = (value: string) => /^(?=\d*[a-z])(?=\D*\d\D*\d)[a-z\d]{6,15}$/i.test(value.replaceAll(' ', ''));
  return most(values, isNumber) && new Set(values).size === values.length;
}

const holdsDate = (value: string) => Object.values(daysIn(value)).length > 0;

/** Finds whether dates can be of birth, or of expiry in the next twenty years. A year of two digits can be both. */
function dateKinds(dates: readonly string[], latestToday: string): ReadonlySet<ListColumnKind> {
  const canBe = (text: string, fits: (date: string) => boolean) =>
    Object.values(daysIn(text)).some((day) => possibleDates(day).some(fits));
  const inTwentyYears = addMonths(latestToday, 20 * 12);
  const past = dates.filter((text) => canBe(text, (date) => date <= latestToday));
  const future = dates.filter((text) => canBe(text, (date) => date > latestToday && date < inTwentyYears));
  const kinds = new Set<ListColumnKind>();
  if (past.length === dates.length || past.length > future.length) kinds.add('birth');
  if (future.length > 0) kinds.add('expires');
  return kinds;
}

/** Whether two thirds are known headings, and none has digits: a traveller's row that counts as headings would be lost. */
function areHeadings(row: readonly string[]): boolean {
  const cells = row.filter((cell) => cell !== '');
  const known = cells.filter((cell) => headingMeaning(cell) !== undefined);
  return known.length * 3 >= cells.length * 2 && !cells.some((cell) => /\d\d/.test(cell));
}

/** Finds the order of the dates in a column. */
function orderIn(values: readonly string[]): ListColumn['order'] {
  const dates = values.map(daysIn);
  const isDmy = dates.some(({ dmy, mdy }) => dmy && !mdy);
  const isMdy = dates.some(({ dmy, mdy }) => mdy && !dmy);
  if (isDmy !== isMdy) return isDmy ? 'dmy' : 'mdy';
  return dates.some(({ dmy, mdy }) => dmy && mdy && dmy.day !== mdy.day) ? 'unclear' : 'dmy';
}

/** The kind that a person chose for each column, by its place. */
export type ChosenKinds = ReadonlyMap<number, ListColumnKind | undefined>;

/** A mistake in the kinds that a person chose for the columns. */
export interface ColumnMistake {
  /** From 0; absent where a column is missing. */
  readonly column?: number;
  readonly words: string;
}

/** Finds the mistakes in the chosen kinds: the first of each column, or else what no column holds. */
export function columnMistakes(list: PastedList, chosen: ChosenKinds): readonly ColumnMistake[] {
  const chosenKinds = list.columns.map(({ place }) => withoutOrder(chosen.get(place)));
  const holds = new Set(chosenKinds);
  const mistakes = list.columns.flatMap(({ place, order }, n): readonly ColumnMistake[] => {
    const kind = chosen.get(place);
    if (kind === undefined) return [{ column: place, words: 'Choose what this column holds.' }];
    if ((kind === 'birth' || kind === 'expires') && order === 'unclear')
      return [{ column: place, words: 'Choose whether the day or the month stands first.' }];
    if (kind === 'whole_name' && (holds.has('given_name') || holds.has('surname')))
      return [{ column: place, words: 'Other columns hold the names too. Use these, or this one.' }];
    const isTwice = kind !== 'unused' && chosenKinds.slice(0, n).includes(withoutOrder(kind));
    return isTwice ? [{ column: place, words: 'Another column holds this already.' }] : [];
  });
  if (mistakes.length > 0 || holds.has('whole_name')) return mistakes;
  const missing = (['given_name', 'surname'] as const).filter((kind) => !holds.has(kind));
  if (missing.length === 0) return [];
  const missingWords = missing.map((kind) => (kind === 'surname' ? 'the surname' : 'the given names'));
  return [{ words: `No column holds ${listed(missingWords)}. They stand in two columns, or in one as SURNAME/GIVEN.` }];
}

/** `birth` for `birth_dmy`: the kind without the order of day and month. */
function withoutOrder(kind: ListColumnKind | undefined): ListColumnKind | undefined {
  return (kind && DATE_KINDS[kind]?.which) ?? kind;
}

/** A row as a card. */
export interface ListedRow {
  /** From 1, as a spreadsheet counts. */
  readonly number: number;
  readonly typed: TypedCard;
  /** Mistakes of the row that the card itself does not show. */
  readonly mistakes: readonly Mistake[];
  /** The kind of traveller that a column says; `unclear` if its word is unknown. */
  readonly type?: DetailsCard['type'] | 'unclear';
}

/** Reads the rows that hold something in a column that is used. */
export function listedRows(
  list: PastedList,
  chosen: ChosenKinds,
  { hasHeadings, latestToday }: { readonly hasHeadings: boolean; readonly latestToday: string },
): readonly ListedRow[] {
  const firstRow = list.rows.findIndex(isFilled) + (hasHeadings ? 1 : 0);
  return list.rows.flatMap((row, n) => {
    const cells = n < firstRow ? [] : usedCells(row, list.columns, chosen);
    return cells.length === 0 ? [] : [new RowReader(latestToday).read(n + 1, cells)];
  });
}

/** Lists the cells of a row that hold something in a column that is used. */
function usedCells(row: readonly string[], columns: readonly ListColumn[], chosen: ChosenKinds): readonly ListCell[] {
  return columns.flatMap((column) => {
    const kind = chosen.get(column.place);
    const text = row[column.place] ?? '';
    return kind === undefined || kind === 'unused' || text === '' ? [] : [{ kind, text, column }];
  });
}

type ListCell = Readonly<{ kind: ListColumnKind; text: string; column: ListColumn }>;

/** Reads one row: collects its fields and what is wrong with them. */
class RowReader {
  readonly #typed: Record<CardField, string> = { ...BLANK_CARD };
  readonly #mistakes: Mistake[] = [];
  readonly #latestToday: string;

  constructor(latestToday: string) {
    this.#latestToday = latestToday;
  }

  read(number: number, cells: readonly ListCell[]): ListedRow {
    for (const cell of cells) this.#readCell(cell);
    const typeCell = cells.find(({ kind }) => kind === 'type');
    const type = typeCell && (typeIn(typeCell.text) ?? 'unclear');
    return { number, typed: this.#typed, mistakes: this.#mistakes, type };
  }

  #readCell({ kind, text, column }: ListCell): void {
    const date = DATE_KINDS[kind];
    if (date !== undefined) {
      this.#readDate(date.which, text, date.order ?? column.order);
      return;
    }
    // `read` reads the cell of the type.
    switch (kind) {
      case 'whole_name':
        this.#readWholeName(text);
        break;
      case 'gender':
        this.#setChoice('gender', genderIn(text, column.values));
        break;
      case 'document_type':
        this.#setChoice('document_type', documentTypeIn(text));
        break;
      case 'nationality':
        this.#typed.nationality = countryOnCard(text);
        break;
      case 'given_name':
        this.#setGivenName(text);
        break;
      case 'surname':
        this.#setSurname(text);
        break;
      case 'middle_name':
        this.#typed.middle_name = text;
        break;
      case 'document_number':
        this.#typed.document_number = text;
        if (hasNoDigit(text)) this.#mistakes.push({ field: 'document_number', words: NOT_READ.number });
        break;
    }
  }

  #setChoice(field: 'gender' | 'document_type', value: string | undefined): void {
    if (value === undefined) this.#mistakes.push({ field, words: NOT_READ[field] });
    else this.#typed[field] = value;
  }

  /** Splits a whole name. Only a slash or a comma shows where the surname ends. */
  #readWholeName(text: string): void {
    const [surname = '', given, ...others] = text.split(text.includes('/') ? '/' : ',').map((part) => part.trim());
    if (given === undefined || others.length > 0) {
      this.#typed.given_name = text;
      this.#mistakes.push({ field: 'surname', words: NOT_READ.name });
      return;
    }
    this.#setSurname(surname);
    this.#setGivenName(given);
  }

  #setSurname(text: string): void {
    this.#typed.surname = text;
    if (withoutTitles(text) !== text) this.#mistakes.push({ field: 'surname', words: NOT_READ.title });
  }

  #setGivenName(text: string): void {
    const name = withoutTitles(text).trim();
    this.#typed.given_name = name === '' ? text : name;
    if (name === '' && text !== '') this.#mistakes.push({ field: 'given_name', words: NOT_READ.title });
  }

  #readDate(which: 'birth' | 'expires', text: string, order: ListColumn['order']): void {
    const day = order === 'unclear' ? undefined : daysIn(text)[order];
    const field = `${which}_day` as const;
    if (day === undefined) {
      this.#typed[field] = text;
      this.#mistakes.push({ field, words: NOT_READ.date });
      return;
    }
    this.#typed[field] = String(day.day);
    this.#typed[`${which}_month`] = String(day.month);
    this.#typed[`${which}_year`] = this.#fullYear(which, day);
  }

  /** Completes a year of two digits: expiry dates are in this century, and birth dates in the only century in which they are past. */
  #fullYear(which: 'birth' | 'expires', day: ListedDay): string {
    if (day.year.length === 4) return day.year;
    if (which === 'expires') return `20${day.year}`;
    const [date, ...others] = possibleDates(day).filter((each) => each <= this.#latestToday);
    return date === undefined || others.length > 0 ? day.year : date.slice(0, 4);
  }
}

/** The place of a blank card, from 0, and the kind of traveller that it is for. */
export type OpenPlace = Readonly<{ place: number; type: DetailsCard['type'] }>;

/** Whether the cards are for travellers of several kinds. */
export const areMixed = (open: readonly OpenPlace[]) => new Set(open.map(({ type }) => type)).size > 1;

/** A row that got no card, with the reason for people. */
export interface LeftOverRow {
  readonly row: ListedRow;
  readonly why: string;
}

/** The rows by the card that they fill, and the rows that got none. */
interface Placement {
  /** By the place of the card, from 0. */
  readonly rowsByCard: ReadonlyMap<number, ListedRow>;
  /** In the order of the list. */
  readonly rowsLeftOver: readonly LeftOverRow[];
}

/**
 * Puts each row at the next open place. Rows of a known kind of traveller come first, each at a place of its kind: the list's column of kinds
 * says it, or the birth date if places are of several kinds. The other rows then fill the places in order.
 */
export function placeRows(
  rows: readonly ListedRow[],
  open: readonly OpenPlace[],
  segments: readonly Segment[],
): Placement {
  const isMixed = areMixed(open);
  const rowsByTraveller = [...Map.groupBy(rows, travellerKey).values()];
  const firstRows = rowsByTraveller.flatMap(([first]) => first ?? []);
  const repeatedRows = rowsByTraveller.flatMap(([, ...others]) => others);
  const typedRows = firstRows.map((row) => ({
    row,
    type: row.type ?? (isMixed ? typeByAge(row.typed, segments) : undefined),
  }));
  // Rows of unknown kind come last: they take whatever places are left.
  const rowsInTurn = [...typedRows.filter(({ type }) => type), ...typedRows.filter(({ type }) => !type)];
  const freePlaces = new Set(open);
  const rowsByCard = new Map<number, ListedRow>();
  const rowsLeftOver: LeftOverRow[] = repeatedRows.map((row) => ({ row, why: SAME_ROW }));
  for (const { row, type } of rowsInTurn) {
    const freePlace = [...freePlaces].find((each) => type === undefined || each.type === type);
    if (freePlace === undefined) {
      rowsLeftOver.push({ row, why: type === undefined || freePlaces.size === 0 ? NO_CARD : NO_CARD_FOR[type] });
      continue;
    }
    freePlaces.delete(freePlace);
    rowsByCard.set(freePlace.place, row);
  }
  return { rowsByCard, rowsLeftOver: rowsLeftOver.toSorted((a, b) => a.row.number - b.row.number) };
}

/** Returns the same key for two rows of one traveller. Without a birth date each row has its own: two people can share a name. */
const travellerKey = (row: ListedRow) => (row.typed.birth_year === '' ? row : typedKey(row.typed));
