/**
 * Memoizes a function that depends on its argument alone, because the texts of one booking need the same few values many
 * times. Forgets all results when there are `most`. Only for short texts and numbers.
 */
export function memoize<K extends string | number, V>(make: (key: K) => V, most = 500): (key: K) => V {
  return memoizeByKey((key) => key, make, most);
}

/** The same for values that a text or a number identifies. Keeps that key with each result, and not the value. */
export function memoizeByKey<T, V>(
  keyOf: (value: T) => string | number,
  make: (value: T) => V,
  most = 500,
): (value: T) => V {
  const results = new Map<string | number, V>();
  return (value) => {
    const key = keyOf(value);
    if (!results.has(key)) {
      if (results.size >= most) results.clear();
      results.set(key, make(value));
    }
    return results.get(key) as V;
  };
}

/** Memoizes a function of objects that never change. Forgets a result with its object. */
export function memoizeByObject<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) {
      result = make(key);
      results.set(key, result);
    }
    return result;
  };
}

/** Makes a value at the first call and keeps it, so that schemas cost nothing at import time. */
export function once<T extends object | string>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
