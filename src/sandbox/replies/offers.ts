/**
 * Writes search results and bookings by counts as priced itineraries (docs/wire/interface.md, Fare search, Booking by counts;
 * docs/wire/notes.md, Replies).
 */
import { type Carrier, pricedOptions } from '../carrier.ts';
import { FARE_TYPES } from '../fares.ts';
import { OWN_COMPANY } from '../operations/pay.ts';
import { type PricedTrip, segmentsIn, totalPrice } from '../priced-trip.ts';
import { type CarrierBooking, countTypes } from '../record.ts';
import { isRecord, type Wire } from '../wire.ts';
import { writePrice, writePriceInfo } from './price.ts';
import { writeItinerary } from './segment.ts';
import { writePayBy } from './tickets.ts';

export function writeSearch(carrier: Carrier, trips: readonly PricedTrip[]): Wire {
  const pricedItinerary = trips.map(({ options, counts }, i) => {
    const segments = segmentsIn(options);
    return {
      airItinerary: writeItinerary(carrier, options, 'search'),
      airItineraryPricingInfo: writePriceInfo(carrier, { segments, counts }, 'search'),
      notes: [...new Set(segments.map((segment) => segment.fare.name))],
      sequenceNumber: i + 1,
    };
  });
  return { success: {}, pricedItineraries: { pricedItinerary }, timeStamp: new Date(carrier.now).toISOString() };
}

/** Writes a booking by counts. Rail sends the locator as `bookingReferenceID.id` and as `quoteID`. */
export function writeCountsBooking(carrier: Carrier, booking: CarrierBooking): Wire {
  if (carrier.dialect === 'airline') return writeAirlineCountsBooking(carrier, booking);

  const { travelers, payBy, namesUntil, locator } = booking;
  const options = pricedOptions(carrier, booking.options);
  const party = { segments: segmentsIn(options), counts: countTypes(travelers), limits: { payBy, namesUntil } };

  const pricedItinerary = [
    {
      airItinerary: writeItinerary(carrier, options, 'hold'),
      airItineraryPricingInfo: { ...writePriceInfo(carrier, party, 'hold'), quoteID: locator },
      ticketingInfo: { ticketTimeLimit: writePayBy(carrier, booking) },
      notes: [],
      sequenceNumber: 1,
    },
  ];

  const bookingReferenceID = { type: '14', id: locator, companyName: { code: OWN_COMPANY } };
  return { bookingReferenceID, pricedItineraries: { pricedItinerary } };
}

/** Writes a booking by counts as an airline does, with objects where rail has lists. */
function writeAirlineCountsBooking(carrier: Carrier, booking: CarrierBooking): Wire {
  const options = pricedOptions(carrier, booking.options);
  const segments = segmentsIn(options);
  const counts = countTypes(booking.travelers);
  const withTaxList = (price: Wire): Wire => ({ ...price, taxes: isRecord(price.taxes) ? price.taxes.tax : [] });
  const rows = FARE_TYPES.filter((type) => (counts[type] ?? 0) > 0).map((type) => {
    const count = counts[type] ?? 0;
    const price = writePrice(carrier, totalPrice(carrier.network, segments, { [type]: count }));
    return { passengerTypeQuantity: { code: type, quantity: count }, passengerFare: withTaxList(price) };
  });

  return {
    success: {},
    pricedItinerary: {
      airItinerary: writeItinerary(carrier, options, 'hold'),
      airItineraryPricingInfo: {
        itinTotalFare: withTaxList(writePrice(carrier, totalPrice(carrier.network, segments, counts))),
        ptc_FareBreakdowns: rows,
      },
      ticketingInfo: { ticketTimeLimit: writePayBy(carrier, booking) },
      quoteID: booking.locator,
    },
  };
}
