/**
 * GET {gateway_url}/schedule/routes and /schedule/calendar/availability (interface.md, schedule endpoints).
 */
import { calendarReply, calendarRequest } from '../../ota/messages/calendar.ts';
import { routesReply, SALES_CHANNEL } from '../../ota/messages/routes.ts';
import { applyTolerances } from '../dialects.ts';
import { Fault } from '../fault.ts';
import { carrierOf, type House } from '../house.ts';
import { calendarDates } from '../operations/calendar.ts';
import { listRoutes } from '../operations/routes.ts';
import { type Call, type Incoming, jsonReply } from '../reply.ts';
import { checkCredentials } from './credentials.ts';
import { strictly } from './refusal.ts';

function get(house: House, incoming: Incoming): void {
  if (incoming.method !== 'GET') throw new Fault('320', 'schedule operations are GET', 405);
  checkCredentials(house, incoming);
}

export function scheduleCall(house: House, incoming: Incoming): Call | undefined {
  const { searchParams, pathname } = incoming.url;
  if (pathname === '/schedule/routes') {
    return {
      name: 'routes',
      answer: () => {
        get(house, incoming);
        const channel = searchParams.get('sales_channel');
        if (channel === null) throw new Fault('321', 'sales_channel: missing');
        if (channel !== SALES_CHANNEL) throw new Fault('320', 'sales_channel: OTA is due');
        return jsonReply(200, routesReply.encode(listRoutes(carrierOf(house))));
      },
    };
  }
  if (pathname !== '/schedule/calendar/availability') return undefined;
  return {
    name: 'calendar',
    answer: () => {
      get(house, incoming);
      const asked = Object.fromEntries(searchParams);
      const query = strictly(asked, () => calendarRequest.parse(asked));
      const dates = house.state.view(() => calendarDates(carrierOf(house), query));
      return jsonReply(200, applyTolerances(house.tolerances, calendarReply.encode(dates)));
    },
  };
}
