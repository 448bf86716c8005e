/**
 * Every single-field change of a value: each leaf to something else, each list one longer, shorter or in another order,
 * each field that may be missing left out.
 */

/** From the root, keys and places. */
export type Path = readonly (string | number)[];

export interface FieldChange {
  readonly path: Path;
  readonly how: string;
  /** The value with this one change; the value itself stays as it is. */
  apply<T>(to: T): T;
}

/** Fields of a booking that its types allow to be missing, and whose owners have no required field of that name. */
const OPTIONAL = new Set([
  ...['system', 'createdAt', 'cancelled', 'contact', 'operating', 'marketing', 'journeyDate', 'bookingClass'],
  ...['fareBasis', 'availability', 'stops', 'permitted', 'gender', 'birthDate', 'document', 'docType', 'nationality'],
  ...['expires', 'attendantRef', 'ticketType', 'passengerType', 'timeLimit', 'segmentRef', 'seat', 'coach'],
  ...['providerTicket', 'action', 'orderType', 'locale', 'filingAirline', 'cancelUntil', 'payBy', 'namesUntil'],
  ...['accountCode', 'quoteId', 'equivalents', 'until', 'rel', 'travelerRef', 'countryCode'],
]);

export function fieldChanges(root: unknown, skip: (path: Path) => boolean = () => false): FieldChange[] {
  return walk(root, [], skip);
}

function walk(value: unknown, path: Path, skip: (path: Path) => boolean): FieldChange[] {
  if (skip(path)) return [];
  if (Array.isArray(value))
    return [...ofList(value, path), ...value.flatMap((one, i) => walk(one, [...path, i], skip))];
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, one]) => [
      ...(OPTIONAL.has(key) && !skip([...path, key]) ? [leftOut([...path, key])] : []),
      ...walk(one, [...path, key], skip),
    ]);
  }
  return ofLeaf(value, path);
}

function ofLeaf(value: unknown, path: Path): FieldChange[] {
  if (typeof value === 'boolean') return [set(path, 'flipped', !value)];
  if (typeof value === 'number') return [1, -1, 100].map((by) => set(path, `${by > 0 ? '+' : ''}${by}`, value + by));
  if (typeof value !== 'string') return [];
  const places = [...new Set([0, Math.floor(value.length / 2), value.length - 1])].filter(
    (i) => i >= 0 && value !== '',
  );
  return [
    set(path, 'one character more', `${value}X`),
    ...places.map((i) =>
      set(path, `another character at ${i}`, value.slice(0, i) + other(value[i]) + value.slice(i + 1)),
    ),
    ...(value.length > 1 ? [set(path, 'one character less', value.slice(0, -1))] : []),
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
  return [
    set(path, 'first item gone', list.slice(1)),
    set(path, 'last item twice', [...list, list.at(-1)]),
    ...(list.length > 1 && JSON.stringify(list[0]) !== JSON.stringify(list.at(-1))
      ? [set(path, 'in reverse', list.toReversed())]
      : []),
  ];
}

function leftOut(path: Path): FieldChange {
  return { path, how: 'left out', apply: (to) => replaced(to, path, undefined) };
}

function set(path: Path, how: string, value: unknown): FieldChange {
  return { path, how, apply: (to) => replaced(to, path, value) };
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

export function pathText(path: Path): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
}
