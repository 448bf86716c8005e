/**
 * Routes and days on sale (docs/wire/interface.md, Routes and calendar).
 */
import type { Schedules } from '../domain/airline.ts';
import type { Adapter } from './adapter.ts';
import { isAboutRoute } from './errors/reply-identity.ts';
import { decodeCalendarReply, encodeCalendarRequest } from './messages/calendar.ts';
import { decodeRoutesReply, SALES_CHANNEL } from './messages/routes.ts';
import { gatewayAddress } from './transport/addresses.ts';

export function createSchedules({ options, exchange }: Adapter): Schedules {
  return {
    routes: async (call) =>
      exchange.read(
        {
          operation: 'routes',
          url: gatewayAddress(options.gatewayUrl, '/schedule/routes', { sales_channel: SALES_CHANNEL }),
          purpose: 'read',
          decode: decodeRoutesReply,
        },
        call,
      ),
    calendar: async (query, call) =>
      exchange.read(
        {
          operation: 'calendar',
          url: gatewayAddress(options.gatewayUrl, '/schedule/calendar/availability', encodeCalendarRequest(query)),
          purpose: 'read',
          about: (body) => isAboutRoute(body, query),
          decode: decodeCalendarReply,
        },
        call,
      ),
  };
}
