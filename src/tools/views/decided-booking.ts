/** What a customer decides by, of many bookings in one list: when each was made, and what comes back if it is cancelled now. */

import * as z from 'zod';
import { localMinute, showLocal } from '../../core/times.ts';
import { present } from '../../core/words.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import type { ToolContext } from '../definition/define.ts';
import { optionalStrings, unlisted } from '../definition/field-notes.ts';
import { holdsUntil } from './holds-until.ts';
import { bookingRefund, firstDeparture } from './refund-data.ts';
import { refundLimitsSchema } from './refund-schema.ts';
import { isZero, sumsText } from './refund-text.ts';

export const decisionFields = () =>
  unlisted({
    ...optionalStrings('made', 'refund_now', 'refund_currency'),
    refund_between: refundLimitsSchema(),
    ...optionalStrings('until', 'refund_note'),
    on_conditions: z.literal(true).optional(),
  });

type DecidedFields = z.input<z.ZodObject<ReturnType<typeof decisionFields>>>;

/** What is decided by, as fields of its row. */
export function viewDecision(booking: Booking, ctx: ToolContext): DecidedFields {
  const made = booking.createdAt && localMinute(booking.createdAt, firstDeparture(booking));
  const refund = isPaid(booking) ? bookingRefund(booking, ctx.now(), ctx) : undefined;
  if (refund === undefined) return { made };

  const { refund_now: now, between, currency, note, refund_condition: conditions = [] } = refund;
  const isKnown = (now ?? between) !== undefined;
  const isNothing = now !== undefined && isZero(now);

  return {
    made,
    refund_now: now,
    refund_currency: currency,
    refund_between: between,
    until: isKnown && !isNothing ? holdsUntil(refund) : undefined,
    refund_note: isKnown ? undefined : note,
    on_conditions: conditions.length > 0 ? true : undefined,
  };
}

/** The cells of a row: `made Tue 24 Nov 10:11`, `SAR 345.00 comes back now, on conditions, until Wed 9 Dec 09:36`. */
export function decisionTexts(row: DecidedFields, currency: string, withoutZone: (time: string) => string): string[] {
  const { made, refund_now: back, refund_between: between, until, refund_note: note } = row;
  const sums = sumsText({ back, between }, row.refund_currency ?? currency, { when: ' now' });
  const conditions = row.on_conditions ? ', on conditions' : '';
  const end = until === undefined ? '' : `, until ${withoutZone(showLocal(until))}`;

  return present([
    made && `made ${withoutZone(showLocal(made))}`,
    sums === undefined ? note && `refund: ${note}${conditions}` : `${sums}${conditions}${end}`,
  ]);
}

/** What stands below the table: that refunds are estimates, and where their conditions are. */
export function decisionNotes(rows: readonly DecidedFields[]): readonly string[] {
  const hasSum = rows.some(({ refund_now: now, refund_between: between }) => (now ?? between) !== undefined);
  const hasConditions = rows.some((row) => row.on_conditions);
  return present([
    hasSum && 'What comes back is estimated by the rules; the airline decides.',
    hasConditions && "read_booking quotes the airline's conditions of each.",
  ]);
}
