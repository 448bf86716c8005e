/**
 * Checks in the raw JSON of a search reply what our decoders expect of price rows and fare codes (docs/wire/notes.md,
 * Fares and prices).
 */
import type { FareSearchResult } from '../../domain/pricing/fare-search.ts';
import { amount, fareCurrency, sumOf } from '../../ota/messages/parts/money.ts';
import { record, records, text, texts, type Wire } from '../../ota/messages/parts/reader.ts';
import { type CheckOutcome, counted, good, listed } from './check.ts';
import { finding } from './findings.ts';
import { all } from './reply-facts.ts';

interface Segment {
  readonly ref: string;
  readonly wire: Wire;
}

export const segmentsOf = (body: unknown): readonly Segment[] =>
  all(body, 'flightSegment')
    .flatMap(records)
    .filter((wire) => wire.departureAirport !== undefined)
    .map((wire, i) => ({ ref: text(wire.rph) ?? String(i + 1), wire }));

export const itinerariesOf = (body: unknown): readonly Wire[] => all(body, 'pricedItinerary').flatMap(records);
/** The fare code on the segment itself. */
export const fareOf = (wire: Wire): string | undefined => text(wire.fareBasisCode) ?? text(all(wire, 'fareBasis')[0]);
const refsOf = (row: Wire): readonly string[] => all(row, 'flightRefNumberRPHList').flatMap(texts);

export type RowFacts = ReturnType<typeof rowFacts>;

/** `otherClass` counts itineraries with rows of another class than their segments'; `unnamed` rows name no segment. */
export function rowFacts(body: unknown) {
  const offers = itinerariesOf(body).map((itinerary) => {
    const segments = segmentsOf(itinerary);
    const rows = all(itinerary, 'ptcfareBreakdown').flatMap(records);
    const own = rows.filter((row) => isOf(row, segments));
    const codes = codesOf(itinerary, segments, own);
    const coded = segments.filter(({ ref }) => codes.some((code) => code.ref === ref));
    return { segments, rows, own, codes, coded, sum: addedUp(itinerary, own) };
  });
  const rows = offers.flatMap((offer) => offer.rows);
  const sums = (outcome: Sum): number => offers.filter(({ sum }) => sum === outcome).length;
  return {
    itineraries: offers.length,
    rows: rows.length,
    single: rows.filter((row) => refsOf(row).length === 1).length,
    unnamed: rows.filter((row) => refsOf(row).length === 0).length,
    otherClass: offers.filter((offer) => offer.own.length < offer.rows.length).length,
    segments: offers.flatMap(({ segments }) => segments).length,
    coded: offers.flatMap(({ coded }) => coded).length,
    places: [...new Set(offers.flatMap(({ codes }) => codes.map(({ place }) => place)))],
    sums: { fit: sums('fit'), differ: sums('differ'), unknown: sums('unknown') },
  };
}

/** A row that names a class counts only if its segment has that class. */
function isOf(row: Wire, segments: readonly Segment[]): boolean {
  const named = all(all(row, 'fareReference'), 'resBookDesigCode').flatMap(texts);
  const refs = refsOf(row);
  const own = segments.filter(({ ref }) => refs.length === 0 || refs.includes(ref));
  return named.length === 0 || own.some(({ wire }) => named.includes(text(wire.resBookDesigCode) ?? ''));
}

/** Lists each segment that has a fare code, with the place of that code. */
function codesOf(itinerary: Wire, segments: readonly Segment[], rows: readonly Wire[]) {
  const every = segments.map(({ ref }) => ref);
  const at = (place: string, refs: readonly string[]) => refs.map((ref) => ({ place, ref }));
  const inRow = (row: Wire, code: Wire) => {
    const places = [
      at('flightSegmentRPH', texts(code.flightSegmentRPH)),
      at('flightRefNumberRPHList', refsOf(row)),
      at('ticketDesignators', all(row, 'flightRefRPH').flatMap(texts)),
    ];
    return places.find((found) => found.length > 0) ?? at('rows that name no segment', every);
  };
  const inRows = rows.flatMap((row) =>
    all(row, 'fareBasisCode')
      .flatMap(records)
      .flatMap((code) => inRow(row, code)),
  );
  const fares = all(all(itinerary, 'fareInfos'), 'fareReference').flatMap((one) => texts(record(one).value));
  const inFares = rows.length === 0 ? at('fareInfos', every.slice(0, fares.length)) : [];
  const inSegments = segments.filter(({ wire }) => fareOf(wire) !== undefined).map(({ ref }) => ref);
  return [...inRows, ...inFares, ...at('the segment', inSegments)];
}

type Sum = 'fit' | 'differ' | 'unknown';

/** Whether the rows that count add up to the first total; refunds are no prices. */
function addedUp(itinerary: Wire, rows: readonly Wire[]): Sum {
  const price = (fares: readonly unknown[]) => {
    const fare = fares.flatMap(records).find(({ usage }) => text(usage)?.toLowerCase() !== 'refund');
    return fare && amount(fare.totalFare, fareCurrency(fare));
  };
  const total = price(all(itinerary, 'itinTotalFare'));
  const parts = rows.flatMap((row) => price([row.passengerFare]) ?? []);
  if (total === undefined || parts.length === 0 || parts.length < rows.length) return 'unknown';
  return sumOf(parts, total.currency)?.minor === total.minor ? 'fit' : 'differ';
}

/** @param read what our decoder made of the same reply; undefined if it could not read it */
export function judgeRows(facts: RowFacts, read: FareSearchResult | undefined): CheckOutcome {
  const { itineraries, rows, single, unnamed, otherClass, segments, coded, places, sums } = facts;
  const wide = rows - single - unnamed;
  const said = [
    `${counted(itineraries, 'offer')} with ${counted(rows, 'price row')}`,
    rows > 0 && single === rows && 'each row is of one passenger type and one segment',
    wide > 0 && `several segments in ${counted(wide, 'row')}, so the price of each is unknown`,
    unnamed > 0 && `no segment named in ${counted(unnamed, 'row')}, so the price of each is unknown`,
    `fare codes for ${coded} of ${counted(segments, 'segment')}${places.length > 0 ? ` (from ${places.join(', ')})` : ''}`,
    otherClass > 0 && `rows of another class, which do not count, in ${counted(otherClass, 'offer')}`,
    otherClass === 0 && 'no rows of another class',
    `the rows add up to the first total in ${counted(sums.fit, 'offer')}`,
    sums.differ > 0 && `not in ${sums.differ}`,
    sums.unknown > 0 && `no prices to add in ${sums.unknown}`,
  ];
  const offers = read?.offers ?? [];
  const found = offers.flatMap(({ options }) => options.flatMap((option) => option.segments));
  const fewerCodes = found.filter(({ fareBasis }) => fareBasis !== undefined).length < coded;
  const missed = listed(
    [
      coded < segments && 'A segment without a fare code cannot be booked at the price shown.',
      offers.length < itineraries && `fareclerk reads ${offers.length} of ${counted(itineraries, 'offer')}.`,
      offers.length >= itineraries && fewerCodes && 'fareclerk reads fewer fare codes than the reply holds.',
      sums.differ > 0 && 'Where rows and total differ, no prices per passenger type are shown.',
    ],
    ' ',
  );
  const text = `One search: ${listed(said)}.`;
  return missed === '' ? good(text) : finding('fares_unclear', { text: `${text} ${missed}` });
}
