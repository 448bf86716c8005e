/**
 * Every message as the airline's interface publishes it, compared with what the adapter puts on a real socket: all of
 * the named fields, and none beside them (docs/wire/notes.md, Shapes sent).
 */
import { describe, expect, test } from 'vitest';
import type { TestAirline } from '../support/airlines.ts';
import type { Modification, OtaOptions, PaymentType, Reading, Traveler } from '../support/port.ts';
import { confirmed, watchedDispatch } from '../support/samples.ts';
import { type Dialect, differences, golden, goldenNames, goldenRequest } from './golden.ts';
import { optionsOf, requestAfterReading, requestOf, requestsOf } from './support/golden-calls.ts';
import * as input from './support/golden-inputs.ts';
import { named } from './support/values.ts';

type Call = (airline: TestAirline) => Promise<unknown>;
type Change = (airline: TestAirline, booking: Reading) => Promise<unknown>;

const book: Call = (airline) => airline.create(input.AIRLINE_BOOKING, watchedDispatch());
const cancel: Call = (airline) => airline.cancel(confirmed({ cancellation: { locator: 'K7PL2M' } }, watchedDispatch()));

function pay(paymentType: PaymentType, company: string, holderName?: string): Call {
  const order = input.payment({ paymentType, ...(holderName === undefined ? {} : { holderName }) }, company);
  return (airline) => airline.pay(confirmed({ order }, watchedDispatch()));
}

const account: Partial<OtaOptions> = { payment: { amount: 'dialect', account: 'desk-account' } };

const [SEARCH, PRICE, PAY] = ['OTA_AirLowFareSearchRQ', 'OTA_AirPriceRQ', 'OTA_AirDemandTicketRQ'];
const read: Call = (airline) => airline.read('K7PL2M');

type PlainCall = [name: string, message: string, call: Call, options?: Partial<OtaOptions>];

const PLAIN_CALLS: PlainCall[] = [
  ['search-rail', SEARCH, (airline) => airline.searchFares(input.RAIL_SEARCH)],
  [
    'search-rail-classes',
    SEARCH,
    (airline) => airline.searchFares({ ...input.RAIL_SEARCH, bookingClasses: ['Y', 'C'] }),
  ],
  ['search-airline', SEARCH, (airline) => airline.searchFares(input.AIRLINE_SEARCH)],
  ['book-rail', 'OTA_AirBookRQ', (airline) => airline.create(input.RAIL_BOOKING, watchedDispatch())],
  ['book-airline', 'OTA_AirBookRQ', book],
  ['book-airline-without-fare', 'OTA_AirBookRQ', book, { sendFare: false }],
  ['counts-rail', PRICE, (airline) => airline.createFromCounts(input.RAIL_GROUP, watchedDispatch())],
  ['counts-airline', PRICE, (airline) => airline.createFromCounts(input.AIRLINE_GROUP, watchedDispatch())],
  ['pay-rail-account', PAY, pay('debit_credit_account', 'RR', 'desk-account'), account],
  ['pay-airline-account', PAY, pay('debit_credit_account', 'XY', 'desk-account'), account],
  ['pay-airline-card', PAY, pay('credit_card', 'XY', 'Ada Berg')],
  ['pay-airline-cash', PAY, pay('cash', 'XY')],
  ['read-rail', 'OTA_ReadRQ', read],
  ['read-airline', 'OTA_ReadRQ', read],
  ['cancel-rail', 'OTA_CancelRQ', cancel],
  ['cancel-airline', 'OTA_CancelRQ', cancel],
];

const dialectOf = (name: string): Dialect => (name.includes('rail') ? 'rail' : 'airline');

const JONAS: Traveler = { ...input.JO, name: named(['Jonas'], 'Berg', { prefix: ['MR'] }) };

const changeOf =
  (of: (booking: Reading) => Modification): Change =>
  (airline, booking) =>
    airline.modify(confirmed({ modification: of(booking) }, watchedDispatch()));
const rename = (...travelers: Traveler[]) => changeOf((booking) => ({ kind: 'change_names', booking, travelers }));
const cancelOption = (place: number) =>
  changeOf((booking) => ({ kind: 'cancel_segments', booking, options: booking.options.slice(place, place + 1) }));
const removeSecond = changeOf((booking) => ({
  ...{ kind: 'cancel_passengers', booking },
  travelers: booking.travelers.slice(1, 2),
}));
const rebook = changeOf((booking) => ({
  ...{ kind: 'rebook_segment', booking, replacedRef: '1' },
  option: input.laterFlight(),
}));
const chooseSeat = changeOf((booking) => ({
  ...{ kind: 'assign_seats', booking },
  seats: [{ segmentRef: '1', travelerRef: '1', seat: '52' }],
}));

