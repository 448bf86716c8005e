/**
 * Local times of sold-out departures. The availability record has UTC only; the adapter adds the offsets that it has seen
 * (docs/wire/notes.md, Availability record), and the country of the station's list entry gives the others.
 */
import { stationsOf } from '../../domain/booking/find-station.ts';
import type { SoldOutFlight } from '../../domain/pricing/fare-search.ts';
import { inCountry } from '../../domain/time-and-text/country-time.ts';
import { dateOf } from '../../domain/time-and-text/times.ts';
import { readCall, type ToolContext } from './define.ts';

/** Reads the stations only if a time is in UTC. A time stays in UTC if its local date would not match the record. */
export async function inLocalTimes(
  flights: readonly SoldOutFlight[],
  ctx: Pick<ToolContext, 'airline' | 'signal'>,
): Promise<readonly SoldOutFlight[]> {
  if (flights.every(({ segment }) => segment.journeyDate === undefined)) return flights;
  const routes = await ctx.airline.routes(readCall(ctx)).catch(() => []);
  const countries = new Map(stationsOf(routes).map(({ code, country }) => [code.toUpperCase(), country]));
  const local = (time: string, code: string) => inCountry(time, countries.get(code.toUpperCase()) ?? '');
  return flights.map((flight) => {
    const { journeyDate, ...rest } = flight.segment;
    if (journeyDate === undefined) return flight;
    const departs = local(rest.departs, rest.from);
    const arrives = local(rest.arrives, rest.to);
    if (departs === undefined || arrives === undefined || dateOf(departs) !== dateOf(journeyDate)) return flight;
    return { ...flight, segment: { ...rest, departs, arrives } };
  });
}
