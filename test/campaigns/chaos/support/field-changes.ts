/**
 * Every single-field change of a value: each leaf to something else, each list one longer, shorter or in another order,
 * each field that may be missing left out.
 */

/** From the root, keys and places. */
type Path = readonly (string | number)[];

/** Fields of a booking that its types allow to be missing, and whose owners have no required field of that name. */
const OPTIONAL = new Set([
  ...['system', 'createdAt', 'cancelled', 'contact', 'operating', 'marketing', 'journeyDate', 'bookingClass'],
  ...['fareBasis', 'availability', 'stops', 'permitted', 'gender', 'birthDate', 'document', 'docType', 'nationality'],
  ...['expires', 'attendantRef', 'ticketType', 'passengerType', 'timeLimit', 'segmentRef', 'seat', 'coach'],
  ...['providerTicket', 'action', 'orderType', 'locale', 'cancelUntil', 'payBy', 'namesUntil'],
  ...['quoteId', 'until', 'rel', 'travelerRef', 'countryCode'],
]);

export function fieldChanges(root: unknown, skip: (path: Path) => boolean) {
  return walk(root, [], skip);
}

/** `apply` gives the value with this one change; the value itself stays as it is. */
function change(path: Path, how: string, value: unknown) {
  return { path, how, apply: <T>(to: T) => replaced(to, path, value) };
}

type FieldChange = ReturnType<typeof change>;

function walk(value: unknown, path: Path, skip: (path: Path) => boolean): FieldChange[] {
  if (skip(path)) return [];
  if (Array.isArray(value))
    return [...ofList(value, path), ...value.flatMap((one, i) => walk(one, [...path, i], skip))];
  if (typeof value !== 'object' || value === null) return ofLeaf(value, path);
  return Object.entries(value).flatMap(([key, one]) => {
    // Left out already.
    if (one === undefined) return [];
    const at = [...path, key];
    const leftOut = OPTIONAL.has(key) && !skip(at) ? [change(at, 'left out', undefined)] : [];
    return [...leftOut, ...walk(one, at, skip)];
  });
}

function ofLeaf(value: unknown, path: Path): FieldChange[] {
  if (typeof value === 'boolean') return [change(path, 'flipped', !value)];
  if (typeof value === 'number') return [1, -1, 100].map((by) => change(path, `by ${by}`, value + by));
  if (typeof value !== 'string') return [];
  const places = value === '' ? [] : [...new Set([0, Math.floor(value.length / 2), value.length - 1])];
  const with_ = (i: number) => value.slice(0, i) + other(value[i]) + value.slice(i + 1);
  return [
    change(path, 'one character more', `${value}X`),
    ...places.map((i) => change(path, `another character at ${i}`, with_(i))),
    ...(value.length > 1 ? [change(path, 'one character less', value.slice(0, -1))] : []),
  ];
}

/** A digit for a digit, a letter for a letter. */
function other(character = ''): string {
  if (/\d/.test(character)) return String((Number(character) + 1) % 10);
  if (/[A-Y]/i.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
  return /z/i.test(character) ? 'A' : '~';
}

function ofList(list: readonly unknown[], path: Path): FieldChange[] {
  if (list.length === 0) return [];
  const isSame = list.length === 1 || JSON.stringify(list[0]) === JSON.stringify(list.at(-1));
  return [
    change(path, 'first item gone', list.slice(1)),
    change(path, 'last item twice', [...list, list.at(-1)]),
    ...(isSame ? [] : [change(path, 'in reverse', list.toReversed())]),
  ];
}

/** Copies what lies on the way only. `undefined` leaves the field out. */
function replaced<T>(root: T, [key, ...rest]: Path, value: unknown): T {
  if (key === undefined) return value as T;
  const old = (root as Record<string | number, unknown>)[key];
  const fresh = rest.length === 0 ? value : replaced(old, rest, value);
  if (Array.isArray(root)) return root.with(Number(key), fresh) as T;
  const { [key]: _, ...others } = root as Record<string | number, unknown>;
  return (fresh === undefined ? others : { ...(root as object), [key]: fresh }) as T;
}
