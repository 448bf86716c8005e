/**
 * Reads prices (docs/wire/interface.md, Price): items of `itinTotalFare[]` and `passengerFare[]`, fare components with
 * their penalty rules, and the pricing of a reservation (`priceInfo`) or search result (`airItineraryPricingInfo`).
 */
import { type Money, zero } from '../../core/money.ts';
import { isObject } from '../../core/own.ts';
import type {
  FareComponent,
  FareReference,
  FareRule,
  PenaltyRule,
  Price,
  PriceLine,
  Pricing,
  StatedRefund,
  TypePrice,
} from '../../domain/booking/fare.ts';
import { asList } from './json.ts';
import {
  extensions,
  fareCurrency,
  negative,
  readAll,
  readAmount,
  readAmountIn,
  readBranch,
  readCount,
  readCurrency,
  readFlag,
  readPercentage,
  readPointer,
  readPointers,
  readStationCode,
  readTimeLimit,
  record,
  records,
  sumIn,
  text,
  texts,
  type Wire,
} from './reader.ts';

/** The code of ISO 4217 for no currency: with it an amount can be read whose currency is not known. */
const NO_CURRENCY = 'XXX';

/** Codes of the fees in an entry that states a refund. */
const PENALTY = 'REFUND_PENALTY';
const PENALTY_VAT = 'REFUND_PENALTY_VAT';

/**
 * Finds the pricing branch of a reservation (`priceInfo`) or else of a search result, and the rows by passenger type: in that
 * branch, in the other one, or beside both.
 */
export function pricingBranches(holder: Wire): { info: Wire; rows: readonly Wire[] } {
  const booked = record(holder.priceInfo);
  const searched = record(holder.airItineraryPricingInfo);
  const info = Object.keys(booked).length > 0 ? booked : searched;
  const rows = [info, booked, searched, holder].map(readRows).find(({ length }) => length > 0);
  return { info, rows: rows ?? [] };
}

/** The rows by passenger type, under any of the spellings of their name. */
function readRows(branch: Wire): readonly Wire[] {
  const breakdowns =
    branch.ptcfareBreakdowns ?? branch.ptcFareBreakdowns ?? branch.PTC_FareBreakdowns ?? branch.ptc_FareBreakdowns;
  return records(isObject(breakdowns) ? (breakdowns.ptcfareBreakdown ?? breakdowns) : breakdowns);
}

/**
 * Reads the pricing of a reservation or search result. Undefined if there is none at all.
 * @param rows those by passenger type
 */
export function readPricing(holder: Wire, info: Wire, rows: readonly Wire[]): Pricing | undefined {
  if (Object.keys(info).length === 0 && rows.length === 0) return undefined;

  const totals = records(info.itinTotalFare);
  const currency = firstCurrency(totals) ?? firstCurrency(rows.flatMap((row) => records(row.passengerFare)));
  const { price, hasUnreadableTotal, refunds } = readFareList(totals, currency);
  const fares = readFares(info.fareInfos, currency);

  return {
    total: price,
    hasUnreadableTotal,
    refunds,
    // Some replies have rules only in the rows.
    fares: fares.length > 0 ? fares : rows.flatMap((row) => readFares(row.fareInfo, currency)),
    perType: rows.map((row) => readRow(row, currency)),
    quoteId: text(holder.quoteID) ?? text(info.quoteID),
  };
}

function firstCurrency(fares: readonly Wire[]): string | undefined {
  return fares.values().map(fareCurrency).find(Boolean);
}

/** What a list of fares states. */
interface FareList {
  readonly price?: Price;
  /** The airline states a total that cannot be read as an amount. */
  readonly hasUnreadableTotal?: true;
  readonly refunds: readonly StatedRefund[];
}

/** Reads a list of fares. The price is the first entry without `usage`. */
function readFareList(value: unknown, pricingCurrency: string | undefined): FareList {
  const wires = records(value);
  const first = wires.find((wire) => !isRefund(wire) && text(wire.usage) === undefined);
  const price = first && readPrice(first, pricingCurrency);
  const refunds = wires.filter(isRefund).flatMap((wire) => readRefund(wire, pricingCurrency) ?? []);
  const currency = (first && fareCurrency(first)) ?? pricingCurrency ?? NO_CURRENCY;
  const isUnreadable = first && price === undefined && isUnreadableAmount(first.totalFare, currency);
  return { price, refunds, hasUnreadableTotal: isUnreadable ? true : undefined };
}

function readRow(row: Wire, currency: string | undefined): TypePrice {
  const quantity = record(row.passengerTypeQuantity);
  const { price, refunds } = readFareList(row.passengerFare, currency);
  const travelerRefs = readPointers(row.travelerRefNumber);
  const count = readCount(quantity.quantity);

  return {
    type: text(quantity.code) ?? '',
    count: count ?? Math.max(travelerRefs.length, 1),
    isCountGuessed: count === undefined ? true : undefined,
    price,
    refunds,
    fareBasis: readFareBasis(row.fareBasisCodes),
    travelerRefs,
    segmentRefs: rowSegments(row),
  };
}

