/**
 * How a search reply prices its itineraries, read from the JSON as it came (docs/wire/notes.md, Fares and prices): what
 * our decoders expect of price rows and fare codes must hold for this airline.
 */
import type { FareSearchResult } from '../../domain/pricing/fare-search.ts';
import { amount, fareCurrency, sumOf } from '../../ota/messages/parts/money.ts';
import { record, records, text, texts, type Wire } from '../../ota/messages/parts/reader.ts';
import { counted, good, type Verdict, warning } from './check.ts';
import { all } from './signs.ts';

/** Where the fare code of a segment stands, the surest place first. */
const PLACES = [
  'flightSegmentRPH',
  'flightRefNumberRPHList',
  'ticketDesignators',
  'rows that name no segment',
  'fareInfos',
  'the segment',
] as const;
type Place = (typeof PLACES)[number];

export interface RowFacts {
  itineraries: number;
  rows: number;
  /** Rows of one passenger type and one segment. */
  single: number;
  /** Rows that name no segment at all. */
  unnamed: number;
  /** Itineraries with rows of a class that is not its segment's. */
  otherClass: number;
  segments: number;
  /** Segments with a fare code, and places where codes stand. */
  coded: number;
  places: Place[];
  /** Itineraries whose counted rows add up to the first total, differ from it, or hold no prices to add. */
  sums: { fit: number; differ: number; unknown: number };
}

interface Part {
  readonly ref: string;
  readonly wire: Wire;
}

export const segmentsOf = (body: unknown): readonly Part[] =>
  all(body, 'flightSegment')
    .flatMap(records)
    .filter((wire) => wire.departureAirport !== undefined)
    .map((wire, i) => ({ ref: text(wire.rph) ?? String(i + 1), wire }));

export const itinerariesOf = (body: unknown): readonly Wire[] => all(body, 'pricedItinerary').flatMap(records);
export const rowsOf = (body: unknown): readonly Wire[] => all(body, 'ptcfareBreakdown').flatMap(records);
/** The fare code that a segment itself bears. */
export const fareOf = (wire: Wire): string | undefined => text(wire.fareBasisCode) ?? text(all(wire, 'fareBasis')[0]);
const refsOf = (row: Wire): readonly string[] => all(row, 'flightRefNumberRPHList').flatMap(texts);

export function rowFacts(body: unknown): RowFacts {
  const sums = { fit: 0, differ: 0, unknown: 0 };
  const facts: RowFacts = {
    ...{ itineraries: 0, rows: 0, single: 0, unnamed: 0, otherClass: 0, segments: 0, coded: 0 },
    ...{ places: [], sums },
  };
  const places = new Set<Place>();
  for (const itinerary of itinerariesOf(body)) {
    const [segments, rows] = [segmentsOf(itinerary), rowsOf(itinerary)];
    const counted = rows.filter((row) => isOf(row, segments));
    const coded = codes(itinerary, segments, counted, places);
    facts.itineraries += 1;
    facts.rows += rows.length;
    facts.single += rows.filter((row) => refsOf(row).length === 1).length;
    facts.unnamed += rows.filter((row) => refsOf(row).length === 0).length;
    facts.otherClass += counted.length < rows.length ? 1 : 0;
    facts.segments += segments.length;
    facts.coded += segments.filter(({ ref }) => coded.has(ref)).length;
    sums[addedUp(itinerary, counted)] += 1;
  }
  facts.places = PLACES.filter((place) => places.has(place));
  return facts;
}

/** A row that names a class counts only where it is that of its segment. */
function isOf(row: Wire, segments: readonly Part[]): boolean {
  const named = all(row, 'fareReference').flatMap((one) =>
    records(one).flatMap((each) => texts(each.resBookDesigCode)),
  );
  const refs = refsOf(row);
  const own = segments.filter(({ ref }) => refs.length === 0 || refs.includes(ref));
  return named.length === 0 || own.some(({ wire }) => named.includes(text(wire.resBookDesigCode) ?? ''));
}

