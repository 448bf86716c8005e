/**
 * Blanks, in texts of the airline, what travellers entered on the details page: it is never shown, however it is spelt. First a text by
 * itself, as an error or a remark; then the door through which every reply comes: the places of free text in it, the spellings that are
 * found there, the walk, and the way back to what was read, for comparisons and for what is sent back.
 */
import { asciiDigits } from '../../core/clean-text.ts';
import { memoize } from '../../core/memoize.ts';
import type { Traveler } from './traveler.ts';

/** The details of a traveller that no text may repeat. */
export type HiddenDetails = Pick<Traveler, 'birthDate'> & {
  readonly document?: Pick<NonNullable<Traveler['document']>, 'number' | 'expires'>;
};

const BLANK = '•••';

/** A spelling with fewer characters is hidden only as a separate word: inside other words it occurs by chance. */
const SHORTEST_SURE = 6;

/** At the end of a text, a spelling that is cut off is hidden if it has this many characters or more. */
const SHORTEST_CUT = 5;

const MONTHS = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(' ');

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Returns a function that blanks document numbers, birth dates and days of expiry in a text of the airline, in any usual
 * spelling: `17APR1991`, `19910417`, `April 17, 1991`, a number in small letters or with spaces.
 */
export function blanking(people: readonly HiddenDetails[]): (text: string) => string {
  const allSpellings = people.flatMap(({ birthDate, document }) => [
    ...dateSpellings(birthDate),
    ...numberSpellings(document?.number),
    ...dateSpellings(document?.expires),
  ]);
  const spellings = [...new Set(allSpellings)];
  if (spellings.length === 0) return (text) => text;
  const blankWhole = blankingWholeWords(people);
  return (original) => {
    const text = blankWhole(original);
    const folded = foldWithPlaces(text);
    const hiddenPlaces = new Set(
      spellings.flatMap((spelling) => [...placesOf(folded, spelling), ...cutOffPlaces(folded, spelling)]),
    );
    if (hiddenPlaces.size === 0) return text;
    return [...text].map((character, place) => blankAt(hiddenPlaces, place) ?? character).join('');
  };
}

/** What replaces a hidden character: one mark for all adjacent ones. Undefined for a character that is shown. */
function blankAt(hiddenPlaces: ReadonlySet<number>, place: number): string | undefined {
  if (!hiddenPlaces.has(place)) return undefined;
  return hiddenPlaces.has(place - 1) ? '' : BLANK;
}

/** Blanks every word with two digits or more as well: a text can repeat what the booking itself does not show. */
export function blankNumbers(text: string, blank: (text: string) => string): string {
  return blank(text).replace(WORD, (word) => ((word.match(/\p{N}/gu)?.length ?? 0) > 1 ? BLANK : word));
}

/** A text in which spellings are searched. An index counts its letters, a place counts characters of the original. */
interface Folded {
  /** Letters and digits of ASCII in capitals, nothing between them. */
  readonly text: string;
  /** The place of the letter at each index. */
  readonly places: readonly number[];
}

function foldWithPlaces(original: string): Folded {
  const places: number[] = [];
  let text = '';
  for (const [place, character] of [...original].entries()) {
    for (const letter of foldedCharacter(character)) {
      text += letter;
      places.push(place);
    }
  }
  return { text, places };
}

/** Capitals without diacritics, digits of any script as ASCII digits; empty for what is neither. */
function foldedCharacter(character: string): string {
  if (/[A-Z0-9]/.test(character)) return character;
  const plain = character.normalize('NFKD').toUpperCase();
  return asciiDigits(plain).replace(/[^A-Z0-9]/g, '');
}

/** The places of a spelling wherever it occurs in a text, with the characters between its letters. */
function placesOf(folded: Folded, spelling: string): readonly number[] {
  const { text, places } = folded;
  const hiddenPlaces: number[] = [];
  for (let index = text.indexOf(spelling); index >= 0; index = text.indexOf(spelling, index + 1)) {
    if (spelling.length < SHORTEST_SURE && !isSeparateWord(folded, index, spelling.length)) continue;
    hiddenPlaces.push(...placesFrom(places[index], places[index + spelling.length - 1]));
  }
  return hiddenPlaces;
}

/** Whether these letters have nothing between them in the original, and no letter or digit directly beside them. */
function isSeparateWord({ places }: Folded, index: number, length: number): boolean {
  const [first = 0, last = 0] = [places[index], places[index + length - 1]];
  const isOneWord = last - first === length - 1;
  const isPartOfWord = places[index - 1] === first - 1 || places[index + length] === last + 1;
  return isOneWord && !isPartOfWord;
}