function readFareBasis(value: unknown): TypePrice['fareBasis'] {
  return asList(isObject(value) ? value.fareBasisCode : value).flatMap((item) => {
    const code = text(item);
    return code === undefined ? [] : { code, segmentRef: readPointer(record(item).flightSegmentRPH) };
  });
}

/** The segments that a row names: `flightRefNumberRPHList`, else the segments of its tickets (docs/wire/notes.md, Fares and prices). */
export function rowSegments(row: Wire): string[] {
  const refs = readPointers(row.flightRefNumberRPHList);
  if (refs.length > 0) return [...new Set(refs)];
  const designators = records(record(row.ticketDesignators).ticketDesignator);
  return [...new Set(readPointers(designators.map((designator) => designator.flightRefRPH)))];
}

/**
 * Reads the price of a fare. Undefined if one of its amounts is not known.
 * @param pricingCurrency for a fare that names no currency
 */
function readPrice(wire: Wire, pricingCurrency: string | undefined): Price | undefined {
  const currency = fareCurrency(wire) ?? pricingCurrency;
  if (currency === undefined) return undefined;

  const [taxBranch, feeBranch] = [readBranch(wire.taxes, 'tax'), readBranch(wire.fees, 'fee')];
  const [taxLines, feeLines] = [readLines('tax', taxBranch, currency), readLines('fee', feeBranch, currency)];
  const taxes = branchTotal(taxBranch, taxLines, currency);
  const fees = branchTotal(feeBranch, feeLines, currency);
  if (taxes === undefined || fees === undefined) return undefined;

  const baseAndTotal = readBaseAndTotal(wire, currency, taxes, fees);
  if (baseAndTotal === undefined) return undefined;

  return {
    ...baseAndTotal,
    taxes,
    fees,
    lines: [...taxLines, ...feeLines],
    baggage: readAllowances(wire.fareBaggageAllowance),
    remarks: texts(wire.remark),
  };
}

/**
 * Reads base and total, and computes the one that is missing: total = base + taxes + fees (docs/wire/notes.md, Money and
 * rules). Undefined if both are missing, or if the computation needs an amount that the airline states unreadably.
 */
function readBaseAndTotal(
  wire: Wire,
  currency: string,
  taxes: Money,
  fees: Money,
): { base: Money; total: Money } | undefined {
  if (isUnreadableAmount(wire.totalFare, currency)) return undefined;

  // A base fare in another currency is not the base of this total.
  const [statedBase, statedTotal] = [readAmountIn(wire.baseFare, currency), readAmountIn(wire.totalFare, currency)];
  const isPartUnreadable = [wire.taxes, wire.fees].some((part) => isUnreadableAmount(part, currency));
  if (statedTotal === undefined && isPartUnreadable) return undefined;

  const total = statedTotal ?? (statedBase && sumIn([statedBase, taxes, fees], currency));
  const base = statedBase ?? (total && sumIn([total, negative(taxes), negative(fees)], currency));
  return base === undefined || total === undefined ? undefined : { base, total };
}

/** Whether the airline states a value that is not an amount: `1,438.84`, or more than can be counted exactly. */
function isUnreadableAmount(value: unknown, currency: string): boolean {
  const amount = isObject(value) ? value.amount : value;
  if (amount === undefined || amount === null || Array.isArray(amount)) return false;
  return readAmountIn(value, currency) === undefined;
}

function readLines(kind: 'tax' | 'fee', branch: Wire, currency: string): PriceLine[] {
  return readAll(branch[kind], (wire): PriceLine | undefined => {
    const money = readAmount(wire, readCurrency(branch) ?? currency);
    if (money === undefined) return undefined;
    const code = text(kind === 'tax' ? wire.taxCode : wire.feeCode) ?? '';
    return { kind, code, amount: money };
  });
}

/** The total of `taxes` or `fees`, else the sum of its lines. */
function branchTotal(branch: Wire, lines: readonly PriceLine[], currency: string): Money | undefined {
  const amounts = lines.map((line) => line.amount);
  return readAmountIn(branch, currency) ?? sumIn(amounts, currency);
}

/** An allowance is text, or an object whose words are joined (`23 KG`). */
function readAllowances(value: unknown): string[] {
  const allowance = (item: unknown) => text(item) ?? (isObject(item) ? texts(Object.values(item)).join(' ') : '');
  return asList(value).flatMap((item) => allowance(item) || []);
}

/** An entry that states a refund (docs/wire/notes.md, Money and rules). */
function isRefund(wire: Wire): boolean {
  if (text(wire.usage)?.toLowerCase() === 'refund') return true;
  return records(readBranch(wire.fees, 'fee').fee).some((fee) => text(fee.feeCode) === PENALTY);
}

