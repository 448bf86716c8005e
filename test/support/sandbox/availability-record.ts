/** An airline that answers every search with the availability record (docs/wire/interface.md, Availability record). */
import { searchAvailability } from '../../../src/sandbox/operations/search.ts';
import { writeAvailability } from '../../../src/sandbox/replies/availability.ts';
import { searchRequest } from '../../../src/sandbox/requests/messages.ts';
import { type Rewrite, SEARCH } from './deviations.ts';
import { inDialect } from './forms.ts';

/** The record instead of priced itineraries. */
export const availabilityRecord: Rewrite = (reply, { name, request, carrier }) => {
  if (name !== SEARCH || !('pricedItineraries' in reply)) return inDialect(carrier.dialect, reply);
  const query = searchRequest.parse(request);
  return writeAvailability(carrier, searchAvailability(carrier, query), query);
};
