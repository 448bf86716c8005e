/**
 * `pricedItineraries.pricedItinerary[]` with the fare of each segment: search results, and replies to bookings from
 * counts.
 */
import { sameMoney, sumMoney } from '../../core/money.ts';
import { isObject } from '../../core/own.ts';
import type { Segment, SegmentOption } from '../../domain/booking/booking.ts';
import type { Pricing, TypePrice } from '../../domain/pricing/fare.ts';
import { codesBySegment, leadingRows } from '../../domain/pricing/fare-basis-codes.ts';
import type { Offer } from '../../domain/pricing/offers.ts';
import { type FarePlace, pricingBranches, readFarePlace, readPricing, rowSegments } from './price.ts';
import { extensions, readAll, readCount, readDecimal, record, records, text, texts, type Wire } from './reader.ts';
import { readOptions } from './segment.ts';

const NO_PRICING: Pricing = { refunds: [], fares: [], perType: [] };

/** Classes that a price row names: `fareInfo[].fareReference[].resBookDesigCode`. */
function namedClasses(row: Wire): ReadonlySet<string> {
  const references = records(row.fareInfo).flatMap((info) => records(info.fareReference));
  return new Set(references.flatMap((reference) => text(reference.resBookDesigCode) ?? []));
}

/** Whether a row is of the offer's class, or names none (docs/wire/notes.md, Fares and prices). */
function isOfOfferClass(row: Wire, segments: readonly Segment[]): boolean {
  const classes = namedClasses(row);
  if (classes.size === 0) return true;
  const refs = rowSegments(row);
  const segmentsOfRow = segments.filter(({ ref }) => refs.length === 0 || refs.includes(ref));
  return segmentsOfRow.every(({ bookingClass }) => bookingClass === undefined || classes.has(bookingClass));
}

/** Whether the rows add up to the total: otherwise there are no prices by type. */
function rowsAddUp(rows: readonly TypePrice[], { total }: Pricing): boolean {
  const totals = rows.flatMap(({ price }) => price?.total ?? []);
  const sum = totals.length === rows.length ? sumMoney(totals) : undefined;
  return sum !== undefined && total !== undefined && sameMoney(sum, total.total);
}

/** The name of a fare family, from the extensions of the fare infos. */
function fareFamily(infos: unknown): string | undefined {
  return readAll(infos, (info) => text(extensions(info).priceGroup))[0];
}

/** Adds the fares of the pricing branch `info` to the options. `perType`: its rows as read. */
export function withFares(
  options: readonly SegmentOption[],
  info: Wire,
  rows: readonly Wire[],
  perType: readonly TypePrice[],
): SegmentOption[] {
  const familyRows = perType.map((row, i) => ({ row, name: fareFamily(rows[i]?.fareInfo) }));
  const infos = records(isObject(info.fareInfos) ? info.fareInfos.fareInfo : info.fareInfos);
  const components = infos.map((info) => ({ fare: readFarePlace(info), name: fareFamily(info) }));
  return withChosenFares(options, familyRows, components);
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
    sequence: readCount(wire.sequenceNumber),
  };
}

/** `pricedItineraries{pricedItinerary[]}` or the bare array. */
export function readPricedItineraries(value: unknown): Offer[] {
  return records(isObject(value) ? value.pricedItinerary : value).map(readItinerary);
}

/** `totalFare` of the first fare, if that is no refund. */
function firstTotal(itinerary: Wire): Wire | undefined {
  const fare = record(record(itinerary.airItineraryPricingInfo).itinTotalFare);
  return fare.usage === undefined ? record(fare.totalFare) : undefined;
}

/** Plain numbers below this can be compared as they are. */
const EXACT_BELOW = 1e15;

/** NaN without an amount. Nearly all are plain numbers, and a search has hundreds. */
function comparableAmount(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value < EXACT_BELOW ? value : Number(readDecimal(value));
}

/**
 * Keeps the `most` cheapest itineraries of a search reply, in their order, by the total that each states. Nothing else
 * of the others is read. Keeps all if one states no total or two state different currencies.
 */
