/** The calls that send the messages of test/golden/paths.md, each with other values of its arguments. */
import { shelved } from '../../../tools/support/desk.ts';
import type { Dialect } from '../golden.ts';
import * as input from './golden-inputs.ts';
import type { Play } from './sent-arguments.ts';

type Json = Record<string, unknown>;
type Others = Play['others'];
type Kind = Omit<Play, 'dialect'>;

const of = (dialect: Dialect, play: Kind): Play => ({ ...play, dialect });

/** Others of the fields of one object or of the first of a list: `passengers.gender` with another gender. */
function othersOf(name: string, value: Json, others: Json, wrap: (value: Json) => unknown): Others {
  const entries = Object.entries(others).map(([field, other]) => [
    `${name}.${field}`,
    { [name]: wrap({ ...value, [field]: other }) },
  ]);
  return Object.fromEntries(entries);
}

const LEG = { from: 'AAA', to: 'BBB', date: '2031-05-04' };
const SEARCH: Kind = {
  ...{ tool: 'search_fares', message: 'OTA_AirLowFareSearchRQ' },
  args: { legs: [LEG], passengers: { adults: 1 } },
  others: {
    ...othersOf('legs', LEG, { from: 'CCC', to: 'CCC', date: '2031-05-05', days_before: 1, days_after: 1 }, (leg) => [
      leg,
    ]),
    'passengers.adults': { passengers: { adults: 2 } },
    'passengers.children': { passengers: { adults: 1, children: 1 } },
  },
};
const RAIL_SEARCH: Kind = {
  ...SEARCH,
  args: { ...SEARCH.args, booking_classes: ['Y'], include_sold_out: true },
  others: {
    ...SEARCH.others,
    booking_classes: { booking_classes: ['C'] },
    include_sold_out: { include_sold_out: false },
  },
};

const PASSPORT = { type: 'passport', number: 'P0011223', nationality: 'NO', expires: '2035-01-31' };
const OTHER_PASSPORT = { type: 'national_id', number: 'P0099887', nationality: 'SE', expires: '2036-02-28' };
const PHONE = { country_code: '47', number: '55500111' };
const CONTACT = {
  ...{ given_name: 'Ada', surname: 'Berg', email: 'ada@example.test', phone: PHONE },
  ...{ city: 'Bergen', country: 'NO', document: PASSPORT },
};
const JO = {
  ...{
    type: 'ADT',
    given_name: 'Jo',
    middle_name: 'M',
    surname: 'Berg',
    title: 'MR',
    gender: 'Male',
    birth_date: '1990-02-03',
  },
  ...{
    document: { ...PASSPORT, number: 'P0044556' },
    email: 'jo@example.test',
    phone: { country_code: '47', number: '55500222' },
  },
};
const KIM = { ...JO, given_name: 'Kim', birth_date: '1991-03-04', document: { ...PASSPORT, number: 'P0077889' } };
const MIA = {
  ...{ type: 'INF', given_name: 'Mia', surname: 'Berg', gender: 'Female', birth_date: '2030-06-07', with_adult: 1 },
  document: { ...PASSPORT, number: 'P0055667' },
};

/** Others of the fields of an object inside: `contact.document.number`. */
function othersInside(name: string, field: string, value: Json, others: Json, wrap: (value: Json) => unknown): Others {
  const inner = value[field] as Json;
  const entries = Object.entries(others).map(([key, other]) => [
    `${name}.${field}.${key}`,
    { [name]: wrap({ ...value, [field]: { ...inner, [key]: other } }) },
  ]);
  return Object.fromEntries(entries);
}

const same = (value: Json): unknown => value;
const CONTACT_OTHERS: Others = {
  ...othersOf(
    'contact',
    CONTACT,
    { given_name: 'Eva', surname: 'Holm', email: 'eva@example.test', city: 'Oslo', country: 'SE' },
    same,
  ),
  ...othersInside('contact', 'phone', CONTACT, { country_code: '46', number: '55500999' }, same),
  ...othersInside('contact', 'document', CONTACT, OTHER_PASSPORT, same),
};

