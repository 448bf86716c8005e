/**
 * What each input of a tool is for, at more length than the tools' own schemas: every call pays for every word there. A key
 * is a field's path, or its end; `tool:path` comes first. A default is added where a field may be missing and something
 * stands in for it.
 */
export interface InputNote {
  readonly says: string;
  readonly fallback?: string;
}

const note = (says: string, fallback?: string): InputNote => (fallback === undefined ? { says } : { says, fallback });

const SEARCH: Readonly<Record<string, InputNote>> = {
  legs: note('One leg for each direction: a round trip has two.'),
  'legs[].from': note('Where the leg begins: an IATA code, or the name of a city or station.'),
  'legs[].to': note('Where the leg ends, written like `from`.'),
  'legs[].date': note('Local day of departure.'),
  'legs[].days_before': note('Also searches this many days before the date.', '0'),
  'legs[].days_after': note('Also searches this many days after the date.', '0'),
  passengers: note('How many travel, by type. At most 9 in all, and no more lap infants than adults.'),
  adults: note('Passengers who count as adults on the day of travel.'),
  children: note('Children with a seat of their own. A child travels with an adult.', '0'),
  infants: note("Infants on an adult's lap.", '0'),
  booking_classes: note('Only these booking classes, such as Y for economy and C for business.', 'every class'),
  include_sold_out: note('Also lists direct departures without a seat.', '`false`'),
  max_results: note('Most rows in the answer.'),
  'search_fares:max_results': note('Most offers in the answer.', '10'),
  'list_routes:max_results': note('Most pairs of stations in the answer.', '50'),
  'list_bookings:max_results': note('Most bookings in the answer.', '20'),
  detail: note('`full` adds what a person rarely needs: price lines, every rule, every seat.', '`concise`'),
  from: note('Where the trip begins: an IATA code, or the name of a city or station.'),
  to: note('Where the trip ends, written like `from`.'),
  start_date: note('First day to look at. Days that are past are skipped.'),
  end_date: note('Last day to look at, included: at most 31 days for fares.'),
  'get_calendar_dates:end_date': note('Last day to look at, included.'),
  direct: note('Only days with a direct departure.', '`false`'),
  return_after_days: note('Also prices the way back, this many days later.', 'one way'),
  'list_routes:from': note('Only routes from this station or city.', 'all'),
  'list_routes:to': note('Only routes to this station or city.', 'all'),
  'list_routes:country': note('Only routes with a station in this country, by name or code.', 'all'),
  'list_routes:query': note('Part of the name of a station, city or country.', 'all'),
};

const PEOPLE: Readonly<Record<string, InputNote>> = {
  'create_booking:passengers': note(
    'The travellers, as many and of the types that were searched. Ask the person; never invent them. Either this or `passenger_counts`.',
  ),
  passenger_counts: note('How many of each type, for a group whose names follow later. Either this or `passengers`.'),
  group_name: note('Name of the group, with `passenger_counts` only.'),
  contact: note('To whom the airline writes: tickets, changes, cancellations.'),
  given_name: note('First name, as in the travel document.'),
  middle_name: note('Further first names, as in the travel document.'),
  surname: note('Family name, as in the travel document.'),
  'read_booking:surname': note(
    'Over HTTP: the family name of one of its travellers, to open a booking that somebody else made.',
  ),
  suffix: note('Such as `JR`.'),
  title: note('Such as `MR` or `MRS`.'),
  gender: note('As in the travel document.'),
  birth_date: note('Day of birth. The age on the day of travel must fit `type`.'),
  'passengers[].type': note('`ADT` adult, `CHD` child with a seat, `INF` infant on a lap.'),
  with_adult: note('For a lap infant: the place of its adult in this list, from 1.', 'the next adult without one'),
  email: note('E-mail address. Shown masked in results.'),
  phone: note('Telephone number.'),
  country_code: note('Country calling code. A leading + is ignored.'),
  'phone.number': note('Number without the country code. Spaces and hyphens are ignored.'),
  city: note('City of the contact.'),
  country: note('Country of the contact.'),
  document: note('Travel document. Shown masked in results.'),
  'document.type': note('Kind of document.'),
  'document.number': note('Number of the document.'),
  'document.nationality': note('Country of citizenship.'),
  'document.expires': note('Last day on which the document is valid.'),
  passenger_ref: note('The passenger, by the ref that `read_booking` shows.'),
  'change_names:changes': note('One entry for each passenger whose name or details change.'),
  'update_passenger:changes': note('One entry for each passenger. Give only what changes.'),
};

