/** What each input of a tool is, in words for `fareclerk call TOOL --help`. Tool lists stay short: models pay for them. */
import type { Tool } from '../../tools/definition/define.ts';
import { OF } from '../../tools/definition/example-inputs.ts';

/** By the name of the field, where its tool has no words of its own. A default is part of the words. */
const WORDS: Readonly<Record<string, string>> = {
  adults: 'passengers from 12 years',
  again_after: 'operation_id of the same booking, to make another',
  all: 'true: every segment',
  arguments: 'its inputs, as one JSON object',
  approval_id: 'the id of an approval, to continue after a yes',
  birth_date: 'YYYY-MM-DD',
  booking_classes: 'Y economy, C business; default: all',
  changes: 'one item per passenger; only what changes',
  children: 'passengers from 2 to 11 years; default 0',
  city: 'of the contact',
  contact: 'who the airline writes to',
  country: 'two letters, such as SA',
  country_code: 'calling code, such as 966',
  date: 'local date of departure, YYYY-MM-DD',
  days_after: 'also search this many days later; default 0',
  days_before: 'also search this many days earlier; default 0',
  deadline_within_hours: 'only bookings with a deadline this near',
  detail: 'default concise',
  direct: 'true: only days with a direct service; default false',
  document: 'travel document',
  email: 'address for messages of the airline',
  end_date: 'last day, included, YYYY-MM-DD',
  expected_total: 'refuses to pay if the booking costs anything else',
  expires: 'last valid day, YYYY-MM-DD',
  finding_ids: 'of list_bookings, at least eight characters each',
  from: 'station: code or name',
  gender: 'as in the document',
  given_name: 'as in the document',
  group_name: 'for a group without names yet',
  holder_name: 'who pays',
  include_sold_out: 'also list what is sold out; default false',
  infants: 'below 2 years, on a lap; default 0',
  legs: 'one per direction',
  locator: 'booking reference',
  locators: 'booking references',
  max_results: 'most rows',
  middle_name: 'as in the document',
  nationality: 'two letters, such as SA',
  needs_attention: 'true: only bookings that need a person',
  number: 'of the document, or of the phone without the country code',
  offer_id: 'from search_fares for this leg alone, same passengers',
  offer_ids: 'offers of search_fares to hold together',
  passenger_counts: 'instead of passengers: a group named later',
  passenger_ref: 'from read_booking',
  passenger_refs: 'from read_booking; default: everyone',
  passengers: 'who travels',
  payment: 'how it is paid; never a card number',
  phone: 'with country code',
  plan_id: 'from propose_plan',
  query: 'part of a name',
  refresh: 'true: read each booking again; default false',
  return_after_days: 'prices a round trip with this many days between',
  reveal_contact: 'true: e-mail and telephone of the contact in full; default false',
  reveal_personal: 'true: names, documents and contacts in full; default false',
  save: 'true: write the PDF files into FARECLERK_TICKETS_DIR',
  seat: 'seat, or coach-seat: 4-52',
  seats: 'one item per segment and passenger',
  segment_ref: 'from read_booking',
  segment_refs: 'from read_booking; default: all',
  start_date: 'first day, YYYY-MM-DD',
  state: 'only bookings in this state',
  steps: 'acts of a plan: a tool that needs a yes, or a recipe, with its arguments',
  stop: 'true: begin no more lines of the plan',
  again: 'true: ask for what was not done of a plan that is over',
  suffix: 'such as Jr',
  surname: 'as in the document',
  title: 'such as Dr',
  to: 'station: code or name',
  tool: 'name of a tool',
  train: 'number of a train or flight that the airline changed',
  type: 'which kind',
  what: 'which message the airline sends',
  with_adult: 'for a lap infant: the place of its adult in the list, from 1',
};

/** Undefined for a field that neither the tool nor this table knows. */
export function wordsFor({ fieldWords = {} }: Tool, field: string): string | undefined {
  return fieldWords[field] ?? WORDS[field];
}

/** Inputs of an example: `key=value …`; a tool without its own takes a locator or nothing. `today`: YYYY-MM-DD. */
export function exampleOf({ example }: Tool, required: readonly string[], today: string): string {
  if (example === undefined) return required.includes('locator') ? OF : '';
  return typeof example === 'string' ? example : example(today);
}
