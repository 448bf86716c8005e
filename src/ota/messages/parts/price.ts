/**
 * One priced total: an item of `itinTotalFare[]` or `passengerFare[]` (docs/wire/interface.md, Price).
 */
import type { Price, PriceLine, StatedRefund } from '../../../domain/pricing/fare.ts';
import type { Money } from '../../../domain/pricing/money.ts';
import { amount, amountIn, branchOf, currencyOf, fareCurrency, negative, sumOf } from './money.ts';
import { defined, isRecord, list, records, text, texts, unlessEmpty, type Wire } from './reader.ts';

const PENALTY = 'REFUND_PENALTY';
const PENALTY_VAT = 'REFUND_PENALTY_VAT';

function readLine(kind: 'tax' | 'fee', wire: Wire, currency: string): PriceLine | undefined {
  const money = amount(wire, currency);
  if (money === undefined) return undefined;
  const code = text(kind === 'tax' ? wire.taxCode : wire.feeCode) ?? '';
  return defined({ kind, code, name: text(wire.taxName ?? wire.feeName), amount: money });
}

function readLines(kind: 'tax' | 'fee', wires: unknown, currency: string): PriceLine[] {
  const found: PriceLine[] = [];
  for (const wire of records(wires)) {
    const line = readLine(kind, wire, currency);
    if (line !== undefined) found.push(line);
  }
  return found;
}

/** The stated sum of a branch; where it states none, that of its lines. */
function branchTotal(branch: Wire, lines: readonly PriceLine[], currency: string): Money | undefined {
  const stated = amountIn(branch, currency);
  if (stated !== undefined) return stated;
  return sumOf(
    lines.map((line) => line.amount),
    currency,
  );
}

/** An allowance is text, or an object whose own words are joined (`23 KG`). */
function readAllowances(value: unknown): string[] {
  const found: string[] = [];
  for (const item of list(value)) {
    const words =
      text(item) ??
      (isRecord(item)
        ? Object.values(item)
            .flatMap((one) => text(one) ?? [])
            .join(' ')
        : '');
    if (words !== '') found.push(words);
  }
  return found;
}

/**
 * `parent` is the currency of the pricing, for a fare that names none. Of base and total one may be missing:
 * total = base + taxes + fees (docs/wire/notes.md, Money and rules). Without both there is no price.
 */
function readPrice(wire: Wire, parent: string | undefined): Price | undefined {
  const currency = fareCurrency(wire) ?? parent;
  if (currency === undefined) return undefined;
  const [taxBranch, feeBranch] = [branchOf(wire.taxes, 'tax'), branchOf(wire.fees, 'fee')];
  const taxLines = readLines('tax', taxBranch.tax, currencyOf(taxBranch) ?? currency);
  const feeLines = readLines('fee', feeBranch.fee, currencyOf(feeBranch) ?? currency);
  const taxes = branchTotal(taxBranch, taxLines, currency);
  const fees = branchTotal(feeBranch, feeLines, currency);
  if (taxes === undefined || fees === undefined) return undefined;
  const sums = readSums(wire, currency, taxes, fees);
  if (sums === undefined) return undefined;
  const equivalents = records(wire.equivFare).flatMap((one) => amount(one, currency) ?? []);
  return defined({
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
  // A base fare filed in another currency than the total's is not the base of that total.
  const [statedBase, statedTotal] = [amountIn(wire.baseFare, currency), amountIn(wire.totalFare, currency)];
  const total = statedTotal ?? (statedBase && sumOf([statedBase, taxes, fees], currency));
  const base = statedBase ?? (total && sumOf([total, negative(taxes), negative(fees)], currency));
  return base === undefined || total === undefined ? undefined : { base, total };
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
    const own = fees.filter((fee) => text(fee.feeCode) === code).flatMap((fee) => amount(fee, currency) ?? []);
    return own.length === 0 ? undefined : sumOf(own, currency);
  };
  return defined({ amount: stated, penalty: feeOf(PENALTY), vat: feeOf(PENALTY_VAT) });
}

/** A list of fares: the price, which is the first entry without `usage`, and the refunds. */
export function readFareList(value: unknown, parent: string | undefined): { price?: Price; refunds: StatedRefund[] } {
  const wires = records(value);
  const first = wires.find((wire) => !isRefund(wire) && text(wire.usage) === undefined);
  const price = first && readPrice(first, parent);
  const refunds = wires.filter(isRefund).flatMap((wire) => readRefund(wire, parent) ?? []);
  return defined({ price, refunds });
}
