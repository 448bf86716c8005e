import type { Resource } from './define.ts';
import { readThrough } from './read-through.ts';

export const booking: Resource = {
  name: 'booking',
  title: 'Booking',
  description:
    'A booking as the airline holds it now: state, deadlines, segments, passengers, tickets. Personal data is masked.',
  uri: 'fareclerk://bookings/{locator}',
  mimeType: 'text/plain',
  needs: 'read_booking',
  completes: { locator: 'locator' },
  read: async ({ locator }, visitor) => (await readThrough(visitor, 'read_booking', { locator })).text,
};