/** The places of the beginning of a spelling at the end of a text, which may be cut off within it. */
function cutOffPlaces({ text, places }: Folded, spelling: string): readonly number[] {
  for (let length = spelling.length - 1; length >= SHORTEST_CUT; length--) {
    if (text.endsWith(spelling.slice(0, length))) return placesFrom(places[text.length - length], places.at(-1));
  }
  return [];
}

/** All places from the first to the last, both included. */
function placesFrom(first = 0, last = 0): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** A number as it is, and its digits alone if these are enough to recognize it. */
function numberSpellings(number = ''): readonly string[] {
  const { text } = foldWithPlaces(number);
  const digits = /\d{6,}/.exec(text)?.[0];
  return [text, ...(digits === undefined ? [] : [digits])].filter((spelling) => spelling.length >= 3);
}

/** Folded: `1991-04-17` and `1991/4/17`, days first and months first, months by name, years of two digits, Unix time. */
function dateSpellings(date = ''): readonly string[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return [];
  const bare = (number: string) => String(Number(number));
  const months = [month, bare(month), name, name.slice(0, 3)];
  const days = [day, bare(day), ...['ST', 'ND', 'RD', 'TH'].map((ending) => `${bare(day)}${ending}`)];
  const inOrders = (y: string, m: string, d: string) => [`${y}${m}${d}`, `${d}${m}${y}`, `${m}${d}${y}`];
  const ofYear = (y: string) => months.flatMap((m) => days.flatMap((d) => inOrders(y, m, d)));
  const seconds = String(Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000);
  return [...ofYear(year), ...ofYear(year.slice(2)), seconds].filter((spelling) => spelling.length >= SHORTEST_SURE);
}

// The door.

/**
 * The places of free text in what the adapter decodes, by the name of the field, with that of the one above it where the name has other
 * meanings too. Everything else is exact: codes, times, amounts, numbers of tickets, references.
 */
const PLACES: ReadonlySet<string> = new Set([
  ...['prefix', 'given', 'middle', 'surname', 'suffix', 'title'],
  ...['emails', 'phones.countryCode', 'phones.number', 'city', 'countryName', 'comments.name', 'comments.value'],
  ...['memberships.program', 'memberships.number', 'memberships.level'],
  ...['fareName', 'fareBasis', 'fareBasis.code', 'references.code'],
  ...['fareRules.code', 'fareRules.name', 'fareRules.text', 'permitted.name', 'texts.text', 'lines.code', 'lines.name'],
  ...['baggage', 'total.remarks', 'price.remarks', 'notes'],
  ...['zones.name', 'zones.description', 'amenities'],
]);

/** Places where documents stand as a matter of course, so that `reveal_personal` shows them: blanked only if they were entered on the page. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set([
  'services.text',
  'serviceRemarks.text',
  '.remarks',
  'emds.type',
  'emds.text',
]);

/** The fields of a booking with such a place. */
const WITH_DOCUMENTS: ReadonlySet<string> = new Set(
  [...OF_DOCUMENTS].map((place) => place.split('.').find(Boolean) ?? ''),
);

/** Places that hold no free text. They are not looked into. */
const PASSED_BY: ReadonlySet<string> = new Set(['source', 'tickets', 'orders', 'document', 'links']);

/** How many words a spelling has at most: a date or a number with a space between all its digits. */
const MOST_PARTS = 16;
/** Shorter numbers of documents occur in other texts by chance. */
const SHORTEST_NUMBER = 5;

