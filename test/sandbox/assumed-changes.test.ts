import { afterAll, describe, expect, it } from 'vitest';
import {
  bookItinerary,
  changed,
  child,
  good,
  HOUR,
  infant,
  type Json,
  openTravelAgent,
  optionsOf,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  travelersOf,
} from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN, TRAIN_BACK]);
afterAll(() => agent.close());

const change = async (locator: string, airBookModifyRQ: Json, on = agent) =>
  on.modify(await on.read(locator), airBookModifyRQ);
const detailOf = (reservation: Json, traveler: number, segment = 0): Json =>
  reservation.ticketing[traveler].tpaextensions.couponProviderDetails[segment];
const departureOf = (itinerary: Json): number => Date.parse(segmentsOf(itinerary)[0].departureDateTime);

describe('a seat change (type 5)', () => {
  const seatRequest = (segment: string, traveler: string, seatNumber: string): Json => ({
    flightRefNumberRPHList: [segment],
    travelerRefNumberRPHList: [traveler],
    seatNumber,
  });
  const seats = (...seatRequests: Json[]): Json => ({
    modificationType: '5',
    travelerInfo: { specialReqDetails: [{ seatRequests: { seatRequest: seatRequests } }] },
  });

  it('refuses a seat change for occupied or missing seats, infants, holds, cancelled segments and departed trains', async () => {
    const locator = await agent.sell(trip, [passenger('1'), passenger('2'), infant('3', '1')]);
    const other = detailOf(await agent.read(locator), 1);
    const code = async (of: string, ...wishes: Json[]) => (await change(of, seats(...wishes))).body.code;
    expect(await code(locator, seatRequest('1', '1', other.seat))).toBe('499');
    expect(await code(locator, seatRequest('1', '1', '999'))).toBe('320');
    expect(await code(locator, seatRequest('1', '3', '60'))).toBe('172');
    expect(await code(locator, seatRequest('7', '1', '60'))).toBe('83');
    expect(await code(locator, { ...seatRequest('1', '1', '60'), travelerRefNumberRPHList: ['1', '2'] })).toBe('320');
    expect(await code(await agent.hold(trip, [passenger('1')]), seatRequest('1', '1', '60'))).toBe('118');
    good(await agent.cancelOptions(locator, ['1']));
    expect(await code(locator, seatRequest('1', '1', '60'))).toBe('95');
    const own = await openTravelAgent();
    const late = await own.sell(trip, [passenger('1')]);
    own.sandbox.advance(departureOf(trip) - 72 * HOUR - own.sandbox.now());
    await own.logIn();
    expect((await change(late, seats(seatRequest('1', '1', '60')), own)).body.code).toBe('150');
    await own.close();
  });
});

describe('other changes', () => {
  it('adds special services (type 5)', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const service = (traveler: string): Json => ({
      modificationType: '5',
      travelerInfo: {
        specialReqDetails: [
          {
            specialServiceRequests: {
              specialServiceRequest: [
                {
                  ssrCode: 'WCHR',
                  serviceQuantity: 1,
                  status: 'Requested',
                  text: 'to the platform',
                  flightRefNumberRPHList: ['1'],
                  travelerRefNumberRPHList: [traveler],
                },
              ],
            },
          },
        ],
      },
    });
    const after = good(await change(locator, service('1'))).airReservation;
    const [request] = after.travelerInfo.specialReqDetails[0].specialServiceRequests.specialServiceRequest;
    expect(request).toEqual({
      ssrcode: 'WCHR',
      text: 'to the platform',
      serviceQuantity: 1,
      status: '30',
      number: 1,
      travelerRefNumberRPHList: ['1'],
      flightRefNumberRPHList: ['1'],
    });
    expect((await change(locator, service('2'))).body.code).toBe('83');
  });

  it('changes passenger information, but no names (type 40)', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const [, traveler] = travelersOf(await agent.read(locator));
    const update = (edit: (it: Json) => void): Json => ({
      modificationType: '40',
      travelerInfo: { airTraveler: [changed(traveler, edit)] },
    });
    const after = good(
      await change(
        locator,
        update((it) => (it.document[0].docID = 'N1234567')),
      ),
    ).airReservation;
    expect(travelersOf(after)[1].document[0]).toMatchObject({ docID: 'N1234567', birthDate: '1990-05-05' });
    const renamed = update((it) => (it.personName.surname = 'Rahman'));
    expect((await change(locator, renamed)).body.code).toBe('417');
    expect(agent.sandbox.ledger().at(-1)).toMatchObject({ event: 'passenger_updated', locator, about: ['1'] });
  });
});

describe('rebooking (type 20)', () => {
  const onto = (itinerary: Json, rph: string): Json => {
    const option = optionsOf({ airItinerary: bookItinerary(itinerary) })[0];
    option.rph = rph;
    option.flightSegment[0].rph = rph;
    delete option.flightSegment[0].status;
    return {
      modificationType: '20',
      airItinerary: { originDestinationOptions: { originDestinationOption: [option] } },
    };
  };

  it('refuses a rebooking without a segment to replace, with a used pointer, or against the fare rules', async () => {
    const locator = await agent.sell(trip, [passenger('1')]);
    const [other] = await agent.itineraries([{ ...TRAIN, date: '2026-12-11' }]);
    const [elsewhere] = await agent.itineraries([{ from: 'XRE', to: 'XDM', date: '2026-12-11' }]);
    expect((await change(locator, onto(other, '2'))).body.code).toBe('83');
    expect((await change(locator, onto(elsewhere, '3'))).body.code).toBe('83');
    const stated = changed(onto(other, '3'), (it) => {
      it.airItinerary.originDestinationOptions.originDestinationOption[0].flightSegment[0].status = '30';
    });
    expect((await change(locator, stated)).body.code).toBe('320');
    const own = await openTravelAgent();
    const saver = await own.trip([TRAIN], 'YSAVE');
    const fixed = await own.sell(saver, [passenger('1')]);
    own.sandbox.advance(departureOf(saver) - 20 * HOUR - own.sandbox.now());
    await own.logIn();
    expect((await change(fixed, onto(other, '3'), own)).body.code).toBe('150');
    await own.close();
  });
});

describe('splitting (type 7)', () => {
  const away = (reservation: Json, rphs: readonly string[]): Json => ({
    modificationType: '7',
    travelerInfo: { airTraveler: travelersOf(reservation).filter((it) => rphs.includes(it.travelerRefNumber?.rph)) },
  });

  it('refuses a split that leaves a party that may not travel', async () => {
    const locator = await agent.sell(trip, [passenger('1'), child('2'), infant('3', '1')]);
    const reservation = await agent.read(locator);
    const code = async (rphs: readonly string[]) =>
      (await agent.modify(reservation, away(reservation, rphs))).body.code;
    expect(await code(['1'])).toBe('3004');
    expect(await code(['2'])).toBe('26');
    expect(await code(['1', '2', '3'])).toBe('172');
  });
});
