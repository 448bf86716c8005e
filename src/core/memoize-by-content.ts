import { hash } from 'node:crypto';

/** Memoizes a function of values that JSON can hold, as memoize.ts does. Of a value it keeps a digest: nothing of a person stays in memory. */
export function memoizeByContent<T, V>(make: (value: T) => V, most = 500): (value: T) => V {
  const results = new Map<string, { readonly result: V }>();
  return (value) => {
    const key = hash('sha256', JSON.stringify(value), 'base64url');
    let known = results.get(key);
    if (known === undefined) {
      if (results.size >= most) results.clear();
      known = { result: make(value) };
      results.set(key, known);
    }
    return known.result;
  };
}
