/**
 * Tells from the airline's own replies which of the two dialects it speaks (docs/wire/notes.md, Confidence and
 * precedence).
 */
import type { AirlineConfig } from '../../config/load.ts';
import { isRecord, records, text, texts } from '../../ota/messages/parts/reader.ts';
import { good, unclear, type Verdict } from './check.ts';
import { rowsOf, segmentsOf } from './fare-rows.ts';
import { finding } from './findings.ts';
import { all } from './reply-facts.ts';

type Dialect = AirlineConfig['dialect'];

export interface Replies {
  readonly search: unknown;
  /** Of a booking. */
  readonly reading?: unknown;
}

export interface DialectFacts {
  readonly dialect: Dialect | undefined;
  /** Proofs decide; hints only point one way. */
  readonly proofs: Readonly<Record<Dialect, readonly string[]>>;
  readonly hints: Readonly<Record<Dialect, readonly string[]>>;
}

type Evidence = readonly [
  dialect: Dialect,
  strength: 'proof' | 'hint',
  fact: string,
  seen: (replies: Replies) => boolean,
];

const codesOf = (search: unknown) => all(search, 'fareBasisCode').flatMap(records);
const bookedHas = (name: string) => (replies: Replies) =>
  segmentsOf(replies.reading).some(({ wire }) => all(wire, name).length > 0);
const carriersOfLength = (length: number) => (replies: Replies) =>
  carriersOf(replies.search).some((code) => code.length === length);
const someLack = (parent: string, field: string) => (replies: Replies) =>
  all(replies.search, parent).some((one) => isRecord(one) && !(field in one));

/** Proofs are fields that only one dialect is known to send; hints are fields that one of them sends more often. */
const EVIDENCE: readonly Evidence[] = [
  [
    'rail',
    'proof',
    'fare codes with flightSegmentRPH',
    ({ search }) => codesOf(search).some((code) => 'flightSegmentRPH' in code),
  ],
  [
    'rail',
    'proof',
    'fareBasisCode on booked segments',
    ({ reading }) => segmentsOf(reading).some(({ wire }) => text(wire.fareBasisCode)),
  ],
  ['rail', 'proof', 'a coach beside seats', ({ reading }) => all(reading, 'coach').some((one) => text(one))],
  ['rail', 'proof', 'a contact traveller (CTC)', ({ reading }) => all(reading, 'passengerTypeCode').includes('CTC')],
  [
    'airline',
    'proof',
    'priceGroup on segments',
    ({ search }) => segmentsOf(search).some(({ wire }) => all(wire, 'priceGroup').length),
  ],
  [
    'airline',
    'proof',
    'travellers named in price rows of a search',
    ({ search }) => rowsOf(search).some((row) => records(row.travelerRefNumber).some(({ rph }) => text(rph))),
  ],
  ['airline', 'proof', 'fareBasis in the extensions of booked segments', bookedHas('fareBasis')],
  ['airline', 'proof', 'fareRule on booked segments', bookedHas('fareRule')],
  ['airline', 'proof', 'operations on booked segments', bookedHas('operations')],
  ['rail', 'hint', 'carriers of three characters', carriersOfLength(3)],
  ['rail', 'hint', 'isocurrency in the point of sale', (replies) => all(replies, 'isocurrency', true).length > 0],
  ['airline', 'hint', 'carriers of two characters', carriersOfLength(2)],
  ['airline', 'hint', 'isoCurrency in the point of sale', (replies) => all(replies, 'isoCurrency', true).length > 0],
  [
    'airline',
    'hint',
    'fare codes without flightSegmentRPH',
    ({ search }) => codesOf(search).some((code) => !('flightSegmentRPH' in code)),
  ],
  ['airline', 'hint', 'options without rph', someLack('originDestinationOption', 'rph')],
  ['airline', 'hint', 'taxes without amount', someLack('taxes', 'amount')],
];

export function carriersOf(body: unknown): readonly string[] {
  const airlines = ['operatingAirline', 'marketingAirline'].flatMap((name) => all(body, name)).flatMap(records);
  return [...new Set(airlines.flatMap(({ code }) => texts(code)))].filter((code) => /^[A-Z0-9]{2,3}$/.test(code));
}

export function dialectFacts(replies: Replies): DialectFacts {
  const seen = EVIDENCE.filter(([, , , isSeen]) => isSeen(replies));
  const facts = (strength: Evidence[1], of: Dialect): string[] =>
    seen.filter((one) => one[0] === of && one[1] === strength).map(([, , fact]) => fact);
  const proofs = { rail: facts('proof', 'rail'), airline: facts('proof', 'airline') };
  const [rail, airline] = [proofs.rail.length > 0, proofs.airline.length > 0];
  const dialect = rail === airline ? undefined : rail ? 'rail' : 'airline';
  return { dialect, proofs, hints: { rail: facts('hint', 'rail'), airline: facts('hint', 'airline') } };
}

export function judgeDialect({ dialect, proofs, hints }: DialectFacts, set: Dialect): Verdict {
  const seenOf = (one: Dialect): string => [...proofs[one], ...hints[one]].join(', ');
  if (dialect === undefined) {
    const dialects = (['rail', 'airline'] as const).filter((one) => seenOf(one) !== '');
    const seen = dialects.map((one) => ` Of the ${one} dialect: ${seenOf(one)}.`).join('');
    return unclear(`Replies: cannot tell which dialect they are in; FARECLERK_DIALECT is ${set}.${seen}`);
  }
  const against = hints[dialect === 'rail' ? 'airline' : 'rail'].join(', ');
  const evidence = `Seen: ${seenOf(dialect)}.${against === '' ? '' : ` Unusual for it: ${against}.`}`;
  if (dialect === set) return good(`Replies: ${dialect} dialect, as set. ${evidence}`);
  return finding('other_dialect', { dialect, set, evidence });
}
