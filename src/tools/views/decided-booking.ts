/** What a customer decides by, of many bookings in one list: when each was made, and what comes back if it is cancelled now. */

import * as z from 'zod';
import { localMinute, showLocal } from '../../core/times.ts';
import { present } from '../../core/words.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { conditionSentence } from '../../domain/refund/describe-refund.ts';
import type { ToolContext } from '../definition/define.ts';
import { optionalStrings, optionalTexts, strings, unlisted } from '../definition/field-notes.ts';
import { holdsUntil } from './holds-until.ts';
import { bookingRefund, firstDeparture } from './refund-data.ts';
import { type Refund, refundLimitsSchema } from './refund-schema.ts';
import { isZero, sumsText } from './refund-text.ts';

export const decisionFields = () =>
  unlisted({
    ...optionalStrings('made', 'refund_now', 'refund_currency'),
    refund_between: refundLimitsSchema(),
    ...optionalStrings('on_condition', 'until', 'refund_note'),
  });

type DecidedFields = z.input<z.ZodObject<ReturnType<typeof decisionFields>>>;

/** What is decided by. */
interface DecidedBooking {
  /** As fields of its row. */
  readonly fields: DecidedFields;
  /** Words of the airline that say more than these fields. */
  readonly conditions: NonNullable<Refund['refund_condition']>;
}

export function decision(booking: Booking, ctx: ToolContext): DecidedBooking {
  const made = booking.createdAt && localMinute(booking.createdAt, firstDeparture(booking));
  const refund = isPaid(booking) ? bookingRefund(booking, ctx.now(), ctx) : undefined;
  if (refund === undefined) return { fields: { made }, conditions: [] };

  const { refund_now: now, between, currency, note, on_condition, refund_condition: conditions = [] } = refund;
  const isKnown = (now ?? between) !== undefined;
  const isNothing = now !== undefined && isZero(now);

  const fields = {
    made,
    refund_now: now,
    refund_currency: currency,
    refund_between: between,
    on_condition,
    until: isKnown && !isNothing ? holdsUntil(refund) : undefined,
    refund_note: isKnown ? undefined : note,
  };
  return { fields, conditions: isKnown && on_condition === undefined ? [] : conditions };
}

/** The cells of a row: `made Tue 24 Nov 10:11`, `SAR 345.00 comes back now, on a condition, until Wed 9 Dec 09:36`. */
export function decisionTexts(row: DecidedFields, currency: string, withoutZone: (time: string) => string): string[] {
  const { made, refund_now: back, refund_between: between, on_condition, until, refund_note: note } = row;
  const sums = sumsText({ back, between, on_condition }, row.refund_currency ?? currency, { when: ' now' });
  const end = until === undefined ? '' : `, until ${withoutZone(showLocal(until))}`;

  return present([
    made && `made ${withoutZone(showLocal(made))}`,
    sums === undefined ? note && `refund: ${note}` : `${sums}${end}`,
  ]);
}

/** Each of the airline's conditions once. `locators`: the bookings that it is of, where these are not all. */
export const sharedConditionsSchema = () =>
  z.array(z.object({ ...strings('says'), locators: optionalTexts() })).optional();

type SharedConditions = NonNullable<z.input<ReturnType<typeof sharedConditionsSchema>>>;

/** @param decisions of all bookings that are listed, by locator */
export function sharedConditions(decisions: ReadonlyMap<string, DecidedBooking>): SharedConditions {
  const said = [...decisions].flatMap(([locator, { conditions }]) => conditions.map(({ says }) => ({ says, locator })));

  return [...Map.groupBy(said, ({ says }) => says)].map(([says, same]) => {
    const locators = [...new Set(same.map(({ locator }) => locator))];
    return locators.length === decisions.size ? { says } : { says, locators };
  });
}

/** What stands below the table: that refunds are estimates, and the airline's words on which they depend. */
export function decisionNotes(rows: readonly DecidedFields[], conditions: SharedConditions): readonly string[] {
  const hasSum = rows.some(({ refund_now: now, refund_between: between }) => (now ?? between) !== undefined);
  return present([
    hasSum && 'What comes back is estimated by the rules; the airline decides.',
    ...conditions.map(({ says, locators }) => conditionSentence({ says, whose: locators?.join(', ') })),
  ]);
}
