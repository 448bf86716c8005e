/**
 * What the airline refuses, by code (docs/wire/interface.md, errors): a refusal names the reason, and nothing happened.
 */
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  adults,
  bookBody,
  bookItinerary,
  CONTACT,
  changed,
  child,
  good,
  HOUR,
  infant,
  type Json,
  type Leg,
  openTravelAgent,
  optionsOf,
  passenger,
  type SearchOptions,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  ticketsOf,
  travelersOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN, TRAIN_BACK]);
const held = await agent.hold(trip, [passenger('1')]);
const sold = await agent.sell(trip, [passenger('1'), passenger('2'), infant('3', '1')]);
const family = await agent.sell(trip, [passenger('1'), child('2'), infant('3', '1')]);
const couple = await agent.sell(trip, [passenger('1'), child('2')]);
const half = await agent.sell(trip, [passenger('1')]);
good(await agent.cancelOptions(half, ['1']));
const gone = await agent.sell(trip, [passenger('1')]);
good(await agent.cancelOptions(gone, ['1', '2']));
const released = await agent.hold(trip, [passenger('1')]);
good(await agent.cancelBooking(released));
const [nextDay] = await agent.itineraries([{ ...TRAIN, date: '2026-12-11' }]);
const [elsewhere] = await agent.itineraries([{ from: 'XRE', to: 'XDM', date: '2026-12-11' }]);
afterAll(() => agent.close());

type Change = (it: Json) => void;
type Call = () => Promise<Answer>;
type Rows = (readonly [code: string, what: string, call: Call])[];

/** What the airline did: a refused repeat is in its ledger as well. */
const deeds = () => agent.sandbox.ledger().filter(({ event }) => event !== 'refused_repeat');

const refuses = (rows: Rows) =>
  it.each(rows)('%s %s', async (code, _, call) => {
    const before = deeds().length;
    const { status, body } = await call();
    expect([body.code, body.detail]).toEqual([code, expect.any(String)]);
    expect([status >= 400, status < 500]).toEqual([true, true]);
    expect(deeds()).toHaveLength(before);
  });

const modify =
  (locator: string, request: Json | ((reservation: Json) => Json), on = agent): Call =>
  async () => {
    const reservation = await on.read(locator);
    return on.modify(reservation, typeof request === 'function' ? request(reservation) : request);
  };

