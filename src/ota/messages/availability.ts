/**
 * Reads the availability record, the reply to a search with sold-out segments, and some airlines' reply to every search
 * (docs/wire/interface.md, Availability record). It offers each leg on its own, at one price per departure, class and fare, and lists
 * the classes without seats. It has times in UTC and no carrier: both come from priced itineraries seen before (docs/wire/notes.md, Availability record). First how the record is
 * read, then what is remembered to complete it.
 */
import { zero } from '../../core/money.ts';
import { isObject } from '../../core/own.ts';
import { atOffset, dateOf, instantOf } from '../../core/times.ts';
import type { Segment } from '../../domain/booking/booking.ts';
import type { Price, PriceLine, TypePrice } from '../../domain/booking/fare.ts';
import type { FareSearchResult, Offer, SoldOutFlight } from '../../domain/booking/offers.ts';
import {
  negative,
  readAll,
  readAmountIn,
  readCount,
  readCurrency,
  readPercentage,
  readStationCode,
  readTime,
  readUtcTime,
  record,
  records,
  replyError,
  sumIn,
  text,
  toUtc,
  type Wire,
} from './reader.ts';

/**
 * Inventory codes (docs/wire/interface.md, Code lists), which the availability record and seat maps use instead of
 * booking classes and passenger types. An unknown code stays as it is.
 */
const CLASS_BY_CODE = new Map([
  ['T', 'Y'],
  ['P', 'C'],
]);
const TYPE_BY_PROFILE = new Map([
  ['1', 'ADT'],
  ['2', 'CHD'],
  ['3', 'INF'],
]);

/** How many stations are remembered; the oldest are forgotten first. */
const MOST_STATIONS = 2_000;

/** The booking class of an inventory code. */
export const publishedClass = (code: string): string => CLASS_BY_CODE.get(code) ?? code;
const publishedType = (profile: string): string => TYPE_BY_PROFILE.get(profile) ?? profile;

/** One of the record's branches, inside `availability` or beside it. */
function recordBranch(body: Wire, name: string): unknown {
  return record(body.availability)[name] ?? body[name];
}

export function isAvailability(body: Wire): boolean {
  return body.pricedItineraries === undefined && (isObject(body.availability) || Array.isArray(body.segments));
}

/** How many seats the party needs: an infant has none of its own. 1 if the record does not name the party. */
function seatsNeeded(travellers: unknown): number {
  let seats = 0;
  for (const profile of records(travellers)) {
    if (publishedType(text(profile.profileId) ?? '') !== 'INF') seats += readCount(profile.quantity) ?? 0;
  }
  return Math.max(seats, 1);
}

/** The train's number as other replies write it: the record puts a fifth digit before it (docs/wire/notes.md, Availability record). */
function trainNumber(code: string): string {
  return /^\d{5}$/.test(code) ? code.slice(1) : code;
}

function readTransport(wire: Wire, leg: number): Segment {
  const ref = String(leg + 1);
  return {
    ref,
    optionRef: ref,
    flightNumber: trainNumber(text(wire.code) ?? ''),
    from: readStationCode(wire.departureStation) ?? '',
    to: readStationCode(wire.arrivalStation) ?? '',
    departs: toUtc(readTime(wire.departureTime) ?? ''),
    arrives: toUtc(readTime(wire.arrivalTime) ?? ''),
    journeyDate: readTime(wire.journeyDate),
  };
}

/** Reads the sums that a fare or a profile of the record states. */
function readRecordPrice(wire: Wire, currency: string, lines: readonly PriceLine[]): Price | undefined {
  const [statedBase, statedTax, statedTotal] = [wire.base, wire.tax, wire.total].map((sum) =>
    readAmountIn(sum, currency),
  );
  const taxes = statedTax ?? zero(currency);
  const total = statedTotal ?? (statedBase && sumIn([statedBase, taxes], currency));
  const base = statedBase ?? (total && sumIn([total, negative(taxes)], currency));
  if (base === undefined || total === undefined) return undefined;

  // The rest of the total is fees: the record has no field for them at this level.
  const rest = sumIn([total, negative(base), negative(taxes)], currency);
  const fees = rest !== undefined && rest.minor > 0 ? rest : zero(currency);
  return { base, taxes, fees, total, lines, baggage: [], remarks: [] };
}

