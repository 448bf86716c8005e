/**
 * Two questions that mean the same to a person although their lines differ, and why. A row is about what the lines say, and not about
 * where the airline altered its reading.
 */
import type { Json } from '../differ/trips.ts';
import type { Read } from './trial.ts';

export interface Compared {
  readonly before: Read;
  readonly after: Read;
  /** The readings from which they were asked. */
  readonly reading: Json;
  readonly altered: Json;
}

/** Writes the lines of both questions in one form, in which those that mean the same are the same. */
interface Row {
  readonly name: string;
  readonly because: string;
  form(lines: readonly string[], compared: Compared): readonly string[];
  /** Only the lines after are written in another form. */
  readonly isOfAfter?: true;
}

const each =
  (rewrite: (line: string) => string): Row['form'] =>
  (lines) =>
    lines.map(rewrite);

export const ROWS: readonly Row[] = [
  {
    name: 'zeros of a flight number',
    because: 'HHR147 and HHR0147 are one train',
    form: each((line) => line.replace(/\b([A-Z]{2,3})0+(?=\d)/g, '$1')),
  },
  {
    name: 'the zone of a time',
    because: 'it is the same moment',
    form: each(inUtc),
  },
  {
    name: 'the carrier of a flight left out',
    because: 'an airline names both carriers of a flight, or one of them, and its number stays',
    form: (lines, { reading, altered }) =>
      areCarriersKept(reading, altered) ? withoutOperators(lines, reading) : lines,
  },
  {
    name: 'another order',
    because: 'the order of flights, of people and of the rules in a line means nothing',
    form: (lines, { reading, altered }) => {
      const isSameTrip = tripOf(reading) === tripOf(altered);
      return lines.map((line) => rulesInOrder(peopleInOrder(line, isSameTrip))).toSorted();
    },
  },
  {
    name: 'the title of a name',
    because: 'airlines write a title behind a given name, with a blank and without one',
    form: each((line) => inNames(line, (name) => withoutTitle(name))),
  },
  {
    name: 'capitals of a name',
    because: 'airlines write names in capitals',
    form: each((line) => inNames(line, (name) => name.toUpperCase())),
  },
  {
    name: 'the number of a passenger',
    because: 'an airline numbers its passengers anew, and the name says who it is',
    form: byName,
  },
  {
    name: 'the name of a fare left out',
    because: 'the code of the fare beside it says which it is',
    isOfAfter: true,
    form: (lines, { before }) => lines.map((line) => before.lines.find((was) => withoutFareName(was) === line) ?? line),
  },
  {
    name: 'words in another language',
    because: 'an airline sends the words of a rule in one of its languages each time, and the sums stand beside them',
    isOfAfter: true,
    form: (lines, { before }) =>
      lines.some(isForeign) ? lines.map((line) => before.lines.find((was) => isTranslated(was, line)) ?? line) : lines,
  },
  {
    name: 'a later limit',
    because: 'more time is only better for the person',
    isOfAfter: true,
    form: (lines, { before }) => lines.map((line) => laterAs(line, before.lines)),
  },
];

/** Names of the rows by which two questions mean the same, as few as do. Undefined: they differ. */
export function equalityOf(compared: Compared): readonly string[] | undefined {
  if (!compared.after.isAsked || !areEqual(ROWS, compared)) return undefined;
  const needed = ROWS.reduce<readonly Row[]>((left, row) => {
    const others = left.filter((one) => one !== row);
    return areEqual(others, compared) ? others : left;
  }, ROWS);
  return needed.map(({ name }) => name);
}

function areEqual(rows: readonly Row[], compared: Compared): boolean {
  const before = rows.filter(({ isOfAfter }) => !isOfAfter);
  // What only the lines after are written in comes first: it looks for them as they were asked.
  const after = [...rows.filter(({ isOfAfter }) => isOfAfter), ...before];
  return written(compared.before, before, compared) === written(compared.after, after, compared);
}

function written({ lines }: Read, rows: readonly Row[], compared: Compared): string {
  return rows.reduce((formed, row) => row.form(formed, compared), lines).join('\n');
}

// Times.

