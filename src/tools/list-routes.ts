/** The tool that lists the routes the airline sells, and the names of their stations. */
import * as z from 'zod';
import { cleanCode, plainText } from '../core/clean-text.ts';
import { ClerkError, inputError } from '../core/errors.ts';
import { own } from '../core/own.ts';
import { counted, table } from '../core/words.ts';
import type { Station } from '../domain/booking/stations.ts';
import { listStations, showPlace } from '../domain/booking/stations.ts';
import { foldName } from '../domain/people/identity-text.ts';
import { type ArgsOf, defineTool, readCall } from './definition/define.ts';
import { listedWithoutShape, noted, strings } from './definition/field-notes.ts';
import { detail, integer, station, text } from './definition/input-fields.ts';
import { stationsMeant } from './steps/resolve-stations.ts';

const input = () => ({
  from: noted('Only routes from this station or city.', station().optional(), 'all'),
  to: noted('Only routes to this station or city.', station().optional(), 'all'),
  country: noted('Only routes with a station in this country, by name or code.', text().optional(), 'all'),
  query: noted('Part of the name of a station, city or country.', text().optional(), 'all'),
  max_results: noted('Most pairs of stations in the answer.', integer(1, 500).optional(), '50'),
  detail: detail().optional(),
});

const place = () =>
  z.object(
    strings({
      code: 'IATA code of the station',
      name: 'name of the station',
      city: 'name of the city',
      city_code: 'IATA code of the city',
      country: 'country',
    }),
  );

const route = () =>
  z.object({
    ...strings({ from: 'the station where the routes begin' }),
    to: noted('the stations they lead to', z.array(z.string())),
  });

const output = () => ({
  total_found: noted('how many there are; the list may be shorter', z.int()),
  places: noted(
    'names by code: of the city, or of the station where a city has several',
    z.record(z.string(), z.string()),
  ),
  routes: noted('stations on sale, by code', z.array(route())),
  stations: listedWithoutShape(noted('every station with its names, with `detail: full`', z.array(place()).optional())),
});

type PlaceView = z.input<ReturnType<typeof place>>;

interface RoutePair {
  readonly from: Station;
  readonly to: Station;
}

export const listRoutes = defineTool({
  name: 'list_routes',
  title: 'List routes',
  description: 'Routes the airline sells, with station codes; query matches part of a name.',
  toolset: 'core',
  example: 'from=QCA',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const all = await ctx.airline.routes(readCall(ctx));
    const pairs = all.flatMap((route) => route.to.map((to) => ({ from: route.from, to })));
    const stations = listStations(all);
    const meant = (field: 'from' | 'to'): ((end: Station) => boolean) => {
      const text = args[field];
      if (text === undefined) return () => true;
      const codes = new Set(stationsMeant({ field, text }, stations).map(({ code }) => code));
      return ({ code }) => codes.has(code);
    };
    assertCountry(args.country, stations);
    const [isFrom, isTo] = [meant('from'), meant('to')];
    const found = pairs.filter((pair) => isFrom(pair.from) && isTo(pair.to) && matches([pair.from, pair.to], args));
    if (found.length === 0) {
      const none =
        pairs.length === 0
          ? 'The airline lists no routes.'
          : `None of the airline's ${counted(pairs.length, 'route')} matches.`;
      throw new ClerkError('E_NO_AVAILABILITY', none, {
        next: 'Call list_routes with fewer filters, or with query set to a city.',
      });
    }
    const shown = found.slice(0, args.max_results ?? 50);
    const ends = stationsIn(shown);
    const label = labels(ends);
    const byOrigin = Map.groupBy(shown, ({ from }) => plainText(from.code, 8));
    const of = shown.length === found.length ? '' : `${shown.length} of `;
    return {
      summary: `${of}${counted(found.length, 'route')}.`,
      total_found: found.length,
      places: Object.fromEntries(ends.map((end) => [plainText(end.code, 8), label(end)])),
      routes: [...byOrigin].map(([from, pairs]) => ({ from, to: pairs.map(({ to }) => plainText(to.code, 8)) })),
      stations: args.detail === 'full' ? ends.map(viewPlace) : undefined,
    };
  },

  text({ routes, places, stations = [] }) {
    const named = (code: string) => showPlace(code, (each) => own(places, each));
    return [
      ...table(routes.map(({ from, to }) => [named(from), `to ${to.map(named).join(', ')}`])),
      ...table(
        stations.map(({ code, name, city, city_code: cityCode, country }) => [code, name, city, cityCode, country]),
      ),
    ];
  },
});

/** Each station once. */
function stationsIn(pairs: readonly RoutePair[]): readonly Station[] {
  return [...new Map(pairs.flatMap(({ from, to }) => [from, to]).map((end) => [end.code, end])).values()];
}

/** `Jeddah`; where a city has several stations, by their own names. */
function labels(stations: readonly Station[]): (station: Station) => string {
  const inCity = Map.groupBy(stations, ({ city }) => city);
  const several = (city: string) => (inCity.get(city)?.length ?? 0) > 1;
  return ({ city, name }) => plainText(city === '' || several(city) ? name : city, 60);
}

/** Whether one end is in the country and one end matches the query. */
function matches(ends: readonly Station[], { country, query }: ArgsOf<typeof input>): boolean {
  const [inCountry, words] = [foldName(country ?? ''), foldName(query ?? '')];
  if (country !== undefined && !ends.some((end) => foldName(end.country) === inCountry)) return false;
  const names = ends.flatMap(({ code, name, city, cityCode }) => [code, name, city, cityCode]);
  return query === undefined || names.some((name) => foldName(name).includes(words));
}

function assertCountry(country: string | undefined, stations: readonly Station[]): void {
  const known = [...new Set(stations.map((each) => each.country))].filter((each) => each !== '');
  if (country === undefined || known.length === 0) return;
  if (known.some((each) => foldName(each) === foldName(country))) return;
  const names = known.map((each) => cleanCode(each)).sort();
  throw inputError('country', `expected a country the airline serves: ${names.join(', ')}.`);
}

function viewPlace({ code, name, city, cityCode, country }: Station): PlaceView {
  return {
    code: plainText(code, 8),
    name: plainText(name, 60),
    city: plainText(city, 60),
    city_code: plainText(cityCode, 8),
    country: plainText(country, 60),
  };
}