/** Pointers of the segments whose fare code is known. */
function codes(itinerary: Wire, segments: readonly Part[], rows: readonly Wire[], places: Set<Place>): Set<string> {
  const coded = new Set<string>();
  const note = (place: Place, refs: readonly string[]): void => {
    if (refs.length > 0) places.add(place);
    for (const ref of refs) coded.add(ref);
  };
  const every = segments.map(({ ref }) => ref);
  for (const row of rows) {
    for (const code of all(row, 'fareBasisCode').flatMap(records)) {
      const own = texts(code.flightSegmentRPH);
      const designated = all(row, 'flightRefRPH').flatMap(texts);
      if (own.length > 0) note('flightSegmentRPH', own);
      else if (refsOf(row).length > 0) note('flightRefNumberRPHList', refsOf(row));
      else if (designated.length > 0) note('ticketDesignators', designated);
      else note('rows that name no segment', every);
    }
  }
  const named = all(all(itinerary, 'fareInfos'), 'fareReference').flatMap((one) => texts(record(one).value));
  if (rows.length === 0) note('fareInfos', every.slice(0, named.length));
  const own = segments.flatMap(({ ref, wire }) => (fareOf(wire) === undefined ? [] : [ref]));
  note('the segment', own);
  return coded;
}

/** Whether the rows that count add up to the first total; refunds are no prices. */
function addedUp(itinerary: Wire, rows: readonly Wire[]): keyof RowFacts['sums'] {
  const price = (fares: readonly unknown[]) => {
    const fare = fares.flatMap(records).find(({ usage }) => text(usage)?.toLowerCase() !== 'refund');
    return fare && amount(fare.totalFare, fareCurrency(fare));
  };
  const total = price(all(itinerary, 'itinTotalFare'));
  const parts = rows.flatMap((row) => price([row.passengerFare]) ?? []);
  if (total === undefined || parts.length === 0 || parts.length < rows.length) return 'unknown';
  return sumOf(parts, total.currency)?.minor === total.minor ? 'fit' : 'differ';
}

/** @param read what our decoder made of the same reply, where it could be read */
export function judgeRows(facts: RowFacts, read: FareSearchResult | undefined): Verdict {
  const { itineraries, rows, single, unnamed, otherClass, segments, coded, places, sums } = facts;
  const wide = rows - single - unnamed;
  const said = [
    `${counted(itineraries, 'offer')} with ${counted(rows, 'price row')}`,
    rows > 0 && single === rows ? 'each row is of one passenger type and one segment' : '',
    wide > 0 ? `several segments in ${counted(wide, 'row')}, so the price of each is unknown` : '',
    unnamed > 0 ? `no segment named in ${counted(unnamed, 'row')}, so the price of each is unknown` : '',
    `fare codes for ${coded} of ${counted(segments, 'segment')}${places.length > 0 ? ` (from ${places.join(', ')})` : ''}`,
    otherClass > 0
      ? `rows of another class, which do not count, in ${counted(otherClass, 'offer')}`
      : 'no rows of another class',
    `the rows add up to the first total in ${counted(sums.fit, 'offer')}`,
    sums.differ > 0 ? `not in ${sums.differ}` : '',
    sums.unknown > 0 ? `no prices to add in ${sums.unknown}` : '',
  ].filter((part) => part !== '');
  const found = read?.offers.flatMap(({ options }) => options.flatMap((option) => option.segments)) ?? [];
  const missed = [
    coded < segments ? 'A segment without a fare code cannot be booked at the price shown.' : '',
    read === undefined || read.offers.length < itineraries
      ? `fareclerk reads ${read?.offers.length ?? 0} of ${counted(itineraries, 'offer')}.`
      : found.filter(({ fareBasis }) => fareBasis !== undefined).length < coded
        ? 'fareclerk reads fewer fare codes than the reply holds.'
        : '',
    sums.differ > 0 ? 'Where rows and total differ, no prices per passenger type are shown.' : '',
  ].filter((part) => part !== '');
  const text = `One search: ${said.join('; ')}.`;
  if (missed.length === 0) return good(text);
  return warning('fares_unclear', `${text} ${missed.join(' ')}`, 'Send the report to support.');
}
