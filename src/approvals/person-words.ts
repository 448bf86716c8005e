/** Takes the words of programs out of a sentence, for the person who decides: names of tools, ids of operations. */

const ACTS: Readonly<Record<string, string>> = {
  assign_seats: 'change of seats',
  cancel_booking: 'cancellation',
  cancel_passenger: 'cancellation',
  cancel_segment: 'cancellation',
  change_names: 'change of names',
  create_booking: 'booking',
  pay_booking: 'payment',
  rebook_segment: 'rebooking',
  split_booking: 'split',
  update_contact: 'change of contact',
  update_passenger: 'change of details',
};

const TOOL = new RegExp(`\\b(?:${Object.keys(ACTS).join('|')})\\b`, 'g');

/** `payment` for `pay_booking`; other names stay. */
export function actWord(tool: string): string {
  return ACTS[tool] ?? tool;
}

export function forPerson(sentence: string): string {
  return sentence
    .replace(TOOL, actWord)
    .replace(/ \(operation [\w-]+\)/g, '')
    .replace(/\(operation [\w-]+, /g, '(');
}
