/**
 * Tells from the airline's own replies which of the two dialects it speaks (docs/wire/notes.md, Confidence and
 * precedence).
 */
import type { AirlineConfig } from '../../config/load.ts';
import { records, texts } from '../../ota/messages/parts/reader.ts';
import { isObject } from '../../ota/transport/json.ts';
import { good, unclear, type Verdict } from './check.ts';
import { finding } from './findings.ts';
import { all } from './reply-facts.ts';

type Dialect = AirlineConfig['dialect'];
type Seen = (parts: readonly unknown[]) => boolean;

const has =
  (name: string): Seen =>
  (parts) =>
    all(parts, name).some((one) => one !== '');
const spelt =
  (name: string): Seen =>
  (parts) =>
    all(parts, name, true).length > 0;
const lacks =
  (name: string): Seen =>
  (parts) =>
    parts.some((one) => isObject(one) && !(name in one));
const carrierOf =
  (length: number): Seen =>
  (parts) =>
    carriersOf(parts).some((code) => code.length === length);
const contact: Seen = (parts) => all(parts, 'passengerTypeCode').includes('CTC');

/** Where a fact is looked for is a path of names; proofs are sent by one dialect alone, hints by one more often. */
const EVIDENCE: readonly (readonly [Dialect, 'proof' | 'hint', fact: string, path: string, seen: Seen])[] = [
  ['rail', 'proof', 'fare codes with flightSegmentRPH', 'search.fareBasisCode', has('flightSegmentRPH')],
  ['rail', 'proof', 'fareBasisCode on booked segments', 'booking.flightSegment', has('fareBasisCode')],
  ['rail', 'proof', 'a coach beside seats', 'booking', has('coach')],
  ['rail', 'proof', 'a contact traveller (CTC)', 'booking', contact],
  ['airline', 'proof', 'priceGroup on segments', 'search.flightSegment', has('priceGroup')],
  [
    'airline',
    'proof',
    'travellers named in price rows of a search',
    'search.ptcfareBreakdown.travelerRefNumber',
    has('rph'),
  ],
  ['airline', 'proof', 'fareBasis in the extensions of booked segments', 'booking.flightSegment', has('fareBasis')],
  ['airline', 'proof', 'fareRule on booked segments', 'booking.flightSegment', has('fareRule')],
  ['airline', 'proof', 'operations on booked segments', 'booking.flightSegment', has('operations')],
  ['rail', 'hint', 'carriers of three characters', 'search', carrierOf(3)],
  ['rail', 'hint', 'isocurrency in the point of sale', '', spelt('isocurrency')],
  ['airline', 'hint', 'carriers of two characters', 'search', carrierOf(2)],
  ['airline', 'hint', 'isoCurrency in the point of sale', '', spelt('isoCurrency')],
  ['airline', 'hint', 'fare codes without flightSegmentRPH', 'search.fareBasisCode', lacks('flightSegmentRPH')],
  ['airline', 'hint', 'options without rph', 'search.originDestinationOption', lacks('rph')],
  ['airline', 'hint', 'taxes without amount', 'search.taxes', lacks('amount')],
];

export type DialectFacts = ReturnType<typeof dialectFacts>;

/** @param replies the JSON of each; undefined if there is none */
export function dialectFacts(replies: { readonly search: unknown; readonly booking: unknown }) {
  const at = (path: string) =>
    path.split('.').reduce((parts: readonly unknown[], name) => (name === '' ? parts : all(parts, name)), [replies]);
  const seen = EVIDENCE.filter(([, , , path, isSeen]) => isSeen(at(path)));
  const facts = (of: Dialect, strength: 'proof' | 'hint'): readonly string[] =>
    seen.filter((one) => one[0] === of && one[1] === strength).map(([, , fact]) => fact);
  const proofs = { rail: facts('rail', 'proof'), airline: facts('airline', 'proof') };
  const hints = { rail: facts('rail', 'hint'), airline: facts('airline', 'hint') };
  const [rail, airline] = [proofs.rail.length > 0, proofs.airline.length > 0];
  const dialect: Dialect | undefined = rail === airline ? undefined : rail ? 'rail' : 'airline';
  return { dialect, proofs, hints };
}

export function carriersOf(body: unknown): readonly string[] {
  const airlines = ['operatingAirline', 'marketingAirline'].flatMap((name) => all(body, name)).flatMap(records);
  return [...new Set(airlines.flatMap(({ code }) => texts(code)))].filter((code) => /^[A-Z0-9]{2,3}$/.test(code));
}

export function judgeDialect({ dialect, proofs, hints }: DialectFacts, set: Dialect): Verdict {
  const seenOf = (one: Dialect): string => [...proofs[one], ...hints[one]].join(', ');
  if (dialect === undefined) {
    const dialects = (['rail', 'airline'] as const).filter((one) => seenOf(one) !== '');
    const seen = dialects.map((one) => ` Of the ${one} dialect: ${seenOf(one)}.`).join('');
    return unclear(`The replies do not tell the dialect. FARECLERK_DIALECT is ${set}.${seen}`);
  }
  const against = hints[dialect === 'rail' ? 'airline' : 'rail'].join(', ');
  const evidence = `Seen: ${seenOf(dialect)}.${against === '' ? '' : ` Unusual for it: ${against}.`}`;
  if (dialect === set) return good(`Replies are in the ${dialect} dialect, as set. ${evidence}`);
  return finding('other_dialect', { dialect, set, evidence });
}
