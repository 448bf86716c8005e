/** The fields that the server adds to the results of tools: those of every result, and those of tools that ask a person. */

import * as z from 'zod';
import { AFTER_STATUS, type ResultHead } from '../approvals/answer.ts';
import {
  type FieldsOf,
  noted,
  optionalStrings,
  optionalTexts,
  strings,
  unlisted,
} from '../tools/definition/field-notes.ts';
import { airlineChangesSchema } from '../tools/steps/findings.ts';
import { shortBookingSchema } from '../tools/views/booking-schema.ts';

/** Fields of every result and every error. */
export function commonFields() {
  return {
    environment: noted('whether the airline is real', z.enum(['sandbox', 'live', 'rehearsal'])),
    ...resultHeadFields(),
    error: noted('instead of all others; see [Errors](errors.md)', errorSchema().optional()),
  };
}

function resultHeadFields() {
  return {
    ...optionalStrings({
      summary: 'what happened or was found, in one sentence',
      next: 'what to do now, and what not; absent if the work is finished',
    }),
    warnings: optionalTexts('what a person must hear first'),
  } satisfies FieldsOf<ResultHead>;
}

function errorSchema() {
  return z.object({
    ...strings({ code: 'one of a closed list', message: 'what happened, and what did not', next: 'what to do now' }),
    effect: noted('whether anything changed at the airline', z.enum(['none', 'unknown'])),
    ...strings({ retry: 'whether the same call can succeed later' }),
    airline: noted('what the airline itself said', z.record(z.string(), z.unknown()).optional()),
  });
}

/** An error as models and programs receive it. */
export type ErrorView = z.input<ReturnType<typeof errorSchema>>;

/** Fields of the results of tools that ask a person, or make something. */
export function askingFields() {
  const approval = z.object({
    ...strings({ id: 'for `approval_id` of the same call' }),
    ...optionalStrings({ expires_at: 'until when it can be answered' }),
    terms: optionalTexts('what the person approves'),
    ...optionalStrings({ url: 'of its page' }),
  });
  const details = z.object({
    ...strings({ id: 'for `details` of the same call' }),
    ...optionalStrings({ url: 'of the page' }),
    expires_at: noted('until when it can be filled in', z.string()),
    travellers: noted('how many are asked', z.int()),
    complete: noted('how many are done', z.int()),
  });
  return {
    status: noted('what became of the call: see [Outcomes](../guides/index.md#outcomes)', z.enum(AFTER_STATUS)),
    ...optionalStrings({
      operation_id:
        'the operation in the journal, until it is done; afterwards in `_meta`, as `io.github.fareclerk/operation_id`',
    }),
    approval: noted('while the question is open; while the outcome is not known, `id` alone', approval.optional()),
    details: noted('while travellers are asked for details', details.optional()),
    booking: shortBookingSchema().optional(),
    ...unlisted({ airline_changes: airlineChangesSchema() }),
  };
}
