/**
 * Remembers the results of a function that depends on its argument alone, because the texts of one booking need the
 * same few values many times. Forgets all of them when there are `most`. Only for short texts and numbers.
 */
export function remembered<K extends string | number, V>(make: (key: K) => V, most = 500): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) {
      if (known.size >= most) known.clear();
      known.set(key, make(key));
    }
    return known.get(key) as V;
  };
}

/** Remembers the result of a function for each object that never changes, as long as the object is in use. */
export function rememberedFor<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** Makes a value at the first call and keeps it, so that schemas cost nothing at import time. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
