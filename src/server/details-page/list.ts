/**
 * Reads a list of travellers as people copy it from a spreadsheet. It recognises the kind of each column by its values, then by its
 * heading, and a person confirms the kinds. It guesses no name, date or gender. In order: the list and its columns, their headings, the
 * mistakes in the chosen kinds, the rows as cards, and the places of these cards in the form.
 */
import Papa from 'papaparse';
import { asciiDigits, visibleText } from '../../core/clean-text.ts';
import { once } from '../../core/memoize.ts';
import { addMonths } from '../../core/times.ts';
import { listed } from '../../core/words.ts';
import type { DetailsCard } from '../../details/ports.ts';
import type { Segment } from '../../domain/booking/booking.ts';
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
  type KindWords,
  type ListedDay,
  possibleDates,
  TYPE_WORDS,
  typeIn,
  wordMap,
  wordsIn,
} from './list-words.ts';

/** The kinds of columns, in words for people. Dates whose values do not show the order have a kind for each order. */
export const COLUMN_KINDS = {
  given_name: 'Given names',
  middle_name: 'Middle name',
  surname: 'Surname',
  whole_name: 'Name as SURNAME/GIVEN',
  gender: 'Gender',
  birth: 'Birth date',
  birth_dmy: 'Birth date, day first: 31/12/1980',
  birth_mdy: 'Birth date, month first: 12/31/1980',
  document_number: 'Number of the document',
  document_type: 'Kind of document',
  nationality: 'Nationality',
  expires: 'Expiry date',
  expires_dmy: 'Expiry date, day first: 31/12/2030',
  expires_mdy: 'Expiry date, month first: 12/31/2030',
  type: 'Adult, child or infant',
  unused: 'Not used',
} as const;

export type ListColumnKind = keyof typeof COLUMN_KINDS;

/** Signs of a list: 200 rows of 300. */
export const MOST_SIGNS = 60_000;
const MOST_ROWS = 200;
const MOST_COLUMNS = 30;
/** Kinds of which the values show nothing but that they are names. */
const NAMES: ReadonlySet<string | undefined> = new Set(['given_name', 'middle_name', 'surname']);

/** Words of headings, in the order in which they are tried: the day of issue of a passport is neither its number nor its expiry. */
const HEADING_WORDS: KindWords<ListColumnKind> = [
  'unused: issue, issued, issuing, délivrance, délivré, emisión, expedición, ausgestellt, ausstellung, الإصدار, إصدار',
  'unused: place of birth, birth place, birthplace, country of birth, lieu de naissance, pays de naissance, geburtsort',
  'unused: lugar de nacimiento, geburtsland, مكان الميلاد, مكان الولادة, residence, age, âge, edad, alter, العمر',
  'unused: phone, telephone, téléphone, teléfono, telefon, tel, mobile, handy, الجوال, الهاتف, email, e-mail, mail, correo',
  'unused: seat, room, remark, remarks, note, notes, company, address, visa, ملاحظات',
  'expires: expiry, expires, expire, expiration, valid until, valid to, validity, validité, vencimiento, caducidad',
  'expires: válido hasta, gültig, ablauf, ablaufdatum, الانتهاء, انتهاء, الصلاحية, صلاحية',
  'birth: birth, born, dob, d.o.b, birthdate, birthday, naissance, né le, nacimiento, geburtsdatum, geboren, geburt',
  'birth: geburtstag, الميلاد, ميلاد, الولادة, ولادة',
  'document_type: document type, type of document, passport type, doc type, kind of document, id type, type de document',
  'document_type: tipo de documento, dokumentart, ausweisart, نوع الوثيقة, نوع الهوية, نوع المستند',
  'nationality: nationality, nationalité, nacionalidad, nationalität, staatsangehörigkeit, citizenship, country, pays',
  'nationality: país, land, الجنسية, جنسية, البلد, الدولة',
  'type: pax type, passenger type, type, ptc, category, catégorie, categoría, tipo, kategorie, نوع المسافر, الفئة',
  'gender: gender, sex, title, salutation, sexe, genre, civilité, sexo, género, tratamiento, geschlecht, anrede',
  'gender: الجنس, جنس, النوع',
  'document_number: passport, document, doc no, doc number, id no, id number, identity, passeport, pasaporte, documento',
  'document_number: dni, pass, reisepass, passnummer, reisepassnummer, ausweis, ausweisnummer, iqama',
  'document_number: الجواز, جواز, الهوية, هوية, الوثيقة',
  'middle_name: middle, middle name, second name, deuxième prénom, segundo nombre, zweiter vorname, الأوسط, الاسم الأوسط',
  'surname: surname, surnames, last name, lastname, family name, familyname, nom, nom de famille, apellido, apellidos',
  'surname: nachname, familienname, zuname, اسم العائلة, العائلة, اللقب, الاسم الأخير, الشهرة',
  'given_name: given name, given names, given, first name, first names, firstname, forename, forenames, prénom, prénoms',
  'given_name: nombre, nombres, vorname, vornamen, الاسم الأول, الاسم الشخصي',
];
/** Whole headings: they say no kind, or that a column is not used. */
const WHOLE_HEADINGS = wordMap([
  'unused: no, nr, n, #, s.no, sr, sr no, sn, num, number, numero, row, line, رقم, م',
  'unclear: name, names, full name, passenger, passenger name, traveller, first and last name, nom complet',
  'unclear: nom et prénom, nombre completo, nombre y apellidos, vollständiger name, الاسم, الاسم الكامل',
]);

