/** The tool that lists the routes the airline sells, and the names of their stations. */
import * as z from 'zod';
import { plainText } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { own } from '../core/own.ts';
import { counted, table } from '../core/words.ts';
import { listStations, namedIn, placeNames, type Station, showPlace } from '../domain/booking/stations.ts';
import { foldName } from '../domain/people/identity-text.ts';
import { defineTool, readCall } from './definition/define.ts';
import { noted, placesSchema, strings, unlisted } from './definition/field-notes.ts';
import { integer, station, text } from './definition/input-fields.ts';
import { findStations } from './steps/resolve-stations.ts';

/** Pairs of stations in an answer: without `max_results`, and at most. */
const USUAL_SHOWN = 50;
const MOST_SHOWN = 500;

const input = () => ({
  from: noted('Only routes from this station or city.', station().optional(), 'all'),
  to: noted('Only routes to this station or city.', station().optional(), 'all'),
  query: noted(
    'Part of the name of a station or city, or the country as the airline writes it.',
    text().optional(),
    'all',
  ),
  max_results: noted('Most pairs of stations in the answer.', integer(1, MOST_SHOWN).optional(), `${USUAL_SHOWN}`),
});

const route = () =>
  z.object({
    ...strings('from'),
    to: z.array(z.string()),
  });

const output = () => ({
  total_found: z.int(),
  places: placesSchema(),
  ...unlisted({ cities: z.record(z.string(), z.string()).optional() }),
  routes: z.array(route()),
});

interface RoutePair {
  readonly from: Station;
  readonly to: Station;
}

export const listRoutes = defineTool({
  name: 'list_routes',
  title: 'List routes',
  description: 'Routes the airline sells, with station codes; query matches part of a name.',
  toolset: 'core',
  example: { from: 'QCA' },
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const allRoutes = await ctx.airline.routes(readCall(ctx));
    const allPairs = allRoutes.flatMap(({ from, to }) => to.map((end) => ({ from, to: end })));
    const stations = listStations(allRoutes);
    const fromCodes = codesMeant('from', args.from, stations);
    const toCodes = codesMeant('to', args.to, stations);

    const found = allPairs
      .filter(({ from }) => fromCodes === undefined || fromCodes.has(from.code))
      .filter(({ to }) => toCodes === undefined || toCodes.has(to.code))
      .filter(({ from, to }) => args.query === undefined || matches([from, to], args.query));
    if (found.length === 0) throw nothingFound(allPairs.length);

    const shown = found.slice(0, args.max_results ?? USUAL_SHOWN);
    const byOrigin = Map.groupBy(shown, ({ from }) => plainText(from.code, 8));
    const count = shown.length === found.length ? '' : `${shown.length} of `;

    return {
      summary: `${count}${counted(found.length, 'route')}.`,
      total_found: found.length,
      places: placesIn(shown),
      cities: citiesNotNamed(stationsIn(shown)),
      routes: [...byOrigin].map(([from, pairs]) => ({ from, to: pairs.map(({ to }) => plainText(to.code, 8)) })),
    };
  },

  text({ routes, places, cities = {} }) {
    const named = (code: string) => {
      const city = own(cities, code);
      const place = showPlace(code, namedIn(places));
      return city === undefined ? place : `${place} in ${city}`;
    };
    return table(routes.map(({ from, to }) => [named(from), `to ${to.map(named).join(', ')}`]));
  },
});

/** The codes that the words of an argument mean; undefined without the argument. Throws E_INPUT. */
function codesMeant(field: 'from' | 'to', text: string | undefined, stations: readonly Station[]) {
  return text === undefined ? undefined : new Set(findStations({ field, text }, stations).map(({ code }) => code));
}

function nothingFound(routeCount: number): ClerkError {
  const message =
    routeCount === 0
      ? 'The airline lists no routes.'
      : `None of the airline's ${counted(routeCount, 'route')} matches.`;
  return new ClerkError('E_NO_AVAILABILITY', message, {
    next: 'Call list_routes without filters, or with query set to a city.',
  });
}

/** Each station once. */
function stationsIn(pairs: readonly RoutePair[]): readonly Station[] {
  return [...new Map(pairs.flatMap(({ from, to }) => [from, to]).map((station) => [station.code, station])).values()];
}

/** Gives the names of stations by code: the same that every tool shows. */
function placesIn(pairs: readonly RoutePair[]): Record<string, string> {
  const names = placeNames(pairs.map(({ from, to }) => ({ from, to: [to] })));
  return Object.fromEntries([...names].map(([code, name]) => [plainText(code, 8), name]));
}

/** Gives the cities of stations by code, where the name of the station, as every tool shows it, does not say the city. */
function citiesNotNamed(stations: readonly Station[]): Record<string, string> | undefined {
  const cities = stations.flatMap(({ code, name, city }) => {
    const isSaid = city === '' || name === code || foldName(name).includes(foldName(city));
    return isSaid ? [] : [[plainText(code, 8), plainText(city, 60)] as const];
  });
  return cities.length === 0 ? undefined : Object.fromEntries(cities);
}

/** Whether the query is a part of a name of one end or of its city, or the country of one end. */
function matches(ends: readonly Station[], query: string): boolean {
  const wanted = foldName(query);
  if (ends.some(({ country }) => foldName(country) === wanted)) return true;
  const names = ends.flatMap(({ code, name, city, cityCode }) => [code, name, city, cityCode]);
  return names.some((name) => foldName(name).includes(wanted));
}
