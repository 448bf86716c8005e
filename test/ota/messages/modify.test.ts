/**
 * Changes of a booking that was read (docs/wire/notes.md, Shapes sent; Where the pieces meet). golden-requests.test.ts holds the
 * published messages; this file has what they leave open.
 */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { bodyOf, hear, hearing } from '../support/asked.ts';
import type { Modification, Reading } from '../support/port.ts';
import { confirmed, watchedDispatch } from '../support/samples.ts';
import { bookingOf, flight, itinerary, option, person, readingOf, type Wire } from '../support/wire.ts';
import { fixture } from './fixture.ts';
import { isObject, rewrite } from './support/rewrite.ts';
import { LINA, named, SARA } from './support/values.ts';

const SOURCE = fixture('modify-source');
/** The booking as the airline would have sent it with another reservation. */
const readAgain = (airReservation: unknown): Reading => readingOf({ success: {}, airReservation }).reading;

const BOOKING = readAgain(SOURCE);
const { options, travelers } = BOOKING;
const CANCEL: Modification = { kind: 'cancel_segments', booking: BOOKING, options: options.slice(0, 1) };
const LEAVE: Modification = { kind: 'cancel_passengers', booking: BOOKING, travelers };
const RENAME: Modification = { kind: 'change_names', booking: BOOKING, travelers: [SARA] };
const CONTACT: Modification = { kind: 'update_contact', booking: BOOKING, contact: LINA };

const bodySent = (change: Modification, dialect: 'rail' | 'airline' = 'rail') =>
  bodyOf((airline) => airline.modify(confirmed({ modification: change }, watchedDispatch())), { dialect });
const sent = async (change: Modification, dialect?: 'rail' | 'airline') =>
  (await bodySent(change, dialect)).airBookModifyRQ as Wire;

describe('a change in the rail dialect', () => {
  test('sends the reservation as it was read', async () => {
    expect(JSON.stringify((await bodySent(CANCEL)).airReservation)).toBe(JSON.stringify(SOURCE));
  });

  test('cancels passengers by name and pointer', async () => {
    const personName = { givenName: ['SARA'], surname: 'HADDAD' };
    const leaver = (rph: string) => ({ passengerTypeCode: 'ADT', travelerRefNumber: { rph } });
    expect(await sent(LEAVE)).toEqual({
      modificationType: '2',
      travelerInfo: { airTraveler: [{ personName, ...leaver('1') }, leaver('2')] },
    });
  });

  test('names the passengers to split off by pointer, even those without a name', async () => {
    expect(await sent({ kind: 'split_booking', booking: BOOKING, travelers: travelers.slice(1) })).toEqual({
      modificationType: '7',
      travelerInfo: { airTraveler: [{ travelerRefNumber: { rph: '2' }, passengerTypeCode: 'ADT' }] },
    });
  });

  test('chooses several seats by their numbers alone', async () => {
    const seats = [
      { segmentRef: '1', travelerRef: '1', seat: '12A' },
      { segmentRef: '2', travelerRef: '2', seat: '3C', coach: '4' },
    ];
    const seatRequest = [
      { flightRefNumberRPHList: ['1'], travelerRefNumberRPHList: ['1'], seatNumber: '12A' },
      { flightRefNumberRPHList: ['2'], travelerRefNumberRPHList: ['2'], seatNumber: '3C' },
    ];
    expect(await sent({ kind: 'assign_seats', booking: BOOKING, seats })).toEqual({
      modificationType: '5',
      travelerInfo: { specialReqDetails: [{ seatRequests: { seatRequest } }] },
    });
  });

  test('changes the contact', async () => {
    const contact = {
      personName: { givenName: ['LINA'], surname: 'HADDAD' },
      telephone: [{ countryAccessCode: '966', phoneNumber: '501234567' }],
      email: [{ value: 'lina@example.com' }],
      address: [{ cityName: 'Jeddah', countryName: { code: 'SA' } }],
      passengerTypeCode: 'CTC',
    };
    expect(await sent(CONTACT)).toEqual({ modificationType: '3', travelerInfo: { airTraveler: [contact] } });
  });

  test("sends passengers' information like a change of name, with the name as it was", async () => {
    const update: Modification = { ...RENAME, kind: 'update_passengers' };
    expect(await sent(update)).toEqual({ ...(await sent(RENAME)), modificationType: '40' });
    expect(await sent(update)).toMatchObject({
      travelerInfo: { airTraveler: [{ personName: { givenName: ['SARA'], surname: 'HADDAD' } }] },
    });
  });
});

