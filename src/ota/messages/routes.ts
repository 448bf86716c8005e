/**
 * All city pairs on sale: GET {gateway_url}/schedule/routes (docs/wire/interface.md, Routes and calendar).
 */
import type { Route, Station } from '../../domain/booking/routes-and-calendar.ts';
import { record, records, replyError, text, type Wire } from './parts/reader.ts';

/** `sales_channel` of the query. */
export const SALES_CHANNEL = 'OTA';

/** A station without a code cannot be asked for, and is left away. */
function readStation(value: unknown): Station | undefined {
  const wire = record(value);
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
  const from = readStation(wire.origin);
  if (from === undefined) return undefined;
  return { from, to: records(wire.destinations).flatMap((one) => readStation(one) ?? []) };
}

export function decodeRoutesReply(wire: unknown): readonly Route[] {
  if (!Array.isArray(wire)) throw replyError('the list of routes');
  return records(wire).flatMap((one) => readRoute(one) ?? []);
}
