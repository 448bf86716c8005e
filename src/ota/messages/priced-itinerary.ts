/**
 * `pricedItineraries.pricedItinerary[]` with the fare of each segment: search results, and replies to bookings from
 * counts. First how itineraries are read, then how segments get their fares, then which itineraries are read at all.
 */
import { sameMoney, sumIfAllKnown } from '../../core/money.ts';
import { isObject } from '../../core/own.ts';
import type { Segment, SegmentOption } from '../../domain/booking/booking.ts';
import type { Pricing, TypePrice } from '../../domain/booking/fare.ts';
import type { Offer } from '../../domain/booking/offers.ts';
import { type FarePlace, pricingBranches, readFarePlace, readPricing, rowSegments } from './price.ts';
import { extensions, readAll, readDecimal, record, records, text, texts, type Wire } from './reader.ts';
import { readOptions } from './segment.ts';

const NO_PRICING: Pricing = { refunds: [], fares: [], perType: [] };

/** Plain numbers below this can be compared as they are. */
const EXACT_BELOW = 1e15;

const ADULT = 'ADT';

/** A price row, and the name of its fare family. */
interface FareRow {
  readonly row: TypePrice;
  readonly family: string | undefined;
}

/** A fare component, and the name of its fare family. */
interface FareOfFamily {
  readonly fare: FarePlace;
  readonly family: string | undefined;
}

/** The fare that a segment gets: its fare basis code, and the name of its family. */
interface ChosenFare {
  readonly code?: string | undefined;
  readonly family?: string | undefined;
}

/** `pricedItineraries{pricedItinerary[]}` or the bare array. */
export function readPricedItineraries(value: unknown): Offer[] {
  return records(isObject(value) ? value.pricedItinerary : value).map(readItinerary);
}

function readItinerary(wire: Wire): Offer {
  const { info, rows } = pricingBranches(wire);
  const options = readOptions(wire.airItinerary, 'place');
  const segments = options.flatMap((option) => option.segments);
  const offerRows = rows.filter((row) => isOfOfferClass(row, segments));
  const pricing = readPricing(wire, info, offerRows) ?? NO_PRICING;

  return {
    options: withFares(options, info, offerRows, pricing.perType),
    pricing: {
      ...pricing,
      fares: pricing.fares.filter((fare) => isOfClasses(fare, segments)),
      perType: rowsAddUp(pricing.perType, pricing) ? pricing.perType : [],
    },
    notes: texts(wire.notes),
  };
}

/** Reads the classes that a price row names: `fareInfo[].fareReference[].resBookDesigCode`. */
function readClasses(row: Wire): ReadonlySet<string> {
  const references = records(row.fareInfo).flatMap((info) => records(info.fareReference));
  return new Set(references.flatMap((reference) => text(reference.resBookDesigCode) ?? []));
}

/** Whether a row is of the offer's class, or names none (docs/wire/notes.md, Fares and prices). */
function isOfOfferClass(row: Wire, segments: readonly Segment[]): boolean {
  const classes = readClasses(row);
  if (classes.size === 0) return true;
  const refs = rowSegments(row);
  const segmentsOfRow = segments.filter(({ ref }) => refs.length === 0 || refs.includes(ref));
  return segmentsOfRow.every(({ bookingClass }) => bookingClass === undefined || classes.has(bookingClass));
}

/** Whether the rows add up to the total: otherwise there are no prices by type. */
function rowsAddUp(rows: readonly TypePrice[], { total }: Pricing): boolean {
  const sum = sumIfAllKnown(rows.map(({ price }) => price?.total));
  return sum !== undefined && total !== undefined && sameMoney(sum, total.total);
}

/** Reads the name of the fare family from the extensions of the fare infos. */
function readFareFamily(infos: unknown): string | undefined {
  return readAll(infos, (info) => text(extensions(info).priceGroup))[0];
}

/** Adds the fares of the pricing branch `info` to the options. `perType`: its rows as read. */
export function withFares(
  options: readonly SegmentOption[],
  info: Wire,
  rows: readonly Wire[],
  perType: readonly TypePrice[],
): SegmentOption[] {
  const fareRows = perType.map((row, i) => ({ row, family: readFareFamily(rows[i]?.fareInfo) }));
  const infos = records(isObject(info.fareInfos) ? info.fareInfos.fareInfo : info.fareInfos);
  const fares = infos.map((wire) => ({ fare: readFarePlace(wire), family: readFareFamily(wire) }));
  return withChosenFares(options, fareRows, fares);
}

/**
 * Gives each segment its fare. A segment's own fare wins. Searches and rail holds name it in the price rows, or in
 * `fareInfos` in the order of the segments (docs/wire/notes.md, Fares and prices). Ambiguous codes are left out.
 */
