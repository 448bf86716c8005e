/** Puts layers around a port: the one to an airline, or the one to sockets. */

/** Given the port inside it, gives the methods that it changes. All others pass it by. */
export type Layer<Port> = (inside: Port) => Partial<Port>;

/** The port behind layers: a call passes them in this order. */
export function behind<Port extends object>(layers: readonly Layer<Port>[], port: Port): Port {
  let outside = port;
  for (const layer of layers.toReversed()) outside = { ...outside, ...layer(outside) };
  return outside;
}
