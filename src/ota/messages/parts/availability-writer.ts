/**
 * The availability record, written (interface.md, search availability record). Ids that the domain does not keep are
 * numbered within the record.
 */
import type { Price, PriceLine, TypePrice } from '../../../domain/fare.ts';
import type { Segment } from '../../../domain/itinerary.ts';
import { type Money, percentOf, subtractMoney } from '../../../domain/money.ts';
import type { FareSearchResult, Offer } from '../../../domain/offer.ts';
import { inventoryClass, profileOf } from './inventory-codes.ts';
import { toNumber } from './money.ts';
import { count, defined, type Wire } from './reader.ts';

interface Departure {
  readonly segment: Segment;
  readonly classes: Map<string, string | undefined>;
  readonly offers: Offer[];
}

/** Departures by leg, in the order in which the result names them. */
type Legs = Map<number, Map<string, Departure>>;

function departureOf(legs: Legs, leg: number, segment: Segment): Departure {
  const departures = legs.get(leg) ?? new Map<string, Departure>();
  legs.set(leg, departures);
  const key = [segment.flightNumber, segment.from, segment.to, segment.departs].join(' ');
  const departure = departures.get(key) ?? { segment, classes: new Map(), offers: [] };
  departures.set(key, departure);
  return departure;
}

function addClass(departure: Departure, segment: Segment, bookingClass: string): void {
  const avail = segment.availability?.find((one) => one.bookingClass === bookingClass);
  if (!departure.classes.has(bookingClass)) departure.classes.set(bookingClass, avail?.quantity);
}

function legsOf(result: FareSearchResult): Legs {
  const legs: Legs = new Map();
  for (const offer of result.offers) {
    const segment = offer.options[0]?.segments[0];
    if (segment === undefined) continue;
    const departure = departureOf(legs, offer.leg ?? 0, segment);
    departure.offers.push(offer);
    addClass(departure, segment, segment.bookingClass ?? '');
  }
  for (const { segment, bookingClass } of result.soldOut) {
    addClass(departureOf(legs, (count(segment.ref) ?? 1) - 1, segment), segment, bookingClass);
  }
  return legs;
}

class Numbers {
  readonly #given = new Map<string, number>();
  of(name: string): number {
    const number = this.#given.get(name) ?? this.#given.size + 1;
    this.#given.set(name, number);
    return number;
  }
}

function sums(base: Money, tax: Money, total: Money): Wire {
  return { base: toNumber(base), tax: toNumber(tax), total: toNumber(total) };
}

function writeDetail(line: PriceLine, price: Price, quantity: number): Wire {
  const { kind, code, amount, vatHundredths } = line;
  const vat = vatHundredths === undefined ? undefined : vatHundredths / 100;
  const head = { type: kind === 'fee' ? 'fee' : 'fare', code, quantity };
  if (kind === 'tax') {
    const total = { minor: price.base.minor + amount.minor, currency: amount.currency };
    return defined({ ...head, vat, ...sums(price.base, amount, total) });
  }
  // The VAT within a fee: total × rate / (100 % + rate).
  const rate = vatHundredths ?? 0;
  const tax = percentOf(amount, Math.round((rate * 10000) / (10000 + rate)));
  return defined({ ...head, vat, ...sums(subtractMoney(amount, tax), tax, amount) });
}

function writeSums(price: Price): Wire {
  return sums(price.base, price.taxes, price.total);
}

function writeProfile(one: TypePrice): Wire {
  const price = one.price;
  const details = price?.lines.map((line) => writeDetail(line, price, one.count)) ?? [];
  return { id: profileOf(one.type), quantity: one.count, ...(price && writeSums(price)), details };
}

function writeFare(offer: Offer): Wire {
  const { pricing } = offer;
  return defined({
    id: offer.options[0]?.segments[0]?.fareBasis,
    description: offer.options[0]?.segments[0]?.fareName,
    contractId: 1,
    ...(pricing.total && writeSums(pricing.total)),
    profiles: pricing.perType.map(writeProfile),
  });
}

/** One entry per run of offers of the same class and currency, so that their order stays. */
function writeClasses(offers: readonly Offer[]): Wire[] {
  const classes: { class: string; currency: string | undefined; fares: Wire[] }[] = [];
  for (const offer of offers) {
    const code = inventoryClass(offer.options[0]?.segments[0]?.bookingClass ?? '');
    const currency = offer.pricing.total?.total.currency;
    const last = classes.at(-1);
    if (last?.class === code && last.currency === currency) last.fares.push(writeFare(offer));
    else classes.push({ class: code, currency, fares: [writeFare(offer)] });
  }
  return classes;
}

function writeTransport({ segment, classes }: Departure, stations: Numbers, id: number): Wire {
  const categories = [...classes].flatMap(([bookingClass, quantity]) => {
    const availableQty = count(quantity);
    return availableQty === undefined ? [] : [{ class: inventoryClass(bookingClass), availableQty }];
  });
  return defined({
    id: String(id),
    code: segment.flightNumber,
    type: 1,
    journeyDate: segment.journeyDate,
    departureStation: segment.from,
    arrivalStation: segment.to,
    departureStationId: stations.of(segment.from),
    arrivalStationId: stations.of(segment.to),
    departureTime: segment.departs,
    arrivalTime: segment.arrives,
    categories,
  });
}

export function writeAvailability(result: FareSearchResult): Wire {
  const legs = legsOf(result);
  const stations = new Numbers();
  let transports = 0;
  const segments = Array.from({ length: Math.max(-1, ...legs.keys()) + 1 }, (_, leg) => ({
    id: leg + 1,
    offers: [...(legs.get(leg)?.values() ?? [])].map((departure) => {
      transports += 1;
      return {
        transport: writeTransport(departure, stations, transports),
        pricing: writeClasses(departure.offers),
      };
    }),
  }));
  const party = result.offers[0]?.pricing.perType ?? [];
  const travellers = party.map((one) => ({ profileId: profileOf(one.type), quantity: one.count }));
  const policies = defined({ reservationTimeLimit: result.validUntil });
  return { availability: defined({ referenceId: result.referenceId, travellers, segments, policies }) };
}
