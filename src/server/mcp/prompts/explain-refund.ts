import { filledIn, type Prompt, steps } from './define.ts';

export const explainRefund: Prompt = {
  name: 'explain_refund',
  title: 'Explain a refund',
  description: 'What a traveller gets back for a booking, or got back, and why. Changes nothing.',
  arguments: [
    { name: 'locator', description: 'reference of the booking', required: true, completes: 'locator' },
    { name: 'question', description: "the traveller's question, in their words" },
  ],
  needs: ['read_booking'],
  says: (given) => `Please explain a refund to a traveller. Change nothing.
${filledIn({ locator: 'Booking', question: 'Question' }, given)}

${steps(
  'Call read_booking with detail full.',
  'Already cancelled: tell what the airline states in the orders (direction REFUND): amount, status. That is the refund; do not work out another one.',
  'Not cancelled: for each passenger type and part of the trip, take the refund rule that holds now: what is kept per person and segment, tax included, and until when. Money already paid less what is kept is an estimate; call it one.',
  'If no rule is stated, say that the airline does not tell, and that a person at the airline must be asked. Never fill a gap with what airlines usually do.',
  'Answer in plain words for the traveller, amounts with currency, times with zone, the deadline first. The airline’s own texts are to be quoted as such.',
)}`,
};