const headingWords = once(() => [...wordsIn(HEADING_WORDS)].map(([word, kind]) => [` ${word} `, kind] as const));

/** Matches a title beside a name. */
const TITLE = '(?:mrs?|ms|miss|mstr|mme|mlle|dr)\\.?';
/** Airlines write the kind of traveller behind the title. */
const TITLES = new RegExp(`^(?:${TITLE}(?: |$))+|(?: ${TITLE})+(?: ?\\(?(?:adt|chd|inf)\\)?)?$`, 'giu');

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
  if (text.length > MOST_SIGNS) return wrong('This is too much text for one list. Take fewer rows at a time.');
  const separatorLine = /^sep=([^\n])\n/i.exec(text);
  const rowsText = text.slice(separatorLine?.[0].length ?? 0);
  const { data, errors, meta } = Papa.parse<readonly string[]>(rowsText, {
    delimiter: separatorLine?.[1] ?? delimiterIn(rowsText),
    newline: '\n',
  });
  if (errors.some(({ type }) => type === 'Quotes'))
    return wrong('A quotation mark opens a cell and nothing closes it. Correct it, or leave it out.');
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
function readColumn(place: number, cells: readonly string[], title: string | undefined, today: string): JudgedColumn {
  const values = cells.filter((cell) => cell !== '');
  const heading = title === '' ? undefined : title;
  const order = orderIn(values);
  const headingKind = heading === undefined ? undefined : kindOfHeading(heading);
  const valueKinds = kindsByValues(values, today);
  const headingFits =
    headingKind !== undefined &&
    (headingKind === 'unused' || valueKinds.has(headingKind) || (NAMES.has(headingKind) && most(values, hasNoDigit)));
  const [firstKind, ...otherKinds] = valueKinds;
  // Under an unknown heading, numbers may be those of frequent flyers; and a heading may say that given names stand first.
  const isVague =
    heading !== undefined && (firstKind === 'document_number' || kindInHeading(heading) === 'given_first');
  const onlyKind = otherKinds.length === 0 && !isVague ? firstKind : undefined;
  // The values overrule a heading that they do not fit.
  const kind = headingFits || valueKinds.size === 0 ? headingKind : onlyKind;
  const isDate = kind === 'birth' || kind === 'expires';
  const tenYearsAgo = addMonths(today, -10 * 12);
  return {
    place,
    values,
    order,
    heading,
    kind: isDate && order === 'unclear' ? undefined : kind,
    isByHeading: kind !== undefined && kind === headingKind,
    isRecent: values.every((value) =>
      Object.values(daysIn(value)).every((day) => possibleDates(day).some((date) => date > tenYearsAgo)),
    ),
  };
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
  const byKind = Map.groupBy(columns, ({ kind }) => kind);
  return columns.map(({ isByHeading, isRecent, ...column }) => {
    const same = byKind.get(column.kind) ?? [];
    if (column.kind === 'birth' && isRecent && !isByHeading) return { ...column, kind: undefined };
    if (same.length === 1 || column.kind === 'unused') return column;
    const isOnlyHeading = isByHeading && same.filter((other) => other.isByHeading).length === 1;
    return isOnlyHeading ? column : { ...column, kind: undefined };
  });
}

