/**
 * Reads the words of lists of travellers, in the languages of their authors. In order: texts and tables of words, the headings of
 * columns, genders, kinds of travellers and documents, countries, dates. A card reads its country here, too.
 */
import { once } from '../../core/memoize.ts';
import { dateText, isRealDate } from '../../core/times.ts';
import { countryNames, writtenCountry } from '../../domain/people/countries.ts';
import { foldName } from '../../domain/people/identity-text.ts';
import type { EnteredDetails } from '../../domain/people/traveler.ts';

/** Text behind this many characters is ignored: no word that is looked for, and no heading, is longer. */
const LONGEST = 100;

/** Midnight behind a date, as spreadsheets write it. */
const MIDNIGHT = /[T ](?:00?:00(?::00(?:\.0+)?)?Z?|12:00(?::00)? AM)$/i;
/** A date is not longer than this. */
const LONGEST_DATE = 40;
/** Words beside the parts of a date: `1 de marzo`, `March 1st`. */
const WORDS_IN_DATES: ReadonlySet<string> = new Set(['de', 'del', 'of', 'st', 'nd', 'rd', 'th', 'er']);

/** Writes a text in lower case, without signs and diacritics, with single spaces. */
export function folded(text: string): string {
  return text
    .slice(0, LONGEST)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim();
}

/** `kind: word, word`. */
type KindWords<K extends string> = readonly `${K}: ${string}`[];

function* wordsIn<K extends string>(lines: KindWords<K>): Generator<readonly [word: string, kind: K]> {
  for (const line of lines) {
    const [kind, words = ''] = line.split(': ') as [K, string];
    for (const word of words.split(', ')) yield [folded(word), kind];
  }
}

const wordMap = <K extends string>(lines: KindWords<K>) => once(() => new Map(wordsIn(lines)));

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

/**
 * Reads what a heading says about its column, first match first:
 *
 * | the heading                                    | its meaning                                      |
 * | ---------------------------------------------- | ------------------------------------------------ |
 * | has a word of the surname and of given names   | whole names, in the order of both                |
 * | is one of {@link WHOLE_HEADINGS}, as a whole   | what that says                                   |
 * | has a word of {@link HEADING_WORDS}            | the kind of its word that stands first in those  |
 *
 * @returns `unclear` for a heading that says no kind of its own, `given_first` for names in another order than SURNAME/GIVEN
 */
export function headingMeaning(heading: string): ListColumnKind | 'unclear' | 'given_first' | undefined {
  const text = ` ${folded(heading)} `;
  const matches = headingWords().filter(([word]) => text.includes(word));
  const firstPlace = (wanted: ListColumnKind) => {
    const places = matches.filter(([, kind]) => kind === wanted).map(([word]) => text.indexOf(word));
    return places.length === 0 ? undefined : Math.min(...places);
  };
  const [surnameAt, givenNameAt] = [firstPlace('surname'), firstPlace('given_name')];
  if (surnameAt !== undefined && givenNameAt !== undefined)
    return surnameAt < givenNameAt ? 'whole_name' : 'given_first';
  return WHOLE_HEADINGS().get(text.trim()) ?? matches[0]?.[1];
}

/** Finds the kind that a heading names. Not for whole names: their values show whether they have a slash. */
export function kindOfHeading(heading: string): ListColumnKind | undefined {
  const meaning = headingMeaning(heading);
  return meaning === 'unclear' || meaning === 'given_first' || meaning === 'whole_name' ? undefined : meaning;
}

const GENDER_WORDS = wordMap([
  'Female: f, w, female, woman, girl, mrs, ms, miss, mme, madame, mlle, femme, féminin, mujer, femenino, sra, srta',
  'Female: señora, señorita, frau, weiblich, أنثى, انثى, امرأة, سيدة, السيدة, آنسة, الآنسة',
  'Male: m, male, man, boy, mr, mstr, master, homme, masculin, monsieur, hombre, masculino, sr, señor, herr, mann',
  'Male: männlich, ذكر, رجل, سيد, السيد',
  'Unknown: x, unspecified, divers',
]);

