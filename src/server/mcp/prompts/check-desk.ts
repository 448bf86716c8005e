import { filledIn, type Prompt, steps } from './define.ts';

export const checkDesk: Prompt = {
  name: 'check_desk',
  title: 'Morning check of the desk',
  description: 'What runs out today, what is in doubt, what a person must look at. Changes nothing.',
  arguments: [{ name: 'hours', description: 'how far to look ahead; 24 if left empty' }],
  needs: ['list_bookings', 'report_activity'],
  says: (given) => `Please check the desk for the day. Pay, book and cancel nothing.
${filledIn({ hours: 'Hours ahead' }, given)}

${steps(
  'Call report_activity for the time since yesterday morning: sums by currency, findings that are open, holds that lapsed. Then call it without dates and with measure in_doubt, which lists what is in doubt.',
  'Call list_bookings with needs_attention, then with deadline_within_hours (24 unless I said otherwise) and refresh, to show the airline’s current state.',
  'For each operation whose outcome is not known: the booking, what was sent and when, and how to follow it. Send nothing of it again.',
  'One list, the most urgent first: reference, contact, what runs out and when (UTC and local), what it is worth, what you propose. Bookings made elsewhere are not in the list: say so.',
  'Wait for my word on each.',
)}`,
};