export function cheapestItineraries(body: Wire, most: number): { readonly body: Wire; readonly left: number } {
  const holder = isObject(body.pricedItineraries) ? body.pricedItineraries : {};
  const all = Array.isArray(holder.pricedItinerary) ? holder.pricedItinerary.filter(isObject) : [];
  if (all.length <= most) return { body, left: 0 };
  const totals = new Float64Array(all.length);
  const firstCurrency = firstTotal(all[0] ?? {})?.currencyCode;
  const currency = text(firstCurrency);
  for (const [i, itinerary] of all.entries()) {
    const { amount, currencyCode } = firstTotal(itinerary) ?? {};
    const total = comparableAmount(amount);
    const isComparable = currencyCode === firstCurrency || text(currencyCode) === currency;
    if (currency === undefined || !isComparable || Number.isNaN(total)) return { body, left: 0 };
    totals[i] = total;
  }
  const dearest = totals.toSorted()[most - 1] ?? 0;
  // Of several that cost the same as the dearest one kept, the first ones are kept.
  let room = most - totals.filter((total) => total < dearest).length;
  const pricedItinerary = all.filter((_, i) => {
    const total = totals[i] ?? 0;
    return total < dearest || (total === dearest && room-- > 0);
  });
  return { body: { ...body, pricedItineraries: { ...holder, pricedItinerary } }, left: all.length - most };
}

interface FareRow {
  readonly row: TypePrice;
  /** The fare family. */
  readonly name: string | undefined;
}

interface NamedComponent {
  readonly fare: FarePlace;
  readonly name: string | undefined;
}

interface ChosenFare {
  readonly code?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * The options with the fare of each segment. A segment's own fare wins. Searches and rail holds name it in the price
 * rows, or in `fareInfos` in the order of the segments (docs/wire/notes.md, Fares and prices). Ambiguous codes are
 * left out.
 */
function withChosenFares(
  options: readonly SegmentOption[],
  rows: readonly FareRow[],
  components: readonly NamedComponent[],
): SegmentOption[] {
  const segments = options.flatMap((option) => option.segments);
  const refs = segments.map(({ ref }) => ref);
  const byRow = codesBySegment(
    rows.map(({ row }) => row),
    refs,
  );
  const names = namesOfRows(segments, rows);
  const inOrder = faresInOrder(segments, components);
  const chosen = new Map(
    segments.map((segment, i) => {
      // Two segments may share a pointer: then its row belongs to neither.
      const isUnique = refs.filter((ref) => ref === segment.ref).length === 1;
      const codes = isUnique ? byRow.get(segment.ref) : undefined;
      const name = isUnique ? names.get(segment.ref) : undefined;
      // Two codes for the same passengers are ambiguous.
      const sole = codes?.size === 1 ? [...codes][0] : undefined;
      const fareCode = codes === undefined ? inOrder?.[i]?.code : sole;
      return [segment, { code: fareCode, name: name ?? inOrder?.[i]?.name }];
    }),
  );
  return options.map((option) => ({
    ...option,
    segments: option.segments.map((segment) => {
      const { code, name } = chosen.get(segment) ?? {};
      return { ...segment, fareBasis: segment.fareBasis ?? code, fareName: segment.fareName ?? name };
    }),
  }));
}

function namesOfRows(segments: readonly Segment[], rows: readonly FareRow[]): ReadonlyMap<string, string> {
  const refs = segments.map(({ ref }) => ref);
  const names = new Map<string, string>();
  for (const { row, name } of leadingRows(rows, (fareRow) => fareRow.row.type)) {
    if (name === undefined) continue;
    for (const ref of row.segmentRefs.length > 0 ? row.segmentRefs : refs) names.set(ref, names.get(ref) ?? name);
  }
  return names;
}

/**
 * `fareInfos` in the order of the segments. The airports only verify: a trip can contain a city pair twice. Undefined
 * if they do not fit, or if the list covers the trip twice with different codes.
 */
function faresInOrder(
  segments: readonly Segment[],
  components: readonly NamedComponent[],
): readonly ChosenFare[] | undefined {
  const passes: ChosenFare[][] = [[]];
  for (const { fare, name } of components) {
    // Items without airports are surplus, and those of another class belong to another offer.
    if (fare.from === undefined || fare.to === undefined || !isOfClasses(fare, segments)) continue;
    if (passes.at(-1)?.length === segments.length) passes.push([]);
    const pass = passes.at(-1) ?? [];
    const uncovered = segments.slice(pass.length);
    const length = uncovered.findIndex(({ to }) => to === fare.to) + 1;
    if (length === 0 || uncovered[0]?.from !== fare.from) return undefined;
    const covered = uncovered.slice(0, length);
    pass.push(...covered.map((segment, i) => ({ code: fareCode(fare, segment, i, length), name })));
  }
  const [first] = passes;
  const isComplete = passes.every((pass) => pass.length === segments.length);
  const agreed = passes.every((pass) => pass.every(({ code }, i) => code === first?.[i]?.code));
  return isComplete && agreed ? first : undefined;
}

function fareCode(fare: FarePlace, segment: Segment, index: number, length: number): string | undefined {
  const fitting = fare.references.filter((reference) => isOfClass(reference, segment));
  const codes = new Set(fitting.map(({ code }) => code));
  if (codes.size === 1) return [...codes][0];
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