/** Reads a gender as {@link genderOfWord} does. Only `M` depends on the column, which is read only then. */
export function genderIn(value: string, column: readonly string[]): EnteredDetails['gender'] {
  const word = folded(value);
  return genderOfWord(word, word === 'm' ? new Set(column.map(folded)) : new Set());
}

/**
 * The gender that a folded word means in a column with these words. `H` is a man in French and Spanish:
 *
 * | the column has | `h`  | `m`                                |
 * | -------------- | ---- | ---------------------------------- |
 * | `m`, no `h`    |      | man                                |
 * | `h` and `m`    | man  | woman, as in Spanish               |
 * | `h`, `m`, `f`  | man  | undefined: `f` is the woman        |
 */
export function genderOfWord(word: string, column: ReadonlySet<string>): EnteredDetails['gender'] {
  if (word === 'h') return 'Male';
  if (word === 'm' && column.has('h')) return column.has('f') ? undefined : 'Female';
  return GENDER_WORDS().get(word);
}

export const TYPE_WORDS = wordMap([
  'ADT: adt, adult, adulte, adulto, erwachsener, erwachsene, بالغ',
  'CHD: chd, cnn, child, enfant, niño, niña, menor, kind, طفل, طفلة',
  'INF: inf, infant, baby, bébé, bebé, kleinkind, säugling, رضيع, رضيعة',
]);
export const typeIn = (value: string) => TYPE_WORDS().get(folded(value));

export const DOCUMENT_WORDS = wordMap([
  'passport: passport, pp, p, passeport, pasaporte, reisepass, جواز, جواز سفر, جواز السفر',
  'national_id: id, id card, identity card, national id, national identity card, nid, dni, personalausweis',
  "national_id: carte d'identité, carte nationale d'identité, documento de identidad, cédula, ausweis",
  'national_id: هوية, الهوية, هوية وطنية, الهوية الوطنية, بطاقة الهوية',
]);
export const documentTypeIn = (value: string) => DOCUMENT_WORDS().get(folded(value));

/** Codes of countries by their names in other languages. */
const otherCountryNames = once(() => {
  const names = ['fr', 'es', 'de', 'ar'].flatMap((language) => {
    const inLanguage = new Intl.DisplayNames([language], { type: 'region' });
    return [...countryNames().keys()].map((code) => [foldName(inLanguage.of(code) ?? code), code] as const);
  });
  return new Map(names);
});

/** Words for people whose country a name cannot find: its name begins otherwise, or another country's name begins alike. */
const NATIONALITIES = wordMap([
  'US: american, américain, américaine, أمريكي, أمريكية, امريكي, امريكية',
  'GB: british, britannique, britisch, بريطاني, بريطانية',
  'IN: indian, indienne, هندي, هندية',
  'EG: egyptian, égyptien, égyptienne, مصري, مصرية',
  'SA: saudi arabian, saoudien, saoudienne, سعودي, سعودية',
  'PK: pakistani, pakistanais, pakistanaise, باكستاني, باكستانية',
  'AE: emirati, إماراتي, إماراتية, اماراتي, اماراتية',
  'DE: deutsch, allemand, allemande, ألماني, ألمانية',
  'FR: french, français, française, französisch, فرنسي, فرنسية',
  'ES: spanish, español, española, espagnol, espagnole, spanisch',
  'JO: jordanian, أردني, أردنية, اردني, اردنية',
  'SY: syrian, سوري, سورية',
  'CN: chinese, صيني, صينية',
]);

/** A folded name of four signs or more in letters that are not Latin. */
const NOT_LATIN = /^[^A-Z]{4}/;

/** Countries whose Arabic names contain the word for people of another country, such as `American` in American Samoa. */
const PARTS_OF_OTHERS: ReadonlySet<string> = new Set('AS BQ GF HK IO MO PF SX TF UM VG VI'.split(' '));

