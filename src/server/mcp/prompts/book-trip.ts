import { filledIn, type Prompt, steps } from './define.ts';

export const bookTrip: Prompt = {
  name: 'book_trip',
  title: 'Book a trip',
  description: 'From where, where to and when, to tickets in hand: search, hold, pay.',
  arguments: [
    { name: 'from', description: 'city or station code', required: true, completes: 'station' },
    { name: 'to', description: 'city or station code', required: true, completes: 'station' },
    { name: 'date', description: 'day of departure, YYYY-MM-DD or in words' },
    { name: 'return_date', description: 'day of the way back, if any' },
    { name: 'passengers', description: 'how many, with ages of children' },
  ],
  needs: ['search_fares', 'create_booking', 'pay_booking'],
  says: (given) => `I would like to book a trip.
${filledIn({ from: 'From', to: 'To', date: 'Date', return_date: 'Return', passengers: 'Passengers' }, given)}

Please:
${steps(
  'Ask me for what is missing: dates as days of the calendar, how many adults, children (2 to 11) and infants. If the days are open, look at get_calendar_dates first.',
  'Call search_fares, with one leg per direction. Show me at most five offers: times, changes, total for all of us, and what comes back after a cancellation.',
  'When I have chosen, ask for the names as in the passports, birth dates, documents and an e-mail address, then call create_booking. It is a free hold: tell me the reference and until when it must be paid.',
  'Before you call pay_booking, tell me the total and ask how it is to be paid. I am asked for my yes myself; never say it for me, and never put a card number into a tool.',
  'If the outcome is pending, follow it as the result says and do not book or pay again. In the end give me reference, tickets and times.',
)}`,
};
