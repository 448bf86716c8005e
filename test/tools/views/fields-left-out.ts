/**
 * Fields of replies that no tool shows in its structured result, each with the reason. A name is the field's path and
 * covers what is below it. Structures that several replies share (segments, prices, names, links) are listed once. A
 * test checks that every other field is in a result.
 */
const DECIDES = 'the clerk reckons or judges by it; what comes of that is shown';
const REPEATS_REQUEST = 'repeats what was asked';
const NAMES_STATION = 'a station or route is found by it';
const PERSON = 'personal data that no step of a sale, change or refund needs';
const OWN_CONTACT = 'mail goes to the contact; shown masked to the person who approves another one (update_passenger)';
const PARTY = 'told for the whole party; of a type its count and total are';
const OWN_ID = "the airline's own key, which no other message takes";

export const NOT_SHOWN: Readonly<Record<string, string>> = {
  'segment.optionRef': 'repeats the ref of the option that holds the segment',

  'name.prefix': 'a form of address; it is kept and sent back',
  'name.title': 'a form of address; it is kept and sent back',

  'booking.travelers.emails': OWN_CONTACT,
  'booking.travelers.phones': OWN_CONTACT,
  'booking.travelers.addresses': PERSON,
  'booking.travelers.comments': 'remarks between systems; the one that names an adult is with_adult_ref',
  'booking.travelers.segmentRefs': 'every passenger is on every segment of a booking; coupons show each',

  'booking.contact.phones.others': 'the first is shown; no tool calls anybody',
  'booking.contact.addresses': 'shown to the person who approves another one (update_contact)',
  'booking.contact.comments': 'remarks between systems',
  'booking.contact.ref': 'the contact is no passenger: no tool takes a ref of it',
  'booking.contact.gender': PERSON,
  'booking.contact.birthDate': PERSON,
  'booking.contact.document': PERSON,

  'pricing.fares.ref': OWN_ID,
  'pricing.fares.references.bookingClass': "the segment's class",
  'pricing.perType.price.base': PARTY,
  'pricing.perType.price.taxes': PARTY,
  'pricing.perType.price.fees': PARTY,
  'pricing.perType.price.baggage': PARTY,
  'pricing.perType.price.remarks': PARTY,
  'pricing.perType.refunds': 'the refund is shown for the whole party, as it is paid',
  'pricing.perType.fareBasis.segmentRef': "a segment's own fare basis is shown with it",

  'booking.tickets.passengerType': "the passenger's own type is shown",
  'booking.tickets.segmentRefs': 'the coupons name their segments',
  'booking.orders.id': OWN_ID,
  link: 'get_tickets fetches by it; no link of the airline is shown',

  'search.form': 'the two reply forms are shown alike',
  'search.offers.options.ref': 'an offer is booked whole',

  'receipt.locator': REPEATS_REQUEST,
  'receipt.items.ticketType': DECIDES,
  'cancelled.locator': REPEATS_REQUEST,
  'cancelled.status': DECIDES,

  'routes.from.cityCode': NAMES_STATION,
  'routes.from.country': NAMES_STATION,
  'routes.to.cityCode': NAMES_STATION,
  'routes.to.country': NAMES_STATION,

  'calendar.from': REPEATS_REQUEST,
  'calendar.to': REPEATS_REQUEST,
  'calendar.startDate': REPEATS_REQUEST,
};
