/** The fields that the server adds to the results of tools: those of every result, and those of tools that ask a person. */

import * as z from 'zod';
import { AFTER_STATUS, type ResultHead } from '../approvals/answer.ts';
import { type FieldsOf, optionalStrings, optionalTexts, strings, unlisted } from '../tools/definition/field-notes.ts';
import { airlineChangesSchema } from '../tools/steps/findings.ts';
import { shortBookingSchema } from '../tools/views/booking-schema.ts';

/** Fields of every result and every error. */
export function commonFields() {
  return {
    environment: z.enum(['sandbox', 'live', 'rehearsal']),
    ...resultHeadFields(),
    error: errorSchema().optional(),
  };
}

function resultHeadFields() {
  return {
    ...optionalStrings('summary', 'next'),
    warnings: optionalTexts(),
  } satisfies FieldsOf<ResultHead>;
}

function errorSchema() {
  return z.object({
    ...strings('code', 'message', 'next'),
    effect: z.enum(['none', 'unknown']),
    ...strings('retry'),
    airline: z.record(z.string(), z.unknown()).optional(),
  });
}

/** An error as models and programs receive it. */
export type ErrorView = z.input<ReturnType<typeof errorSchema>>;

/** Fields of the results of tools that ask a person, or make something. */
export function askingFields() {
  const approval = z.object({
    ...strings('id'),
    ...optionalStrings('expires_at'),
    terms: optionalTexts(),
    ...optionalStrings('url'),
  });

  const details = z.object({
    ...strings('id'),
    ...optionalStrings('url'),
    expires_at: z.string(),
    travellers: z.int(),
    complete: z.int(),
  });

  return {
    status: z.enum(AFTER_STATUS),
    ...optionalStrings('operation_id'),
    approval: approval.optional(),
    details: details.optional(),
    booking: shortBookingSchema().optional(),
    ...unlisted({ airline_changes: airlineChangesSchema() }),
  };
}
