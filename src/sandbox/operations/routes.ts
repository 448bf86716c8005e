/** All city pairs on sale (GET /schedule/routes). */
import type { Carrier } from '../carrier.ts';
import type { NetworkStation } from '../network/network.ts';
import { sellableFrom } from '../trips.ts';

export interface Route {
  readonly from: NetworkStation;
  readonly to: readonly NetworkStation[];
}

export function listRoutes(carrier: Carrier): readonly Route[] {
  const { network, timetable } = carrier;
  return network.stations.flatMap((from) => {
    const to = sellableFrom(timetable, from.code).flatMap((code) => timetable.station(code) ?? []);
    return to.length === 0 ? [] : [{ from, to }];
  });
}