/** Two offers for each party: `o000001` and `o000002` for the first, `o000003` is as `o000001` for the second. */
function offersOf(dialect: Dialect, ...parties: readonly { adults: number; children: number; infants: number }[]) {
  const [first] = dialect === 'rail' ? input.TRAINS : input.FLIGHTS;
  const [segment] = first?.segments ?? [];
  if (first === undefined || segment === undefined) throw new Error('no segment');
  const other = {
    ...segment,
    ...{ from: 'EEE', to: 'FFF', flightNumber: '0999', bookingClass: 'C', fareBasis: 'OTHER1' },
    ...{ departs: segment.departs.replace('-04T', '-05T'), arrives: segment.arrives.replace('-04T', '-05T') },
    ...{ operating: { carrier: 'ZZ', number: '0999' }, marketing: { carrier: 'ZZ' } },
  };
  const pairs = parties.flatMap((passengers) => [segment, other].map((one) => ({ one, passengers })));
  return pairs.map(({ one, passengers }) =>
    shelved({
      offer: { options: [{ ref: '1', segments: [one] }], pricing: { refunds: [], fares: [], perType: [] }, notes: [] },
      passengers,
      shownAt: Date.parse('2031-04-01T09:00:00Z'),
      legs: [{ from: one.from, to: one.to, date: one.departs.slice(0, 10) }],
    }),
  );
}

function booking(dialect: Dialect): Play {
  const services = [{ code: 'VGML', text: 'no nuts' }];
  const mia = dialect === 'airline' ? { ...MIA, services } : MIA;
  const people = (jo: Json) => [jo, KIM, mia];
  const passport = JO.document;
  const others: Others = {
    offer_ids: { offer_ids: ['o000002'] },
    ...CONTACT_OTHERS,
    ...othersOf(
      'passengers',
      JO,
      { given_name: 'Ole', middle_name: 'N', surname: 'Dahl', title: 'DR', gender: 'Female' },
      people,
    ),
    ...othersOf('passengers', JO, { birth_date: '1989-01-02', email: 'ole@example.test' }, people),
    ...othersInside('passengers', 'phone', JO, { country_code: '46', number: '55500999' }, people),
    ...othersInside('passengers', 'document', { ...JO, document: passport }, OTHER_PASSPORT, people),
    'passengers.type': {
      offer_ids: ['o000003'],
      passengers: [JO, { ...KIM, type: 'CHD', birth_date: '2022-03-04' }, mia],
    },
    'passengers.with_adult': { passengers: [JO, KIM, { ...mia, with_adult: 2 }] },
    ...(dialect === 'airline' && {
      'passengers.services.code': { passengers: [JO, KIM, { ...mia, services: [{ code: 'WCHR', text: 'no nuts' }] }] },
      'passengers.services.text': { passengers: [JO, KIM, { ...mia, services: [{ code: 'VGML', text: 'no milk' }] }] },
    }),
  };
  return of(dialect, {
    ...{ tool: 'create_booking', message: 'OTA_AirBookRQ', others },
    args: { offer_ids: ['o000001'], contact: CONTACT, passengers: [JO, KIM, mia] },
    offers: offersOf(dialect, { adults: 2, children: 0, infants: 1 }, { adults: 1, children: 1, infants: 1 }),
  });
}

function counts(dialect: Dialect): Play {
  const contact =
    dialect === 'rail' ? CONTACT : { ...CONTACT, document: undefined, city: undefined, country: undefined };
  const airlineOthers: Others = {
    ...othersOf('contact', contact, { given_name: 'Eva', surname: 'Holm', email: 'eva@example.test' }, same),
    ...othersInside('contact', 'phone', contact, { number: '55500999' }, same),
  };
  return of(dialect, {
    ...{ tool: 'create_booking', message: 'OTA_AirPriceRQ' },
    args: { offer_ids: ['o000001'], contact, passenger_counts: { adults: 2, children: 1 }, group_name: 'Choir' },
    others: {
      offer_ids: { offer_ids: ['o000002'] },
      ...(dialect === 'rail' ? CONTACT_OTHERS : airlineOthers),
      'passenger_counts.adults': { offer_ids: ['o000003'], passenger_counts: { adults: 1, children: 1 } },
      group_name: { group_name: 'Team' },
    },
    offers: offersOf(dialect, { adults: 2, children: 1, infants: 0 }, { adults: 1, children: 1, infants: 0 }),
  });
}