describe('a booking request is refused', () => {
  const people = (it: Json): Json[] => it.travelerInfo.airTraveler;
  const [contact, adult, baby] = [0, 1, 2].map((i) => (change: Change) => (it: Json) => change(people(it)[i]));
  const segment = (change: Change) => (it: Json) => change(segmentsOf(it)[0]);
  const document = (segment: Json) => segment.document[0];
  const at = (time: string) => `2026-12-10T${time}:00.000+03:00`;
  const twice = (it: Json) => {
    const [option] = optionsOf(it);
    const again = changed(option, (copy) => (Object.assign(copy, { rph: '2' }).flightSegment[0].rph = '2'));
    it.airItinerary.originDestinationOptions.originDestinationOption = [option, again];
  };

  const changes: readonly [string, string, Change | undefined][] = [
    ['321', 'without a contact', (it) => people(it).shift()],
    ['420', 'without e-mail of the contact', contact?.((it) => delete it.email)],
    ['244', 'with a malformed e-mail', contact?.((it) => (it.email[0].value = 'layla@'))],
    ['321', 'without a surname', adult?.((it) => delete it.personName.surname)],
    ['285', 'with a name in other letters', adult?.((it) => (it.personName.surname = 'صالح'))],
    ['285', 'with digits in a name', adult?.((it) => (it.personName.givenName = ['Omar2']))],
    ['523', 'with a surname over 30 letters', adult?.((it) => (it.personName.surname = 'A'.repeat(31)))],
    ['524', 'with a given name over 30 letters', adult?.((it) => (it.personName.givenName = ['B'.repeat(31)]))],
    ['860', 'without gender', adult?.((it) => delete it.gender)],
    ['860', 'without a document', adult?.((it) => delete it.document)],
    ['878', 'with an unknown document type', adult?.((it) => (document(it).docType = '9'))],
    ['879', 'with a malformed document number', adult?.((it) => (document(it).docID = 'X'))],
    ['860', 'with a document that expires on the way', adult?.((it) => (document(it).expireDate = '2026-12-12'))],
    ['860', 'with an infant of two before the way back', baby?.((it) => (document(it).birthDate = '2024-12-12'))],
    ['860', 'with a grown-up as a child', baby?.((it) => (it.passengerTypeCode = 'CHD'))],
    ['1083', 'with one document for two', baby?.((it) => (document(it).docID = 'P0000001'))],
    ['3004', 'with an infant without an adult', baby?.((it) => delete it.comment)],
    ['3004', 'with an infant on a lap that is not there', baby?.((it) => (it.comment[0].value = '9'))],
    ['83', 'with a traveller on no segment', adult?.((it) => (it.flightSegmentRPHs.flightSegmentRPH = ['7']))],
    ['83', 'with a pointer given twice', (it) => (segmentsOf(it)[1].rph = '1')],
    ['320', 'with another segment status', segment((it) => (it.status = '34'))],
    ['508', 'with an unknown booking class', segment((it) => (it.resBookDesigCode = 'Q'))],
    ['53', 'with a fare of another class', segment((it) => (it.fareBasisCode = 'CFLEX'))],
    ['499', 'for a departure that does not run', segment((it) => (it.departureDateTime = at('03:33')))],
    ['499', 'for another carrier', segment((it) => (it.operatingAirline.code = 'XX'))],
    ['501', 'with another arrival', segment((it) => (it.arrivalDateTime = at('23:59')))],
    ['7', 'to a station that is not there', segment((it) => (it.arrivalAirport.locationCode = 'ZZZ'))],
    ['321', 'without a segment pointer', segment((it) => delete it.rph)],
    ['53', 'without a fare code', segment((it) => delete it.fareBasisCode)],
    ['508', 'without a booking class', segment((it) => delete it.resBookDesigCode)],
    ['320', 'with a fare code that is no text', segment((it) => (it.fareBasisCode = 7))],
    ['320', 'with a time without a zone', segment((it) => (it.departureDateTime = '2026-12-10T08:00:00'))],
    ['1024', 'with the same departure twice', twice],
  ];
  const body = () => bookBody(trip, [passenger('1'), infant('2', '1')]);
  const sending = (change: Change) => () => agent.send('OTA_AirBookRQ', changed(body(), change));
  refuses(changes.map(([code, what, change = () => undefined]) => [code, what, sending(change)] as const));
  refuses([
    ['3005', 'for two infants on one lap', () => agent.book(trip, [...adults(2), infant('3', '1'), infant('4', '1')])],
    ['26', 'for a child alone', () => agent.book(trip, [child('1')])],
    ['124', 'for two infants', () => agent.book(trip, [passenger('1'), infant('2', '1'), infant('3', '1')])],
    ['22', 'for ten', () => agent.book(trip, [...adults(9), child('10')])],
  ]);

  const counted = (qualifier: string, ...quantities: (number | string)[]): Call => {
    const types = ['ADT', 'CHD', 'INF'].map((code, i) => ({ code, quantity: quantities[i] ?? 0 }));
    const airTravelerAvail = [{ passengerTypeQuantity: types }, { airTraveler: CONTACT }];
    const travelerInfoSummary = { pricingPref: [{ qualifier }], airTravelerAvail };
    return () => agent.send('OTA_AirPriceRQ', { airItinerary: bookItinerary(trip), travelerInfoSummary });
  };
  refuses([
    ['20', 'from counts of zero', counted('4', 0)],
    ['26', 'from counts of children alone', counted('4', 0, 1)],
    ['320', 'with an unknown qualifier', counted('7', 1)],
    ['320', 'with a quantity that is no number', counted('4', 'two')],
  ]);
});

describe('a payment is refused', () => {
  const pay =
    (payment?: Json, company?: Json, locator = held) =>
    () =>
      agent.pay(locator, payment, company);
  const account = (cardHolderName: string) => ({ paymentType: '4', creditCardInfo: [{ cardHolderName }] });
  const card = (currencyCode: string, amount: unknown) => ({ paymentType: '5', currencyCode, amount });
  refuses([
    ['65', 'a second time', pay(undefined, undefined, sold)],
    ['72', 'for a released hold', pay(undefined, undefined, released)],
    ['72', 'for a cancelled booking', pay(undefined, undefined, gone)],
    ['97', 'for an unknown booking', pay(undefined, undefined, 'AAAAA0')],
    ['163', 'by an unknown type', pay({ paymentType: '77' })],
    ['167', 'by a declined card', pay({ paymentType: '5', creditCardInfo: [{ cardHolderName: 'DECLINED' }] })],
    ['321', 'from an account without a name', pay({ paymentType: '4' })],
    ['167', 'from an account of somebody else', pay(account('other'))],
    ['248', 'for another company', pay(undefined, { code: 'OTHER' })],
    ['885', 'with another amount', pay(card('SAR', 1))],
    ['713', 'in another currency', pay(card('USD', 1))],
    ['320', 'with an amount that is text', pay(card('SAR', '1'))],
    ['95', 'if a released hold is released', () => agent.cancelBooking(released)],
    ['3505', 'if a paid booking is released', () => agent.cancelBooking(sold)],
  ]);
});