describe('each kind of change', () => {
  const [first] = options;
  const seats = [{ segmentRef: '1', travelerRef: '1', seat: '12A' }];
  const SPLIT: Modification = { kind: 'split_booking', booking: BOOKING, travelers: travelers.slice(1) };
  const REBOOK: Modification = {
    ...{ kind: 'rebook_segment', booking: BOOKING, replacedRef: '1' },
    option: { ref: '9', segments: first?.segments ?? [] },
  };
  const KINDS: readonly { change: Modification; currency: string; makesBooking?: true }[] = [
    { change: CANCEL, currency: 'isocurrency' },
    { change: LEAVE, currency: 'isocurrency' },
    { change: RENAME, currency: 'isoCurrency' },
    { change: { kind: 'assign_seats', booking: BOOKING, seats }, currency: 'isoCurrency' },
    { change: CONTACT, currency: 'isoCurrency' },
    { change: { ...RENAME, kind: 'update_passengers' }, currency: 'isocurrency' },
    { change: REBOOK, currency: 'isocurrency' },
    { change: SPLIT, currency: 'isocurrency', makesBooking: true },
  ];
  const answered = (change: Modification, reply?: unknown) =>
    hearing((airline) => airline.modify(confirmed({ modification: change }, watchedDispatch())), [reply]);

  test.each(KINDS)('$change.kind is sent with $currency in the rail dialect', async ({ change, currency }) => {
    const body = { pos: { source: [{ [currency]: 'SAR' }] } };
    expect(await answered(change)).toMatchObject({ sent: [{ body }] });
  });

  test.each(KINDS)('$change.kind is in doubt after "already cancelled"', async (kind) => {
    const text = JSON.stringify({ errors: { error: [{ code: '95' }] } });
    expect(await answered(kind.change, { status: 409, text })).toMatchObject({ error: { effect: 'unknown' } });
  });

  test.each(KINDS)('$change.kind accepts a reply of another booking only if it makes one', async (kind) => {
    const airReservation = { ...SOURCE, bookingReferenceID: [{ type: '14', id: 'ZZZ999' }] };
    const outcome = await answered(kind.change, { success: {}, airReservation });
    expect(outcome).toMatchObject(
      kind.makesBooking ? { value: { locator: 'ZZZ999' } } : { error: { effect: 'unknown' } },
    );
  });
});

