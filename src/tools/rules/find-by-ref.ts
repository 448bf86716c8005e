/** Finds segments and passengers by ref. A name that only one of them has was replaced by its ref before (clerk/parse-arguments.ts). */
import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { type InputFault, inputFaults } from '../../core/errors.ts';
import { listed } from '../../core/words.ts';
import type { Segment } from '../../domain/booking/booking.ts';
import { namedRef, refsMeant } from '../../domain/booking/booking-names.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { nameText, type Traveler } from '../../domain/people/traveler.ts';

/** Errors repeat only these: longer text may be anything. */
const SHORT_REF = /^[A-Za-z0-9]{1,3}$/;
const MOST_SHOWN = 12;

interface RefsArgument<T> {
  readonly all: readonly T[];
  /** Undefined: all of them. */
  readonly refs: readonly string[] | undefined;
  readonly what: string;
}

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
  return pickByRefs(all, refs);
}

/** Finds segments and passengers as {@link manyByRef} does. Throws E_INPUT with the faults of both. */
export function partByRefs(segments: RefsArgument<Segment>, passengers: RefsArgument<Traveler>) {
  const faults = [
    ...unknownRefs(segments.all, segments.refs ?? [], 'segment_refs', segments.what),
    ...unknownRefs(passengers.all, passengers.refs ?? [], 'passenger_refs', passengers.what),
  ];
  if (faults.length > 0) throw inputFaults(faults);
  return { segments: pickByRefs(segments.all, segments.refs), travelers: pickByRefs(passengers.all, passengers.refs) };
}

function pickByRefs<T extends Traveler | Segment>(
  all: readonly T[],
  refs: readonly string[] | undefined,
): readonly T[] {
  return refs === undefined ? all : all.filter(({ ref }) => refs.includes(ref));
}

/** One fault for each name that several have, and one for all other unknown refs. */
export function unknownRefs(
  all: readonly (Traveler | Segment)[],
  refs: readonly string[],
  field: string,
  what: string,
): readonly InputFault[] {
  const unknown = [...new Set(refs)].filter((ref) => all.every((item) => item.ref !== ref));
  const sharedNames = unknown.filter((name) => itemsNamed(name, all).length > 1);
  const others = unknown.filter((name) => !sharedNames.includes(name));
  const faults = sharedNames.map((name): InputFault => {
    const namesakes = itemsNamed(name, all).map(shownRef);
    const next = `Ask the person who is meant, and call the tool again with that ref in ${field}.`;
    return { field, problem: `expected one ref; ${namesakes.length} have this name: ${namesakes.join(', ')}.`, next };
  });
  if (others.length === 0) return faults;
  const problem = others.every((name) => SHORT_REF.test(name)) ? `no ${listed(others)}` : 'no such ref or name';
  const more = all.length > MOST_SHOWN ? `, and ${all.length - MOST_SHOWN} more` : '';
  const shown = all.length === 0 ? 'none' : all.slice(0, MOST_SHOWN).map(shownRef).join(', ');
  return [...faults, { field, problem: `${problem}; ${what} ${shown}${more}.` }];
}

function itemsNamed(name: string, all: readonly (Traveler | Segment)[]): readonly (Traveler | Segment)[] {
  const refs = refsMeant(name, all.map(namedRef));
  return all.filter(({ ref }) => refs.includes(ref));
}

/** `2 Boris Berg`, `3 Noor Haddad (CHD)`, `1 HHR101 QCA → XMD`. */
function shownRef(item: Traveler | Segment): string {
  if ('flightNumber' in item)
    return `${cleanRef(item.ref)} ${flightName(item)} ${cleanCode(item.from)} → ${cleanCode(item.to)}`;
  const type = item.type === 'ADT' && item.name !== undefined ? '' : ` (${cleanCode(item.type)})`;
  return `${cleanRef(item.ref)} ${nameText(item)}${type}`.replace('  ', ' ');
}