describe('a refused repeat of a message that was carried out', () => {
  const repeats = (locator: string) =>
    agent.sandbox.ledger().filter((entry) => entry.event === 'refused_repeat' && entry.locator === locator);

  it('is in the ledger with what it repeats, each time', async () => {
    const paid = await agent.sell(trip, [passenger('1')]);
    expect(repeats(paid)).toEqual([]);
    for (const times of [1, 2]) {
      expect((await agent.pay(paid)).body.code).toBe('65');
      expect(repeats(paid).map(({ about }) => about)).toEqual(Array(times).fill(['paid']));
    }
    const reservation = await agent.read(paid);
    const cancelled = { originDestinationOptions: { originDestinationOption: [optionsOf(reservation)[0]] } };
    const cancel = () => agent.modify(reservation, { modificationType: '10', airItinerary: cancelled });
    good(await cancel());
    expect((await cancel()).status).toBe(400);
    expect(repeats(paid).at(-1)?.about).toEqual(['segments_cancelled', 'refunded']);
  });

  it('is not what is refused by itself', async () => {
    const unpaid = await agent.hold(trip, [passenger('1')]);
    const declined = { paymentType: '5', creditCardInfo: [{ cardHolderName: 'DECLINED' }] };
    for (const _ of [1, 2]) expect((await agent.pay(unpaid, declined)).body.code).toBe('167');
    expect(repeats(unpaid)).toEqual([]);
  });
});

