/** Routes and days on sale (docs/wire/interface.md, Routes and calendar). */
import type { Airline } from '../domain/airline.ts';
import { isAboutRoute } from './errors/reply-identity.ts';
import { decodeCalendarReply, encodeCalendarRequest } from './messages/calendar.ts';
import { decodeRoutesReply, SALES_CHANNEL } from './messages/routes.ts';
import { gatewayAddress } from './transport/addresses.ts';
import type { Exchange } from './transport/exchange.ts';

export function createSchedules(exchange: Exchange): Pick<Airline, 'routes' | 'calendar'> {
  const { gatewayUrl } = exchange.options;
  return {
    routes: async (how) =>
      exchange.read(how, {
        operation: 'routes',
        url: gatewayAddress(gatewayUrl, '/schedule/routes', { sales_channel: SALES_CHANNEL }),
        decode: decodeRoutesReply,
      }),
    calendar: async (query, how) =>
      exchange.read(how, {
        operation: 'calendar',
        url: gatewayAddress(gatewayUrl, '/schedule/calendar/availability', encodeCalendarRequest(query)),
        about: (body) => isAboutRoute(body, query),
        decode: decodeCalendarReply,
      }),
  };
}