function withChosenFares(
  options: readonly SegmentOption[],
  rows: readonly FareRow[],
  fares: readonly FareOfFamily[],
): SegmentOption[] {
  const chosenFares = chooseFares(options, rows, fares);
  return options.map((option) => ({
    ...option,
    segments: option.segments.map((segment) => {
      const { code, family } = chosenFares.get(segment) ?? {};
      return { ...segment, fareBasis: segment.fareBasis ?? code, fareName: segment.fareName ?? family };
    }),
  }));
}

/** Chooses the fare of each segment: that of its price row, else that of its place in `fareInfos`. */
function chooseFares(
  options: readonly SegmentOption[],
  rows: readonly FareRow[],
  fares: readonly FareOfFamily[],
): ReadonlyMap<Segment, ChosenFare> {
  const segments = options.flatMap((option) => option.segments);
  const refs = segments.map(({ ref }) => ref);
  const priceRows = rows.map(({ row }) => row);
  const codesByRef = codesBySegment(priceRows, refs);
  const familyByRef = familiesBySegment(refs, rows);
  const faresByPlace = faresInOrder(segments, fares);
  const chosenFares = new Map<Segment, ChosenFare>();

  for (const [i, segment] of segments.entries()) {
    // Two segments may share a pointer: then its row belongs to neither.
    const isUnique = refs.filter((ref) => ref === segment.ref).length === 1;
    const codes = isUnique ? codesByRef.get(segment.ref) : undefined;
    const family = isUnique ? familyByRef.get(segment.ref) : undefined;
    const fareByPlace = faresByPlace?.[i];

    chosenFares.set(segment, {
      code: codes === undefined ? fareByPlace?.code : onlyCode(codes),
      family: family ?? fareByPlace?.family,
    });
  }

  return chosenFares;
}

/** The rows whose fare is sent for a segment: types can have different codes, and the adult's is sent. */
function leadingRows<T>(rows: readonly T[], typeOf: (row: T) => string): readonly T[] {
  const types = rows.map(typeOf);
  const leading = types.includes(ADULT) ? ADULT : types[0];
  return rows.filter((_, i) => types[i] === leading);
}

/** Assigns a code to the segment named with it, else to those of its row, else to all. */
function codesOfRow({ fareBasis, segmentRefs }: TypePrice, allRefs: readonly string[]): [string, string][] {
  const placedCodes = fareBasis.flatMap(({ code, segmentRef }): [string, string][] =>
    segmentRef === undefined ? [] : [[segmentRef, code]],
  );

  const codes = fareBasis.filter(({ segmentRef }) => segmentRef === undefined).map(({ code }) => code);
  const covered = segmentRefs.length > 0 ? segmentRefs : allRefs;
  const [only] = codes;
  if (only !== undefined && new Set(codes).size === 1) {
    return [...placedCodes, ...covered.map((ref): [string, string] => [ref, only])];
  }
  if (codes.length !== covered.length) return placedCodes;

  return [...placedCodes, ...covered.map((ref, i): [string, string] => [ref, codes[i] ?? ''])];
}

function codesBySegment(rows: readonly TypePrice[], allRefs: readonly string[]): Map<string, Set<string>> {
  const codes = new Map<string, Set<string>>();
  for (const row of leadingRows(rows, ({ type }) => type)) {
    for (const [ref, code] of codesOfRow(row, allRefs)) codes.set(ref, (codes.get(ref) ?? new Set()).add(code));
  }
  return codes;
}

/** Returns undefined for two codes: which of them the segment has is ambiguous. */
function onlyCode(codes: ReadonlySet<string>): string | undefined {
  const [code] = codes;
  return codes.size === 1 ? code : undefined;
}

/** The fare family of each segment, by its ref: the first that a price row names for it. */
function familiesBySegment(refs: readonly string[], rows: readonly FareRow[]): ReadonlyMap<string, string> {
  const families = new Map<string, string>();
  for (const { row, family } of leadingRows(rows, (fareRow) => fareRow.row.type)) {
    if (family === undefined) continue;
    const refsOfRow = row.segmentRefs.length > 0 ? row.segmentRefs : refs;
    for (const ref of refsOfRow) families.set(ref, families.get(ref) ?? family);
  }
  return families;
}

/**
 * Lays `fareInfos` along the trip, in the order of the segments. A list can cover the trip several times, once in each
 * pass: RUH–MED, RUH–JED, JED–MED covers the trip RUH–JED–MED in two passes. The airports only verify: a trip can contain a city pair twice. Undefined if they do not fit, or if two passes
 * have different codes.
 */
