/** Finds segments and passengers by ref. A name that one of them bears was made a ref before (server/parse-arguments.ts). */
import { cleanCode } from '../../core/clean-text.ts';
import { type InputFault, inputFaults } from '../../core/errors.ts';
import { listed } from '../../core/words.ts';
import type { Segment } from '../../domain/booking/booking.ts';
import { namedRef, refsMeant } from '../../domain/booking/booking-names.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { nameText, type Traveler } from '../../domain/people/traveler.ts';

/** Throws E_INPUT with those that exist. `what`: `the active segments are`. */
export function oneByRef<T extends Traveler | Segment>(all: readonly T[], ref: string, field: string, what: string): T {
  const found = all.find((item) => item.ref === ref);
  if (found !== undefined) return found;
  throw inputFaults(unknownRefs(all, [ref], field, what));
}

/** In the order of the booking; all if no refs are given. Throws E_INPUT with those that exist. */
export function manyByRef<T extends Traveler | Segment>(
  all: readonly T[],
  refs: readonly string[] | undefined,
  field: string,
  what: string,
): readonly T[] {
  if (refs === undefined) return all;
  const faults = unknownRefs(all, refs, field, what);
  if (faults.length > 0) throw inputFaults(faults);
  return all.filter(({ ref }) => refs.includes(ref));
}

interface GivenRefs<T> {
  readonly all: readonly T[];
  /** Absent: all of them. */
  readonly refs: readonly string[] | undefined;
  readonly what: string;
}

/** What `segment_refs` and `passenger_refs` name, as {@link manyByRef} finds it. Throws E_INPUT with the faults of both. */
export function partByRefs(segments: GivenRefs<Segment>, passengers: GivenRefs<Traveler>) {
  const faults = [
    ...unknownRefs(segments.all, segments.refs ?? [], 'segment_refs', segments.what),
    ...unknownRefs(passengers.all, passengers.refs ?? [], 'passenger_refs', passengers.what),
  ];
  if (faults.length > 0) throw inputFaults(faults);
  return { segments: pickNamed(segments), travelers: pickNamed(passengers) };
}

const pickNamed = <T extends Traveler | Segment>({ all, refs }: GivenRefs<T>): readonly T[] =>
  refs === undefined ? all : all.filter(({ ref }) => refs.includes(ref));

/** What is longer may be anything, and is not repeated. */
const SHORT_REF = /^[A-Za-z0-9]{1,3}$/;
const MOST_SHOWN = 12;

/** What is wrong with refs that are none of these: names that several bear, and the others together. */
export function unknownRefs(
  all: readonly (Traveler | Segment)[],
  refs: readonly string[],
  field: string,
  what: string,
): readonly InputFault[] {
  const unknown = [...new Set(refs)].filter((ref) => all.every((item) => item.ref !== ref));
  const shared = unknown.filter((name) => meantBy(name, all).length > 1);
  const others = unknown.filter((name) => !shared.includes(name));
  const faults = shared.map((name): InputFault => {
    const meant = meantBy(name, all).map(shownRef);
    const next = `Ask the person who is meant, and call the tool again with that ref in ${field}.`;
    return { field, problem: `expected one ref; ${meant.length} have this name: ${meant.join(', ')}.`, next };
  });
  if (others.length === 0) return faults;
  const no = others.every((name) => SHORT_REF.test(name)) ? `no ${listed(others)}` : 'no such ref or name';
  const more = all.length > MOST_SHOWN ? `, and ${all.length - MOST_SHOWN} more` : '';
  const shown = all.length === 0 ? 'none' : all.slice(0, MOST_SHOWN).map(shownRef).join(', ');
  return [...faults, { field, problem: `${no}; ${what} ${shown}${more}.` }];
}

function meantBy(name: string, all: readonly (Traveler | Segment)[]): readonly (Traveler | Segment)[] {
  const refs = refsMeant(name, all.map(namedRef));
  return all.filter(({ ref }) => refs.includes(ref));
}

/** `2 Boris Berg`, `3 Noor Haddad (CHD)`, `1 HHR101 QCA → XMD`. */
function shownRef(item: Traveler | Segment): string {
  if ('flightNumber' in item) return `${item.ref} ${flightName(item)} ${cleanCode(item.from)} → ${cleanCode(item.to)}`;
  const type = item.type === 'ADT' && item.name !== undefined ? '' : ` (${cleanCode(item.type)})`;
  return `${item.ref} ${nameText(item)}${type}`.replace('  ', ' ');
}
