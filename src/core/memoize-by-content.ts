import { hash } from 'node:crypto';
import { memoizeByKey } from './memoize.ts';

/** Memoizes a function of values that JSON can hold, as memoize.ts does. Of a value it keeps a digest: nothing of a person stays in memory. */
export function memoizeByContent<T, V>(make: (value: T) => V, most?: number): (value: T) => V {
  return memoizeByKey((value) => hash('sha256', JSON.stringify(value), 'base64url'), make, most);
}