/** Finds the country that a value names: by its code, its name, or the word for its people. Undefined if it may be several. */
export function countryIn(value: string): string | undefined {
  if (value.length > LONGEST) return undefined;
  const wanted = foldName(value);
  const exact = NATIONALITIES().get(folded(value)) ?? writtenCountry(value) ?? otherCountryNames().get(wanted);
  if (exact !== undefined || !NOT_LATIN.test(wanted)) return exact;
  // In Arabic a part of a long name is the usual one: a country counts if only its name has this part.
  const [only, ...others] = new Set(
    [...otherCountryNames()].flatMap(([name, code]) => (name.includes(wanted) ? code : [])),
  );
  return others.length === 0 && !PARTS_OF_OTHERS.has(only ?? '') ? only : undefined;
}

/**
 * Writes a country for a card: as the list has it if that is a code or an English name, `SAU`; else its English name, as for
 * `saudi arabian` or `ألماني`. An unknown country stays as it is.
 */
export function countryOnCard(text: string): string {
  const isNameOrCode = !NATIONALITIES().has(folded(text)) && writtenCountry(text) !== undefined;
  if (isNameOrCode) return text;
  return countryNames().get(countryIn(text) ?? '') ?? text;
}

/** A day as a list writes it. */
export interface ListedDay {
  /** Two digits or four, as written. */
  readonly year: string;
  readonly month: number;
  readonly day: number;
}

/** The day of a date if the day stands first, and if the month does. Both are the same if the order makes no difference. */
type ReadDays = Partial<Record<'dmy' | 'mdy', ListedDay>>;

/** Reads a date, with its month in digits or by its name. The result has no member if the cell holds no date. */
export function daysIn(cell: string): ReadDays {
  const text = cell.replace(MIDNIGHT, '');
  if (text.length > LONGEST_DATE || !/^[\p{L}\p{M}\p{N}\s\-/.,\u060C\u2019']+$/u.test(text)) return {};
  const parts = (folded(text).match(/\d+|\p{L}+/gu) ?? []).filter((part) => !WORDS_IN_DATES.has(part));
  const numbers = parts.filter((part) => /^\d/.test(part));
  const words = parts.filter((part) => !/^\d/.test(part));
  const [first = '', second = '', third = ''] = numbers;
  const isYearFirst = first.length === 4;
  if (numbers.length === 3 && words.length === 0) {
    if (isYearFirst) return bothWays(readDay(first, second, third));
    const dmy = readDay(third, second, first);
    const mdy = readDay(third, first, second);
    return { ...(dmy && { dmy }), ...(mdy && { mdy }) };
  }
  const month = monthNames().get(words.join(' '));
  if (numbers.length !== 2 || month === undefined) return {};
  return bothWays(isYearFirst ? readDay(first, String(month), second) : readDay(second, String(month), first));
}

/** For a date that shows its order. */
const bothWays = (day: ListedDay | undefined): ReadDays => (day === undefined ? {} : { dmy: day, mdy: day });

/** Reads the three parts of a date. Undefined if there is no such day. */
function readDay(year: string, month: string, day: string): ListedDay | undefined {
  if (!/^(?:\d\d|[12]\d{3})$/.test(year) || month.length > 2 || day.length > 2) return undefined;
  const read = { year, month: Number(month), day: Number(day) };
  return possibleDates(read).length > 0 ? read : undefined;
}

/** The calendar days that a date can be, YYYY-MM-DD: one, or one of each century. */
export function possibleDates({ year, month, day }: ListedDay): readonly string[] {
  const years = year.length === 4 ? [year] : [`19${year}`, `20${year}`];
  return years.map((fullYear) => dateText(fullYear, month, day)).filter(isRealDate);
}

/** Names of months in the languages of the headings, folded. A name that means two months in two languages is left out. */
const monthNames = once(() => {
  const names = new Map<string, number>();
  const ambiguous = new Set<string>();
  for (const language of ['en', 'en-GB', 'fr', 'es', 'de', 'ar', 'ar-SY', 'ar-DZ'])
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, { month: style, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month++) {
        const name = folded(format.format(Date.UTC(2001, month - 1, 15)));
        if ((names.get(name) ?? month) !== month) ambiguous.add(name);
        names.set(name, month);
      }
    }
  return new Map([...names].filter(([name]) => !ambiguous.has(name)));
});
