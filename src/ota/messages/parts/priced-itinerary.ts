/**
 * `pricedItineraries.pricedItinerary[]`: search results, and the answer to a booking from counts.
 */

import type { Segment, SegmentOption } from '../../../domain/booking/itinerary.ts';
import type { Pricing, TypePrice } from '../../../domain/pricing/fare.ts';
import type { Offer } from '../../../domain/pricing/fare-search.ts';
import { sameMoney, sumMoney } from '../../../domain/pricing/money.ts';
import { isOfClasses, withChosenFares } from './chosen-fare.ts';
import { branches, pricingOf, rowSegments } from './price-info.ts';
import { count, defined, extensions, isRecord, records, text, texts, type Wire } from './reader.ts';
import { readFares } from './rules.ts';
import { readOptions } from './segment.ts';

const NO_PRICING: Pricing = { refunds: [], fares: [], perType: [] };

/** Classes that a price row names: `fareInfo[].fareReference[].resBookDesigCode`. */
function classesOf(row: Wire): ReadonlySet<string> {
  const references = records(row.fareInfo).flatMap((info) => records(info.fareReference));
  return new Set(references.flatMap((reference) => text(reference.resBookDesigCode) ?? []));
}

/**
 * Rows of another class can stand beside the offer's own: a row counts only where it names no class, or that of its
 * segments (docs/wire/notes.md, Fares and prices).
 */
function counts(row: Wire, segments: readonly Segment[]): boolean {
  const classes = classesOf(row);
  if (classes.size === 0) return true;
  const refs = rowSegments(row);
  const own = segments.filter(({ ref }) => refs.length === 0 || refs.includes(ref));
  return own.every(({ bookingClass }) => bookingClass === undefined || classes.has(bookingClass));
}

/** Rows that do not add up to the total tell something else: then there are no prices by type. */
function addUp(rows: readonly TypePrice[], { total }: Pricing): boolean {
  const totals = rows.flatMap(({ price }) => price?.total ?? []);
  const sum = totals.length === rows.length ? sumMoney(totals) : undefined;
  return sum !== undefined && total !== undefined && sameMoney(sum, total.total);
}

/** The family name of a fare (airline extensions of a fare info). */
function familyOf(infos: readonly Wire[]): string | undefined {
  for (const info of infos) {
    const name = text(extensions(info).priceGroup);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The options with the fares of the pricing branch `info` and its rows; `perType` is what the rows were read as. */
export function withFares(
  options: readonly SegmentOption[],
  info: Wire,
  rows: readonly Wire[],
  perType: readonly TypePrice[],
): SegmentOption[] {
  const own = perType.map((row, i) => ({ row, name: familyOf(records(rows[i]?.fareInfo)) }));
  const infos = records(isRecord(info.fareInfos) ? info.fareInfos.fareInfo : info.fareInfos);
  const components = readFares(infos, undefined).map((fare, i) => ({ fare, name: familyOf(infos.slice(i, i + 1)) }));
  return withChosenFares(options, own, components);
}

function readItinerary(wire: Wire): Offer {
  const { info, rows } = branches(wire);
  const options = readOptions(wire.airItinerary, 'place');
  const segments = options.flatMap((option) => option.segments);
  const counted = rows.filter((row) => counts(row, segments));
  const pricing = pricingOf(wire, info, counted) ?? NO_PRICING;
  return defined({
    options: withFares(options, info, counted, pricing.perType),
    pricing: {
      ...pricing,
      fares: pricing.fares.filter((fare) => isOfClasses(fare, segments)),
      perType: addUp(pricing.perType, pricing) ? pricing.perType : [],
    },
    notes: texts(wire.notes),
    sequence: count(wire.sequenceNumber),
  });
}

/** `pricedItineraries{pricedItinerary[]}` or the bare array. */
export function readPricedItineraries(value: unknown): Offer[] {
  return records(isRecord(value) ? value.pricedItinerary : value).map(readItinerary);
}