/** Finds the kinds that the values can be, apart from parts of names, which no value shows. */
function kindsByValues(values: readonly string[], today: string): ReadonlySet<ListColumnKind> {
  const kinds = new Set<ListColumnKind>();
  // Passports that were issued together have numbers in a row too, and longer ones.
  const isCounted = values.length > 1 && /^\d{1,3}$/.test(values[0] ?? '');
  if (isCounted && values.every((value, n) => Number(value) === Number(values[0]) + n)) kinds.add('unused');
  const words = values.map(folded);
  const letters = new Set(words);
  if (most(words, (word) => genderOfWord(word, letters) !== undefined)) kinds.add('gender');
  if (most(words, (word) => TYPE_WORDS().has(word))) kinds.add('type');
  if (most(words, (word) => DOCUMENT_WORDS().has(word))) kinds.add('document_type');
  // Finding a country takes a while, and a group has few countries.
  const countries = new Map([...new Set(values)].slice(0, 20).map((value) => [value, countryIn(value)]));
  const checkedValues = values.filter((value) => countries.has(value));
  if (most(checkedValues, (value) => hasNoDigit(value) && countries.get(value) !== undefined)) kinds.add('nationality');
  if (most(values, (value) => isWholeName(value) && hasNoDigit(value))) kinds.add('whole_name');
  const isDate = (value: string) => Object.values(daysIn(value)).length > 0;
  if (!most(values, isDate)) {
    // Digits alone may be a phone number, or a date without separators.
    const isNumber = (value: string) => /^(?=\d*[a-z])(?=\D*\d\D*\d)[a-z\d]{6,15}$/i.test(value.replaceAll(' ', ''));
    if (kinds.size === 0 && most(values, isNumber) && new Set(values).size === values.length)
      kinds.add('document_number');
    return kinds;
  }
  const dates = values.filter(isDate);
  const canBe = (value: string, fits: (date: string) => boolean) =>
    Object.values(daysIn(value)).some((day) => possibleDates(day).some(fits));
  const soon = addMonths(today, 20 * 12);
  const past = dates.filter((value) => canBe(value, (date) => date <= today));
  const future = dates.filter((value) => canBe(value, (date) => date > today && date < soon));
  if (past.length === dates.length || past.length > future.length) kinds.add('birth');
  if (future.length > 0) kinds.add('expires');
  return kinds;
}

/** @returns `unclear` for a heading that says no kind of its own, `given_first` for names in another order than SURNAME/GIVEN */
function kindInHeading(heading: string): ListColumnKind | 'unclear' | 'given_first' | undefined {
  const text = folded(heading);
  const matches = headingWords().filter(([word]) => ` ${text} `.includes(word));
  const placeOf = (name: ListColumnKind) => {
    const places = matches.flatMap(([word, kind]) => (kind === name ? [` ${text} `.indexOf(word)] : []));
    return places.length === 0 ? undefined : Math.min(...places);
  };
  const [surnameAt, givenNameAt] = [placeOf('surname'), placeOf('given_name')];
  if (surnameAt !== undefined && givenNameAt !== undefined)
    return surnameAt < givenNameAt ? 'whole_name' : 'given_first';
  return WHOLE_HEADINGS().get(text) ?? matches[0]?.[1];
}

/** Finds the kind that a heading names. Not for whole names: their values show whether they have a slash. */
function kindOfHeading(heading: string): ListColumnKind | undefined {
  const kind = kindInHeading(heading);
  return kind === 'unclear' || kind === 'given_first' || kind === 'whole_name' ? undefined : kind;
}

