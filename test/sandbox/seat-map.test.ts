import { afterAll, describe, expect, it } from 'vitest';
import { adults, good, type Json, leftIn, openTravelAgent, segmentsOf, TRAIN, ticketsOf } from './point-of-sale.ts';

const agent = await openTravelAgent();
const trip = await agent.trip([TRAIN]);
const locator = await agent.sell(trip, adults(2));
afterAll(() => agent.close());

const cabinsOf = async (refs: string[]): Promise<Json> =>
  good(await agent.seatMap(locator, refs)).seatMapResponses.seatMapResponse[0];
const seatsOf = async (refs: string[]): Promise<Json[]> =>
  (await cabinsOf(refs)).seatMapDetails[0].cabinClass.flatMap((cabin: Json) =>
    cabin.rowInfo.flatMap((row: Json) => row.seatInfo.map((seat: Json) => ({ ...seat, coach: cabin.zone[0].code }))),
  );

describe('the seat map', () => {
  it('shows the cabins of the booked class, coach by coach', async () => {
    const { flightSegmentInfo, seatMapDetails } = await cabinsOf(['1', '2']);
    expect(flightSegmentInfo.flightNumber).toBe(segmentsOf(trip)[0].flightNumber);
    const [{ cabinClass, travelerRefNumberRPHs }] = seatMapDetails;
    expect(travelerRefNumberRPHs).toEqual(['1', '2']);
    const coach = { type: 'T', totalSeatQty: 56 };
    expect(cabinClass.map((it: Json) => it.zone[0])).toMatchObject(['3', '4', '5'].map((code) => ({ code, ...coach })));
    expect(cabinClass[0]).toMatchObject({ columnSpan: 5, startingRow: '1', endingRow: '14' });
    expect(cabinClass[0].availabilityList.length).toBe(56);
    const [first, second] = cabinClass.map((cabin: Json) => cabin.rowInfo[0].seatInfo);
    expect(first.map((it: Json) => it.summary.seatNumber)).toEqual(['55', '56', '57', '58']);
    // The aisle is the column that is skipped, and the next coach goes on counting.
    expect(first.map((it: Json) => it.columnNumber)).toEqual([1, 2, 4, 5]);
    expect(second[0].summary).toMatchObject({ seatNumber: '111', rowNumber: 1 });
    const [window, aisle] = first;
    expect(window.features).toEqual([{ value: 'WINDOW' }, { value: 'OTHER', extension: 'BackwardFacing' }]);
    expect(aisle.features[0]).toEqual({ value: 'AISLE' });
  });

  it('distinguishes free, occupied and own seats, as the tickets name them', async () => {
    const seats = await seatsOf(['1']);
    const words = new Set(seats.map((seat) => `${seat.availability.value} ${seat.status[0].value}`));
    expect(words).toEqual(new Set(['SEAT_AVAILABLE AVAILABLE', 'SEAT_OCCUPIED BOOKED', 'SEAT_RESERVED ACTIVE']));
    const reservation = await agent.read(locator);
    const details: Json[] = ticketsOf(reservation).map((ticket: Json) => ticket.tpaextensions.couponProviderDetails[0]);
    const at = (detail: Json) =>
      seats.find((seat) => seat.coach === detail.coach && seat.summary.seatNumber === detail.seat);
    expect(at(details[0]).availability.value).toBe('SEAT_RESERVED');
    expect(at(details[1]).availability.value).toBe('SEAT_OCCUPIED');
  });

  it('shows as many free seats as the search', async () => {
    const free = (await seatsOf(['1'])).filter((it) => it.summary.availableInd === true);
    const numberOf = (it: Json) => segmentsOf(it)[0].flightNumber;
    const again = (await agent.itineraries([TRAIN])).find((itinerary) => numberOf(itinerary) === numberOf(trip));
    expect(leftIn(again, 'Y')).toBe(free.length);
  });
});