/** The taxes and fees of all types, each with its sum. */
function partyLines(perType: readonly TypePrice[]): PriceLine[] {
  const lines = new Map<string, PriceLine>();
  for (const line of perType.flatMap((row) => row.price?.lines ?? [])) {
    const key = `${line.kind} ${line.code} ${line.vatHundredths ?? ''}`;
    const earlier = lines.get(key);
    const sum = earlier && sumIn([earlier.amount, line.amount], line.amount.currency);
    lines.set(key, earlier === undefined || sum === undefined ? line : { ...earlier, amount: sum });
  }

  return [...lines.values()];
}

/** The price of the party: the sums of the fare, else those of its profiles together, if all of them have one. */
function partyPrice(fare: Wire, currency: string, perType: readonly TypePrice[]): Price | undefined {
  const lines = partyLines(perType);
  const statedPrice = readRecordPrice(fare, currency, lines);
  if (statedPrice !== undefined) return statedPrice;

  const prices = perType.flatMap((row) => row.price ?? []);
  if (prices.length === 0 || prices.length < perType.length) return undefined;

  const sumOf = (part: 'base' | 'taxes' | 'fees' | 'total') => {
    const amounts = prices.map((price) => price[part]);
    return sumIn(amounts, currency);
  };

  const [base, taxes, fees, total] = [sumOf('base'), sumOf('taxes'), sumOf('fees'), sumOf('total')];
  if (base === undefined || taxes === undefined || fees === undefined || total === undefined) return undefined;

  return { base, taxes, fees, total, lines, baggage: [], remarks: [] };
}

/** Reads a tax or fee of a profile. A fee's amount is its total; any other detail shows the tax on a fare. */
function readDetail(wire: Wire, currency: string): PriceLine | undefined {
  const kind: PriceLine['kind'] = text(wire.type) === 'fee' ? 'fee' : 'tax';
  const money = readAmountIn(kind === 'fee' ? wire.total : wire.tax, currency);
  if (money === undefined) return undefined;
  return { kind, code: text(wire.code) ?? '', amount: money, vatHundredths: readPercentage(wire.vat) };
}

function readProfile(wire: Wire, currency: string, fareBasis: TypePrice['fareBasis'], ref: string): TypePrice {
  const lines = readAll(wire.details, (detail) => readDetail(detail, currency));
  return {
    type: publishedType(text(wire.id) ?? ''),
    count: readCount(wire.quantity) ?? 1,
    price: readRecordPrice(wire, currency, lines),
    refunds: [],
    fareBasis,
    travelerRefs: [],
    segmentRefs: [ref],
  };
}

function readFare(fare: Wire, segment: Segment, leg: number, currency: string): Offer | undefined {
  const code = text(fare.id);
  const fareBasis = code === undefined ? [] : [{ code, segmentRef: segment.ref }];
  const perType = records(fare.profiles).map((wire) => readProfile(wire, currency, fareBasis, segment.ref));
  const total = partyPrice(fare, currency, perType);
  if (total === undefined) return undefined;

  const segmentOnSale = { ...segment, fareBasis: code, fareName: text(fare.description) };
  return {
    leg,
    options: [{ ref: segment.ref, segments: [segmentOnSale] }],
    pricing: { total, refunds: [], fares: [], perType },
    notes: [],
  };
}

/** What the record offers on one departure. */
interface DepartureOffers {
  /** Whether the record has a fare for it, readable or not. */
  readonly hasFares: boolean;
  readonly offers: readonly Offer[];
  readonly soldOut: readonly SoldOutFlight[];
}

function readDeparture(wire: Wire, leg: number, seats: number): DepartureOffers {
  const transport = record(wire.transport);
  const departure = readTransport(transport, leg);
  const seatsByClass = readSeatsByClass(transport);

  const inClass = (bookingClass: string): Segment => {
    const quantity = seatsByClass.get(bookingClass);
    if (quantity === undefined) return { ...departure, bookingClass };
    return { ...departure, bookingClass, availability: [{ bookingClass, quantity: String(quantity) }] };
  };

  /** A class whose number of seats is missing or cannot be read counts as one with enough. */
  const isSoldOut = (bookingClass: string): boolean => {
    const quantity = seatsByClass.get(bookingClass);
    return quantity !== undefined && quantity < seats;
  };

  const pricingsOnSale = records(wire.pricing).filter(
    (pricing) => !isSoldOut(publishedClass(text(pricing.class) ?? '')),
  );

  const offers = pricingsOnSale.flatMap((pricing): readonly Offer[] => {
    const [code, currency] = [text(pricing.class), readCurrency(pricing)];
    if (code === undefined || currency === undefined) return [];
    const segment = inClass(publishedClass(code));
    return readAll(pricing.fares, (fare) => readFare(fare, segment, leg, currency));
  });

  const hasFares = pricingsOnSale.some((pricing) => records(pricing.fares).length > 0);

  const fullClasses = [...seatsByClass.keys()].filter(isSoldOut);
  const soldOut = fullClasses.map((bookingClass) => ({ leg, segment: inClass(bookingClass) }));
  return { hasFares, offers, soldOut };
}

