/**
 * The airline's routes, remembered: names of places are looked up in them, and they change by the season. One request
 * serves everybody who waits for it; a failure or an empty list is not kept.
 */
import type { Airline, ReadCall } from '../domain/airline.ts';
import type { Route } from '../domain/booking/routes-and-calendar.ts';

/** How long a list is taken for the airline's own. */
export const ROUTES_LIFE_MS = 3_600_000;

export function rememberRoutes(airline: Airline, now: () => number): Airline {
  let known: { readonly at: number; readonly list: Promise<readonly Route[]> } | undefined;

  function asked(): Promise<readonly Route[]> {
    if (known !== undefined && now() - known.at < ROUTES_LIFE_MS) return known.list;
    const entry = { at: now(), list: airline.routes() };
    known = entry;
    const forget = (): void => {
      if (known === entry) known = undefined;
    };
    entry.list.then((routes) => {
      if (routes.length === 0) forget();
    }, forget);
    return entry.list;
  }

  return { ...airline, routes: (call) => patient(asked(), call) };
}

/** Who gives up leaves; the request goes on for the others. */
function patient<T>(list: Promise<T>, { signal }: ReadCall = {}): Promise<T> {
  if (signal === undefined) return list;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    list.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