const CHANGES: readonly (readonly [name: string, reading: string, change: Change])[] = [
  [
    'modify-3-rail',
    'read-rail-paid',
    rename({ ...JONAS, name: { ...named(['Jonas'], 'Berg'), prefix: ['MR'], middle: ['M'] } }),
  ],
  ['modify-3-rail-group', 'read-rail-group', rename(input.JO, input.MIA)],
  ['modify-3-airline', 'read-airline-paid', rename({ ...JONAS, segmentRefs: ['1'] })],
  ['modify-2-airline', 'read-airline-paid', removeSecond],
  ['modify-10-rail', 'read-rail-paid', cancelOption(1)],
  ['modify-10-airline', 'read-airline-paid', cancelOption(0)],
  ['modify-30-airline', 'read-airline-paid', rebook],
  ['modify-5-rail-seat', 'read-rail-paid', chooseSeat],
];

const PLAYED = [
  ...PLAIN_CALLS.map(([name]) => name),
  ...CHANGES.map(([name]) => name),
  'search-rail-sold-out',
  'seat-map-rail',
  'plain',
];

describe('golden requests', () => {
  test('plays every file', () => {
    expect(goldenNames('requests').toSorted()).toEqual(PLAYED.toSorted());
  });

  test.each<PlainCall>(PLAIN_CALLS)('sends %s exactly as published', async (name, message, call, options) => {
    const request = await requestOf(call, optionsOf(dialectOf(name), options));
    expect(request.headers['local-name']).toBe(message);
    expect(request.path).toBe('/v2015b/OTA');
    expect(differences(request.body, goldenRequest(name))).toEqual([]);
  });

  test.each(CHANGES)(
    'sends %s with the booking as it was read and exactly the published change',
    async (name, source, change) => {
      const reading = golden('replies', source);
      const request = await requestAfterReading(reading, change, optionsOf(dialectOf(name)));
      expect(request.headers['local-name']).toBe('OTA_AirBookModifyRQ');
      expect(differences(request.body, goldenRequest(name, reading))).toEqual([]);
    },
  );

  test('sends search-rail-sold-out as published, after the priced search', async () => {
    const search: Call = (airline) => airline.searchFares({ ...input.RAIL_SEARCH, includeSoldOut: true });
    const requests = await requestsOf(search, optionsOf('rail'), golden('replies', 'search-empty'));
    expect(requests.map(({ headers }) => headers['local-name'])).toEqual([SEARCH, SEARCH]);
    const published = ['search-rail', 'search-rail-sold-out'].map((name) => goldenRequest(name));
    expect(requests.map(({ body }, i) => differences(body, published[i]))).toEqual([[], []]);
  });

  test('sends seat-map-rail with segment and travellers as they were read, contact included', async () => {
    const reading = golden('replies', 'read-rail-paid');
    const ask: Change = (airline, booking) => {
      const segment = booking.options[0]?.segments[0];
      if (segment === undefined) throw new Error('the reading has no segment');
      const requests = [{ segment, travelerRefs: ['1', '2'] }];
      const query = {
        locator: booking.locator,
        requests,
        travelers: booking.travelers,
        source: booking.source,
      };
      return airline.seatMap(query);
    };
    const request = await requestAfterReading(reading, ask, optionsOf('rail'));
    expect(request.path).toBe('/v2015b/OTA_AirSeatMapRQ');
    expect(differences(request.body, goldenRequest('seat-map-rail', reading))).toEqual([]);
  });
});

interface PlainRequest {
  readonly call: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const PLAIN: Readonly<Record<string, Call>> = {
  routes: (airline) => airline.routes(),
  calendar: (airline) =>
    airline.calendar({ from: 'AAA', to: 'BBB', startDate: '2031-05-01', endDate: '2031-05-31', direct: true }),
  accounts: (airline) => airline.accounts(),
  'ticket mail': (airline) =>
    airline.sendMail({
      kind: 'tickets',
      locator: 'K7PL2M',
      emails: ['ada@example.test'],
      names: [named(['Jo'], 'Berg', { middle: ['M'] })],
    }),
  'ticket document': (airline) =>
    airline.ticketDocument({ locator: 'K7PL2M', references: [], number: '2201234500017', coupon: '2', links: [] }),
  'cancellation mail': (airline) =>
    airline.sendMail({
      kind: 'cancellation',
      locator: 'K7PL2M',
      emails: ['ada@example.test'],
      segments: input.TRAINS[0]?.segments ?? [],
    }),
};

describe('plain HTTP', () => {
  test.each(golden('requests', 'plain') as PlainRequest[])(
    'sends the $call call as $method $path',
    async ({ call, method, path, body }) => {
      const request = await requestOf(PLAIN[call] ?? (async () => {}), optionsOf('rail'));
      expect(request.method).toBe(method);
      expect(decodeURIComponent(request.path)).toBe(path);
      expect(request.headers['local-name']).toBeUndefined();
      expect(request.body).toEqual(body ?? {});
    },
  );
});
