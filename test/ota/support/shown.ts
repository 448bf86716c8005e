import { ACTS } from '../../../src/tools/index.ts';
import { viewBooking } from '../../../src/tools/views/booking-data.ts';

/** What the tools say of a booking, in full by default. */
export const shown = (
  booking: Parameters<typeof viewBooking>[0],
  now = 0,
  more: { reveal?: 'all'; detail?: 'concise' } = {},
) => viewBooking(booking, { acts: ACTS, offers: () => true, now, detail: 'full', ...more });