describe('a change is refused', () => {
  const option = (of: Json) => ({ originDestinationOptions: { originDestinationOption: [of] } });
  const cancel = (change: Change) =>
    modify(sold, (it: Json) => ({ modificationType: '10', airItinerary: option(changed(optionsOf(it)[0], change)) }));
  const leave = (rph: string, passengerTypeCode: string, personName?: Json) => {
    const airTraveler = [{ travelerRefNumber: { rph }, passengerTypeCode, personName }];
    return modify(couple, { modificationType: '2', travelerInfo: { airTraveler } });
  };
  const rename = (rph: string, change: Change, modificationType = '3') =>
    modify(sold, (it: Json) => {
      const traveler = travelersOf(it).find((person) => person.travelerRefNumber?.rph === rph);
      return { modificationType, travelerInfo: { airTraveler: [changed(traveler, change)] } };
    });
  const edited = (edit: Change): Call => {
    const request = (it: Json) => ({ modificationType: '2', travelerInfo: { airTraveler: [travelersOf(it)[2]] } });
    return async () => {
      const reservation = await agent.read(sold);
      return agent.modify(changed(reservation, edit), request(reservation));
    };
  };
  const special = (of: Json) => ({ modificationType: '5', travelerInfo: { specialReqDetails: [of] } });
  const seat = (locator: string, segment: string, traveler: string | string[], seatNumber: string) => {
    const pointers = { flightRefNumberRPHList: [segment], travelerRefNumberRPHList: [traveler].flat() };
    return modify(locator, special({ seatRequests: { seatRequest: [{ ...pointers, seatNumber }] } }));
  };
  const service = { ssrCode: 'WCHR', serviceQuantity: 1, status: 'Requested', flightRefNumberRPHList: ['1'] };
  const serve = (...travelerRefNumberRPHList: string[]) =>
    special({ specialServiceRequests: { specialServiceRequest: [{ ...service, travelerRefNumberRPHList }] } });
  const onto = (itinerary: Json, rph: string, more: Json = {}): Json => {
    const [bookable] = optionsOf({ airItinerary: bookItinerary(itinerary) });
    const { status, ...segment } = bookable.flightSegment[0];
    return { modificationType: '20', airItinerary: option({ rph, flightSegment: [{ ...segment, rph, ...more }] }) };
  };
  const split = (...rphs: string[]) =>
    modify(family, (it: Json) => ({
      modificationType: '7',
      travelerInfo: { airTraveler: travelersOf(it).filter((person) => rphs.includes(person.travelerRefNumber?.rph)) },
    }));

  refuses([
    ['118', 'of segments of a hold', () => agent.cancelOptions(held, ['1'])],
    ['95', 'of a cancelled segment', () => agent.cancelOptions(half, ['1'])],
    ['83', 'of an option that is not there', cancel((it) => (it.rph = '9'))],
    ['83', 'of another flight', cancel((it) => (it.flightSegment[0].flightNumber = '999'))],
    ['172', 'of more segments than the option has', cancel((it) => it.flightSegment.push(it.flightSegment[0]))],
    ['321', 'without a marketing carrier', cancel((it) => delete it.flightSegment[0].marketingAirline)],
    ['26', 'that leaves a child alone', () => agent.cancelPassengers(couple, ['1'])],
    ['172', 'that leaves nobody', () => agent.cancelPassengers(couple, ['1', '2'])],
    ['83', 'of a traveller who is not there', leave('7', 'ADT')],
    ['320', 'of a traveller of another type', leave('2', 'ADT')],
    ['320', 'of a traveller of another name', leave('2', 'CHD', { givenName: ['Omar'], surname: 'Other' })],
    ['285', 'to a surname in digits', rename('1', (it) => (it.personName.surname = '1'))],
    ['320', 'to another type', rename('1', (it) => (it.passengerTypeCode = 'CHD'))],
    ['1083', 'to the document of another', rename('1', (it) => (it.document[0].docID = 'P0000002'))],
    ['860', 'to an infant of six', rename('3', (it) => (it.document[0].birthDate = '2020-01-01'))],
    ['83', 'of a traveller unknown', rename('1', (it) => (it.travelerRefNumber.rph = '9'))],
    ['83', 'to more segments', rename('1', (it) => it.flightSegmentRPHs.flightSegmentRPH.push('7'))],
    ['417', 'of a name as information', rename('1', (it) => (it.personName.surname = 'Rahman'), '40')],
    ['320', 'of an unknown type', modify(sold, { modificationType: '99' })],
    ['320', 'with a reading without its orders', edited((it) => delete it.offer)],
    ['320', 'with a reading with a new field', edited((it) => (it.extra = 1))],
    ['320', 'with a reading without a ticket', edited((it) => it.ticketing.pop())],
    ['320', 'to a seat that is not there', seat(sold, '1', '1', '999')],
    ['172', 'of the seat of an infant', seat(sold, '1', '3', '60')],
    ['83', 'of a seat on no segment', seat(sold, '7', '1', '60')],
    ['320', 'of one seat for two', seat(sold, '1', ['1', '2'], '60')],
    ['118', 'of a seat of a hold', seat(held, '1', '1', '60')],
    ['95', 'of a seat on a cancelled segment', seat(half, '1', '1', '60')],
    ['83', 'of a service for nobody', modify(half, serve('2'))],
    ['83', 'onto a pointer that is used', modify(half, onto(nextDay, '2'))],
    ['83', 'onto another route', modify(sold, onto(elsewhere, '3'))],
    ['320', 'onto a segment with a status', modify(sold, onto(nextDay, '3', { status: '30' }))],
    ['3004', 'that splits an infant off its adult', split('1')],
    ['26', 'that splits a child off', split('2')],
    ['172', 'that splits everybody off', split('1', '2', '3')],
  ]);

  it('with 499 for an occupied seat', async () => {
    const [, other] = ticketsOf(await agent.read(sold));
    const taken = seat(sold, '1', '1', other.tpaextensions.couponProviderDetails[0].seat);
    expect((await taken()).body.code).toBe('499');
  });

  it('with 320 and the path of what differs from the last reading, and once the booking has moved on', async () => {
    const path = '$.airReservation.travelerInfo.airTraveler[1].gender: not as in the last read of the booking';
    const { body } = await edited((it) => (travelersOf(it)[1].gender = 'Female'))();
    expect([body.code, body.detail]).toEqual(['320', path]);
    const locator = await agent.sell(trip, adults(2));
    const reservation = await agent.read(locator);
    const leaving = { modificationType: '2', travelerInfo: { airTraveler: [travelersOf(reservation)[2]] } };
    good(await agent.modify(reservation, leaving));
    expect((await agent.modify(reservation, leaving)).body.code).toBe('320');
    const { bookingReferenceID } = reservation;
    const bare = await agent.modify({ bookingReferenceID }, { modificationType: '2' });
    expect([bare.body.status, bare.body.detail]).toEqual([400, expect.stringMatching(/^\$\.airReservation/)]);
    const pos = JSON.parse(JSON.stringify(agent.pos()).replace('isocurrency', 'isoCurrency'));
    const foreign = { pos, airReservation: await agent.read(locator), airBookModifyRQ: { modificationType: '10' } };
    expect((await agent.send('OTA_AirBookModifyRQ', foreign)).body.detail).toBe('$.pos.source[0].isocurrency: missing');
  });

  it('from its time on: names with 417, seats, segments and rebookings with 150, lapsed holds with 73', async () => {
    const own = await openTravelAgent();
    const departure = Date.parse(segmentsOf(trip)[0].departureDateTime);
    const until = async (at: number) => {
      own.sandbox.advance(at - own.sandbox.now());
      await own.logIn();
    };
    const paid = await own.sell(trip, [passenger('1')]);
    const saver = await own.trip([TRAIN], 'YSAVE');
    const fixed = await own.sell(saver, [passenger('1')]);
    const first = await own.hold(trip, [passenger('1')]);
    own.sandbox.advance(30 * 60_000 - 1);
    const second = await own.hold(trip, [passenger('1')]);
    own.sandbox.advance(1);
    const code = async (call: Promise<Answer>) => (await call).body.code;
    expect([await code(own.pay(first)), await code(own.cancelBooking(first))]).toEqual(['73', '73']);
    expect(await code(own.pay(second))).toBeUndefined();
    const renamed = (locator: string) =>
      modify(
        locator,
        (it: Json) => {
          const traveler = changed(travelersOf(it)[1], (copy) => (copy.personName.surname = 'Rahman'));
          return { modificationType: '3', travelerInfo: { airTraveler: [traveler] } };
        },
        own,
      )();
    await until(departure - 72 * HOUR - 1);
    expect([await code(renamed(first)), await code(renamed(paid))]).toEqual(['73', undefined]);
    own.sandbox.advance(1);
    expect(await code(renamed(paid))).toBe('417');
    const seats = { flightRefNumberRPHList: ['1'], travelerRefNumberRPHList: ['1'], seatNumber: '60' };
    expect(await code(modify(paid, special({ seatRequests: { seatRequest: [seats] } }), own)())).toBe('150');
    expect(await code(own.seatMap(paid, ['1']))).toBe('150');
    await until(Date.parse(segmentsOf(saver)[0].departureDateTime) - 20 * HOUR);
    expect(await code(modify(fixed, onto(nextDay, '3'), own)())).toBe('150');
    const { fareInfo } = (await own.read(paid)).priceInfo.fareInfos;
    await until(Date.parse(fareInfo[0].ruleInfo.tpaextensions.cancellationTimeLimit));
    expect(await code(own.cancelOptions(paid, ['1']))).toBe('150');
    expect(await code(own.cancelOptions(paid, ['2']))).toBeUndefined();
    await own.close();
  });
});