function faresInOrder(segments: readonly Segment[], fares: readonly FareOfFamily[]): readonly ChosenFare[] | undefined {
  const firstPass: ChosenFare[] = [];
  const passes = [firstPass];
  let pass = firstPass;

  for (const { fare, family } of fares) {
    // Items without airports are surplus, and those of another class belong to another offer.
    if (fare.from === undefined || fare.to === undefined || !isOfClasses(fare, segments)) continue;

    if (pass.length === segments.length) {
      pass = [];
      passes.push(pass);
    }

    const uncovered = segments.slice(pass.length);
    const length = uncovered.findIndex(({ to }) => to === fare.to) + 1;
    if (length === 0 || uncovered[0]?.from !== fare.from) return undefined;

    const covered = uncovered.slice(0, length);
    pass.push(...covered.map((segment, i) => ({ code: fareCode(fare, segment, i, length), family })));
  }

  const isComplete = passes.every(({ length }) => length === segments.length);
  const isSameInAll = passes.every((fareList) => fareList.every(({ code }, i) => code === firstPass[i]?.code));
  return isComplete && isSameInAll ? firstPass : undefined;
}

/**
 * Chooses a fare component's code for one of the segments that it covers: the only code of the segment's class, else the
 * code in the segment's place.
 * @param index of the segment among those covered
 * @param length how many segments the component covers
 */
function fareCode(fare: FarePlace, segment: Segment, index: number, length: number): string | undefined {
  const fitting = fare.references.filter((reference) => isOfClass(reference, segment));
  const code = onlyCode(new Set(fitting.map((reference) => reference.code)));
  if (code !== undefined) return code;
  return fare.references.length === length ? fare.references[index]?.code : undefined;
}

function isOfClass({ bookingClass }: FarePlace['references'][number], segment: Segment): boolean {
  return bookingClass === undefined || segment.bookingClass === undefined || bookingClass === segment.bookingClass;
}

/** Whether a fare component names no class, or the class of one of these segments. */
function isOfClasses({ references }: FarePlace, segments: readonly Segment[]): boolean {
  return (
    references.length === 0 || references.some((reference) => segments.some((segment) => isOfClass(reference, segment)))
  );
}

/**
 * Keeps the `most` cheapest itineraries of a search reply, in their order, by the total that each states. `unread` counts
 * the others, of which nothing else is read. Keeps all if one states no total or two state different currencies.
 */
export function cheapestItineraries(body: Wire, most: number): { readonly body: Wire; readonly unread: number } {
  const holder = isObject(body.pricedItineraries) ? body.pricedItineraries : {};
  const itineraries = Array.isArray(holder.pricedItinerary) ? holder.pricedItinerary.filter(isObject) : [];
  if (itineraries.length <= most) return { body, unread: 0 };

  const totals = comparableTotals(itineraries);
  if (totals === undefined) return { body, unread: 0 };

  // The sort is stable: of itineraries with equal totals the first are kept.
  const byTotal = [...totals.entries()].sort(([, a], [, b]) => a - b);
  const cheapest = new Set(byTotal.slice(0, most).map(([index]) => index));
  const pricedItinerary = itineraries.filter((_, i) => cheapest.has(i));
  return { body: { ...body, pricedItineraries: { ...holder, pricedItinerary } }, unread: itineraries.length - most };
}

/** The total of each itinerary; undefined if one states none or two state different currencies. */
function comparableTotals(itineraries: readonly Wire[]): Float64Array | undefined {
  const firstCurrency = firstTotal(itineraries[0] ?? {})?.currencyCode;
  const currency = text(firstCurrency);
  if (currency === undefined) return undefined;

  const totals = new Float64Array(itineraries.length);
  for (const [i, itinerary] of itineraries.entries()) {
    const { amount, currencyCode } = firstTotal(itinerary) ?? {};
    const total = comparableAmount(amount);
    const isComparable = currencyCode === firstCurrency || text(currencyCode) === currency;
    if (!isComparable || total === undefined) return undefined;
    totals[i] = total;
  }

  return totals;
}

/** Returns `totalFare` of the first fare, unless that fare is a refund. */
function firstTotal(itinerary: Wire): Wire | undefined {
  const fare = record(record(itinerary.airItineraryPricingInfo).itinTotalFare);
  return fare.usage === undefined ? record(fare.totalFare) : undefined;
}

/** The amount as a number. Nearly all amounts are plain numbers, and a search has hundreds. */
function comparableAmount(value: unknown): number | undefined {
  if (typeof value === 'number' && value >= 0 && value < EXACT_BELOW) return value;
  const decimal = readDecimal(value);
  return decimal === undefined ? undefined : Number(decimal);
}
