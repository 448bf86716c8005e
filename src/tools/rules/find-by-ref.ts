/** Finds segments and passengers by ref. */
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { type InputFault, inputFaults } from '../../core/errors.ts';
import { listed } from '../../core/words.ts';
import type { Segment } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { nameText, type Traveler } from '../../domain/people/traveler.ts';

/** Errors repeat only these: longer text may be anything. */
const SHORT_REF = /^[A-Za-z0-9]{1,3}$/;
const MOST_SHOWN = 12;

/** Throws E_INPUT with the refs that exist. `what`: the words before them, such as `the active segments are`. */
export function oneByRef<T extends Traveler | Segment>(all: readonly T[], ref: string, field: string, what: string): T {
  const found = all.find((item) => item.ref === ref);
  if (found !== undefined) return found;
  throw inputFaults(unknownRefs(all, [ref], field, what));
}

/** Finds items in the order of the booking; all if `refs` is undefined. Throws E_INPUT with the refs that exist. */
export function manyByRef<T extends Traveler | Segment>(
  all: readonly T[],
  refs: readonly string[] | undefined,
  field: string,
  what: string,
): readonly T[] {
  const faults = unknownRefs(all, refs ?? [], field, what);
  if (faults.length > 0) throw inputFaults(faults);
  return refs === undefined ? all : all.filter(({ ref }) => refs.includes(ref));
}

/** One fault for all unknown refs, with the names of all that could be meant. */
export function unknownRefs(
  all: readonly (Traveler | Segment)[],
  refs: readonly string[],
  field: string,
  what: string,
): readonly InputFault[] {
  const unknown = [...new Set(refs)].filter((ref) => all.every((item) => item.ref !== ref));
  if (unknown.length === 0) return [];
  const problem = unknown.every((name) => SHORT_REF.test(name)) ? `no ${listed(unknown)}` : 'no such ref';
  const more = all.length > MOST_SHOWN ? `, and ${all.length - MOST_SHOWN} more` : '';
  const shown = all.length === 0 ? 'none' : all.slice(0, MOST_SHOWN).map(shownRef).join(', ');
  return [{ field, problem: `${problem}; ${what} ${shown}${more}.` }];
}

/** `2 Boris Berg`, `3 Noor Haddad (CHD)`, `1 HHR101 QCA → XMD`. */
function shownRef(item: Traveler | Segment): string {
  if ('flightNumber' in item)
    return `${cleanRef(item.ref)} ${flightName(item)} ${cleanCode(item.from)} → ${cleanCode(item.to)}`;
  const type = item.type === 'ADT' && item.name !== undefined ? '' : ` (${cleanCode(item.type)})`;
  return `${cleanRef(item.ref)} ${nameText(item)}${type}`.replace('  ', ' ');
}