describe('a seat map is refused', () => {
  const map = (locator: string, refs: readonly string[], change?: Change) => () => agent.seatMap(locator, refs, change);
  const other = (field: string, value: string) =>
    map(sold, ['1'], (it) => (it.seatMapRequests.seatMapRequest[0].flightSegmentInfo[field] = value));
  refuses([
    ['118', 'before payment', map(held, ['1'])],
    ['95', 'for a cancelled segment', map(half, ['1'])],
    ['320', 'without a traveller pointer', map(sold, [])],
    ['320', 'for a traveller who is not there', map(sold, ['8'])],
    ['83', 'for a segment that is not there', other('rph', '5')],
    ['83', 'for another flight', other('flightNumber', '999')],
  ]);
});

describe('a search is refused', () => {
  const search = (legs: readonly Leg[], options?: SearchOptions) => () => agent.search(legs, options);
  const on = (date: string, more: object = {}) => search([{ ...TRAIN, date, ...more }]);
  refuses([
    ['7', 'for a route that is not sold', search([{ from: 'QCA', to: 'XDM', date: '2026-12-10' }])],
    ['7', 'for an unknown station', search([{ from: 'QCA', to: 'LHR', date: '2026-12-10' }])],
    ['15', 'with legs in the wrong order', search([TRAIN_BACK, TRAIN])],
    ['20', 'for nobody', search([TRAIN], { adults: 0 })],
    ['22', 'for ten travellers', search([TRAIN], { adults: 8, children: 2 })],
    ['26', 'for children alone', search([TRAIN], { adults: 0, children: 1 })],
    ['124', 'for two infants and one adult', search([TRAIN], { infants: 2 })],
    ['353', 'for yesterday', on('2026-11-19')],
    ['107', 'for two years ahead', on('2028-11-19')],
    ['161', 'with a window of 30 days', on(TRAIN.date, { after: 'P30D' })],
    ['320', 'for a date that does not exist', on('2026-02-30')],
    ['320', 'with a window that is no duration', on(TRAIN.date, { after: '1' })],
  ]);

  it('by the local time of the station: with 353 for a day that is over there', async () => {
    const late = await openTravelAgent({ now: () => Date.parse('2026-11-20T22:30:00Z') });
    expect((await late.search([{ ...TRAIN, date: '2026-11-20' }])).body.code).toBe('353');
    await late.close();
  });
});
