/**
 * Tells from the airline's own replies which of the two dialects it speaks (docs/wire/notes.md, Confidence and
 * precedence).
 */
import type { AirlineConfig } from '../../config/load.ts';
import { isRecord, records, text, texts } from '../../ota/messages/parts/reader.ts';
import { good, toMend, type Verdict } from './check.ts';
import { rowsOf, segmentsOf } from './fare-rows.ts';
import { all } from './signs.ts';

type Dialect = AirlineConfig['dialect'];

export interface Replies {
  /** Replies to fare searches; undefined where none came. */
  readonly searches: readonly unknown[];
  readonly reading?: unknown;
}

export interface DialectFacts {
  readonly dialect: Dialect | undefined;
  /** Signs decide; hints only point one way. */
  readonly signs: Readonly<Record<Dialect, readonly string[]>>;
  readonly hints: Readonly<Record<Dialect, readonly string[]>>;
}

type Seen = (replies: Replies) => boolean;

/** Fields that only one of the dialects is known to send. */
const SIGNS: Readonly<Record<Dialect, Readonly<Record<string, Seen>>>> = {
  rail: {
    'fare codes with flightSegmentRPH': ({ searches }) => codesOf(searches).some((code) => 'flightSegmentRPH' in code),
    'fareBasisCode on booked segments': ({ reading }) => booked(reading).some((one) => text(one.fareBasisCode)),
    'a coach beside seats': ({ reading }) => all(reading, 'coach').some((one) => text(one)),
    'a contact traveller (CTC)': ({ reading }) => all(reading, 'passengerTypeCode').includes('CTC'),
  },
  airline: {
    'priceGroup on segments': ({ searches }) => segmentsOf(searches).some(({ wire }) => all(wire, 'priceGroup').length),
    'travellers named in price rows of a search': ({ searches }) =>
      rowsOf(searches).some((row) => records(row.travelerRefNumber).some(({ rph }) => text(rph))),
    'fareBasis in the extensions of booked segments': ({ reading }) =>
      booked(reading).some((one) => all(one, 'fareBasis').length),
    'fareRule on booked segments': ({ reading }) => booked(reading).some((one) => all(one, 'fareRule').length),
    'operations on booked segments': ({ reading }) => booked(reading).some((one) => all(one, 'operations').length),
  },
};

/** Fields that both may send, one of them more often. */
const HINTS: typeof SIGNS = {
  rail: {
    'carriers of three characters': ({ searches }) => carriersOf(searches).some((code) => code.length === 3),
    'isocurrency in the point of sale': (replies) => all(replies, 'isocurrency', true).length > 0,
  },
  airline: {
    'carriers of two characters': ({ searches }) => carriersOf(searches).some((code) => code.length === 2),
    'isoCurrency in the point of sale': (replies) => all(replies, 'isoCurrency', true).length > 0,
    'fare codes without flightSegmentRPH': ({ searches }) =>
      codesOf(searches).some((code) => !('flightSegmentRPH' in code)),
    'options without rph': ({ searches }) =>
      all(searches, 'originDestinationOption').some((one) => isRecord(one) && !('rph' in one)),
    'taxes without amount': ({ searches }) => all(searches, 'taxes').some((one) => isRecord(one) && !('amount' in one)),
  },
};

const booked = (reading: unknown) => segmentsOf(reading).map(({ wire }) => wire);
const codesOf = (searches: unknown) => all(searches, 'fareBasisCode').flatMap(records);

export function carriersOf(body: unknown): readonly string[] {
  const airlines = ['operatingAirline', 'marketingAirline'].flatMap((name) => all(body, name)).flatMap(records);
  return [...new Set(airlines.flatMap(({ code }) => texts(code)))].filter((code) => /^[A-Z0-9]{2,3}$/.test(code));
}

export function dialectFacts(replies: Replies): DialectFacts {
  const seen = (table: typeof SIGNS, dialect: Dialect): string[] =>
    Object.entries(table[dialect]).flatMap(([words, sees]) => (sees(replies) ? [words] : []));
  const signs = { rail: seen(SIGNS, 'rail'), airline: seen(SIGNS, 'airline') };
  const [rail, airline] = [signs.rail.length > 0, signs.airline.length > 0];
  const dialect = rail === airline ? undefined : rail ? 'rail' : 'airline';
  return { dialect, signs, hints: { rail: seen(HINTS, 'rail'), airline: seen(HINTS, 'airline') } };
}

export function judgeDialect({ dialect, signs, hints }: DialectFacts, set: Dialect): Verdict {
  if (dialect === undefined) {
    const told = (['rail', 'airline'] as const).flatMap((one) => {
      const words = [...signs[one], ...hints[one]];
      return words.length === 0 ? [] : [` Of the ${one} dialect: ${words.join(', ')}.`];
    });
    const said = `Replies: cannot tell which dialect they are in; FARECLERK_DIALECT is ${set}.${told.join('')}`;
    return { ...good(said), finding: 'not_clear' };
  }
  const evidence = [...signs[dialect], ...hints[dialect]].join(', ');
  const against = hints[dialect === 'rail' ? 'airline' : 'rail'];
  const but = against.length === 0 ? '' : ` Unusual for it: ${against.join(', ')}.`;
  if (dialect === set) return good(`Replies: ${dialect} dialect, as set. Seen: ${evidence}.${but}`);
  return toMend(
    'other_dialect',
    `Replies: ${dialect} dialect, but FARECLERK_DIALECT is ${set}. Seen: ${evidence}.${but}`,
    `Set FARECLERK_DIALECT=${dialect}.`,
  );
}