/** Every spelling has one of these, and most texts have none. */
const NUMBER = /\p{N}/u;
/** What may stand between the parts of a date or a number. A colon makes it a time. */
const BETWEEN = /^[\s./\\_,\u00B7'\u2019()-]{0,3}$/u;
/** The time behind a date of a system: `T00:00:00Z`. */
const CLOCK = /^T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/;
/** What a number inside a longer one has beside it: the cents of an amount. */
const CONTINUED = { before: /\d[.,]$/, after: /^[.,]\d/ };

/** A word of a text: its place, and its letters and digits folded. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly folded: string;
}

/** The words of a text. The `T` of `1991-04-17T00:00` stands between two. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const [, day, hour] = /^(\d\d)T(\d\d)$/.exec(word) ?? [];
    const pieces =
      day === undefined || hour === undefined ? [[word, 0] as const] : [[day, 0] as const, [hour, 3] as const];
    for (const [piece, at] of pieces) {
      const from = index + at;
      parts.push({ from, to: from + piece.length, folded: foldedWord(piece) });
    }
  }
  return parts;
}

/** Capitals without diacritics in any script, digits as ASCII digits. */
function foldedWord(word: string): string {
  if (/^[A-Za-z0-9]*$/.test(word)) return word.toUpperCase();
  return asciiDigits(word.normalize('NFKD').toUpperCase()).replace(/[\p{M}\p{Lm}]/gu, '');
}

/** Finds spellings as whole words. `date`: of its parts with `|` between them. `number`: however it is divided. */
interface Spellings {
  /** Whether they are looked for in the places of documents too. */
  readonly alsoDocuments?: boolean;
  /** Whether a spelling may begin with this word: most words begin none. `isForeign`: also one of {@link foreignSpellings}. */
  readonly mayBegin: (word: string, isForeign: boolean) => boolean;
  readonly isDate: (joined: string) => boolean;
  readonly numbers: readonly string[];
}

function spellingsOf(people: readonly HiddenDetails[]): Spellings | undefined {
  const dates = [...new Set(people.flatMap(({ birthDate, document }) => [birthDate ?? '', document?.expires ?? '']))];
  const wanted = dates.filter((date) => /^\d{4}-\d{2}-\d{2}/.test(date)).map((date) => date.slice(0, 10));
  // The whole number: its digits alone are in telephones too.
  const numbers = new Set(people.map(({ document }) => foldWithPlaces(document?.number ?? '').text));
  const known = [...numbers].filter((number) => number.length >= SHORTEST_NUMBER && /\d/.test(number));
  if (wanted.length === 0 && known.length === 0) return undefined;
  const [beginnings, usual] = [wanted.map(beginningsOf), wanted.map(usualSpellings)];
  const isIn = (sets: readonly ReadonlySet<string>[], text: string) => sets.some((set) => set.has(text));
  return {
    mayBegin: (word, isForeign) =>
      isIn(beginnings, word) ||
      known.some((number) => number.startsWith(word)) ||
      (isForeign && wanted.some((date) => foreignBeginningsOf(date).has(word))),
    isDate: (joined) =>
      isIn(usual, joined) || (FOREIGN.test(joined) && wanted.some((date) => foreignSpellings(date).has(joined))),
    numbers: known,
  };
}

/** The date in spellings of the Gregorian calendar: `1991|04|17`, `17APR91`, `APRIL|17TH|1991`, Unix time. */
const usualSpellings = memoize((date: string): ReadonlySet<string> => {
  const [year = '', month = '', day = ''] = date.split('-');
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return new Set();
  return new Set([
    ...inAllOrders({ year, month, day, names: [name, name.slice(0, 3)] }),
    String(instantOfDay(date) / 1000),
  ]);
});

const firstWords = (spellings: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...spellings].map((joined) => joined.split('|', 1)[0] ?? ''));

/** The first words of {@link usualSpellings}. */
const beginningsOf = memoize((date: string) => firstWords(usualSpellings(date)));

/** Only such a text can be one of {@link foreignSpellings}, for which the calendars are loaded: a Hijri year, or Arabic letters. */
const FOREIGN = /1[345]\d\d|\p{Script=Arabic}/u;

/** The calendars of the Hijri year, which differ by a day. */
const CALENDARS = ['islamic-umalqura', 'islamic-civil', 'islamic-tbla'];

/** The date in the Hijri calendar, and with Arabic names of months: `2|SHAWWAL|1411`, `1411|10|02`. */
const foreignSpellings = memoize((date: string): ReadonlySet<string> => {
  const [year = '', month = '', day = ''] = date.split('-');
  const at = instantOfDay(date);
  if (Number.isNaN(at)) return new Set();
  const names = ['ar-u-ca-gregory', 'ar-SY-u-ca-gregory'].map((locale) => monthIn(locale, at));
  return new Set([
    ...inAllOrders({ year, month, day, names }),
    ...CALENDARS.flatMap((calendar) => inHijri(calendar, at)),
  ]);
});

/** The first words of {@link foreignSpellings}. */
const foreignBeginningsOf = memoize((date: string) => firstWords(foreignSpellings(date)));

const instantOfDay = (date: string): number => Date.parse(`${date}T00:00:00Z`);

