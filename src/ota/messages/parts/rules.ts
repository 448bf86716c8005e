/**
 * Fare components with their penalty rules and time limits (docs/wire/interface.md, Price).
 */
import type { FareComponent, FareReference, PenaltyRule } from '../../../domain/pricing/fare.ts';
import { zero } from '../../../domain/pricing/money.ts';
import { amountIn, currencyOf, negative, percentage, sumOf } from './money.ts';
import {
  company,
  defined,
  extensions,
  flag,
  isRecord,
  place,
  readPointer,
  readTime,
  record,
  records,
  text,
  type Wire,
} from './reader.ts';

function readTexts(value: unknown): PenaltyRule['texts'] {
  const found: { locale?: string; text: string }[] = [];
  for (const item of Array.isArray(value) ? value : [value]) {
    const words = text(item);
    if (words !== undefined) found.push(defined({ locale: text(record(item).locale), text: words }));
  }
  return found;
}

/** A rule whose currency is not known anywhere states no amount, and is left away. */
function readRule(wire: Wire, passengerType: string, currency: string | undefined): PenaltyRule | undefined {
  const code = currencyOf(wire) ?? currency;
  if (code === undefined) return undefined;
  const [statedBase, statedTax, statedTotal] = [wire.base, wire.tax, wire.total].map((one) => amountIn(one, code));
  const tax = statedTax ?? zero(code);
  // Without a base it is what the total has beside the tax; where both are missing the total stands alone.
  const base = statedBase ?? (statedTax && statedTotal ? sumOf([statedTotal, negative(tax)], code) : zero(code));
  const total = statedTotal ?? (base && (statedBase || statedTax) ? sumOf([base, tax], code) : undefined);
  // A penalty that names no amount at all is not a penalty of zero.
  const refundable = flag(wire.refundable) ?? false;
  if (base === undefined || (total === undefined && refundable)) return undefined;
  return defined({
    passengerType,
    // Nothing is promised back where the airline does not say that the fare is refundable.
    refundable,
    base,
    tax,
    total: total ?? zero(code),
    totalAlone: statedTotal && !statedBase && !statedTax ? true : undefined,
    vatHundredths: percentage(wire.vat) ?? 0,
    from: readTime(wire.applyFromTime),
    until: readTime(wire.applyUntilTime),
    texts: readTexts(wire.description),
  });
}

function readRules(charges: unknown, currency: string | undefined): PenaltyRule[] {
  const found: PenaltyRule[] = [];
  for (const item of records(extensions(record(charges)).penaltyRules)) {
    const passengerType = readPointer(item.passengerTypeCode) ?? '';
    for (const wire of records(item.rules)) {
      const rule = readRule(wire, passengerType, currency);
      if (rule !== undefined) found.push(rule);
    }
  }
  return found;
}

function readReferences(value: unknown): FareReference[] {
  const found: FareReference[] = [];
  for (const item of Array.isArray(value) ? value : [value]) {
    const code = text(item);
    if (code === undefined) continue;
    const wire = record(item);
    found.push(defined({ code, bookingClass: text(wire.resBookDesigCode), accountCode: text(wire.accountCode) }));
  }
  return found;
}

/** One `fareInfo`. `currency` is that of the price, for rules that name none. */
export function readFare(wire: Wire, currency: string | undefined): FareComponent {
  const ruleInfo = record(wire.ruleInfo);
  const limits = extensions(ruleInfo);
  const charges = record(ruleInfo.chargesRules);
  return defined({
    ref: readPointer(wire.rph),
    references: readReferences(wire.fareReference),
    filingAirline: company(wire.filingAirline),
    from: place(wire.departureAirport),
    to: place(wire.arrivalAirport),
    cancelUntil: readTime(limits.cancellationTimeLimit),
    payBy: readTime(limits.confirmationTimeLimit),
    namesUntil: readTime(limits.updateTravellersTimeLimit),
    refundRules: readRules(charges.voluntaryRefunds, currency),
    changeRules: readRules(charges.voluntaryChanges, currency),
  });
}

/** `fareInfos{fareInfo[]}` or the bare array. */
export function readFares(value: unknown, currency: string | undefined): FareComponent[] {
  const wires = records(isRecord(value) ? value.fareInfo : value);
  return wires.map((wire) => readFare(wire, currency));
}
