/**
 * Parts of replies as airlines write them, for messages written by hand. All values are made up.
 */
import { decodeReadReply } from '../../../src/ota/messages/reservation.ts';

export type Wire = Record<string, unknown>;

export const between = (from: string, to: string): Wire => ({
  departureAirport: { locationCode: from },
  arrivalAirport: { locationCode: to },
});

/** Flight 0417 from AAA to BBB on 4 May 2031, confirmed; without a pointer. */
export const flight = (over: Wire = {}): Wire => ({
  ...between('AAA', 'BBB'),
  operatingAirline: { code: 'RR', flightNumber: '0417' },
  marketingAirline: { code: 'RR' },
  flightNumber: '0417',
  departureDateTime: '2031-05-04T08:10:00.000+03:00',
  arrivalDateTime: '2031-05-04T09:02:00.000+03:00',
  resBookDesigCode: 'Y',
  status: '30',
  ...over,
});

export const option = (rph: string | undefined, ...flightSegment: Wire[]): Wire => ({
  ...(rph !== undefined && { rph }),
  flightSegment,
});

export const itinerary = (...options: Wire[]): Wire => ({
  originDestinationOptions: { originDestinationOption: options },
});

/** An adult without a segment. */
export const person = (rph: string, given: string, over: Wire = {}): Wire => ({
  personName: { namePrefix: ['MR'], givenName: [given], surname: 'BERG' },
  travelerRefNumber: { rph },
  passengerTypeCode: 'ADT',
  ...over,
});

/** A paid order of a booking. */
export const order = (id: string, orderInfo: Wire): Wire => ({
  id,
  tpaExtensions: {
    orderInfo: { direction: 'PAYMENT', orderType: 'BOOKING', status: 'PAID', currencyCode: 'EUR', ...orderInfo },
  },
});

export const money = (amount: unknown, currencyCode = 'SAR'): Wire => ({ currencyCode, amount });
export const fare = (amount: unknown, currencyCode?: string): Wire => ({
  baseFare: money(amount, currencyCode),
  totalFare: money(amount, currencyCode),
});

export const reservation = (over: Wire = {}): Wire => ({
  bookingReferenceID: [{ companyName: { code: 'RR' }, type: '14', id: 'K7PL2M' }],
  ...over,
});

/** The booking that the adapter makes of a reading. */
export const readingOf = (wire: unknown) => decodeReadReply(wire);

/** The booking that the adapter reads from a reservation of these parts. */
export const bookingOf = (over: Wire = {}) => readingOf({ success: {}, airReservation: reservation(over) });

/** A reply to a search: airItinerary and airItineraryPricingInfo of each itinerary. */
export const searchOf = (...itineraries: (readonly [airItinerary: Wire, airItineraryPricingInfo: Wire])[]): Wire => ({
  success: {},
  pricedItineraries: {
    pricedItinerary: itineraries.map(([airItinerary, airItineraryPricingInfo]) => ({
      airItinerary,
      airItineraryPricingInfo,
    })),
  },
});
