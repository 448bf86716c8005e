/** The fields of a refund in a result: amounts, limits, later steps, and a line for each group of passengers and segments. */
import * as z from 'zod';
import {
  listedWithoutShape,
  noted,
  optionalStrings,
  optionalTexts,
  strings,
  USUAL,
  usual,
} from '../definition/field-notes.ts';

export const refundLimitsSchema = () =>
  noted(
    'limits of what comes back, where it is not known exactly',
    z.object(strings({ at_least: 'lower limit of the refund', at_most: 'upper limit of the refund' })).optional(),
  );

const CONDITION =
  "the airline's own words that the refund depends on: quoted, not understood; they belong to every sum beside them";

/** Words of the airline beside an amount: what they mean, a person must judge. */
export const refundConditionSchema = () =>
  noted(
    CONDITION,
    z
      .array(
        z.object({
          ...strings({ says: "the airline's own words" }),
          ...optionalStrings({ fare_of: 'the passengers and flights or trains of the fare, where these are not all' }),
        }),
      )
      .optional(),
  );

const stepSchema = () =>
  z.object({
    ...strings({ from: 'from when' }),
    ...optionalStrings({ back: 'what comes back then', kept: 'what the airline keeps then' }),
    between: listedWithoutShape(refundLimitsSchema()),
    ...optionalStrings({ note: 'why that is not known' }),
    refund_condition: listedWithoutShape(refundConditionSchema()),
  });

/** To keep results short, a line without `passengers` is about those of the line before; `refund-text.ts` resolves that. */
const lineSchema = () =>
  z.object({
    ...optionalStrings({ passengers: 'the passengers, by name; absent: those of the line before' }),
    ...strings({ segments: 'the flights or trains in words' }),
    passenger_refs: optionalTexts(USUAL.passenger_refs),
    segment_refs: noted(USUAL.segment_refs, z.array(z.string())),
    ...optionalStrings({
      paid: 'what was paid',
      kept_each: 'what the airline keeps for each person and segment, tax included',
      kept_per: 'what `kept_each` is for instead, where a fare covers several segments',
      back: 'what comes back for all of them; absent if that cannot be said',
    }),
    refundable: noted('false: nothing comes back by the rule', z.boolean().optional()),
  });

/**
 * Amounts are in the currency of their result, unless `currency` names another. Times are local, in the offset
 * of the first departure.
 */
export function refundFields() {
  return {
    ...optionalStrings({
      ...usual('currency'),
      refund_now: 'what comes back if it is cancelled now; absent if that cannot be said',
      kept_now: 'what the airline keeps if it is cancelled now',
    }),
    kept_includes_vat: noted(USUAL.kept_includes_vat, z.boolean().optional()),
    between: listedWithoutShape(refundLimitsSchema()),
    ...optionalStrings({ valid_until: 'until when `refund_now` holds', ...usual('cancel_until') }),
    later: noted('the next steps of the rules, until it can no longer be cancelled', z.array(stepSchema()).optional()),
    lines: noted(
      'who gets what back, for which flights or trains; those of equal figures together',
      z.array(lineSchema()).optional(),
    ),
    ...optionalStrings({ note: 'what the amounts rest on, or why one is not known' }),
    refund_condition: listedWithoutShape(refundConditionSchema()),
  };
}

export function refundSchema() {
  return noted('what comes back if it is cancelled', z.object(refundFields()));
}

export type Refund = z.input<ReturnType<typeof refundSchema>>;
export type RefundStep = NonNullable<Refund['later']>[number];
export type RefundLine = NonNullable<Refund['lines']>[number];