describe('a change that cannot be sent', () => {
  const { source: _, ...unread } = BOOKING;
  const { name: __, ...nameless } = SARA;
  const { airItinerary: ___, ...bare } = SOURCE;
  const carrierless = rewrite(SOURCE, (value) => {
    if (!isObject(value)) return value;
    const { operatingAirline: _own, marketingAirline: _other, ...rest } = value;
    return rest;
  });
  const withoutCarrier = readAgain(carrierless);
  const withoutPointer = readAgain({
    ...SOURCE,
    travelerInfo: {
      airTraveler: [{ passengerTypeCode: 'ADT', personName: { givenName: ['SARA'], surname: 'HADDAD' } }],
    },
  });

  test.each<[string, Modification, 'airline'?]>([
    ['an option that the booking does not have', { ...CANCEL, options: [{ ref: '9', segments: [] }] }],
    [
      'a segment whose carrier the airline does not name',
      { ...CANCEL, booking: withoutCarrier, options: withoutCarrier.options.slice(0, 1) },
    ],
    [
      'a passenger to whom the airline gave no pointer',
      { ...LEAVE, booking: withoutPointer, travelers: withoutPointer.travelers },
      'airline',
    ],
    ['a change of name without a name', { ...RENAME, travelers: [nameless] }],
    ['a contact without a name', { ...CONTACT, contact: nameless }],
    ['a contact in the airline dialect, which has none', CONTACT, 'airline'],
    ['a choice of no seats', { kind: 'assign_seats', booking: BOOKING, seats: [] }],
    ['a booking that was not read', { ...CANCEL, booking: unread }],
    ['a reservation without an itinerary', { ...LEAVE, booking: { ...BOOKING, source: bare } }],
  ])('rejects %s', async (_, change, dialect) => {
    await expect(sent(change, dialect)).rejects.toThrow(ClerkError);
  });
});

describe('rebooking a segment', () => {
  const fresh = {
    ref: '3',
    optionRef: '3',
    flightNumber: '0122',
    operating: { carrier: 'HHR', number: '0122' },
    from: 'MKX',
    to: 'DMX',
    departs: '2026-12-02T08:00:00.000+03:00',
    arrives: '2026-12-02T10:25:00.000+03:00',
    bookingClass: 'C',
    fareBasis: 'BFLEX1',
    statusCode: '34',
  };
  const rebook = (booking = BOOKING): Modification => ({
    ...{ kind: 'rebook_segment', booking, replacedRef: '1' },
    option: { ref: '3', segments: [fresh] },
  });

  test('sends the new segment of a rail rebooking with its fare and without a status', async () => {
    const segment = {
      departureAirport: { locationCode: 'MKX' },
      arrivalAirport: { locationCode: 'DMX' },
      operatingAirline: { code: 'HHR', flightNumber: '0122' },
      marketingAirline: { code: 'HHR' },
      flightNumber: '0122',
      departureDateTime: '2026-12-02T08:00:00.000+03:00',
      arrivalDateTime: '2026-12-02T10:25:00.000+03:00',
      rph: '3',
      fareBasisCode: 'BFLEX1',
      resBookDesigCode: 'C',
    };
    expect(await sent(rebook())).toEqual({ modificationType: '20', airItinerary: itinerary(option('3', segment)) });
  });

  test.each([
    [['3', '10', '30'], '30'],
    [['20', '30'], '20'],
    [['20'], '20'],
    [['3'], '20'],
    [[], '20'],
  ])('rebooks a segment that offers %j with type %s', async (offered, type) => {
    const permitted = offered.map((modificationType) => ({ modificationType }));
    const permitting = options.map((one) => ({
      ...one,
      segments: one.segments.map((segment) => (segment.ref === '1' ? { ...segment, permitted } : segment)),
    }));
    expect(await sent(rebook({ ...BOOKING, options: permitting }))).toMatchObject({ modificationType: type });
  });
});

