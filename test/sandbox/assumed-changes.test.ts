import { afterAll, describe, expect, it } from 'vitest';
import {
  adults,
  basisOf,
  bookItinerary,
  CONTACT,
  changed,
  child,
  good,
  HOUR,
  inFare,
  infant,
  type Json,
  openTravelAgent,
  optionsOf,
  passenger,
  segmentsOf,
  TRAIN,
  TRAIN_BACK,
  ticketsOf,
  totalOf,
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
  /** Free seats of the first segment by coach, from the seat map. */
  const free = async (locator: string): Promise<{ coach: string; seat: string }[]> => {
    const reservation = await agent.read(locator);
    const { equipment, comment, stopLocation, stopQuantity, ...segment } = segmentsOf(reservation)[0];
    const reply = good(
      await agent.send('OTA_AirSeatMapRQ', {
        seatMapRequests: { seatMapRequest: [{ flightSegmentInfo: segment, travelerRefNumberRPHs: ['1'] }] },
        airTravelers: { airTraveler: travelersOf(reservation).slice(1) },
        bookingReferenceID: [{ id: locator, type: '14' }],
      }),
    );
    const cabins: Json[] = reply.seatMapResponses.seatMapResponse[0].seatMapDetails[0].cabinClass;
    return cabins.flatMap((cabin) =>
      cabin.availabilityList
        .filter((it: Json) => it.availableInd)
        .map((it: Json) => ({ coach: cabin.zone[0].code, seat: it.seatNumber })),
    );
  };

  it('changes a seat, with a new operator ticket number and a notification', async () => {
    const locator = await agent.sell(trip, adults(2));
    const before = await agent.read(locator);
    const { coach } = detailOf(before, 0);
    const wish = (await free(locator)).find((it) => it.coach === coach)?.seat ?? '';
    const after = good(await change(locator, seats(seatRequest('1', '1', wish)))).airReservation;
    expect(detailOf(after, 0)).toMatchObject({ coach, seat: wish });
    expect(detailOf(after, 0).providerTicketNumber).not.toBe(detailOf(before, 0).providerTicketNumber);
    expect([detailOf(after, 0, 1), detailOf(after, 1)]).toEqual([detailOf(before, 0, 1), detailOf(before, 1)]);
    expect(agent.sandbox.notices().at(-1)).toMatchObject({ kind: 'ticket_update', locator });
    expect(await free(locator)).not.toContainEqual({ coach, seat: wish });
  });

  it('lets two travellers swap seats, and one move to another coach', async () => {
    const locator = await agent.sell(trip, adults(2));
    const before = await agent.read(locator);
    const [first, second] = [detailOf(before, 0), detailOf(before, 1)];
    const qualified = ({ coach, seat }: Json): Json => ({ coach, seat });
    const swap = seats(seatRequest('1', '1', second.seat), seatRequest('1', '2', first.seat));
    const after = good(await change(locator, swap)).airReservation;
    expect([qualified(detailOf(after, 0)), qualified(detailOf(after, 1))]).toEqual([
      qualified(second),
      qualified(first),
    ]);
    // Numbers run through the train, so the bare number leads to another coach.
    const elsewhere = (await free(locator)).find((it) => it.coach !== first.coach);
    const moved = good(await change(locator, seats(seatRequest('1', '1', elsewhere?.seat ?? '')))).airReservation;
    expect(qualified(detailOf(moved, 0))).toEqual(elsewhere);
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

  it('changes the contact (type 9)', async () => {
    const locator = await agent.hold(trip, [passenger('1')]);
    const contact = (email: string): Json => ({
      modificationType: '9',
      travelerInfo: { airTraveler: [{ ...CONTACT, email: [{ value: email }] }] },
    });
    const after = good(await change(locator, contact('new@example.com'))).airReservation;
    expect(travelersOf(after)[0].email).toEqual([{ value: 'new@example.com' }]);
    expect((await change(locator, contact('nobody'))).body.code).toBe('244');
    expect(agent.sandbox.ledger().at(-1)).toMatchObject({ event: 'contact_updated', locator });
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

  it('replaces the old segment by the new one, and charges the difference', async () => {
    const own = await openTravelAgent();
    const found = await own.itineraries([TRAIN, TRAIN_BACK]);
    const saver = inFare(found, 'CSAVE');
    const locator = await own.sell(saver, adults(2));
    const before = await own.read(locator);
    const later = await own.itineraries([{ ...TRAIN, date: '2026-12-11' }], { adults: 2 });
    const target = inFare(later, 'CFLEX');
    const after = good(await change(locator, onto(target, '3'), own)).airReservation;
    // The airline gives a pointer of its own, whatever was asked for, and everything follows it.
    expect(optionsOf(after).map((it) => it.rph)).toEqual(['4', '2']);
    expect(segmentsOf(after)[0]).toMatchObject({ fareBasisCode: 'CFLEX', status: '30' });
    expect(travelersOf(after)[1].flightSegmentRPHs.flightSegmentRPH).toEqual(['4', '2']);
    expect(after.ticketing[0].ticketDocumentNbr).toBe(before.ticketing[0].ticketDocumentNbr);
    expect(after.ticketing[0].tpaextensions.couponInfos[0]).toEqual({ flightRefRPH: '4', number: '1', status: 'O' });
    // Two adults: change fee 40.00 each and 15 % VAT, and what the new fare costs more.
    const dearer = totalOf(after) - totalOf(before);
    expect(dearer).toBeGreaterThan(0);
    const namesUntil = (of: Json): number =>
      Date.parse(JSON.stringify(of).match(/"updateTravellersTimeLimit":"([^"]+)"/)?.[1] ?? '');
    expect(namesUntil(after) - namesUntil(before)).toBe(departureOf(after) - departureOf(before));
    const { orderInfo } = after.offer.priced[1].tpaExtensions;
    expect(orderInfo).toMatchObject({ direction: 'PAYMENT', status: 'PAID', totalAmount: (dearer + 92).toFixed(2) });
    expect(own.sandbox.ledger().slice(-2)).toMatchObject([
      { event: 'rebooked', about: ['1', '4'] },
      { event: 'paid', amount: { minor: Math.round((dearer + 92) * 100) } },
    ]);
    await own.close();
  });

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

  it('splits travellers with their tickets and seats into a new booking', async () => {
    const locator = await agent.sell(trip, adults(4));
    good(await agent.cancelPassengers(locator, ['4']));
    const before = await agent.read(locator);
    const fresh = good(await agent.modify(before, away(before, ['2']))).airReservation;
    expect(fresh.bookingReferenceID[0].id).not.toBe(locator);
    expect(travelersOf(fresh).slice(1)).toEqual([travelersOf(before)[2]]);
    const withoutLinks = ({ tpaextensions: { links, ...rest }, ...ticket }: Json): Json => ({ ...ticket, ...rest });
    expect(ticketsOf(fresh).map(withoutLinks)).toEqual([before.ticketing[1]].map(withoutLinks));
    const rest = await agent.read(locator);
    expect(ticketsOf(rest)).toEqual([before.ticketing[0], before.ticketing[2]]);
    expect(Math.round(totalOf(rest) * 100 + totalOf(fresh) * 100)).toBe(Math.round(totalOf(before) * 100));
    const orders = (it: Json): string[] => it.offer.priced.map((one: Json) => one.tpaExtensions.orderInfo.direction);
    expect([orders(rest), orders(fresh)]).toEqual([['PAYMENT', 'REFUND'], ['PAYMENT']]);
    // Its seats are its own: cancelling the rest leaves it whole.
    good(await agent.cancelOptions(locator, ['1', '2']));
    expect((await agent.cancelOptions(fresh.bookingReferenceID[0].id, ['1'])).status).toBe(200);
    expect(basisOf(fresh)).toBe('YFLEX');
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
