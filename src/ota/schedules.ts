/**
 * Routes and days on sale (interface.md, schedule endpoints at {gateway_url}).
 */
import * as z from 'zod';
import type { Schedules } from '../domain/airline.ts';
import type { Adapter } from './adapter.ts';
import { gatewayAddress } from './addresses.ts';
import { calendarReply, calendarRequest } from './messages/calendar.ts';
import { routesReply, SALES_CHANNEL } from './messages/routes.ts';
import { isAboutRoute } from './reply-identity.ts';

export function createSchedules({ options, exchange }: Adapter): Schedules {
  return {
    routes: async (call) =>
      exchange.read(
        {
          operation: 'routes',
          url: gatewayAddress(options.gatewayUrl, '/schedule/routes', { sales_channel: SALES_CHANNEL }),
          purpose: 'read',
          decode: (body) => routesReply.parse(body),
        },
        call,
      ),
    calendar: async (query, call) =>
      exchange.read(
        {
          operation: 'calendar',
          url: gatewayAddress(options.gatewayUrl, '/schedule/calendar/availability', z.encode(calendarRequest, query)),
          purpose: 'read',
          about: (body) => isAboutRoute(body, query),
          decode: (body) => calendarReply.parse(body),
        },
        call,
      ),
  };
}
