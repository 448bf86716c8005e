/** The fields of a refund in a result: amounts, limits, later steps, and a line for each group of passengers and segments. */
import * as z from 'zod';
import { listedWithoutShape, optionalStrings, optionalTexts, strings, unlisted } from '../definition/field-notes.ts';

export const refundLimitsSchema = () => z.object(strings('at_least', 'at_most')).optional();

/** In `on_condition`: all of the sum. */
export const ALL = 'all';

/** Words of the airline beside an amount: what they mean, a person must judge. `fare_of`: where it is not of all. */
export const refundConditionSchema = () =>
  z.array(z.object({ ...strings('says'), ...optionalStrings('fare_of') })).optional();

const stepSchema = () =>
  z.object({
    ...strings('from'),
    ...optionalStrings('back', 'kept'),
    between: listedWithoutShape(refundLimitsSchema()),
    ...optionalStrings('note'),
    refund_condition: listedWithoutShape(refundConditionSchema()),
  });

/**
 * To keep results short, a line without `passengers` is about those of the line before; `refund-text.ts` resolves that. `kept_per`: what
 * `kept_each` is for instead of a person and segment. A line that is not refundable has no `back`.
 */
const lineSchema = () =>
  z.object({
    ...optionalStrings('passengers'),
    ...strings('segments'),
    passenger_refs: optionalTexts(),
    segment_refs: z.array(z.string()),
    ...optionalStrings('paid', 'kept_each', 'kept_per', 'back'),
    refundable: z.boolean().optional(),
  });

/**
 * Amounts are in the currency of their result, unless `currency` names another. Times are local, in the offset
 * of the first departure. `on_condition`: how much of `refund_now`, or of its most, depends on the airline's words; `all` of it.
 * `valid_until`: where neither `later` nor `cancel_until` says until when the sum holds (holds-until.ts).
 */
export function refundFields() {
  return {
    ...optionalStrings('currency', 'refund_now', 'kept_now'),
    kept_includes_vat: z.boolean().optional(),
    between: listedWithoutShape(refundLimitsSchema()),
    ...unlisted(optionalStrings('on_condition')),
    ...optionalStrings('valid_until', 'cancel_until'),
    later: z.array(stepSchema()).optional(),
    lines: z.array(lineSchema()).optional(),
    ...optionalStrings('note'),
    refund_condition: listedWithoutShape(refundConditionSchema()),
  };
}

export function refundSchema() {
  return z.object(refundFields());
}

export type Refund = z.input<ReturnType<typeof refundSchema>>;
export type RefundStep = NonNullable<Refund['later']>[number];
export type RefundLine = NonNullable<Refund['lines']>[number];
