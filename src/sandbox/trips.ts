/** Ways from one station to another: direct departures, and trips with one change at a hub. */
import type { Departure, Timetable } from './timetable.ts';
import { addDays, MINUTE } from './zone.ts';

/** The departures of one option, in order of travel. */
export type Trip = readonly Departure[];

const SHORTEST_CHANGE = 60 * MINUTE;
const LONGEST_CHANGE = 5 * 60 * MINUTE;

/** Hubs over which two stations without a direct service are joined. */
function hubsBetween(timetable: Timetable, from: string, to: string): readonly string[] {
  if (from === to) return [];
  return timetable.network.stations
    .filter(
      (station) => station.hub && timetable.hasDirect(from, station.code) && timetable.hasDirect(station.code, to),
    )
    .map((it) => it.code);
}

/** Stations sold from here, with a change or without. */
export function sellableFrom(timetable: Timetable, from: string): readonly string[] {
  const direct = timetable.directFrom(from);
  const found = new Set(direct);
  for (const hub of direct.filter((code) => timetable.station(code)?.hub === true)) {
    for (const to of timetable.directFrom(hub)) if (to !== from) found.add(to);
  }
  return [...found].sort();
}

export function isSellable(timetable: Timetable, from: string, to: string): boolean {
  return timetable.hasDirect(from, to) || hubsBetween(timetable, from, to).length > 0;
}

/** Trips that leave on the local `date`. Changes are offered only where no direct service exists at all. */
export function tripsOn(timetable: Timetable, from: string, to: string, date: string, direct = false): readonly Trip[] {
  if (timetable.hasDirect(from, to)) return timetable.departures(from, to, date).map((departure) => [departure]);
  if (direct) return [];
  const trips: Trip[] = [];
  for (const hub of hubsBetween(timetable, from, to)) {
    const onward = [-1, 0, 1, 2].flatMap((days) => timetable.departures(hub, to, addDays(date, days)));
    for (const first of timetable.departures(from, hub, date)) {
      const next = onward.filter((second) => {
        const wait = second.departsAt - first.arrivesAt;
        return wait >= SHORTEST_CHANGE && wait <= LONGEST_CHANGE;
      });
      const earliest = next.sort((a, b) => a.departsAt - b.departsAt)[0];
      if (earliest !== undefined) trips.push([first, earliest]);
    }
  }
  return trips.sort((a, b) => (a[0]?.departsAt ?? 0) - (b[0]?.departsAt ?? 0));
}
