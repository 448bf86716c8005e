import { type Resource, readByTool } from './define.ts';

export const booking: Resource = {
  name: 'booking',
  title: 'Booking',
  description:
    'A booking as the airline holds it now: state, deadlines, segments, passengers, tickets. Personal data is masked.',
  uri: 'fareclerk://bookings/{locator}',
  mimeType: 'text/plain',
  needs: 'read_booking',
  completes: { locator: 'locator' },
  read: async ({ locator }, context) => (await readByTool(context, 'read_booking', { locator })).text,
};
