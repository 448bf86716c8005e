/** Finds segments and passengers by ref. */
import { inputError } from '../../core/errors.ts';

interface WithRef {
  readonly ref: string;
}

/** Throws E_INPUT with the refs that exist. `what`: `an active segment`. */
export function oneByRef<T extends WithRef>(all: readonly T[], ref: string, field: string, what: string): T {
  const found = all.find((one) => one.ref === ref);
  if (found !== undefined) return found;
  throw inputError(field, `expected a ref of ${what}: ${all.map((one) => one.ref).join(', ')}.`);
}

/** In the order of the booking; all if no refs are given. Throws E_INPUT with the refs that exist. */
export function manyByRef<T extends WithRef>(
  all: readonly T[],
  refs: readonly string[] | undefined,
  field: string,
  what: string,
  label: (one: T) => string = ({ ref }) => ref,
): readonly T[] {
  if (refs === undefined) return all;
  if (refs.every((ref) => all.some((one) => one.ref === ref))) return all.filter(({ ref }) => refs.includes(ref));
  throw inputError(field, `expected refs of ${what}: ${all.map(label).join(', ')}.`);
}
