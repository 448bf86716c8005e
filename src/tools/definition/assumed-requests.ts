/**
 * What tools say whose request the airline's interface does not show (docs/wire/notes.md, Changes): before, in the
 * terms; afterwards, in the result.
 */
import * as z from 'zod';
import type { Dialect } from './define.ts';

export const ASSUMED_TERM =
  'The airline does not document this request: it is sent as such airlines are known to take it, and judged by the booking afterwards.';

export const ASSUMED_RESULT = 'It rests on an assumed request: let the person check the booking.';

/** The field of the result that says so. */
export const assumption = { assumption: z.string() };

/** Whether a request rests on an assumption in the dialect of this airline; rail where none is set. */
export function isAssumed(assumed: readonly Dialect[] | undefined, dialect: Dialect = 'rail'): boolean {
  return assumed?.includes(dialect) === true;
}