const ON = { locator: 'K7PL2M' };
const OTHER_LOCATOR: Others = { locator: { locator: 'Q8RT3N' } };

const pay = (dialect: Dialect, type: string, holder?: string): Play =>
  of(dialect, {
    ...{ tool: 'pay_booking', message: 'OTA_AirDemandTicketRQ', reading: `hold-${dialect}` },
    args: { ...ON, payment: { type, holder_name: holder } },
    others: {
      ...OTHER_LOCATOR,
      'payment.type': { payment: { type: 'invoice' } },
      ...(holder !== undefined && { 'payment.holder_name': { payment: { type, holder_name: 'Eva Holm' } } }),
    },
  });

const reads = (dialect: Dialect): Play =>
  of(dialect, {
    tool: 'read_booking',
    message: 'OTA_ReadRQ',
    reading: `read-${dialect}-paid`,
    args: ON,
    others: OTHER_LOCATOR,
  });
const cancels = (dialect: Dialect): Play =>
  of(dialect, {
    tool: 'cancel_booking',
    message: 'OTA_CancelRQ',
    reading: `hold-${dialect}`,
    args: ON,
    others: OTHER_LOCATOR,
  });

const MODIFY = 'OTA_AirBookModifyRQ';
const CHANGE = { passenger_ref: '1', given_name: 'Jonas', surname: 'Berg', title: 'MR' };
const CHANGED = {
  given_name: 'Ole',
  surname: 'Dahl',
  title: 'DR',
  middle_name: 'N',
  gender: 'Female',
  birth_date: '1989-01-02',
};
const changes = (dialect: Dialect): Play =>
  of(dialect, {
    ...{ tool: 'change_names', message: MODIFY, reading: `read-${dialect}-paid`, args: { ...ON, changes: [CHANGE] } },
    others: {
      ...othersOf('changes', CHANGE, { ...CHANGED, passenger_ref: '2' }, (change) => [change]),
      ...othersInside('changes', 'document', { ...CHANGE, document: JO.document }, OTHER_PASSPORT, (change) => [
        change,
      ]),
    },
  });

/** Two flights for the one of the booking, the second of another carrier and class. */
const LATER_FLIGHTS = [
  {},
  { flightNumber: '0210', operating: { carrier: 'ZZ', number: '0210' }, bookingClass: 'C' },
].map((over) => {
  const { ref, segments } = input.laterFlight();
  const later = segments.map((segment) => ({
    ...segment,
    ...over,
    departs: 'bookingClass' in over ? '2031-05-06T07:15:00.000+02:00' : segment.departs,
    arrives: 'bookingClass' in over ? '2031-05-06T08:40:00.000+01:00' : segment.arrives,
  }));
  return shelved({
    offer: { options: [{ ref, segments: later }], pricing: { refunds: [], fares: [], perType: [] }, notes: [] },
    passengers: { adults: 2, children: 0, infants: 0 },
    shownAt: Date.parse('2031-04-01T09:00:00Z'),
    legs: [{ from: 'CCC', to: 'DDD', date: '2031-05-05' }],
  });
});

const SEAT = { segment_ref: '1', passenger_ref: '1', seat: '52' };