describe('new details of a passenger', () => {
  const DOCUMENT = { docID: 'P1234567', docType: '2', docHolderNationality: 'NO', birthDate: '1990-02-03' };
  const PHONE = { countryAccessCode: '47', phoneNumber: '55500111', phoneTechType: '1' };
  const JO = person('1', 'JO', {
    personName: { namePrefix: ['MR'], givenName: ['JO'], middleName: [], surname: 'BERG', nameTitle: [] },
    telephone: [PHONE],
    email: [{ value: 'jo@example.com', defaultInd: true }],
    document: [{ ...DOCUMENT, expireDate: '2035-01-31', docLimitations: [] }],
    flightSegmentRPHs: { flightSegmentRPH: ['1'] },
    somethingNew: { kept: true },
  });
  const airItinerary = itinerary(option(undefined, flight({ rph: '1' })));
  const booking = bookingOf({ airItinerary, travelerInfo: { airTraveler: [JO] }, ticketing: [] }).reading;
  const traveler = booking.travelers[0] ?? SARA;
  const NAME = traveler.name ?? named([], '');
  const renamed = (over: object): Modification => ({ ...RENAME, booking, travelers: [{ ...traveler, ...over }] });
  const people = async (change: Modification) => {
    const { travelerInfo } = (await sent(change)) as { travelerInfo: { airTraveler: Wire[] } };
    return travelerInfo.airTraveler;
  };

  test.each<[string, object, Wire]>([
    [
      'a new title replaces the old prefix',
      { name: { ...NAME, prefix: ['MRS'], title: [] } },
      { personName: { ...(JO.personName as Wire), namePrefix: ['MRS'] } },
    ],
    [
      'a new document replaces the old one',
      { document: { number: 'P7654321', docType: '2', nationality: 'NO', expires: '2036-02-01' } },
      { document: [{ ...DOCUMENT, docLimitations: [], docID: 'P7654321', expireDate: '2036-02-01' }] },
    ],
    [
      'a new telephone is added, and a new e-mail replaces the old one',
      { emails: ['jb@example.com'], phones: [{ countryCode: '47', number: '55500222' }] },
      {
        email: [{ value: 'jb@example.com' }],
        telephone: [PHONE, { countryAccessCode: '47', phoneNumber: '55500222', phoneTechType: '5' }],
      },
    ],
  ])('are sent with all that was read in the airline dialect: %s', async (_, over, changed) => {
    for (const kind of ['change_names', 'update_passengers'] as const) {
      expect(await sent({ ...renamed(over), kind } as Modification, 'airline')).toEqual({
        modificationType: '3',
        travelerInfo: { airTraveler: [{ ...JO, ...changed }] },
      });
    }
  });

  test('have the title in the prefix of the name in the rail dialect', async () => {
    const [sentPerson] = await people(renamed({ name: { ...NAME, prefix: [], title: ['MISS'] } }));
    expect(sentPerson?.personName).toEqual({ namePrefix: ['MISS'], givenName: ['JO'], surname: 'BERG' });
  });

  test('name a rail group: mark adults with an infant and refer infants to their adult', async () => {
    const unnamed = (rph: string, passengerTypeCode: string): Wire => ({
      ...{ passengerTypeCode, gender: 'Unknown', travelerRefNumber: { rph } },
    });
    const airTraveler = [unnamed('1', 'ADT'), unnamed('2', 'ADT'), unnamed('3', 'INF')];
    const group = bookingOf({ airItinerary, travelerInfo: { airTraveler }, ticketing: [] }).reading;
    const given = group.travelers.map((one, i) => ({
      ...one,
      name: { ...NAME, given: [['AN', 'BO', 'CY'][i] ?? ''] },
    }));
    const wires = await people({ kind: 'change_names', booking: group, travelers: given });
    expect(wires.map(({ accompaniedByInfantInd }) => accompaniedByInfantInd)).toEqual([true, undefined, undefined]);
    expect(wires.map(({ comment }) => comment)).toEqual([undefined, undefined, [{ name: 'attendantRph', value: '1' }]]);
    expect(wires[0]).not.toHaveProperty('flightSegmentRPHs');
  });

  test('mark no adult with an infant if the people of the booking are already named', async () => {
    const [sentPerson] = await people(renamed({ name: { ...NAME, given: ['JOE'] } }));
    expect(sentPerson).not.toHaveProperty('accompaniedByInfantInd');
  });
});

test('reads a reply to a change whose middle name is merged into the given name', async () => {
  const booking = await hear('modify', fixture('modify-reply'));
  expect(booking.locator).toBe('K7M4QX');
  expect(booking.travelers[0]?.name).toEqual(named(['SARA ANNE'], 'HADDAD'));
  expect(booking).toMatchObject({ options: [], tickets: [], orders: [] });
  expect('source' in booking).toBe(false);
});
