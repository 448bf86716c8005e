/**
 * What a rebooking comes to by the offer that was approved: what the airline charges for it, and what the booking costs and carries
 * afterwards. The airline states all of this only once it is done, so that only this can show what differs.
 */

import { addMoney, type Money, sameMoney, showMoney, subtractMoney, zero } from '../../core/money.ts';
import { present } from '../../core/words.ts';
import type { Booking, SegmentOption } from '../../domain/booking/booking.ts';
import { orderStatus } from '../../domain/booking/status-codes.ts';
import { allowanceText } from '../../domain/facts/kept-reading.ts';
import type { Remainder } from '../../domain/facts/touches.ts';
import { comesBackText } from '../../domain/refund/back-words.ts';
import { type ChangeCharge, paidFor } from '../../domain/refund/estimate-change-charge.ts';
import type { Outcome } from '../../journal/operation.ts';
import type { Trip } from '../steps/offers.ts';

/** Each part is absent where the booking or the offer does not state it. */
export type ByOffer = Remainder & {
  /** The price of the offer beyond what was paid for the old flight, and the fees of the rule: less than 0 comes back at most. */
  readonly least?: Money;
  /** Whether the airline stated the fees. */
  readonly withFees?: true;
};

export function expectByOffer(
  booking: Booking,
  replaced: SegmentOption,
  { total, terms }: Pick<Trip, 'total' | 'terms'>,
  { fees }: Pick<ChangeCharge, 'fees'>,
): ByOffer {
  const offered = terms?.baggage && allowanceText(terms.baggage);
  const baggage = offered === undefined ? undefined : [offered];

  const paid = paidFor(booking, replaced);
  const before = booking.pricing?.total?.total;
  if (total === undefined || paid?.currency !== total.currency) return { baggage };

  const rise = subtractMoney(total, paid);
  const ownFees = fees?.currency === total.currency ? fees : undefined;
  const least = addMoney(rise, ownFees ?? zero(total.currency));
  const after = before?.currency === total.currency ? addMoney(before, rise) : undefined;
  const afterWithFees = after && ownFees && addMoney(after, ownFees);

  return {
    baggage,
    least,
    withFees: ownFees && true,
    // Airlines add a fee to the price, or do not.
    totals: after && [after, afterWithFees].filter((sum) => sum !== undefined),
  };
}

/** What a sum is compared with: the most that was approved, and what the offer comes to. */
interface Approved {
  readonly atMost?: Money;
  readonly byOffer?: ByOffer;
}

/** Warns of money that moved otherwise than the offer says, beside a charge above what was approved. */
export function chargeWarnings(
  { byOffer }: Approved,
  { charge, refund }: Pick<Outcome, 'charge' | 'refund'> = {},
): readonly string[] {
  const sum = charge && showMoney(charge.amount);
  const status = charge?.orderStatus && orderStatus(charge.orderStatus);
  const currency = byOffer?.least?.currency;
  const isForeign = currency !== undefined && charge !== undefined && charge.amount.currency !== currency;

  return present([
    otherThanOffered(byOffer, charge?.amount, refund?.amount),
    status &&
      status !== 'paid' &&
      `The charge of ${sum} is ${status} instead of paid: tell the person, and read the booking later.`,
    isForeign && `The airline charged ${sum}, in another currency than the ${currency} of the offer. Tell the person.`,
  ]);
}

/** Says that less was charged, or more came back, than the offer comes to. */
function otherThanOffered(
  { least, withFees }: ByOffer = {},
  charged: Money | undefined,
  refunded: Money | undefined,
): string | undefined {
  const moved = charged ?? refunded;
  if (least === undefined || moved?.currency !== least.currency) return undefined;

  const back = refunded?.currency === least.currency ? refunded.minor : 0;
  if ((charged?.minor ?? 0) - back >= least.minor) return undefined;

  const moves = [charged && `charged ${showMoney(charged)}`, refunded && `refunded ${showMoney(refunded)}`];
  const deed = moves.flatMap((each) => each ?? []).join(' and ');

  const rule = withFees ? ' and the change rule' : '';
  const sum =
    least.minor >= 0
      ? `it costs ${showMoney(least)} at least`
      : comesBackText({ amount: { ...least, minor: -least.minor } }, 'at most ');

  return `The airline ${deed}, not as offered: by the offer${rule} ${sum}. Tell the person, and ask the airline.`;
}

/** Says where in what was approved a charge lies that is above what the offer comes to; empty for any other. */
export function chargeNote(
  { atMost, byOffer: { least } = {} }: Approved,
  { charge, refund }: Pick<Outcome, 'charge' | 'refund'> = {},
): string {
  if (atMost === undefined || charge === undefined || refund !== undefined) return '';
  const { amount } = charge;
  const isWithin = amount.currency === atMost.currency && amount.minor <= atMost.minor;
  if (!isWithin || least?.currency !== amount.currency || least.minor < 0 || amount.minor <= least.minor) return '';
  const limit = sameMoney(amount, atMost) ? 'the most' : `within the ${showMoney(atMost)}`;
  return ` The charge of ${showMoney(amount)} is ${limit} that was approved; the offer and the change rule come to ${showMoney(least)}.`;
}