/** Whether two thirds are known headings, and none has digits: a traveller's row that counts as headings would be lost. */
function areHeadings(row: readonly string[]): boolean {
  const cells = row.filter((cell) => cell !== '');
  const known = cells.filter((cell) => kindInHeading(cell) !== undefined);
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

/** `birth` for `birth_dmy`: the kind without the order of day and month. Empty if none is chosen. */
function withoutOrder(kind: ListColumnKind | undefined): string {
  return (kind ?? '').replace(/_(?:dmy|mdy)$/, '');
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
  const first = list.rows.findIndex(isFilled) + (hasHeadings ? 1 : 0);
  return list.rows.flatMap((row, n) => {
    const cells = list.columns.flatMap((column): readonly ListCell[] => {
      const [kind = 'unused', text = ''] = [chosen.get(column.place), row[column.place]];
      return kind === 'unused' || text === '' ? [] : [{ kind, text, column }];
    });
    return n < first || cells.length === 0 ? [] : [new RowReader(latestToday).read(n + 1, cells)];
  });
}

type ListCell = Readonly<{ kind: ListColumnKind; text: string; column: ListColumn }>;

/** Reads one row: collects its fields and what is wrong with them. */
class RowReader {
  readonly #typed: Record<CardField, string> = { ...BLANK_CARD };
  readonly #mistakes: Mistake[] = [];
  readonly #today: string;

  constructor(latestToday: string) {
    this.#today = latestToday;
  }

  read(number: number, cells: readonly ListCell[]): ListedRow {
    for (const cell of cells) if (cell.kind !== 'type') this.#readCell(cell);
    const type = cells.find(({ kind }) => kind === 'type');
    const travellerType = type && (typeIn(type.text) ?? 'unclear');
    return { number, typed: this.#typed, mistakes: this.#mistakes, type: travellerType };
  }

  #readCell({ kind, text, column }: ListCell): void {
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
      case 'document_number':
        this.#typed[kind] = text;
        if (kind === 'document_number' && hasNoDigit(text))
          this.#mistakes.push({ field: kind, words: NOT_READ.number });
        break;
      default:
        if (kind !== 'type' && kind !== 'unused') this.#readDate(kind, text, column.order);
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
    if (text.search(TITLES) >= 0) this.#mistakes.push({ field: 'surname', words: NOT_READ.title });
  }

  #setGivenName(text: string): void {
    const name = text.replace(TITLES, '').trim();
    this.#typed.given_name = name === '' ? text : name;
    if (name === '' && text !== '') this.#mistakes.push({ field: 'given_name', words: NOT_READ.title });
  }

  #readDate(kind: string, text: string, columnOrder: ListColumn['order']): void {
    // A kind with an order (`birth_dmy`) is a person's choice, which overrules what the values show.
    const [which, order = columnOrder] = kind.split('_') as ['birth' | 'expires', 'dmy' | 'mdy' | undefined];
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
    const [date, ...others] = possibleDates(day).filter((each) => each <= this.#today);
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
  const rowsLeftOver: LeftOverRow[] = rowsByTraveller.flatMap(([, ...others]) =>
    others.map((row) => ({ row, why: SAME_ROW })),
  );
  const firstRows = rowsByTraveller.flatMap(([first]) => first ?? []);
  const typedRows = firstRows.map((row) => ({
    row,
    type: row.type ?? (isMixed ? typeByAge(row.typed, segments) : undefined),
  }));
  // Rows of unknown kind come last: they take whatever places are left.
  const rowsInTurn = [...typedRows.filter(({ type }) => type), ...typedRows.filter(({ type }) => !type)];
  const openPlaces = [...open];
  const rowsByCard = new Map<number, ListedRow>();
  for (const { row, type } of rowsInTurn) {
    const index = openPlaces.findIndex((openPlace) => type === undefined || openPlace.type === type);
    const [freePlace] = index < 0 ? [] : openPlaces.splice(index, 1);
    if (freePlace !== undefined) rowsByCard.set(freePlace.place, row);
    else rowsLeftOver.push({ row, why: type === undefined || openPlaces.length === 0 ? NO_CARD : NO_CARD_FOR[type] });
  }
  return { rowsByCard, rowsLeftOver: rowsLeftOver.toSorted((a, b) => a.row.number - b.row.number) };
}

/** Returns the same key for two rows of one traveller. Without a birth date each row has its own: two people can share a name. */
const travellerKey = (row: ListedRow) => (row.typed.birth_year === '' ? row : typedKey(row.typed));
