/**
 * Prices (docs/wire/interface.md, Price): items of `itinTotalFare[]` and `passengerFare[]`, and the pricing of a
 * reservation (`priceInfo`) or search result (`airItineraryPricingInfo`).
 */

import type { Money } from '../../../core/money.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Price, PriceLine, Pricing, StatedRefund, TypePrice } from '../../../domain/pricing/fare.ts';
import { asList, isObject } from '../../transport/json.ts';
import { amount, amountIn, branchOf, currencyOf, fareCurrency, negative, sumOf } from './money.ts';
import {
  count,
  pointers,
  readAll,
  readPointer,
  record,
  records,
  text,
  texts,
  unlessEmpty,
  type Wire,
} from './reader.ts';
import { readFares } from './rules.ts';

const PENALTY = 'REFUND_PENALTY';
const PENALTY_VAT = 'REFUND_PENALTY_VAT';

function readLines(kind: 'tax' | 'fee', branch: Wire, currency: string): PriceLine[] {
  return readAll(branch[kind], (wire): PriceLine | undefined => {
    const money = amount(wire, currencyOf(branch) ?? currency);
    if (money === undefined) return undefined;
    const code = text(kind === 'tax' ? wire.taxCode : wire.feeCode) ?? '';
    return omitUndefined({ kind, code, name: text(wire.taxName ?? wire.feeName), amount: money });
  });
}

function branchTotal(branch: Wire, lines: readonly PriceLine[], currency: string): Money | undefined {
  const amounts = lines.map((line) => line.amount);
  return amountIn(branch, currency) ?? sumOf(amounts, currency);
}

/** An allowance is text, or an object whose words are joined (`23 KG`). */
function readAllowances(value: unknown): string[] {
  const words = (item: unknown) => text(item) ?? (isObject(item) ? texts(Object.values(item)).join(' ') : '');
  return asList(value).flatMap((item) => words(item) || []);
}

/**
 * Base or total may be missing: total = base + taxes + fees (docs/wire/notes.md, Money and rules).
 * @param parent the currency of the pricing, for a fare that names none
 */
function readPrice(wire: Wire, parent: string | undefined): Price | undefined {
  const currency = fareCurrency(wire) ?? parent;
  if (currency === undefined) return undefined;
  const [taxBranch, feeBranch] = [branchOf(wire.taxes, 'tax'), branchOf(wire.fees, 'fee')];
  const [taxLines, feeLines] = [readLines('tax', taxBranch, currency), readLines('fee', feeBranch, currency)];
  const taxes = branchTotal(taxBranch, taxLines, currency);
  const fees = branchTotal(feeBranch, feeLines, currency);
  if (taxes === undefined || fees === undefined) return undefined;
  const sums = readSums(wire, currency, taxes, fees);
  if (sums === undefined) return undefined;
  const equivalents = readAll(wire.equivFare, (one) => amount(one, currency));
  return omitUndefined({
    ...sums,
    equivalents: unlessEmpty(equivalents),
    taxes,
    fees,
    lines: [...taxLines, ...feeLines],
    baggage: readAllowances(wire.fareBaggageAllowance),
    remarks: texts(wire.remark),
  });
}

function readSums(wire: Wire, currency: string, taxes: Money, fees: Money): { base: Money; total: Money } | undefined {
  if (isUnreadable(wire.totalFare, currency)) return undefined;
  // A base fare in another currency is not the base of this total.
  const [statedBase, statedTotal] = [amountIn(wire.baseFare, currency), amountIn(wire.totalFare, currency)];
  const isGuess = statedTotal === undefined && [wire.taxes, wire.fees].some((part) => isUnreadable(part, currency));
  if (isGuess) return undefined;
  const total = statedTotal ?? (statedBase && sumOf([statedBase, taxes, fees], currency));
  const base = statedBase ?? (total && sumOf([total, negative(taxes), negative(fees)], currency));
  return base === undefined || total === undefined ? undefined : { base, total };
}

/** Whether the airline states an amount here that is none: `1,438.84`, or more than can be counted exactly. */
function isUnreadable(value: unknown, currency: string): boolean {
  const stated = isObject(value) ? value.amount : value;
  return stated !== undefined && stated !== null && !Array.isArray(stated) && amountIn(value, currency) === undefined;
}

/** An entry that states a refund (docs/wire/notes.md, Money and rules). */
function isRefund(wire: Wire): boolean {
  if (text(wire.usage)?.toLowerCase() === 'refund') return true;
  return records(branchOf(wire.fees, 'fee').fee).some((fee) => text(fee.feeCode) === PENALTY);
}

function readRefund(wire: Wire, parent: string | undefined): StatedRefund | undefined {
  const currency = fareCurrency(wire) ?? parent;
  const stated = amount(wire.totalFare, currency);
  if (currency === undefined || stated === undefined) return undefined;
  const fees = records(branchOf(wire.fees, 'fee').fee);
  const feeOf = (code: string) => {
    const ofCode = readAll(fees, (fee) => (text(fee.feeCode) === code ? amount(fee, currency) : undefined));
    return ofCode.length === 0 ? undefined : sumOf(ofCode, currency);
  };
  return omitUndefined({ amount: stated, penalty: feeOf(PENALTY), vat: feeOf(PENALTY_VAT) });
}

interface FareList {
  readonly price?: Price;
  /** The total is stated, and is not an amount. */
  readonly hasUnreadableTotal?: true;
  readonly refunds: readonly StatedRefund[];
}

/** A list of fares: the price is the first entry without `usage`. */
function readFareList(value: unknown, parent: string | undefined): FareList {
  const wires = records(value);
  const first = wires.find((wire) => !isRefund(wire) && text(wire.usage) === undefined);
  const price = first && readPrice(first, parent);
  const refunds = wires.filter(isRefund).flatMap((wire) => readRefund(wire, parent) ?? []);
  const unreadable =
    first && price === undefined && isUnreadable(first.totalFare, fareCurrency(first) ?? parent ?? 'XXX');
  return { ...(price && { price }), refunds, ...(unreadable && { hasUnreadableTotal: true }) };
}

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
  const designated = pointers(designators.map((designator) => designator.flightRefRPH));
  return [...new Set(named.length > 0 ? named : designated)];
}

function readRow(row: Wire, currency: string | undefined): TypePrice {
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
  return fares.values().map(fareCurrency).find(Boolean);
}

export function pricingOf(holder: Wire, info: Wire, rows: readonly Wire[]): Pricing | undefined {
  if (Object.keys(info).length === 0 && rows.length === 0) return undefined;
  const totals = records(info.itinTotalFare);
  const currency = firstCurrency(totals) ?? firstCurrency(rows.flatMap((row) => records(row.passengerFare)));
  const { price, hasUnreadableTotal, refunds } = readFareList(totals, currency);
  const fares = readFares(info.fareInfos, currency);
  return omitUndefined({
    total: price,
    hasUnreadableTotal,
    refunds,
    // Some replies have rules only in the rows.
    fares: fares.length > 0 ? fares : rows.flatMap((row) => readFares(row.fareInfo, currency)),
    perType: rows.map((row) => readRow(row, currency)),
    quoteId: text(holder.quoteID) ?? text(info.quoteID),
  });
}
