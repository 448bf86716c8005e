import { filledIn, type Prompt, steps } from './define.ts';

export const explainRefund: Prompt = {
  name: 'explain_refund',
  title: 'Explain a refund',
  description: 'What a traveller gets back for a booking, or got back, and why. Changes nothing.',
  arguments: [
    { name: 'locator', description: 'reference of the booking', required: true, completes: 'locator' },
    { name: 'question', description: "the traveller's question, in their words" },
  ],
  needs: ['read_booking', 'quote_cancellation'],
  says: (given) => `Please explain a refund to a traveller. Change nothing.
${filledIn({ locator: 'Booking', question: 'Question' }, given)}

${steps(
  'Call quote_cancellation: for the whole booking, or with segment_refs or passenger_refs for the part that the traveller asks about. read_booking has the refs.',
  'Already cancelled: tell what the airline states as refunded. Do not work out another amount; read_booking lists the orders.',
  'Not cancelled: tell what comes back now, what is kept, until when, and what comes back after that. Do not compute amounts yourself. It is an estimate; call it one.',
  'Where an amount is missing, say why, as the notes do, and that a person at the airline must be asked. Never fill a gap with what airlines usually do.',
  'Answer in plain words for the traveller, amounts with currency, times with zone, the deadline first. Quote the airline’s own words as such.',
)}`,
};
