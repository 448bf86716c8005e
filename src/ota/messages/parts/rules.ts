/** Fare components with their penalty rules and time limits (docs/wire/interface.md, Price). */

import { zero } from '../../../core/money.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { FareComponent, FareReference, FareRule, PenaltyRule } from '../../../domain/pricing/fare.ts';
import { asList, isObject } from '../../transport/json.ts';
import { amountIn, currencyOf, negative, percentage, sumOf } from './money.ts';
import {
  company,
  extensions,
  flag,
  place,
  readAll,
  readPointer,
  readTime,
  record,
  records,
  text,
  type Wire,
} from './reader.ts';

function readTexts(value: unknown): FareRule['texts'] {
  return asList(value).flatMap((item) => {
    const words = text(item);
    return words === undefined ? [] : omitUndefined({ locale: text(record(item).locale), text: words });
  });
}

function readRule(wire: Wire, passengerType: string, currency: string | undefined): FareRule {
  const refundable = flag(wire.refundable);
  const sums = refundable === undefined ? undefined : readSums(wire, currency, refundable);
  return omitUndefined({
    passengerType,
    refundable,
    ...sums,
    from: readTime(wire.applyFromTime),
    until: readTime(wire.applyUntilTime),
    texts: readTexts(wire.description),
  });
}

type Sums = Omit<PenaltyRule, 'passengerType' | 'refundable' | 'from' | 'until' | 'texts'>;

/** Undefined without a known currency, or if nothing says what is kept of a refund. */
function readSums(wire: Wire, currency: string | undefined, refundable: boolean): Sums | undefined {
  const code = currencyOf(wire) ?? currency;
  if (code === undefined) return undefined;
  const [statedBase, statedTax, statedTotal] = [wire.base, wire.tax, wire.total].map((one) => amountIn(one, code));
  const tax = statedTax ?? zero(code);
  // base = total - tax. Without base and tax only the total is known.
  const base = statedBase ?? (statedTax && statedTotal ? sumOf([statedTotal, negative(tax)], code) : zero(code));
  const total = statedTotal ?? (base && (statedBase || statedTax) ? sumOf([base, tax], code) : undefined);
  // A penalty without any amount is not a penalty of zero.
  if (base === undefined || (total === undefined && refundable)) return undefined;
  return omitUndefined({
    base,
    tax,
    total: total ?? zero(code),
    totalAlone: statedTotal && !statedBase && !statedTax ? true : undefined,
    vatHundredths: percentage(wire.vat) ?? 0,
  });
}

function readRules(charges: unknown, currency: string | undefined): FareRule[] {
  return records(extensions(record(charges)).penaltyRules).flatMap((item) => {
    const passengerType = readPointer(item.passengerTypeCode) ?? '';
    return readAll(item.rules, (wire) => readRule(wire, passengerType, currency));
  });
}

function readReferences(value: unknown): FareReference[] {
  return asList(value).flatMap((item) => {
    const [code, wire] = [text(item), record(item)];
    if (code === undefined) return [];
    return omitUndefined({ code, bookingClass: text(wire.resBookDesigCode), accountCode: text(wire.accountCode) });
  });
}

/** What a `fareInfo` says of the segments that it is for. */
export type FarePlace = Pick<FareComponent, 'ref' | 'references' | 'from' | 'to'>;

export function readFarePlace(wire: Wire): FarePlace {
  return omitUndefined({
    ref: readPointer(wire.rph),
    references: readReferences(wire.fareReference),
    from: place(wire.departureAirport),
    to: place(wire.arrivalAirport),
  });
}

/** One `fareInfo`. `currency` is the price's, for rules that name none. */
function readFare(wire: Wire, currency: string | undefined): FareComponent {
  const ruleInfo = record(wire.ruleInfo);
  const limits = extensions(ruleInfo);
  const charges = record(ruleInfo.chargesRules);
  return omitUndefined({
    ...readFarePlace(wire),
    filingAirline: company(wire.filingAirline),
    cancelUntil: readTime(limits.cancellationTimeLimit),
    payBy: readTime(limits.confirmationTimeLimit),
    namesUntil: readTime(limits.updateTravellersTimeLimit),
    refundRules: readRules(charges.voluntaryRefunds, currency),
    changeRules: readRules(charges.voluntaryChanges, currency),
  });
}

/** `fareInfos{fareInfo[]}` or the bare array. */
export function readFares(value: unknown, currency: string | undefined): FareComponent[] {
  const wires = records(isObject(value) ? value.fareInfo : value);
  return wires.map((wire) => readFare(wire, currency));
}