const monthsOf = memoize((locale: string) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long' }));
const daysOf = memoize(
  (locale: string) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', year: 'numeric', month: '2-digit', day: '2-digit' }),
);

function inHijri(calendar: string, at: number): readonly string[] {
  const fields = daysOf(`en-u-ca-${calendar}-nu-latn`).formatToParts(at);
  const field = (wanted: string) => fields.find(({ type }) => type === wanted)?.value ?? '';
  const names = ['en', 'ar'].map((locale) => monthIn(`${locale}-u-ca-${calendar}`, at));
  return inAllOrders({ year: field('year'), month: field('month'), day: field('day'), names });
}

/** The name of its month, its words joined as those of a text are. */
function monthIn(locale: string, at: number): string {
  return partsOf(monthsOf(locale).format(at))
    .map(({ folded }) => folded)
    .join('|');
}

interface DateParts {
  /** Four digits. */
  readonly year: string;
  readonly month: string;
  readonly day: string;
  /** Of the month. */
  readonly names: readonly string[];
}

function inAllOrders({ year, month, day, names }: DateParts): readonly string[] {
  const bare = (number: string) => String(Number(number));
  const orders = <T>(y: T, m: T, d: T) =>
    [
      [y, m, d],
      [d, m, y],
      [m, d, y],
    ] as const;
  const days = [...new Set([day, bare(day)])];
  const ordinals = ['ST', 'ND', 'RD', 'TH'].map((ending) => `${bare(day)}${ending}`);
  const numeric = [...new Set([month, bare(month)])].flatMap((m) => days.flatMap((d) => orders(year, m, d)));
  const short = orders(year.slice(2), month, day);
  const named = [year, year.slice(2)].flatMap((y) =>
    names.flatMap((name) => [...days, ...ordinals].flatMap((d) => orders(y, name, d))),
  );
  const compact = [...orders(year, month, day), ...short].map((parts) => parts.join(''));
  return [
    ...[...numeric, ...short, ...named].map((parts) => parts.join('|')),
    ...[...compact, ...named.map((parts) => parts.join(''))].filter((text) => text.length >= SHORTEST_SURE),
    // `17APR 1991`, `APR17 1991`, `17 APR1991`.
    ...named.flatMap(([a = '', b = '', c = '']) => [`${a}${b}|${c}`, `${a}|${b}${c}`]),
    ...orders(year, month, day).map((parts) => [...parts.join('')].join('|')),
  ];
}

/** Returns a function that blanks the spellings of these details where they are whole words, never inside a longer run. */
function blankingWholeWords(people: readonly HiddenDetails[]): (text: string) => string {
  const spellings = spellingsOf(people);
  if (spellings === undefined) return (text) => text;
  return (text) => {
    const spans = spansIn(text, spellings);
    return spans.toReversed().reduce((left, [from, to]) => `${left.slice(0, from)}${BLANK}${left.slice(to)}`, text);
  };
}

/** Where spellings stand in a text, in order, none within another. */
function spansIn(text: string, spellings: Spellings): readonly (readonly [from: number, to: number])[] {
  if (!NUMBER.test(text)) return [];
  const parts = partsOf(text);
  const isForeign = FOREIGN.test(parts.map(({ folded }) => folded).join(' '));
  const spans: (readonly [number, number])[] = [];
  for (let i = 0; i < parts.length; i++) {
    if (!spellings.mayBegin(parts[i]?.folded ?? '', isForeign)) continue;
    let last = lastOfSpelling(text, parts, i, spellings);
    if (last === undefined) continue;
    const to = parts[last]?.to ?? 0;
    const end = to + (CLOCK.exec(text.slice(to))?.[0].length ?? 0);
    spans.push([parts[i]?.from ?? 0, end]);
    // The words of a time behind the date are part of it.
    while ((parts[last + 1]?.from ?? end) < end) last++;
    i = last;
  }
  return spans;
}

/** The index of the last word of the longest spelling that begins with this word. */
function lastOfSpelling(text: string, parts: readonly Part[], first: number, spellings: Spellings): number | undefined {
  let [dated, run] = ['', ''];
  let found: number | undefined;
  for (let at = first; at < Math.min(parts.length, first + MOST_PARTS); at++) {
    const { from, to, folded } = parts[at] as Part;
    if (at > first && !BETWEEN.test(text.slice(parts[at - 1]?.to, from))) break;
    dated = at === first ? folded : `${dated}|${folded}`;
    run += folded;
    const isNumber = spellings.numbers.includes(run);
    if ((isNumber || spellings.isDate(dated)) && !isContinued(text, parts[first]?.from ?? 0, to)) found = at;
  }
  return found;
}

function isContinued(text: string, from: number, to: number): boolean {
  return CONTINUED.before.test(text.slice(0, from)) || CONTINUED.after.test(text.slice(to));
}

/** What was read in the place of what the door blanked: objects and lists by those that stand for them. */
const blankedToRead = new WeakMap<object, object>();
/** Whether anything was ever blanked: a process without such an airline looks for no originals. */
let hasBlanked = false;

/**
 * The door: blanks these details in all free text of a reply. What has none is the same object as before.
 * @param places `all`: also where documents stand as a matter of course; `of documents`: of a booking, what has such a place alone
 */
export function withoutRepeats<T extends object>(
  reply: T,
  people: readonly HiddenDetails[],
  places: 'all' | 'all but of documents' | 'of documents' = 'all but of documents',
): T {
  const found = spellingsOf(people);
  if (found === undefined) return reply;
  const spellings = { ...found, alsoDocuments: places !== 'all but of documents' };
  const isPart = places === 'of documents';
  return (isPart ? walkFields(reply, '', spellings, WITH_DOCUMENTS) : walk(reply, '', '', spellings)) as T;
}

/** @param name of the field that holds the value @param above that of the field above it */
function walk(value: unknown, name: string, above: string, spellings: Spellings): unknown {
  if (typeof value === 'string')
    return NUMBER.test(value) && isPlace(name, above, spellings) ? blankAll([value], spellings)[0] : value;
  if (typeof value !== 'object' || value === null || PASSED_BY.has(name)) return value;
  if (Array.isArray(value)) return standFor(value, walkList(value, name, above, spellings));
  return walkFields(value, name, spellings);
}

/** @param only absent: all fields */
function walkFields(value: object, name: string, spellings: Spellings, only?: ReadonlySet<string>): object {
  const shown = (item: unknown, field: string) =>
    only?.has(field) === false ? item : walk(item, field, name, spellings);
  return standFor(value, withChanged(value, shown));
}

function walkList(list: readonly unknown[], name: string, above: string, spellings: Spellings): readonly unknown[] {
  const isText = list.every((item) => typeof item === 'string') && isPlace(name, above, spellings);
  const walked = isText ? blankAll(list, spellings) : list.map((item) => walk(item, name, above, spellings));
  return walked.some((item, i) => item !== list[i]) ? walked : list;
}

function isPlace(name: string, above: string, { alsoDocuments }: Spellings): boolean {
  const inAbove = `${above}.${name}`;
  return PLACES.has(name) || PLACES.has(inAbove) || (alsoDocuments === true && OF_DOCUMENTS.has(inAbove));
}

/** Blanks texts that follow one another: names come in several words, and a date in as many. */
function blankAll(texts: readonly string[], spellings: Spellings): readonly string[] {
  const spans = spansIn(texts.join(' '), spellings);
  if (spans.length === 0) return texts;
  let at = 0;
  return texts.map((text) => {
    const begin = at;
    at += text.length + 1;
    const own = spans
      .map(([from, to]) => [Math.max(0, from - begin), Math.min(text.length, to - begin)] as const)
      .filter(([from, to]) => from < to);
    return own.toReversed().reduce((left, [from, to]) => `${left.slice(0, from)}${BLANK}${left.slice(to)}`, text);
  });
}

/** Notes what a value stands for, if it is another one. */
function standFor(read: object, blanked: object): object {
  if (blanked === read) return read;
  hasBlanked = true;
  blankedToRead.set(blanked, asRead(read));
  return blanked;
}

/** What was read of this value, exact: for comparisons of people, and for what is sent back. Of any other, the value itself. */
export function asRead<T>(value: T): T {
  return hasBlanked ? (originalOf(value, new Map()) as T) : value;
}

function originalOf(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const read = blankedToRead.get(value) ?? known.get(value);
  if (read !== undefined) return read;
  const original = Array.isArray(value) ? originalList(value, known) : originalObject(value, known);
  known.set(value, original);
  return original;
}

function originalList(list: readonly unknown[], known: Map<object, unknown>): readonly unknown[] {
  const items = list.map((item) => originalOf(item, known));
  return items.some((item, i) => item !== list[i]) ? items : list;
}

function originalObject(value: object, known: Map<object, unknown>): object {
  return withChanged(value, (item, name) => (name === 'source' ? item : originalOf(item, known)));
}

/** The object with what is made of its fields. The object itself if none of them changes. */
function withChanged(value: object, make: (item: unknown, field: string) => unknown): object {
  let changed: Record<string, unknown> | undefined;
  for (const [field, item] of Object.entries(value)) {
    const made = make(item, field);
    if (made === item) continue;
    changed ??= { ...value };
    changed[field] = made;
  }
  return changed ?? value;
}
