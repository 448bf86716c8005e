/**
 * Offers: search results, price checks and bookings from counts as priced itineraries, or the availability record
 * (docs/wire/interface.md, Fare search, Availability record, Booking by counts; docs/wire/notes.md, Fares and prices, Money
 * and rules, Replies).
 */
import type { Money } from '../../core/money.ts';
import { nothing, number, sum, times } from '../amounts.ts';
import { type Carrier, HOLD_MS, pricedOptions } from '../carrier.ts';
import { FARE_TYPES, type PassengerFare } from '../fares.ts';
import type { FareType } from '../network/network.ts';
import { OWN_COMPANY } from '../operations/pay.ts';
import type { AvailableDeparture } from '../operations/search.ts';
import { type PricedTrip, segmentsIn, totalPrice } from '../priced-trip.ts';
import { type CarrierBooking, countTypes } from '../record.ts';
import type { Search } from '../requests/messages.ts';
import type { OfferedFare } from '../sale.ts';
import { seededCode } from '../seeded-random.ts';
import { isRecord, type Wire } from '../wire.ts';
import { localDate } from '../zone.ts';
import { writePrice, writePriceInfo } from './price.ts';
import { writeItinerary } from './segment.ts';
import { writePayBy } from './tickets.ts';

export function writeSearch(carrier: Carrier, trips: readonly PricedTrip[]): Wire {
  const pricedItinerary = trips.map((trip, i) => ({
    airItinerary: writeItinerary(carrier, trip.options, 'search'),
    airItineraryPricingInfo: writePriceInfo(
      carrier,
      { segments: segmentsIn(trip.options), counts: trip.counts },
      'search',
    ),
    notes: [...new Set(segmentsIn(trip.options).map((segment) => segment.fare.name))],
    sequenceNumber: i + 1,
  }));
  return { success: {}, pricedItineraries: { pricedItinerary }, timeStamp: new Date(carrier.now).toISOString() };
}

/** Prices, and rules as text on the segments; no fare infos, limits or locator. */
export function writePriceCheck(carrier: Carrier, trip: PricedTrip): Wire {
  const priced = { segments: segmentsIn(trip.options), counts: trip.counts };
  const pricedItinerary = [
    {
      airItinerary: writeItinerary(carrier, trip.options, 'check'),
      airItineraryPricingInfo: writePriceInfo(carrier, priced, 'check'),
      pricingOverview: { pricingIndicator: [] },
      notes: [],
      sequenceNumber: 1,
    },
  ];
  return { success: {}, pricedItineraries: { pricedItinerary }, timeStamp: new Date(carrier.now).toISOString() };
}

/** Rail: the locator is `bookingReferenceID.id` and `quoteID`; the time limit is in `ticketingInfo`. */
export function writeCounts(carrier: Carrier, booking: CarrierBooking): Wire {
  if (carrier.dialect === 'airline') return airlineCounts(carrier, booking);
  const { travelers, payBy, namesUntil, locator } = booking;
  const options = pricedOptions(carrier, booking.options);
  const priced = { segments: segmentsIn(options), counts: countTypes(travelers), limits: { payBy, namesUntil } };
  const pricedItinerary = [
    {
      airItinerary: writeItinerary(carrier, options, 'hold'),
      airItineraryPricingInfo: { ...writePriceInfo(carrier, priced, 'hold'), quoteID: locator },
      ticketingInfo: { ticketTimeLimit: writePayBy(carrier, booking) },
      notes: [],
      sequenceNumber: 1,
    },
  ];
  const bookingReferenceID = { type: '14', id: locator, companyName: { code: OWN_COMPANY } };
  return { bookingReferenceID, pricedItineraries: { pricedItinerary } };
}

/** The airline dialect's form: objects where rail has lists. */
function airlineCounts(carrier: Carrier, booking: CarrierBooking): Wire {
  const options = pricedOptions(carrier, booking.options);
  const segments = segmentsIn(options);
  const counts = countTypes(booking.travelers);
  const bareTaxes = (price: Wire): Wire => ({ ...price, taxes: isRecord(price.taxes) ? price.taxes.tax : [] });
  const rows = FARE_TYPES.filter((type) => (counts[type] ?? 0) > 0).map((type) => {
    const count = counts[type] ?? 0;
    const price = writePrice(carrier, totalPrice(carrier.network, segments, { [type]: count }));
    return { passengerTypeQuantity: { code: type, quantity: count }, passengerFare: bareTaxes(price) };
  });
  return {
    success: {},
    pricedItinerary: {
      airItinerary: writeItinerary(carrier, options, 'hold'),
      airItineraryPricingInfo: {
        itinTotalFare: bareTaxes(writePrice(carrier, totalPrice(carrier.network, segments, counts))),
        ptc_FareBreakdowns: rows,
      },
      ticketingInfo: { ticketTimeLimit: writePayBy(carrier, booking) },
      quoteID: booking.locator,
    },
  };
}

/** What the availability record calls a booking class (docs/wire/interface.md, Code lists). */
const INVENTORY_CLASS = new Map(Object.entries({ Y: 'T', C: 'P' }));
/** What the availability record calls a passenger type. */
const PROFILE_ID: Readonly<Record<FareType, number>> = { ADT: 1, CHD: 2, INF: 3 };

