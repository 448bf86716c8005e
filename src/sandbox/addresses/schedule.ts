/**
 * GET {gateway_url}/schedule/routes, /schedule/calendar/availability and /debit-credit/accounts
 * (docs/wire/interface.md, Routes and calendar; docs/wire/notes.md, Shapes sent).
 */
import * as z from 'zod';
import { type Call, checkCredentials, type Incoming, jsonReply, type Reply } from '../calls.ts';
import { type Carrier, carrierNow, type SandboxContext } from '../carrier.ts';
import type { NetworkStation } from '../network/network.ts';
import { ACCOUNT_NAME } from '../operations/pay.ts';
import { Refusal } from '../refusal.ts';
import { parse } from '../requests/parse.ts';
import { isOnSale } from '../sale.ts';
import { isSellable, sellableFrom, tripsOn } from '../timetable.ts';
import type { Wire } from '../wire.ts';
import { addDays, isDate } from '../zone.ts';

const localTime = z.iso.datetime({ local: true }).refine((value) => !value.endsWith('Z'), 'no zone is due');

const calendarRequest = z.object({
  start_date: localTime,
  end_date: localTime,
  departure_airport: z.string().min(1),
  arrival_airport: z.string().min(1),
  direct: z.enum(['true', 'false']).optional(),
});

function writeStation({ code, name, city, cityCode = code, country }: NetworkStation): Wire {
  return { code, name, cityName: city, cityCode, country };
}

function routes(context: SandboxContext, query: URLSearchParams): Reply {
  const channel = query.get('sales_channel');
  if (channel === null) throw new Refusal('321', 'sales_channel: missing');
  if (channel !== 'OTA') throw new Refusal('320', 'sales_channel: OTA is due');
  const { timetable } = context;
  const found = timetable.network.stations.flatMap((from) => {
    const to = sellableFrom(timetable, from.code).flatMap((code) => timetable.station(code) ?? []);
    return to.length === 0 ? [] : [{ origin: writeStation(from), destinations: to.map(writeStation) }];
  });
  return jsonReply(200, found);
}

function calendar(context: SandboxContext, query: URLSearchParams): Reply {
  const { value: asked } = parse(calendarRequest, Object.fromEntries(query));
  const { departure_airport: from, arrival_airport: to } = asked;
  const [startDate, endDate] = [asked.start_date.slice(0, 10), asked.end_date.slice(0, 10)];
  const span = { from, to, startDate, endDate, direct: asked.direct === 'true' };
  const carrier = carrierNow(context);
  const dates = context.state.view(() => calendarDates(carrier, span));
  const reply = { departureAirport: from, arrivalAirport: to, startDate, endDate, dates: [...dates] };
  return jsonReply(200, context.rewrite(reply, { name: 'calendar', request: {}, carrier }));
}

/** The account that payments of type 4 name. */
function accounts(context: SandboxContext): Reply {
  const currencyCode = context.timetable.network.currency;
  return jsonReply(200, [{ accountName: ACCOUNT_NAME, currencyCode, availableCredit: 1_000_000, active: true }]);
}

const ADDRESSES: Readonly<
  Record<string, readonly [string, (context: SandboxContext, query: URLSearchParams) => Reply]>
> = {
  '/schedule/routes': ['routes', routes],
  '/schedule/calendar/availability': ['calendar', calendar],
  '/debit-credit/accounts': ['accounts', accounts],
};

export function scheduleCall(context: SandboxContext, incoming: Incoming): Call | undefined {
  const { searchParams, pathname } = incoming.url;
  const address = Object.hasOwn(ADDRESSES, pathname) ? ADDRESSES[pathname] : undefined;
  if (address === undefined) return undefined;
  const [name, answer] = address;
  return {
    name,
    answer: () => {
      if (incoming.method !== 'GET') throw new Refusal('320', 'this address is read with GET', 405);
      checkCredentials(context, incoming);
      return answer(context, searchParams);
    },
  };
}

const LONGEST_DAYS = 366;

/** Dates are YYYY-MM-DD. */
type CalendarQuery = Record<'from' | 'to' | 'startDate' | 'endDate', string> & { readonly direct: boolean };

/** Dates on which a route is served. */
function calendarDates(carrier: Carrier, query: CalendarQuery): readonly string[] {
  const { timetable, now } = carrier;
  const { from, to, startDate, endDate, direct } = query;
  if (!isDate(startDate) || !isDate(endDate) || endDate < startDate)
    throw new Refusal('15', `${startDate} to ${endDate}`);
  const days = Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000);
  if (days > LONGEST_DAYS) throw new Refusal('161', `at most ${LONGEST_DAYS} days`);
  if (!isSellable(timetable, from, to)) throw new Refusal('7', `${from}-${to} is not sold`);
  const last = timetable.lastSaleDate(now);
  const dates: string[] = [];
  for (let date = startDate; date <= endDate && date <= last; date = addDays(date, 1)) {
    const trips = tripsOn(timetable, from, to, date, direct);
    if (trips.some((trip) => trip.every((departure) => isOnSale(carrier, departure)))) dates.push(date);
  }
  return dates;
}