/** By the title of its section in test/golden/paths.md. */
export const PLAYS: Readonly<Record<string, readonly Play[]>> = {
  'Fare search (OTA_AirLowFareSearchRQ), request, rail': [of('rail', RAIL_SEARCH)],
  'Fare search (OTA_AirLowFareSearchRQ), request, airline': [of('airline', SEARCH)],
  'Booking by names (OTA_AirBookRQ), request, rail': [booking('rail')],
  'Booking by names (OTA_AirBookRQ), request, airline': [booking('airline')],
  'Booking by counts (OTA_AirPriceRQ), request, rail': [counts('rail')],
  'Booking by counts (OTA_AirPriceRQ), request, airline': [counts('airline')],
  'Payment (OTA_AirDemandTicketRQ), request, rail': [pay('rail', 'debit_credit_account', 'desk-account')],
  'Payment (OTA_AirDemandTicketRQ), request, airline': [pay('airline', 'credit_card', 'Ada Berg')],
  'Reading (OTA_ReadRQ), request, rail': [reads('rail')],
  'Reading (OTA_ReadRQ), request, airline': [reads('airline')],
  'Whole cancellation (OTA_CancelRQ), request, rail': [cancels('rail')],
  'Whole cancellation (OTA_CancelRQ), request, airline': [cancels('airline')],
  'Change of type 3 (OTA_AirBookModifyRQ), request, rail': [changes('rail')],
  'Change of type 3 (OTA_AirBookModifyRQ), request, airline': [changes('airline')],
  'Change of type 2 (OTA_AirBookModifyRQ), request, airline': [
    of('airline', {
      ...{
        tool: 'cancel_passenger',
        message: MODIFY,
        reading: 'read-airline-paid',
        args: { ...ON, passenger_refs: ['1'] },
      },
      others: { passenger_refs: { passenger_refs: ['2'] } },
    }),
  ],
  'Change of type 10 (OTA_AirBookModifyRQ), request, rail': [
    of('rail', {
      ...{ tool: 'cancel_segment', message: MODIFY, reading: 'read-rail-paid', args: { ...ON, segment_refs: ['1'] } },
      others: { segment_refs: { segment_refs: ['2'] } },
    }),
  ],
  'Change of type 30 (OTA_AirBookModifyRQ), request, airline': [
    of('airline', {
      ...{ tool: 'rebook_segment', message: MODIFY, reading: 'read-airline-paid' },
      args: { ...ON, segment_ref: '1', offer_id: 'o000001' },
      others: { offer_id: { offer_id: 'o000002' } },
      offers: LATER_FLIGHTS,
    }),
  ],
  'Change of type 5, seat (OTA_AirBookModifyRQ), request, rail': [
    of('rail', {
      ...{ tool: 'assign_seats', message: MODIFY, reading: 'read-rail-paid', args: { ...ON, seats: [SEAT] } },
      others: othersOf('seats', SEAT, { segment_ref: '2', passenger_ref: '2', seat: '53' }, (seat) => [seat]),
    }),
  ],
  'Seat map (OTA_AirSeatMapRQ), request, rail': [
    of('rail', {
      ...{ tool: 'get_seat_map', message: 'OTA_AirSeatMapRQ', reading: 'read-rail-paid' },
      args: { ...ON, segment_refs: ['1'], passenger_refs: ['1'] },
      others: { ...OTHER_LOCATOR, segment_refs: { segment_refs: ['2'] }, passenger_refs: { passenger_refs: ['2'] } },
    }),
  ],
  'Plain HTTP, queries and bodies': [
    of('rail', {
      ...{ tool: 'get_calendar_dates', message: 'calendar/availability' },
      args: { from: 'AAA', to: 'BBB', start_date: '2031-05-01', end_date: '2031-05-31' },
      others: {
        ...{ from: { from: 'CCC' }, to: { to: 'CCC' }, start_date: { start_date: '2031-05-02' } },
        ...{ end_date: { end_date: '2031-05-30' }, direct: { direct: true } },
      },
    }),
    of('rail', {
      ...{
        tool: 'send_tickets',
        message: 'notifications/email',
        reading: 'read-rail-paid',
        args: { ...ON, what: 'tickets' },
        others: OTHER_LOCATOR,
      },
    }),
    of('rail', {
      ...{ tool: 'send_tickets', message: 'notifications/cancellation-email', reading: 'modify-10-rail' },
      ...{ args: { ...ON, what: 'cancellation' }, others: OTHER_LOCATOR },
    }),
    of('rail', {
      ...{ tool: 'get_tickets', message: 'download/passenger-segment', reading: 'read-rail-paid' },
      args: { ...ON, segment_refs: ['1'], passenger_refs: ['1'] },
      others: { segment_refs: { segment_refs: ['2'] }, passenger_refs: { passenger_refs: ['2'] } },
    }),
    of('rail', {
      ...{ tool: 'pay_booking', message: 'debit-credit/accounts', reading: 'hold-rail', decides: ['payment.type'] },
      args: { ...ON, payment: { type: 'debit_credit_account', holder_name: 'desk-account' } },
      others: { 'payment.type': { payment: { type: 'invoice' } } },
    }),
  ],
};