const TIME = String.raw`(\d\d:\d\d)`;
const DAY = String.raw`(\w{3} \d{1,2} \w{3})`;
const ZONE = String.raw` \((UTC(?:[+-]\d{1,2}(?::\d\d)?)?)\)`;
/** `Wed 9 Apr 14:48 (UTC+3)-13:53 (UTC)`, `Mon 14 Apr 22:15 (UTC+3)-03:45 Tue 15 Apr (UTC+4)`, `Sun 6 Apr 14:48 (UTC+3)`. */
const MOMENTS = new RegExp(`${DAY} ${TIME}(?:${ZONE})?(?:-${TIME}(?: ${DAY})?${ZONE})?`, 'g');

/** Until when the question itself is open, today. */
const ANSWER_BY = new RegExp(`^Answer by ${TIME}${ZONE}`);

/** Every moment of a line in UTC, to the minute. */
function inUtc(line: string): string {
  const whole = line.replace(ANSWER_BY, (_, time, zone) => `Answer by ${momentOf('Mon 3 Mar', time, zone)}`);
  return whole.replace(MOMENTS, (found, day, time, zone, until, lastDay, lastZone) => {
    if (zone === undefined && lastZone === undefined) return found;
    const from = momentOf(day, time, zone ?? lastZone);
    return until === undefined ? from : `${from} until ${momentOf(lastDay ?? day, until, lastZone)}`;
  });
}

/** All trips of the campaign are in one year. */
function momentOf(day: string, time: string, zone: string): string {
  const [, sign = '+', hours = '0', minutes = '00'] = /UTC([+-])(\d{1,2})(?::(\d\d))?/.exec(zone) ?? [];
  const at = new Date(`${day.slice(4)} 2031 ${time} ${sign}${hours.padStart(2, '0')}:${minutes}`);
  return Number.isNaN(at.getTime()) ? `${day} ${time} ${zone}` : at.toISOString().slice(0, 16);
}

const LIMIT =
  /^(Pay by|It can be cancelled until|Names can be changed until|Seats can be changed until) (.*?)([.;].*)?$/;

/** A limit that is later now, as the question before had it. */
function laterAs(line: string, before: readonly string[]): string {
  const [, what, at = '', rest] = LIMIT.exec(line) ?? [];
  const was = before.find((one) => what !== undefined && one.startsWith(what));
  const [, , earlier = '', its] = LIMIT.exec(was ?? '') ?? [];
  return was !== undefined && rest === its && inUtc(at) > inUtc(earlier) ? was : line;
}

// Words.

/** `fare YFLEX “Economy Flex”`. */
const withoutFareName = (line: string): string => line.replace(/(, fare \w+) “[^”]*”/, '$1');

const QUOTED = /“([^”]*)”\u200e?/g;
const quotesIn = (line: string): readonly string[] => [...line.matchAll(QUOTED)].map(([, words = '']) => words);

/** Whether words are in other letters than Latin ones. */
const areForeign = (words: string): boolean => (/\p{L}/u.exec(words)?.[0] ?? 'a') >= '\u0370';
const isForeign = (line: string): boolean => quotesIn(line).some(areForeign);

/** Whether a line is another one with words of the airline in other letters. Whoever cannot read them says that there is a condition. */
function isTranslated(was: string, is: string): boolean {
  const rest = (line: string) => line.replace(QUOTED, '“”').replace(', on a condition', '');
  const [before, now] = [quotesIn(was), quotesIn(is)];
  const isSame = (words: string, i: number) => words === before[i] || areForeign(words) !== areForeign(before[i] ?? '');
  return rest(was) === rest(is) && before.length === now.length && now.every(isSame);
}

// Flights.

function flightsOf(reading: Json): readonly Json[] {
  const options: readonly Json[] =
    reading.airReservation?.airItinerary?.originDestinationOptions?.originDestinationOption ?? [];
  return options.flatMap(({ flightSegment = [] }) => flightSegment);
}

/** All flights, in no order. */
const tripOf = (reading: Json): string =>
  flightsOf(reading)
    .map(({ flightNumber, departureAirport, departureDateTime, arrivalAirport }) =>
      [flightNumber, departureAirport?.locationCode, departureDateTime, arrivalAirport?.locationCode].join(),
    )
    .toSorted()
    .join(' ');

