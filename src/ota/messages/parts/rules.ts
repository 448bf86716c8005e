/**
 * Fare components with their penalty rules and time limits (interface.md, price information).
 */
import type { FareComponent, FareReference, PenaltyRule } from '../../../domain/fare.ts';
import { zero } from '../../../domain/money.ts';
import { amountIn, currencyOf, negative, percentage, sumOf, toNumber } from './money.ts';
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
  unlessEmpty,
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

function writeRule(rule: PenaltyRule): Wire {
  return defined({
    currency: rule.total.currency,
    refundable: rule.refundable,
    base: toNumber(rule.base),
    tax: toNumber(rule.tax),
    total: toNumber(rule.total),
    vat: rule.vatHundredths / 100,
    applyFromTime: rule.from,
    applyUntilTime: rule.until,
    description: rule.texts.map((one) => defined({ locale: one.locale, value: one.text })),
  });
}

/** One item per run of rules of the same passenger type, so that their order stays. */
function writeRules(rules: readonly PenaltyRule[]): Wire | undefined {
  if (rules.length === 0) return undefined;
  const items: { passengerTypeCode: string; rules: Wire[] }[] = [];
  for (const rule of rules) {
    const last = items.at(-1);
    if (last?.passengerTypeCode === rule.passengerType) last.rules.push(writeRule(rule));
    else items.push({ passengerTypeCode: rule.passengerType, rules: [writeRule(rule)] });
  }
  return { TPA_Extensions: { penaltyRules: items } };
}

export function writeFare(fare: FareComponent): Wire {
  const limits = defined({
    cancellationTimeLimit: fare.cancelUntil,
    confirmationTimeLimit: fare.payBy,
    updateTravellersTimeLimit: fare.namesUntil,
  });
  const charges = defined({
    voluntaryRefunds: writeRules(fare.refundRules),
    voluntaryChanges: writeRules(fare.changeRules),
  });
  const ruleInfo = defined({
    chargesRules: Object.keys(charges).length === 0 ? undefined : charges,
    tpaextensions: Object.keys(limits).length === 0 ? undefined : limits,
  });
  return defined({
    fareReference: fare.references.map((reference) =>
      defined({
        value: reference.code,
        resBookDesigCode: reference.bookingClass,
        accountCode: reference.accountCode,
      }),
    ),
    ruleInfo: unlessEmpty(Object.keys(ruleInfo)) && ruleInfo,
    filingAirline: fare.filingAirline === undefined ? undefined : { value: fare.filingAirline },
    departureAirport: fare.from === undefined ? undefined : { locationCode: fare.from },
    arrivalAirport: fare.to === undefined ? undefined : { locationCode: fare.to },
    rph: fare.ref,
  });
}
