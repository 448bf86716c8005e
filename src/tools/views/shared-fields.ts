/** Fields that are equal in all rows of a result, and stand there once. */

import { own } from '../../core/own.ts';

/** The fields that are equal in all. */
export function equalFields<T extends object, K extends keyof T>(
  items: readonly T[],
  names: readonly K[],
): Partial<Pick<T, K>> {
  const [first, ...others] = items;
  const equal: Partial<Pick<T, K>> = {};
  if (first === undefined) return equal;

  for (const name of names) {
    const value = first[name];
    if (value !== undefined && others.every((each) => isSame(each[name], value))) equal[name] = value;
  }

  return equal;
}

const isSame = (value: unknown, other: unknown) => JSON.stringify(value) === JSON.stringify(other);

/** Leaves out the fields that `shared` has. */
export function withoutShared<T extends object>(fields: T, shared: Readonly<Record<string, unknown>>): T {
  const others = Object.entries(fields).filter(([name]) => own(shared, name) === undefined);
  return Object.fromEntries(others) as T;
}
