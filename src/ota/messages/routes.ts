/** All city pairs on sale: GET {gateway_url}/schedule/routes (docs/wire/interface.md, Routes and calendar). */
import type { Route, Station } from '../../domain/booking/routes-and-calendar.ts';
import { readAll, record, replyError, text, type Wire } from './parts/reader.ts';

/** `sales_channel` of the query. */
export const SALES_CHANNEL = 'OTA';

/** Drops a station without a code. */
function readStation(wire: Wire): Station | undefined {
  const code = text(wire.code);
  if (code === undefined) return undefined;
  const name = text(wire.name) ?? code;
  return {
    code,
    name,
    city: text(wire.cityName) ?? name,
    cityCode: text(wire.cityCode) ?? code,
    country: text(wire.country) ?? '',
  };
}

function readRoute(wire: Wire): Route | undefined {
  const from = readStation(record(wire.origin));
  if (from === undefined) return undefined;
  return { from, to: readAll(wire.destinations, readStation) };
}

export function decodeRoutesReply(wire: unknown): readonly Route[] {
  if (!Array.isArray(wire)) throw replyError('the list of routes');
  return readAll(wire, readRoute);
}
