/**
 * Caches the airline's routes, which tools use to look up places. Concurrent callers share one request; a failure or an
 * empty list is not cached.
 */
import type { Airline, ReadCall } from '../domain/airline.ts';
import type { Route } from '../domain/booking/stations.ts';
import { placeNames } from '../domain/booking/stations.ts';

/** Routes change by the season. */
export const ROUTES_LIFE_MS = 3_600_000;

export function rememberRoutes(airline: Airline, now: () => number): Airline {
  let known: { readonly at: number; readonly list: Promise<readonly Route[]> } | undefined;
  let names: ReadonlyMap<string, string> = new Map();

  function asked(): Promise<readonly Route[]> {
    if (known !== undefined && now() - known.at < ROUTES_LIFE_MS) return known.list;
    const entry = { at: now(), list: airline.routes() };
    known = entry;
    const forget = (): void => {
      if (known === entry) known = undefined;
    };
    entry.list.then((routes) => {
      if (routes.length === 0) forget();
      else names = placeNames(routes);
    }, forget);
    return entry.list;
  }

  return { ...airline, routes: (call) => patient(asked(), call), placeName: (code) => names.get(code.toUpperCase()) };
}

/** A caller who aborts leaves; the request continues for the others. */
function patient<T>(list: Promise<T>, { signal }: ReadCall = {}): Promise<T> {
  if (signal === undefined) return list;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    list.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
