/**
 * Remembers the results of a function that depends on its argument alone: one booking asks for the same few again and
 * again. Forgets all of them when there are too many. Only for short texts and numbers.
 */
export function remembered<K extends string | number, V>(make: (key: K) => V, most = 500): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined || known.has(key)) return before as V;
    if (known.size >= most) known.clear();
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