/** How many seats each class has left; undefined for a number that cannot be read. */
function readSeatsByClass(transport: Wire): ReadonlyMap<string, number | undefined> {
  const seatsByClass = new Map<string, number | undefined>();
  for (const category of records(transport.categories)) {
    const code = text(category.class);
    if (code !== undefined) seatsByClass.set(publishedClass(code), readCount(category.availableQty));
  }
  return seatsByClass;
}

/**
 * Reads the record, which may list the way back beside the legs that were asked for. Throws E_AIRLINE_REPLY if there are fares
 * and none can be read: that is not an empty search.
 */
export function readAvailability(body: Wire, legs: number): FareSearchResult {
  const seats = seatsNeeded(recordBranch(body, 'travellers'));
  const asked = records(recordBranch(body, 'segments')).slice(0, legs);
  const departures = asked.flatMap((segment, leg) =>
    records(segment.offers).map((departure) => readDeparture(departure, leg, seats)),
  );
  const offers = departures.flatMap((departure) => departure.offers);
  if (offers.length === 0 && departures.some(({ hasFares }) => hasFares)) throw replyError('every fare');

  return {
    form: 'availability' as const,
    offers,
    soldOut: departures.flatMap((departure) => departure.soldOut),
    validUntil: readUtcTime(record(recordBranch(body, 'policies')).reservationTimeLimit),
  };
}

/** Remembers from priced itineraries what the record lacks: the UTC offsets of stations. */
export function createStationOffsets() {
  const offsets = new Map<string, string>();

  function learnOffset(station: string, time: string): void {
    const offset = utcOffset(time);
    if (offset === undefined) return;
    offsets.delete(station);
    offsets.set(station, offset);
    const [oldest] = offsets.keys();
    if (offsets.size > MOST_STATIONS && oldest !== undefined) offsets.delete(oldest);
  }

  return {
    learn(offers: readonly Offer[]): void {
      const options = offers.flatMap((offer) => offer.options);
      for (const { from, departs, to, arrives } of options.flatMap(({ segments }) => segments)) {
        learnOffset(from, departs);
        learnOffset(to, arrives);
      }
    },

    /** A record in the local times of its stations, as far as they are known. */
    inLocalTimes(result: FareSearchResult): FareSearchResult {
      const local = (segment: Segment): Segment => inLocalTime(segment, offsets);

      const offers = result.offers.map((offer) => ({
        ...offer,
        options: offer.options.map((option) => ({ ...option, segments: option.segments.map(local) })),
      }));
      const soldOut = result.soldOut?.map((flight) => ({ ...flight, segment: local(flight.segment) }));
      return { ...result, offers, soldOut };
    },
  };
}

/** The offset with which a time ends. */
function utcOffset(time: string): string | undefined {
  return /[+-]\d{2}:\d{2}$/.exec(time)?.[0];
}

/**
 * A segment of the record in the local times of its stations. It stays in UTC if an offset is unknown, or if the local
 * date would not be the record's `journeyDate`.
 */
function inLocalTime(segment: Segment, offsets: ReadonlyMap<string, string>): Segment {
  const { journeyDate, ...rest } = segment;
  if (journeyDate === undefined) return segment;
  const departs = localTime(segment.departs, offsets.get(segment.from));
  const arrives = localTime(segment.arrives, offsets.get(segment.to));
  if (departs === undefined || arrives === undefined || dateOf(departs) !== dateOf(journeyDate)) return segment;
  return { ...rest, departs, arrives };
}

function localTime(time: string, offset: string | undefined): string | undefined {
  const instant = instantOf(time);
  return instant === undefined || offset === undefined ? undefined : atOffset(instant, offset);
}
