/**
 * `priceInfo` of a reservation, `airItineraryPricingInfo` of a search result: one shape (docs/wire/interface.md,
 * Price).
 */
import type { Pricing, TypePrice } from '../../../domain/pricing/fare.ts';
import { fareCurrency } from './money.ts';
import { readFareList } from './price.ts';
import { count, defined, isRecord, pointers, readPointer, record, records, text, type Wire } from './reader.ts';
import { readFares } from './rules.ts';

function readFareBasis(value: unknown): TypePrice['fareBasis'] {
  const items = isRecord(value) ? value.fareBasisCode : value;
  const found: { code: string; segmentRef?: string }[] = [];
  for (const item of Array.isArray(items) ? items : [items]) {
    const code = text(item);
    if (code !== undefined) found.push(defined({ code, segmentRef: readPointer(record(item).flightSegmentRPH) }));
  }
  return found;
}

/** `flightRefNumberRPHList`, else the segments of its tickets (docs/wire/notes.md, Fares and prices). */
export function rowSegments(row: Wire): string[] {
  const named = pointers(row.flightRefNumberRPHList);
  const designators = records(record(row.ticketDesignators).ticketDesignator);
  const designated = pointers(designators.map((one) => one.flightRefRPH));
  return [...new Set(named.length > 0 ? named : designated)];
}

export function readRow(row: Wire, currency: string | undefined): TypePrice {
  const quantity = record(row.passengerTypeQuantity);
  const { price, refunds } = readFareList(row.passengerFare, currency);
  const travelerRefs = pointers(row.travelerRefNumber);
  return defined({
    type: text(quantity.code) ?? '',
    count: count(quantity.quantity) ?? Math.max(travelerRefs.length, 1),
    price,
    refunds,
    fareBasis: readFareBasis(row.fareBasisCodes),
    travelerRefs,
    segmentRefs: rowSegments(row),
  });
}

/** The pricing branch of its holder under either name, and the rows by passenger type under either parent. */
export function branches(holder: Wire): { info: Wire; rows: readonly Wire[] } {
  const [booked, searched] = [holder.priceInfo, holder.airItineraryPricingInfo].map(record);
  const info = Object.keys(booked ?? {}).length > 0 ? (booked ?? {}) : (searched ?? {});
  for (const parent of [info, booked ?? {}, searched ?? {}, holder]) {
    const breakdowns =
      parent.ptcfareBreakdowns ?? parent.ptcFareBreakdowns ?? parent.PTC_FareBreakdowns ?? parent.ptc_FareBreakdowns;
    const rows = records(isRecord(breakdowns) ? (breakdowns.ptcfareBreakdown ?? breakdowns) : breakdowns);
    if (rows.length > 0) return { info, rows };
  }
  return { info, rows: [] };
}

function firstCurrency(fares: readonly Wire[], rows: readonly Wire[]): string | undefined {
  for (const fare of fares) {
    const currency = fareCurrency(fare);
    if (currency !== undefined) return currency;
  }
  for (const row of rows) {
    const currency = firstCurrency(records(row.passengerFare), []);
    if (currency !== undefined) return currency;
  }
  return undefined;
}

/** The pricing by some of its rows. Undefined where it has none. */
export function pricingOf(holder: Wire, info: Wire, rows: readonly Wire[]): Pricing | undefined {
  if (Object.keys(info).length === 0 && rows.length === 0) return undefined;
  const totals = records(info.itinTotalFare);
  const currency = firstCurrency(totals, rows);
  const { price, refunds } = readFareList(totals, currency);
  const fares = readFares(info.fareInfos, currency);
  return defined({
    total: price,
    refunds,
    // Rules may stand in the rows alone.
    fares: fares.length > 0 ? fares : rows.flatMap((row) => readFares(row.fareInfo, currency)),
    perType: rows.map((row) => readRow(row, currency)),
    quoteId: text(holder.quoteID) ?? text(info.quoteID),
  });
}
