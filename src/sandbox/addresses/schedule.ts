/**
 * GET {gateway_url}/schedule/routes, /schedule/calendar/availability and /debit-credit/accounts
 * (docs/wire/interface.md, Routes and calendar; docs/wire/notes.md, Shapes sent).
 */
import * as z from 'zod';
import { carrierOf, type SandboxContext } from '../context.ts';
import type { NetworkStation } from '../network/network.ts';
import { calendarDates } from '../operations/calendar.ts';
import { ACCOUNT_NAME } from '../operations/pay.ts';
import { listRoutes } from '../operations/routes.ts';
import { Refusal } from '../refusal.ts';
import { type Call, type Incoming, jsonReply, type Reply } from '../reply.ts';
import { parse } from '../requests/parse.ts';
import type { Wire } from '../wire.ts';
import { checkCredentials } from './credentials.ts';

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
  const found = listRoutes(carrierOf(context));
  return jsonReply(
    200,
    found.map(({ from, to }) => ({ origin: writeStation(from), destinations: to.map(writeStation) })),
  );
}

function calendar(context: SandboxContext, query: URLSearchParams): Reply {
  const { value: asked } = parse(calendarRequest, Object.fromEntries(query));
  const { departure_airport: from, arrival_airport: to } = asked;
  const [startDate, endDate] = [asked.start_date.slice(0, 10), asked.end_date.slice(0, 10)];
  const span = { from, to, startDate, endDate, direct: asked.direct === 'true' };
  const carrier = carrierOf(context);
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
