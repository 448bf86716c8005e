/** Requests broken on purpose, one field at a time: their shape is checked before anything happens (docs/wire/notes.md, Errors). */
import { afterAll, expect, it } from 'vitest';
import {
  bookBody,
  bookItinerary,
  CONTACT,
  changed,
  type Json,
  openTravelAgent,
  optionsOf,
  passenger,
  searchBody,
  segmentsOf,
  TRAIN,
  travelersOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN]);
const locator = await agent.sell(trip, [passenger('1'), passenger('2')]);
const reading = await agent.read(locator);
afterAll(() => agent.close());

const booked = { id: 'AAAAA0', type: '14' };
const quantities = { passengerTypeQuantity: [{ code: 'ADT', quantity: 1 }] };
const counted = { pricingPref: [{ qualifier: '4' }], airTravelerAvail: [quantities, { airTraveler: CONTACT }] };
const payment = { paymentType: '5', creditCardInfo: [{ cardHolderName: 'Omar' }], currencyCode: 'SAR', amount: 1 };
const ticket = { bookingReferenceID: { ...booked, companyName: { code: 'SBX' } }, paymentInfo: [payment] };
const linked = { flightRefNumberRPHList: ['1'], travelerRefNumberRPHList: ['9'] };
const service = { ...linked, ssrCode: 'WCHR', serviceQuantity: 1, status: 'Requested', text: 'To the door' };
const change = (modificationType: string, more: Json) => ({ modificationType, ...more });
const special = (details: Json) => change('5', { travelerInfo: { specialReqDetails: [details] } });
const travelers = (type: string, traveler: Json) => change(type, { travelerInfo: { airTraveler: [traveler] } });
const { originDestinationOptions } = bookItinerary(trip);
const option = changed(optionsOf(reading)[0], (copy) => {
  for (const field of ['equipment', 'comment', 'stopLocation', 'stopQuantity']) delete copy.flightSegment[0][field];
});
const newOption = changed(originDestinationOptions.originDestinationOption[0], (copy) => {
  copy.rph = '3';
  copy.flightSegment[0].rph = '3';
  delete copy.flightSegment[0].status;
});
const mail = { emails: ['omar@example.com'], ccEmails: ['cc@example.com'], bccEmails: ['bcc@example.com'] };
const named = [{ firstName: 'Omar', middleName: 'B', lastName: 'Saleh' }];
const [segment] = segmentsOf(trip);
const flight = { flightDesignator: '7', departure: 'QCA', arrival: 'XMD', departureDate: '2026-12-10' };
const span = { start_date: '2026-12-10T00:00:00', end_date: '2026-12-11T23:59:59' };
const route = {
  departure_airport: segment.departureAirport.locationCode,
  arrival_airport: segment.arrivalAirport.locationCode,
  direct: 'true',
};

type Row = readonly [address: string, what: string, request: Json, required: number, checked: number];

/** How many fields are required, and how many are refused with another kind of value. */
const ROWS: readonly Row[] = [
  ['OTA_AirLowFareSearchRQ', 'a search', searchBody([TRAIN], { classes: ['Y'] }), 23, 30],
  ['OTA_AirBookRQ', 'a booking', bookBody(trip, [passenger('1')]), 30, 55],
  ['OTA_AirPriceRQ', 'counts', { airItinerary: { originDestinationOptions }, travelerInfoSummary: counted }, 29, 46],
  [
    'OTA_AirDemandTicketRQ',
    'a payment',
    { demandTicketDetail: { messageFunction: [{ function: 'ET' }], ...ticket } },
    10,
    17,
  ],
  ['OTA_ReadRQ', 'a reading', { readRequests: { readRequest: [{ uniqueID: booked }] } }, 5, 6],
  ['OTA_CancelRQ', 'a cancellation', { cancelType: 'Commit', uniqueID: [booked] }, 4, 5],
  ['OTA_AirBookModifyRQ', 'new names', travelers('3', passenger('9')), 9, 18],
  [
    'OTA_AirBookModifyRQ',
    'seats',
    special({ seatRequests: { seatRequest: [{ ...linked, seatNumber: '60' }] } }),
    7,
    12,
  ],
  ['OTA_AirBookModifyRQ', 'services', special({ specialServiceRequests: { specialServiceRequest: [service] } }), 9, 15],
  ['OTA_AirBookModifyRQ', 'a cancelled passenger', travelers('2', travelersOf(reading)[2]), 5, 7],
  ['OTA_AirBookModifyRQ', 'a split', travelers('7', travelersOf(reading)[2]), 5, 7],
  ['OTA_AirBookModifyRQ', 'details of a passenger', travelers('40', passenger('9')), 9, 18],
  [
    'OTA_AirBookModifyRQ',
    'a cancelled option',
    change('10', { airItinerary: { originDestinationOptions: { originDestinationOption: [option] } } }),
    17,
    21,
  ],
  [
    'OTA_AirBookModifyRQ',
    'a rebooking',
    change('20', { airItinerary: { originDestinationOptions: { originDestinationOption: [newOption] } } }),
    17,
    23,
  ],
  ['/notifications/email', 'tickets by mail', { ...mail, recordLocator: locator, passengers: named }, 5, 12],
  [
    '/notifications/cancellation-email',
    'a cancellation by mail',
    { ...mail, recordLocator: locator, segments: [flight] },
    6,
    13,
  ],
  ['/schedule/calendar/availability', 'the calendar', { ...span, ...route }, 4, 3],
];

/** Sends an OTA message, a mail, or a query of the calendar. */
async function sendTo(address: string, request: Json) {
  if (address.startsWith('/notifications')) return agent.post(agent.sandbox.url + address, request);
  if (address.startsWith('/schedule')) return agent.get(`${address}?${new URLSearchParams(request)}`);
  return agent.send(address, request);
}

/** Every field with the object or list that holds it. */
function fieldsIn(request: Json, path = '$'): { readonly path: string; readonly keys: (string | number)[] }[] {
  return Object.keys(request).flatMap((name) => {
    const key = Array.isArray(request) ? Number(name) : name;
    const at = typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`;
    const value = request[key];
    const inner = typeof value === 'object' && value !== null ? fieldsIn(value, at) : [];
    return [{ path: at, keys: [key] }, ...inner.map((field) => ({ ...field, keys: [key, ...field.keys] }))];
  });
}

const holderIn = (request: Json, keys: (string | number)[]): Json =>
  keys.slice(0, -1).reduce((holder, key) => holder[key], request);

it.each(ROWS)('%s: %s is refused without a required field, or with another kind of value in any', async (...row) => {
  const [address, , request, required, checked] = row;
  const isChange = address === 'OTA_AirBookModifyRQ';
  const root = isChange ? '$.airBookModifyRQ' : '$';
  const send = (body: Json) => sendTo(address, isChange ? { airReservation: reading, airBookModifyRQ: body } : body);
  const found = { required: 0, checked: 0 };
  for (const { path, keys } of fieldsIn(request, root)) {
    const key = keys.at(-1) ?? '';
    const without = await send(changed(request, (copy) => delete holderIn(copy, keys)[key]));
    if (without.body.code === '321' && without.body.detail === `${path}: missing`) found.required += 1;
    const strange = await send(changed(request, (copy) => (holderIn(copy, keys)[key] = { strange: 1 })));
    const { status, body } = strange;
    if (status === 400 && ['320', '321', '163'].includes(body.code) && body.detail.startsWith(path)) found.checked += 1;
  }
  expect(found).toEqual({ required, checked });
});
