/** The same with some methods replaced. */
export function replacing<T extends object>(stored: T, methods: Partial<T>): T {
  return new Proxy(stored, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name) as unknown;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