function readRefund(wire: Wire, pricingCurrency: string | undefined): StatedRefund | undefined {
  const currency = fareCurrency(wire) ?? pricingCurrency;
  const amount = readAmount(wire.totalFare, currency);
  if (currency === undefined || amount === undefined) return undefined;

  const fees = records(readBranch(wire.fees, 'fee').fee);

  const sumFees = (code: string) => {
    const amounts = readAll(fees, (fee) => (text(fee.feeCode) === code ? readAmount(fee, currency) : undefined));
    return amounts.length === 0 ? undefined : sumIn(amounts, currency);
  };

  return { amount, penalty: sumFees(PENALTY), vat: sumFees(PENALTY_VAT) };
}

/** Reads `fareInfos{fareInfo[]}` or the bare array. */
function readFares(value: unknown, currency: string | undefined): FareComponent[] {
  const wires = records(isObject(value) ? value.fareInfo : value);
  return wires.map((wire) => readFare(wire, currency));
}

/** Reads one `fareInfo`. `currency` is the price's, for rules that name none. */
function readFare(wire: Wire, currency: string | undefined): FareComponent {
  const ruleInfo = record(wire.ruleInfo);
  const limits = extensions(ruleInfo);
  const charges = record(ruleInfo.chargesRules);

  return {
    ...readFarePlace(wire),
    cancelUntil: readTimeLimit(limits.cancellationTimeLimit),
    payBy: readTimeLimit(limits.confirmationTimeLimit),
    namesUntil: readTimeLimit(limits.updateTravellersTimeLimit),
    refundRules: readRules(charges.voluntaryRefunds, currency),
    changeRules: readRules(charges.voluntaryChanges, currency),
  };
}

/** What a `fareInfo` says of the segments that it is for. */
export type FarePlace = Pick<FareComponent, 'ref' | 'references' | 'from' | 'to'>;

export function readFarePlace(wire: Wire): FarePlace {
  return {
    ref: readPointer(wire.rph),
    references: readFareReferences(wire.fareReference),
    from: readStationCode(wire.departureAirport),
    to: readStationCode(wire.arrivalAirport),
  };
}

function readFareReferences(value: unknown): FareReference[] {
  return asList(value).flatMap((item) => {
    const [code, wire] = [text(item), record(item)];
    if (code === undefined) return [];
    return { code, bookingClass: text(wire.resBookDesigCode) };
  });
}

function readRules(charges: unknown, currency: string | undefined): FareRule[] {
  return records(extensions(record(charges)).penaltyRules).flatMap((item) => {
    const passengerType = readPointer(item.passengerTypeCode) ?? '';
    return readAll(item.rules, (wire) => readRule(wire, passengerType, currency));
  });
}

function readRule(wire: Wire, passengerType: string, currency: string | undefined): FareRule {
  const refundable = readFlag(wire.refundable);
  const penalty = refundable === undefined ? undefined : readPenalty(wire, currency, refundable);

  return {
    passengerType,
    refundable,
    ...penalty,
    from: readTimeLimit(wire.applyFromTime),
    until: readTimeLimit(wire.applyUntilTime),
    texts: readTexts(wire.description),
  };
}

type PenaltyAmounts = Omit<PenaltyRule, 'passengerType' | 'refundable' | 'from' | 'until' | 'texts'>;

/**
 * Reads what the airline keeps of a refund. Any of base, tax and total may be missing:
 *
 * - the base: total - tax if both are stated, else zero;
 * - the tax: zero;
 * - the total: base + tax if either is stated; else zero for a rule that forbids the refund, and unknown for any other.
 *
 * Undefined without a known currency, or if the total is unknown: that is not a penalty of zero.
 */
function readPenalty(wire: Wire, ruleCurrency: string | undefined, refundable: boolean): PenaltyAmounts | undefined {
  const currency = readCurrency(wire) ?? ruleCurrency;
  if (currency === undefined) return undefined;

  const [statedBase, statedTax, statedTotal] = [wire.base, wire.tax, wire.total].map((sum) =>
    readAmountIn(sum, currency),
  );
  const tax = statedTax ?? zero(currency);
  const base =
    statedBase ?? (statedTax && statedTotal ? sumIn([statedTotal, negative(tax)], currency) : zero(currency));
  const total = statedTotal ?? (base && (statedBase || statedTax) ? sumIn([base, tax], currency) : undefined);
  if (base === undefined || (total === undefined && refundable)) return undefined;

  return {
    base,
    tax,
    total: total ?? zero(currency),
    totalAlone: statedTotal && !statedBase && !statedTax ? true : undefined,
    vatHundredths: readPercentage(wire.vat) ?? 0,
  };
}

function readTexts(value: unknown): FareRule['texts'] {
  return asList(value).flatMap((item) => {
    const words = text(item);
    return words === undefined ? [] : { locale: text(record(item).locale), text: words };
  });
}
