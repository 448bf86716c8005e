/** Puts layers around a port: the one to an airline, or the one to sockets. */

/** Gets the port inside it, and returns the methods that it changes. A call of another method goes straight to the port inside. */
export type Layer<Port> = (inside: Port) => Partial<Port>;

/** The port behind layers: a call passes them in this order. */
export function behind<Port extends object>(layers: readonly Layer<Port>[], port: Port): Port {
  let outside = port;
  for (const layer of layers.toReversed()) outside = { ...outside, ...layer(outside) };
  return outside;
}
