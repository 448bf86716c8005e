import { filledIn, type Prompt, steps } from './define.ts';

export const quoteGroup: Prompt = {
  name: 'quote_group',
  title: 'Quote a group',
  description: 'Prices for a group on one or more days, for a written offer. Books nothing.',
  arguments: [
    { name: 'from', description: 'city or station code', required: true, completes: 'station' },
    { name: 'to', description: 'city or station code', required: true, completes: 'station' },
    { name: 'date', description: 'day of departure, YYYY-MM-DD or in words', required: true },
    { name: 'return_date', description: 'day of the way back, if any' },
    { name: 'size', description: 'how many adults, children and infants', required: true },
  ],
  needs: ['search_fares'],
  says: (given) => `Please quote a group trip. Book and hold nothing.
${filledIn({ from: 'From', to: 'To', date: 'Date', return_date: 'Return', size: 'Group' }, given)}

${steps(
  'Ask me for what is missing. One search takes at most nine travellers with a seat: for a larger group search in parts that add up, and say that each part is priced on its own and seats may run out between them.',
  'Call search_fares for the day, each class on its own (booking_classes Y, then C), and for the days beside it where the group is free to move.',
  'Show one table: departure, class, price per adult and child, total for the group, seats left if stated, what comes back after a cancellation. Totals of two currencies are never added.',
  'Say when you asked, and that nothing is held: prices stand only once a booking is made. Names may follow later: create_booking also takes passenger_counts.',
)}`,
};
