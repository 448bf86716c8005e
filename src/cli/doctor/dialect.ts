/** Recognises the dialect from the airline's own replies (docs/wire/notes.md, Confidence and precedence). */
import type { AirlineConfig } from '../../config/load.ts';
import { records, texts } from '../../ota/messages/parts/reader.ts';
import { isObject } from '../../ota/transport/json.ts';
import { type CheckOutcome, good, unclear } from './check.ts';
import { finding } from './findings.ts';
import { all } from './reply-facts.ts';

type Dialect = AirlineConfig['dialect'];
type Seen = (parts: readonly unknown[]) => boolean;

const isSent: Seen = (parts) => parts.some((one) => one !== '');
function spells(name: string): Seen {
  return (parts) => all(parts, name, true).length > 0;
}
function lacks(name: string): Seen {
  return (parts) => parts.some((one) => isObject(one) && !(name in one));
}
function hasCarrierOf(length: number): Seen {
  return (parts) => carriersOf(parts).some((code) => code.length === length);
}

/** `path` names where to look. Only one dialect sends a proof; both send a hint, one of them more often. */
const EVIDENCE: readonly (readonly [Dialect, 'proof' | 'hint', fact: string, path: string, seen?: Seen])[] = [
  ['rail', 'proof', 'fare codes with flightSegmentRPH', 'search.fareBasisCode.flightSegmentRPH'],
  ['rail', 'proof', 'fareBasisCode on booked segments', 'booking.flightSegment.fareBasisCode'],
  ['rail', 'proof', 'a coach beside seats', 'booking.coach'],
  ['rail', 'proof', 'a contact traveller (CTC)', 'booking.passengerTypeCode', (parts) => parts.includes('CTC')],
  ['airline', 'proof', 'priceGroup on segments', 'search.flightSegment.priceGroup'],
  ['airline', 'proof', 'travellers named in price rows of a search', 'search.ptcfareBreakdown.travelerRefNumber.rph'],
  ['airline', 'proof', 'fareBasis in the extensions of booked segments', 'booking.flightSegment.fareBasis'],
  ['airline', 'proof', 'fareRule on booked segments', 'booking.flightSegment.fareRule'],
  ['airline', 'proof', 'operations on booked segments', 'booking.flightSegment.operations'],
  ['rail', 'hint', 'carriers of three characters', 'search', hasCarrierOf(3)],
  ['rail', 'hint', 'isocurrency in the point of sale', '', spells('isocurrency')],
  ['airline', 'hint', 'carriers of two characters', 'search', hasCarrierOf(2)],
  ['airline', 'hint', 'isoCurrency in the point of sale', '', spells('isoCurrency')],
  ['airline', 'hint', 'fare codes without flightSegmentRPH', 'search.fareBasisCode', lacks('flightSegmentRPH')],
  ['airline', 'hint', 'options without rph', 'search.originDestinationOption', lacks('rph')],
  ['airline', 'hint', 'taxes without amount', 'search.taxes', lacks('amount')],
];

export type DialectFacts = ReturnType<typeof dialectFacts>;

/** @param replies the JSON of each; undefined if there is none */
export function dialectFacts(replies: { readonly search: unknown; readonly booking: unknown }) {
  const at = (path: string) =>
    path.split('.').reduce((parts: readonly unknown[], name) => (name === '' ? parts : all(parts, name)), [replies]);
  const seen = EVIDENCE.filter(([, , , path, test = isSent]) => test(at(path)));
  const facts = (strength: 'proof' | 'hint'): Readonly<Record<Dialect, readonly string[]>> => {
    const factsOf = (dialect: Dialect) =>
      seen.filter((one) => one[0] === dialect && one[1] === strength).map(([, , fact]) => fact);
    return { rail: factsOf('rail'), airline: factsOf('airline') };
  };
  const [proofs, hints] = [facts('proof'), facts('hint')];
  const [rail, airline] = [proofs.rail.length > 0, proofs.airline.length > 0];
  const dialect: Dialect | undefined = rail === airline ? undefined : rail ? 'rail' : 'airline';
  return { dialect, proofs, hints };
}

export function carriersOf(body: unknown): readonly string[] {
  const airlines = ['operatingAirline', 'marketingAirline'].flatMap((name) => all(body, name)).flatMap(records);
  return [...new Set(airlines.flatMap(({ code }) => texts(code)))].filter((code) => /^[A-Z0-9]{2,3}$/.test(code));
}

export function judgeDialect({ dialect, proofs, hints }: DialectFacts, set: Dialect): CheckOutcome {
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
