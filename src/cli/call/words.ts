/** What each input of a tool is, in words for `fareclerk call TOOL --help`. Tool lists stay short: models pay for them. */

/** By the name of the field; `tool.field` for one tool. A default is part of the words. */
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
  'cancel_passenger.passenger_refs': 'who does not travel, from read_booking',
  'find_cheapest_dates.passengers': 'how many travel',
  'list_bookings.locators': 'also read these bookings',
  'list_bookings.max_results': 'most bookings; default 20',
  'list_bookings.query': 'part of a locator, contact name or route',
  'list_routes.country': 'only from or to this country, two letters',
  'list_routes.from': 'only from this station',
  'list_routes.max_results': 'most cities of departure; default 50',
  'list_routes.to': 'only to this station',
  'read_booking.surname': 'of a traveller, for a booking not made here',
  'report_activity.after': 'the next of the answer before',
  'report_activity.from': 'first day in UTC; default: 30 days back',
  'report_activity.group_by': 'default day',
  'report_activity.key': 'only that row of the report',
  'report_activity.measure': 'such as in_doubt: lists what is behind that number',
  'report_activity.to': 'last day in UTC; default today',
  'search_fares.max_results': 'most fares; default 10',
  'search_fares.passengers': 'how many travel',
  'split_booking.passenger_refs': 'who moves to a booking of their own',
};

/** Undefined for a field that this table does not know. */
export function wordsFor(tool: string, field: string): string | undefined {
  return WORDS[`${tool}.${field}`] ?? WORDS[field];
}

const day = (today: string, after: number): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) + after * 86_400_000).toISOString().slice(0, 10);

/** Replaced by a booking reference, or by an offer of search_fares. */
export const LOCATOR = 'K7PL2M';
export const OFFER = 'OFFER_ID';

const OF = `locator=${LOCATOR}`;
const PAIR = 'from=QCA to=XMD';
const PERSON = [
  ...['type=ADT', 'given_name=Layla', 'surname=Haddad', 'gender=Female', 'birth_date=1991-04-17'],
  ...['document.type=passport', 'document.number=P4402917', 'document.nationality=SA', 'document.expires=2035-08-30'],
];

/** Inputs of an example that works in the sandbox. `today`: YYYY-MM-DD. */
const EXAMPLES: Readonly<Record<string, (today: string) => string>> = {
  search_fares: (today) =>
    `legs.0.from=QCA legs.0.to=XMD legs.0.date=${day(today, 20)} passengers.adults=2 booking_classes=C max_results=3`,
  create_booking: () =>
    [
      `offer_ids=${OFFER}`,
      'contact.given_name=Layla contact.surname=Haddad contact.email=layla@example.com',
      ...PERSON.map((word) => `passengers.0.${word}`),
    ].join(' '),
  pay_booking: () => `${OF} payment.type=invoice`,
  cancel_segment: () => `${OF} segment_refs=1`,
  cancel_passenger: () => `${OF} passenger_refs=1`,
  change_names: () => `${OF} changes.0.passenger_ref=1 changes.0.given_name=Leila`,
  list_routes: () => 'from=QCA',
  get_calendar_dates: (today) => `${PAIR} start_date=${day(today, 20)} end_date=${day(today, 30)}`,
  list_bookings: () => 'state=held',
  report_activity: () => 'group_by=tool',
  find_cheapest_dates: (today) => `${PAIR} start_date=${day(today, 20)} end_date=${day(today, 24)} passengers.adults=1`,
  assign_seats: () => `${OF} seats.0.segment_ref=1 seats.0.passenger_ref=1 seats.0.seat=4-52`,
  close_findings: () => 'finding_ids=3f9c2ab7',
  send_tickets: () => `${OF} what=tickets`,
  update_contact: () => `${OF} email=desk@example.com`,
  update_passenger: () => `${OF} changes.0.passenger_ref=1 changes.0.email=layla@example.com`,
  rebook_segment: () => `${OF} segment_ref=1 offer_id=${OFFER}`,
  split_booking: () => `${OF} passenger_refs=2`,
  propose_plan: () => `steps.0.tool=cancel_booking steps.0.arguments.locator=${LOCATOR}`,
  run_plan: () => 'plan_id=pl_k3J9xQ2mVd0a',
};

/** `key=value …`; a tool without its own example takes a locator or nothing. */
export function exampleOf(tool: string, required: readonly string[], today: string): string {
  return EXAMPLES[tool]?.(today) ?? (required.includes('locator') ? OF : '');
}
