/**
 * Priced itineraries: search results, price checks and bookings from counts (docs/wire/interface.md, Fare search,
 * Booking by counts; docs/wire/notes.md, Fares and prices, Money and rules).
 */
import { type Carrier, pricedOptions } from '../carrier.ts';
import { FARE_TYPES } from '../fares.ts';
import { OWN_COMPANY } from '../operations/pay.ts';
import { type PricedTrip, partsIn, priceOf } from '../pricing.ts';
import { type CarrierBooking, countTypes } from '../record.ts';
import { isRecord, type Wire } from '../wire.ts';
import { writePrice } from './price.ts';
import { writePriceInfo } from './price-info.ts';
import { writeItinerary } from './segment.ts';
import { payByOf } from './tickets.ts';

export function writeSearch(carrier: Carrier, trips: readonly PricedTrip[]): Wire {
  const pricedItinerary = trips.map((trip, i) => ({
    airItinerary: writeItinerary(carrier, trip.options, 'search'),
    airItineraryPricingInfo: writePriceInfo(carrier, { parts: partsIn(trip), counts: trip.counts }, 'search'),
    notes: [...new Set(partsIn(trip).map((part) => part.fare.name))],
    sequenceNumber: i + 1,
  }));
  return { success: {}, pricedItineraries: { pricedItinerary }, timeStamp: new Date(carrier.now).toISOString() };
}

const reference = (id: string): Wire => ({ type: '14', id, companyName: { code: OWN_COMPANY } });

/** Prices, and rules as text on the segments; no fare infos, limits or locator. */
export function writePriceCheck(carrier: Carrier, trip: PricedTrip): Wire {
  const pricing = writePriceInfo(carrier, { parts: partsIn(trip), counts: trip.counts }, 'check');
  return {
    success: {},
    pricedItineraries: {
      pricedItinerary: [
        {
          airItinerary: writeItinerary(carrier, trip.options, 'check'),
          airItineraryPricingInfo: pricing,
          pricingOverview: { pricingIndicator: [] },
          notes: [],
          sequenceNumber: 1,
        },
      ],
    },
    timeStamp: new Date(carrier.now).toISOString(),
  };
}

/** Rail: the locator is `bookingReferenceID.id` and `quoteID`; the time limit is in `ticketingInfo`. */
export function writeCounts(carrier: Carrier, booking: CarrierBooking): Wire {
  if (carrier.dialect === 'airline') return airlineCounts(carrier, booking);
  const { travelers, payBy, namesUntil, locator } = booking;
  const options = pricedOptions(carrier, booking.options);
  const priced = { parts: partsIn({ options }), counts: countTypes(travelers), limits: { payBy, namesUntil } };
  const pricedItinerary = [
    {
      airItinerary: writeItinerary(carrier, options, 'hold'),
      airItineraryPricingInfo: { ...writePriceInfo(carrier, priced, 'hold'), quoteID: locator },
      ticketingInfo: { ticketTimeLimit: payByOf(carrier, booking) },
      notes: [],
      sequenceNumber: 1,
    },
  ];
  return { bookingReferenceID: reference(locator), pricedItineraries: { pricedItinerary } };
}

/** The airline dialect's form: objects where rail has lists. */
function airlineCounts(carrier: Carrier, booking: CarrierBooking): Wire {
  const options = pricedOptions(carrier, booking.options);
  const parts = partsIn({ options });
  const counts = countTypes(booking.travelers);
  const bareTaxes = (price: Wire): Wire => ({ ...price, taxes: isRecord(price.taxes) ? price.taxes.tax : [] });
  const rows = FARE_TYPES.filter((type) => (counts[type] ?? 0) > 0).map((type) => {
    const count = counts[type] ?? 0;
    const price = writePrice(carrier, priceOf(carrier.network, parts, { [type]: count }));
    return { passengerTypeQuantity: { code: type, quantity: count }, passengerFare: bareTaxes(price) };
  });
  return {
    success: {},
    pricedItinerary: {
      airItinerary: writeItinerary(carrier, options, 'hold'),
      airItineraryPricingInfo: {
        itinTotalFare: bareTaxes(writePrice(carrier, priceOf(carrier.network, parts, counts))),
        ptc_FareBreakdowns: rows,
      },
      ticketingInfo: { ticketTimeLimit: payByOf(carrier, booking) },
      quoteID: booking.locator,
    },
  };
}
