/**
 * All city pairs on sale (GET /schedule/routes).
 */
import type { Route, Station } from '../../domain/schedule.ts';
import type { Carrier } from '../carrier.ts';
import type { NetworkStation } from '../network/network.ts';
import { sellableFrom } from '../trips.ts';

function stationOf(station: NetworkStation): Station {
  const { code, name, city, cityCode = code, country } = station;
  return { code, name, city, cityCode, country };
}

export function listRoutes(carrier: Carrier): readonly Route[] {
  const { network, timetable } = carrier;
  return network.stations.flatMap((from) => {
    const to = sellableFrom(timetable, from.code).flatMap((code) => timetable.station(code) ?? []);
    return to.length === 0 ? [] : [{ from: stationOf(from), to: to.map(stationOf) }];
  });
}
