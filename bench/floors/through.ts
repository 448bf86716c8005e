/** The pass-through client, which our own work per call is judged against: no mapping, no check, no state. */
import { passed, serveClient } from './client.ts';

serveClient('floor-through', {
  search: (reply) => passed(reply.pricedItineraries?.pricedItinerary?.slice(0, 10)),
  read: (reply) => passed(reply.airReservation),
});