/** Whether each carrier that is shown now was shown before, for the same flight. */
function areCarriersKept(reading: Json, altered: Json): boolean {
  const carriers = ({ marketingAirline, operatingAirline, flightNumber }: Json) => [
    ...(marketingAirline?.code ? [`${marketingAirline.code} ${marketingAirline.flightNumber ?? flightNumber}`] : []),
    ...(operatingAirline?.code ? [`${operatingAirline.code} ${operatingAirline.flightNumber ?? flightNumber}`] : []),
  ];
  const before = flightsOf(reading);
  const now = flightsOf(altered);
  return (
    now.length === before.length &&
    now.every((flight, i) => {
      const shown = carriers(flight);
      return shown.length > 0 && shown.every((one) => carriers(before[i]).includes(one));
    })
  );
}

/** Each flight by the carrier that sells it, without the one that operates it. */
function withoutOperators(lines: readonly string[], reading: Json): readonly string[] {
  const sold = flightsOf(reading).flatMap(({ marketingAirline, operatingAirline, flightNumber }) => {
    const number = operatingAirline?.flightNumber ?? flightNumber;
    return marketingAirline?.code && operatingAirline?.code
      ? [[`${operatingAirline.code}${number}`, `${marketingAirline.code}${flightNumber}`] as const]
      : [];
  });
  return lines.map((line) =>
    sold.reduce(
      (written, [operated, code]) => written.replaceAll(operated, code),
      line.replace(/, operated by \w+/, ''),
    ),
  );
}

// People.

const GIST = /^(.+?)( · .*)$/;

/** Rewrites the names in quotation marks, and those before the places. */
function inNames(line: string, rewrite: (name: string) => string): string {
  const [, people, places = ''] = GIST.exec(line) ?? [];
  if (people !== undefined) return namesIn(people).map(rewrite).join(' and ') + places;
  return /assenger \d|was “|now “/.test(line) ? line.replace(/“(.*?)”/g, (_, name) => `“${rewrite(name)}”`) : line;
}

const namesIn = (people: string): string[] => people.split(/ and |, /).map((name) => name.replace(/^“|”$/g, ''));

const withoutTitle = (name: string): string =>
  name
    .replace(/(?<=\p{Ll})(MRS|MR|MS|MISS|MSTR)\b/gu, '')
    .replace(/\b(MRS|MR|MS|MISS|MSTR)\b ?/gi, '')
    .trim();

/** The words of the rules of several flights stand behind one another. */
function rulesInOrder(line: string): string {
  const [first = '', ...rules] = line.split(/(?= The airline's condition for )/);
  return [first, ...rules.toSorted()].join('');
}

/** @param isSameTrip which flight comes first makes no other trip */
function peopleInOrder(line: string, isSameTrip: boolean): string {
  const [, people, places = ''] = GIST.exec(line) ?? [];
  if (people === undefined) return line;
  return namesIn(people).toSorted().join(' and ') + (isSameTrip ? ' · the same trip' : places);
}

/** `passenger 2` as the person whom another line names. */
function byName(lines: readonly string[]): readonly string[] {
  const named = lines.flatMap((line) => {
    const [, number = '', name = ''] = NUMBERED.exec(line) ?? [];
    return name === '' ? [] : [{ number, name }];
  });
  const nameOf = (number: string): string | undefined => {
    const names = new Set(named.filter((one) => one.number === number).map(({ name }) => name));
    return names.size === 1 ? [...names][0] : undefined;
  };
  const withName = (line: string) => {
    const isNamed = NUMBERED.exec(line)?.[2] !== undefined && NUMBERED.exec(line)?.[2] !== '';
    return isNamed
      ? line.replace(/assenger \d+/, 'assenger')
      : line.replace(/assenger (\d+)/g, (all, number) => `assenger ${nameOf(number) ?? all}`);
  };
  return lines.map(withName).toSorted();
}

/** `Passenger 2 (adult): was “Anna Aalto”`. */
const NUMBERED = /assenger (\d+)[^“]*“(.*?)”/;
