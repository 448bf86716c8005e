import { filledIn, type Prompt, steps } from './define.ts';

export const rebookAfterCancellation: Prompt = {
  name: 'rebook_after_cancellation',
  title: 'Rebook after a cancellation request',
  description:
    'A traveller wants out of a booking and onto another day: what it costs first, the new seat before the old one goes.',
  arguments: [
    { name: 'locator', description: 'reference of the booking', required: true, completes: 'locator' },
    { name: 'wish', description: 'what is to be cancelled, and when to travel instead' },
  ],
  needs: ['read_booking', 'quote_cancellation', 'search_fares', 'create_booking', 'pay_booking', 'cancel_segment'],
  says: (given) => `A traveller asks to cancel and to travel at another time.
${filledIn({ locator: 'Booking', wish: 'Wish' }, given)}

Please:
${steps(
  'Call read_booking, then quote_cancellation for what is to go. Tell me what is active, what is paid, what comes back now, what is kept, and until when that holds. Cancel nothing yet.',
  'Call search_fares for the new day with the same passengers, and compare: new total, less the refund, is what the change costs. If keeping the booking or changing names would do, say so.',
  'Ask me to decide. If I only wanted to know, stop here.',
  'Hold the new trip first with create_booking (free), and pay it with pay_booking. I am asked for my yes to the exact terms.',
  'If the payment is pending or refused, tell me, and cancel nothing. Else quote the cancellation once more, and cancel what is to go: cancel_segment with the refs as read, again with my own yes.',
  'End with both references: what is still booked, what was refunded according to the airline, what was paid.',
)}`,
};
