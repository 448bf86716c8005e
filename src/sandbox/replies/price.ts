/**
 * Priced totals: items of `itinTotalFare[]` and `passengerFare[]` (docs/wire/interface.md, Price; docs/wire/notes.md,
 * Money and rules).
 */
import type { Money } from '../../core/money.ts';
import { nothing, number } from '../amounts.ts';
import type { Carrier } from '../carrier.ts';
import type { Line } from '../fares.ts';
import type { Price } from '../pricing.ts';
import type { RefundShare } from '../record.ts';
import { type Wire, wire } from '../wire.ts';

function writeMoney(money: Money): Wire {
  return { currencyCode: money.currency, amount: number(money) };
}

const lineOf = (line: Line): Wire =>
  line.kind === 'tax'
    ? { taxCode: line.code, taxName: line.name, ...writeMoney(line.amount) }
    : { feeCode: line.code, ...writeMoney(line.amount) };

/** An airline's taxes and fees have no sum: readers must add them up. */
export function writePrice(carrier: Carrier, price: Price): Wire {
  const isRail = carrier.dialect === 'rail';
  const ofKind = (kind: Line['kind']): Wire[] => price.lines.filter((line) => line.kind === kind).map(lineOf);
  return {
    baseFare: writeMoney(price.base),
    equivFare: [],
    taxes: wire({ tax: ofKind('tax'), amount: isRail ? number(price.taxes) : undefined }),
    fees: { fee: ofKind('fee'), ...(isRail && writeMoney(price.fees)) },
    totalFare: writeMoney(price.total),
    fareBaggageAllowance: [...price.baggage],
    remark: [],
  };
}

/** `fees.amount` is 0 although items are charged. */
export function writeRefund({ amount, penalty, tax }: RefundShare): Wire {
  const none = nothing(amount.currency);
  const charge = (feeCode: string, money: Money): Wire => ({
    feeCode,
    feeTransactionType: 'charge',
    ...writeMoney(money),
  });
  return {
    usage: 'refund',
    baseFare: writeMoney(none),
    taxes: { tax: [], amount: 0 },
    fees: { fee: [charge('REFUND_PENALTY', penalty), charge('REFUND_PENALTY_VAT', tax)], ...writeMoney(none) },
    totalFare: writeMoney(amount),
  };
}
