/** `priceInfo` of a reservation and `airItineraryPricingInfo` of a search result (docs/wire/interface.md, Price). */
import type { Pricing, TypePrice } from '../../../domain/pricing/fare.ts';
import { omitUndefined } from '../../../domain/time-and-text/omit-undefined.ts';
import { asList, isObject } from '../../transport/json.ts';
import { fareCurrency } from './money.ts';
import { readFareList } from './price.ts';
import { count, pointers, readPointer, record, records, text, type Wire } from './reader.ts';
import { readFares } from './rules.ts';

function readFareBasis(value: unknown): TypePrice['fareBasis'] {
  return asList(isObject(value) ? value.fareBasisCode : value).flatMap((item) => {
    const code = text(item);
    return code === undefined ? [] : omitUndefined({ code, segmentRef: readPointer(record(item).flightSegmentRPH) });
  });
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
  return omitUndefined({
    type: text(quantity.code) ?? '',
    count: count(quantity.quantity) ?? Math.max(travelerRefs.length, 1),
    price,
    refunds,
    fareBasis: readFareBasis(row.fareBasisCodes),
    travelerRefs,
    segmentRefs: rowSegments(row),
  });
}

/** The pricing branch under either name, and the rows by passenger type under either parent. */
export function branches(holder: Wire): { info: Wire; rows: readonly Wire[] } {
  const [booked, searched] = [holder.priceInfo, holder.airItineraryPricingInfo].map(record);
  const info = Object.keys(booked ?? {}).length > 0 ? (booked ?? {}) : (searched ?? {});
  for (const parent of [info, booked ?? {}, searched ?? {}, holder]) {
    const breakdowns =
      parent.ptcfareBreakdowns ?? parent.ptcFareBreakdowns ?? parent.PTC_FareBreakdowns ?? parent.ptc_FareBreakdowns;
    const rows = records(isObject(breakdowns) ? (breakdowns.ptcfareBreakdown ?? breakdowns) : breakdowns);
    if (rows.length > 0) return { info, rows };
  }
  return { info, rows: [] };
}

function firstCurrency(fares: readonly Wire[]): string | undefined {
  for (const fare of fares) {
    const currency = fareCurrency(fare);
    if (currency !== undefined) return currency;
  }
  return undefined;
}

/** Undefined if there is neither a pricing nor a row. */
export function pricingOf(holder: Wire, info: Wire, rows: readonly Wire[]): Pricing | undefined {
  if (Object.keys(info).length === 0 && rows.length === 0) return undefined;
  const totals = records(info.itinTotalFare);
  const currency = firstCurrency(totals) ?? firstCurrency(rows.flatMap((row) => records(row.passengerFare)));
  const { price, refunds } = readFareList(totals, currency);
  const fares = readFares(info.fareInfos, currency);
  return omitUndefined({
    total: price,
    refunds,
    // Some replies have rules only in the rows.
    fares: fares.length > 0 ? fares : rows.flatMap((row) => readFares(row.fareInfo, currency)),
    perType: rows.map((row) => readRow(row, currency)),
    quoteId: text(holder.quoteID) ?? text(info.quoteID),
  });
}
