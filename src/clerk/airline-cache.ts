/**
 * Remembers what the airline says of its routes, which tools use to look up places and searches to know a city's stations; concurrent
 * callers share one request. Limits how long a payment waits for the agency's accounts.
 */
import { ClerkError } from '../core/errors.ts';
import type { Layer } from '../core/layers.ts';
import type { Airline, ReadCall } from '../domain/airline.ts';
import {
  type FareQuery,
  type FareSearchResult,
  isDepartureFor,
  isOfferFor,
  leftOutWords,
  otherPartyPriced,
  type SameCity,
  type UnshownOffers,
} from '../domain/booking/offers.ts';
import { listStations, placeNames, type Route } from '../domain/booking/stations.ts';
import { partyInWords } from '../tools/rules/party-size.ts';

/** How long routes are remembered, milliseconds: they change by the season. */
export const ROUTES_LIFE_MS = 3_600_000;

/** How long a payment waits for the accounts, milliseconds: its question is asked without them if the airline is slow. */
export const ACCOUNTS_WAIT_MS = 1_000;

const OTHER_TRIP = 'of other stations, days or legs than asked for';

/** Remembers the routes. Concurrent callers share one request; a failure or an empty list is not kept. */
export function remembersRoutes(now: () => number): Layer<Airline> {
  return (inside) => withRoutes(inside, now);
}

function withRoutes(inside: Airline, now: () => number): Partial<Airline> {
  let latest: { readonly begun: number; readonly answer: Promise<readonly Route[]> } | undefined;
  let names: ReadonlyMap<string, string> = new Map();

  function freshRoutes(): Promise<readonly Route[]> {
    if (latest !== undefined && now() - latest.begun < ROUTES_LIFE_MS) return latest.answer;

    const request = { begun: now(), answer: inside.routes() };
    latest = request;

    const forget = (): void => {
      if (latest === request) latest = undefined;
    };

    request.answer.then((routes) => {
      if (routes.length === 0) forget();
      else names = placeNames(routes);
    }, forget);

    return request.answer;
  }

  /** Looks whether codes are of one city. Only a search that has another station than was asked for needs to know. */
  async function sameCity(call?: ReadCall): Promise<SameCity> {
    const routes = await unlessAborted(freshRoutes(), call).catch(() => undefined);
    // Without the routes nobody knows: the offers name their stations.
    if (routes === undefined) return () => true;

    const stations = listStations(routes);
    const cityOf = (code: string) => {
      const known = stations.find((station) => station.code.toUpperCase() === code.toUpperCase());
      return (known?.cityCode ?? code).toUpperCase();
    };

    return (a, b) => cityOf(a) === cityOf(b);
  }

  return {
    async searchFares(query, call) {
      const found = await inside.searchFares(query, call);
      const exact = onlyAsked(found, query, () => false);
      if (exact === found) return found;

      const asked = onlyAsked(found, query, await sameCity(call));
      // What is left of the reply would say that nothing is offered.
      if (asked.offers.length === 0 && found.offers.length > 0) throw notAskedError(asked.leftOut);

      return asked;
    },
    routes: (call) => unlessAborted(freshRoutes(), call),
    placeName: (code) => names.get(code.toUpperCase()),
    placeNames: () => names,
  };
}

/** Leaves out what is for another trip than the search asked for. Returns the same object if nothing is. */
function onlyAsked(found: FareSearchResult, query: FareQuery, isSameCity: SameCity): FareSearchResult {
  const ofTrip = found.offers.filter((offer) => isOfferFor(offer, query, isSameCity));
  const offers = ofTrip.filter((offer) => otherPartyPriced(offer, query.passengers) === undefined);
  const soldOut = soldOutAsked(found, query, isSameCity);
  if (offers.length === found.offers.length && soldOut === found.soldOut) return found;

  const otherTrips = found.offers.length - ofTrip.length;
  const asked = partyInWords(query.passengers);
  const otherParties = ofTrip.flatMap((offer) => otherPartyPriced(offer, query.passengers) ?? []);

  const leftOut = [
    ...(found.leftOut ?? []),
    ...(otherTrips > 0 ? [{ count: otherTrips, why: OTHER_TRIP }] : []),
    ...otherParties.map((party) => ({
      count: 1,
      why: `priced for ${partyInWords(party) || 'nobody'}, not for ${asked}`,
    })),
  ];
  return { ...found, offers, leftOut, soldOut };
}

/** Of departures without seats, those of the trip. If all are of another trip, the airline did not say what is sold out. */
function soldOutAsked({ soldOut }: FareSearchResult, query: FareQuery, isSameCity: SameCity) {
  const asked = soldOut?.filter((flight) => isDepartureFor(flight, query, isSameCity));
  if (asked?.length === soldOut?.length) return soldOut;
  return asked?.length === 0 ? undefined : asked;
}

function notAskedError(leftOut: readonly UnshownOffers[] = []): ClerkError {
  const message = `The airline answered with ${leftOutWords(leftOut)}. Whether it offers what the search asked for is not known.`;
  return new ClerkError('E_AIRLINE_REPLY', message, {
    next: 'Call search_fares once more, or for one leg. If it comes again, ask the operator to run `fareclerk doctor`.',
  });
}

/** Asks for the accounts at each question about a payment: every payment changes them, of ours and of others. */
export function limitsAccounts(waitMs = ACCOUNTS_WAIT_MS): Layer<Airline> {
  return (inside) => ({
    accounts() {
      const signal = AbortSignal.timeout(waitMs);
      return unlessAborted(inside.accounts({ signal }), { signal });
    },
  });
}

/** Waits for an answer, unless the caller aborts. A shared request then continues for the others. */
function unlessAborted<T>(answer: Promise<T>, { signal }: ReadCall = {}): Promise<T> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