const BOOKING: Readonly<Record<string, InputNote>> = {
  locator: note('The booking reference, as a tool returned it.'),
  approval_id: note(
    'Only to continue: the `approval.id` of an earlier answer to the same call. Never make one up.',
    'a new question',
  ),
  offer_ids: note('The `offer_id` of each offer to book together, in the order of travel.'),
  offer_id: note(
    'The `offer_id` of the new flight or train, from a search for this leg alone and the same passengers.',
  ),
  again_after: note(
    'Only to make the same booking a second time on purpose: the `operation_id` of the first one.',
    'a repeat books nothing',
  ),
  payment: note('How it is paid.'),
  'payment.type': note(
    'Who is charged: `invoice` the agency by invoice, `debit_credit_account` its account, `credit_card` the card that the airline holds, `cash` paid at the desk, `external` paid elsewhere. A card number is refused unread.',
  ),
  holder_name: note('Who pays, for the question and the receipt.'),
  expected_total: note(
    'The total that the person agreed to. If the price is now another, nothing is paid.',
    'not compared',
  ),
  reveal_contact: note(
    'Shows e-mail and telephone of the contact whole, and masks documents. Use it only if the person needs them.',
    '`false`',
  ),
  reveal_personal: note(
    'Shows e-mail, telephone and document numbers whole. Use it only if the person needs them.',
    '`false`',
  ),
  segment_ref: note('The flight or train, by the ref that `read_booking` shows.'),
  segment_refs: note('Only these flights or trains, by the refs that `read_booking` shows.', 'all of them'),
  'cancel_segment:segment_refs': note('The flights or trains to cancel, by ref. Either this or `all`.'),
  all: note('Cancels every flight or train of the booking. Either this or `segment_refs`.', '`false`'),
  passenger_refs: note('Only these passengers, by the refs that `read_booking` shows.', 'all of them'),
  'cancel_passenger:passenger_refs': note('The passengers to remove, by ref. One must stay.'),
  'split_booking:passenger_refs': note('The passengers who move to a new booking, by ref. One must stay.'),
  seats: note('One entry for each passenger and flight or train.'),
  seat: note('A free seat of `get_seat_map`, with its coach in front: `4-52`.'),
  what: note('`tickets` sends the tickets again, `cancellation` what was cancelled.'),
  save: note('Also writes the PDF files into `FARECLERK_TICKETS_DIR`. On stdio only.', '`false`'),
};

const DESK: Readonly<Record<string, InputNote>> = {
  'list_bookings:query': note('Part of a locator, a contact name or a route.', 'all'),
  state: note('Only bookings in this state.', 'all'),
  deadline_within_hours: note('Only bookings with a deadline in the next hours.', 'all'),
  needs_attention: note('`true`: only bookings that a person should look at; `false`: only the others.', 'all'),
  locators: note('Also reads these bookings, so that they are in the list.'),
  finding_ids: note('The `finding_ids` that `list_bookings` shows with a change, at least eight characters each.'),
  refresh: note('Reads each listed booking again at the airline.', '`false`'),
  'report_activity:from': note('First UTC day.', '30 days before `to`'),
  'report_activity:to': note('Last UTC day, included. At most 366 days.', 'today'),
  measure: note(
    'Lists what is behind this number: `operations`, `sold`, `paid`, `refunded`, `penalties`, `holds_made`, `holds_lapsed`, `in_doubt`, `changes`, `findings` or `findings_open`.',
    'the report',
  ),
  'report_activity:key': note('Only what is behind this row, by its `key` under the same `group_by`.', 'all'),
  after: note('The `next` of the answer before, for the page after it.', 'the first page'),
  group_by: note('What one row of the report is.', '`day`'),
  plan_id: note('The `plan_id` that `propose_plan` returned.'),
  steps: note('The acts of the plan, at most 50 lines.'),
  'steps[].tool': note('A tool that needs a yes, or a recipe: `cancel_bookings`, `move_party`.'),
  'steps[].arguments': note('Its arguments, as in a call of the tool, without `approval_id`; or of a recipe:'),
  'steps[].arguments.locator': note('`move_party`: one booking.', 'see `train`'),
  'steps[].arguments.locators': note(
    '`cancel_bookings`: the bookings. `move_party` of a `train`: only these of its parties.',
    'all of them',
  ),
  'steps[].arguments.segment_refs': note('`move_party` of a `locator`: only these segments.', 'all of them'),
  'steps[].arguments.train': note(
    '`move_party`: the number of a train or flight that the airline changed. Moves all bookings with an open finding about it.',
    'see `locator`',
  ),
  'steps[].arguments.date': note('The local day of its departure.'),
  'steps[].arguments.offer_ids': note(
    '`move_party`: offers of `search_fares`. The same trip and fare is looked up for parties of another size.',
  ),
  'steps[].arguments.payment': note('`move_party`: as in `pay_booking`.'),
  stop: note('Begins no more lines of the plan.', '`false`'),
  again: note(
    'Asks for what was not done of a plan that is over. Without it, its state is read and nobody is asked.',
    '`false`',
  ),
};

const NOTES: Readonly<Record<string, InputNote>> = { ...SEARCH, ...PEOPLE, ...BOOKING, ...DESK };

/** The note of a field: for this tool, then by the longest end of its path. */
export function inputNote(tool: string, path: string): InputNote | undefined {
  const parts = path.split('.');
  const ends = parts.map((_, i) => parts.slice(i).join('.'));
  for (const prefix of [`${tool}:`, ''])
    for (const end of ends) {
      const found = NOTES[`${prefix}${end}`];
      if (found !== undefined) return found;
    }
  return undefined;
}