export const inventoryClass = (bookingClass: string): string => INVENTORY_CLASS.get(bookingClass) ?? bookingClass;

type Sums = Readonly<Record<'base' | 'tax' | 'total', Money>>;

const writeSums = ({ base, tax, total }: Sums): Wire => ({
  base: number(base),
  tax: number(tax),
  total: number(total),
});

/** What `count` passengers pay for a segment. */
function partySums(currency: string, fare: PassengerFare, count: number): Sums {
  const taxes = fare.lines.filter((line) => line.kind === 'tax').map((line) => line.amount);
  return { base: times(fare.base, count), tax: times(sum(currency, taxes), count), total: times(fare.total, count) };
}

/** Amounts cover the whole quantity of the row. */
function writeProfile(carrier: Carrier, { fare, prices }: OfferedFare, type: FareType, quantity: number): Wire {
  const { currency, taxes } = carrier.network;
  const passengerFare = prices[type];
  if (passengerFare === undefined) return { id: PROFILE_ID[type], quantity };
  const sums = partySums(currency, passengerFare, quantity);
  const fareSums = { ...sums, total: sum(currency, [sums.base, sums.tax]) };
  const vat = taxes.find((tax) => tax.percent !== undefined)?.percent ?? 0;
  const fees = passengerFare.lines.filter((line) => line.kind === 'fee');
  const feeRows = fees.map(({ code, amount }) => {
    const total = times(amount, quantity);
    return { type: 'fee', code, quantity, vat: 0, ...writeSums({ base: total, tax: nothing(currency), total }) };
  });
  return {
    id: PROFILE_ID[type],
    quantity,
    ...writeSums(sums),
    details: [{ type: 'fare', code: fare.basis, quantity, vat, ...writeSums(fareSums) }, ...feeRows],
  };
}

function writeFare(carrier: Carrier, offered: OfferedFare, query: Search): Wire {
  const { currency, fares } = carrier.network;
  const types = FARE_TYPES.filter((type) => query.counts[type] > 0);
  const sumsByType = types.flatMap((type) => {
    const passengerFare = offered.prices[type];
    return passengerFare === undefined ? [] : [partySums(currency, passengerFare, query.counts[type])];
  });
  const sumOf = (field: keyof Sums): Money => {
    const amounts = sumsByType.map((sums) => sums[field]);
    return sum(currency, amounts);
  };
  return {
    id: offered.fare.basis,
    description: offered.fare.name,
    contractId: fares.indexOf(offered.fare) + 1,
    ...writeSums({ base: sumOf('base'), tax: sumOf('tax'), total: sumOf('total') }),
    profiles: types.map((type) => writeProfile(carrier, offered, type, query.counts[type])),
  };
}

/** Times are UTC, no carrier is named, and train numbers have five digits. */
export function writeAvailability(
  carrier: Carrier,
  legs: readonly (readonly AvailableDeparture[])[],
  query: Search,
): Wire {
  const { network, now, timetable } = carrier;
  let transports = 0;
  const stationId = (code: string): number => network.stations.findIndex((station) => station.code === code) + 1;
  const writeTransport = ({ departure, classes }: AvailableDeparture): Wire => {
    transports += 1;
    const { from, to } = departure;
    const isTrain = departure.service.vehicle.kind === 'train';
    return {
      id: String(transports),
      code: isTrain ? `7${departure.shown}` : departure.shown,
      type: 1,
      journeyDate: localDate(from.zone, departure.departsAt),
      departureStation: from.code,
      arrivalStation: to.code,
      departureStationId: stationId(from.code),
      arrivalStationId: stationId(to.code),
      departureTime: new Date(departure.departsAt).toISOString(),
      arrivalTime: new Date(departure.arrivesAt).toISOString(),
      categories: classes.map(({ bookingClass, free }) => ({
        class: inventoryClass(bookingClass),
        availableQty: free,
      })),
    };
  };
  const writePricing = ({ classes, fares }: AvailableDeparture): Wire[] =>
    classes
      .filter(({ bookingClass }) => fares.some(({ fare }) => fare.bookingClass === bookingClass))
      .map(({ bookingClass }) => ({
        class: inventoryClass(bookingClass),
        currency: network.currency,
        fares: fares
          .filter(({ fare }) => fare.bookingClass === bookingClass)
          .map((offered) => writeFare(carrier, offered, query)),
      }));
  return {
    availability: {
      referenceId: seededCode(10, timetable.seed, 'availability', now, JSON.stringify(query)),
      travellers: FARE_TYPES.filter((type) => query.counts[type] > 0).map((type) => ({
        profileId: PROFILE_ID[type],
        quantity: query.counts[type],
      })),
      segments: legs.map((departures, leg) => ({
        id: leg + 1,
        offers: departures.map((departure) => ({
          transport: writeTransport(departure),
          pricing: writePricing(departure),
        })),
      })),
      policies: { reservationTimeLimit: new Date(now + HOLD_MS).toISOString() },
    },
  };
}
