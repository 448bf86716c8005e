/** Writes the availability record (docs/wire/interface.md, Availability record). */
import { multiply, sum, toNumber, zeroAmount } from '../amounts.ts';
import { type Carrier, HOLD_MS } from '../carrier.ts';
import { FARE_TYPES, type PassengerFare } from '../fares.ts';
import type { FareType, Network } from '../network.ts';
import type { AvailableDeparture } from '../operations/search.ts';
import type { Search } from '../requests/messages.ts';
import type { OfferedFare } from '../sale.ts';
import { seededCode } from '../seeded-random.ts';
import type { Wire } from '../wire.ts';
import { localDate } from '../zone.ts';
import { inventoryClass } from './seat-map.ts';

type Money = ReturnType<typeof zeroAmount>;

/** What the availability record calls a passenger type. */
const PROFILE_IDS: Readonly<Record<FareType, number>> = { ADT: 1, CHD: 2, INF: 3 };

type Sums = Readonly<Record<'base' | 'tax' | 'total', Money>>;

function writeSums({ base, tax, total }: Sums): Wire {
  return { base: toNumber(base), tax: toNumber(tax), total: toNumber(total) };
}

/** Sums what `count` passengers pay for a segment. */
function partySums(currency: string, fare: PassengerFare, count: number): Sums {
  const taxes = fare.lines.filter((line) => line.kind === 'tax').map((line) => line.amount);
  const tax = multiply(sum(currency, taxes), count);
  return { base: multiply(fare.base, count), tax, total: multiply(fare.total, count) };
}

/** Writes what the passengers of a type pay. All amounts cover the whole quantity. */
function writeProfile(carrier: Carrier, { fare, prices }: OfferedFare, type: FareType, quantity: number): Wire {
  const { currency, taxes } = carrier.network;
  const passengerFare = prices[type];
  if (passengerFare === undefined) return { id: PROFILE_IDS[type], quantity };

  const sums = partySums(currency, passengerFare, quantity);
  // Fees have rows of their own.
  const fareSums = { ...sums, total: sum(currency, [sums.base, sums.tax]) };
  const vat = taxes.find((tax) => tax.percent !== undefined)?.percent ?? 0;

  const fees = passengerFare.lines.filter((line) => line.kind === 'fee');
  const feeRows = fees.map(({ code, amount }) => {
    const fee = multiply(amount, quantity);
    const feeSums = writeSums({ base: fee, tax: zeroAmount(currency), total: fee });
    return { type: 'fee', code, quantity, vat: 0, ...feeSums };
  });

  return {
    id: PROFILE_IDS[type],
    quantity,
    ...writeSums(sums),
    details: [{ type: 'fare', code: fare.basis, quantity, vat, ...writeSums(fareSums) }, ...feeRows],
  };
}

function writeFare(carrier: Carrier, offer: OfferedFare, query: Search): Wire {
  const { currency, fares } = carrier.network;
  const types = FARE_TYPES.filter((type) => query.counts[type] > 0);
  const sumsByType = types.flatMap((type) => {
    const passengerFare = offer.prices[type];
    return passengerFare === undefined ? [] : [partySums(currency, passengerFare, query.counts[type])];
  });

  const sumOf = (field: keyof Sums): Money => {
    const amounts = sumsByType.map((sums) => sums[field]);
    return sum(currency, amounts);
  };

  return {
    id: offer.fare.basis,
    description: offer.fare.name,
    contractId: fares.indexOf(offer.fare) + 1,
    ...writeSums({ base: sumOf('base'), tax: sumOf('tax'), total: sumOf('total') }),
    profiles: types.map((type) => writeProfile(carrier, offer, type, query.counts[type])),
  };
}

/** Writes a departure with UTC times and without its carrier. Train numbers have five digits. */
function writeTransport({ stations }: Network, { departure, classes }: AvailableDeparture, id: number): Wire {
  const { from, to, shownNumber } = departure;
  return {
    id: String(id),
    code: departure.service.vehicle.kind === 'train' ? `7${shownNumber}` : shownNumber,
    type: 1,
    journeyDate: localDate(from.zone, departure.departsAt),
    departureStation: from.code,
    arrivalStation: to.code,
    departureStationId: stations.indexOf(from) + 1,
    arrivalStationId: stations.indexOf(to) + 1,
    departureTime: new Date(departure.departsAt).toISOString(),
    arrivalTime: new Date(departure.arrivesAt).toISOString(),
    categories: classes.map(({ bookingClass, free }) => ({ class: inventoryClass(bookingClass), availableQty: free })),
  };
}

/** Writes the fares of each class that has any. */
function writePricing(carrier: Carrier, { classes, fares }: AvailableDeparture, query: Search): Wire[] {
  return classes.flatMap(({ bookingClass }) => {
    const classFares = fares.filter(({ fare }) => fare.bookingClass === bookingClass);
    if (classFares.length === 0) return [];
    const wireFares = classFares.map((offer) => writeFare(carrier, offer, query));
    return [{ class: inventoryClass(bookingClass), currency: carrier.network.currency, fares: wireFares }];
  });
}

/** Writes the availability record: the departures of each leg, numbered through all legs. */
export function writeAvailability(
  carrier: Carrier,
  legs: readonly (readonly AvailableDeparture[])[],
  query: Search,
): Wire {
  const { network, now, timetable } = carrier;
  let transportCount = 0;

  const writeOffer = (available: AvailableDeparture): Wire => {
    transportCount += 1;
    const transport = writeTransport(network, available, transportCount);
    return { transport, pricing: writePricing(carrier, available, query) };
  };

  const types = FARE_TYPES.filter((type) => query.counts[type] > 0);
  return {
    availability: {
      referenceId: seededCode(10, timetable.seed, 'availability', now, JSON.stringify(query)),
      travellers: types.map((type) => ({ profileId: PROFILE_IDS[type], quantity: query.counts[type] })),
      segments: legs.map((departures, leg) => ({ id: leg + 1, offers: departures.map(writeOffer) })),
      policies: { reservationTimeLimit: new Date(now + HOLD_MS).toISOString() },
    },
  };
}
