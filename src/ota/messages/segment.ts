/** Flight segments and their options, read and written (docs/wire/interface.md, Flight segment). */
import { ClerkError, inputError } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import type {
  ClassAvailability,
  FareRuleText,
  Flight,
  PermittedOperation,
  Segment,
  SegmentOption,
} from '../../domain/booking/booking.ts';
import {
  extensions,
  readAll,
  readCompanyCode,
  readCount,
  readPointer,
  readStationCode,
  readTime,
  record,
  records,
  text,
  toMillis,
  unlessEmpty,
  type Wire,
} from './reader.ts';

function readFlight(airline: unknown, flightNumber: string): Flight | undefined {
  const carrier = readCompanyCode(airline);
  return carrier === undefined ? undefined : { carrier, number: text(record(airline).flightNumber) ?? flightNumber };
}

function readMarketing(airline: unknown): Partial<Flight> | undefined {
  const carrier = readCompanyCode(airline);
  const number = text(record(airline).flightNumber);
  return carrier === undefined && number === undefined ? undefined : { carrier, number };
}

function readAvailability(avails: unknown): readonly ClassAvailability[] {
  const items = records(avails).flatMap((avail) => records(avail.bookingClassAvail));
  return readAll(items, (item): ClassAvailability | undefined => {
    const bookingClass = text(item.resBookDesigCode);
    if (bookingClass === undefined) return undefined;
    const [quantity, statusCode] = [text(item.resBookDesigQuantity), text(item.resBookDesigStatusCode)];
    return { bookingClass, quantity, statusCode };
  });
}

/** Undefined if the airline does not name operations. An empty list permits none. */
function readPermitted(segment: Wire): readonly PermittedOperation[] | undefined {
  const operations = extensions(segment).operations;
  if (operations === undefined || operations === null) return undefined;
  return readAll(operations, (operation): PermittedOperation | undefined => {
    const modificationType = text(operation.modificationType);
    return modificationType === undefined ? undefined : { modificationType, name: text(operation.name) };
  });
}

/** A name such as `${rule.name}` is a key that the airline did not fill in. */
const TEMPLATE = /^\s*\$\{/;

/** Rules as words (docs/wire/notes.md, Fares and prices). */
function readFareRules(value: unknown): readonly FareRuleText[] {
  return readAll(value, (wire): FareRuleText | undefined => {
    const [words, name] = [text(wire.value), text(wire.name)];
    if (words === undefined) return undefined;
    const shown = name === undefined || TEMPLATE.test(name) ? undefined : name;
    return { code: text(wire.code), name: shown, text: words };
  });
}

/** One `flightSegment`. `ref` is its pointer if it has none of its own. */
export function readSegment(value: unknown, ref: string, optionRef: string): Segment {
  const wire = record(value);
  const extended = extensions(wire);
  const operatingNumber = text(record(wire.operatingAirline).flightNumber);
  const flightNumber = text(wire.flightNumber) ?? operatingNumber ?? '';
  return {
    ref: readPointer(wire.rph) ?? ref,
    optionRef,
    flightNumber,
    operating: readFlight(wire.operatingAirline, flightNumber),
    marketing: readMarketing(wire.marketingAirline),
    from: readStationCode(wire.departureAirport) ?? '',
    to: readStationCode(wire.arrivalAirport) ?? '',
    departs: readTime(wire.departureDateTime) ?? '',
    arrives: readTime(wire.arrivalDateTime) ?? '',
    bookingClass: text(wire.resBookDesigCode),
    // In the airline dialect it is an extension.
    fareBasis: text(wire.fareBasisCode) ?? text(extended.fareBasis),
    fareName: text(extended.priceGroup),
    fareRules: unlessEmpty(readFareRules(extended.fareRule)),
    statusCode: text(wire.status),
    availability: unlessEmpty(readAvailability(wire.bookingClassAvails)),
    stops: readCount(wire.stopQuantity),
    permitted: readPermitted(wire),
  };
}

/** The option objects of `airItinerary`, with or without the `originDestinationOptions` wrapper. */
export function wireOptions(airItinerary: unknown): readonly Wire[] {
  const itinerary = isObject(airItinerary) ? airItinerary : { originDestinationOption: airItinerary };
  const wrapper = itinerary.originDestinationOptions;
  if (isObject(wrapper)) return records(wrapper.originDestinationOption);
  if (Array.isArray(wrapper)) {
    const wrapped = wrapper.filter((holder) => isObject(holder) && holder.originDestinationOption !== undefined);
    return wrapped.length === 0
      ? records(wrapper)
      : wrapped.flatMap((holder) => records(holder.originDestinationOption));
  }
  return records(itinerary.originDestinationOption);
}

/** The option's pointer, else its first segment's, else its number from 1. */
function optionRef(option: Wire, index: number): string {
  return readPointer(option.rph) ?? readPointer(record(option.flightSegment).rph) ?? String(index + 1);
}

/**
 * `airline`: a booking, whose pointers stay. `place`: a search, where shared or partly missing pointers are counted
 * anew, as price rows count (docs/wire/notes.md, Rows).
 */
type Numbering = 'airline' | 'place';

/** Segments without pointers are counted through all options, as price rows do. */
export function readOptions(airItinerary: unknown, numbering: Numbering = 'airline'): SegmentOption[] {
  const options = wireOptions(airItinerary);
  const ownRefs = options.map(optionRef);
  const refs = numbering === 'place' && isShared(ownRefs) ? numbered(ownRefs) : ownRefs;
  const segmentPointers = segmentRefs(options, numbering);
  let segmentIndex = 0;
  return options.map((option, i) => {
    const optionPointer = refs[i] ?? '';
    const segments = records(option.flightSegment).map((wire) => {
      const ref = segmentPointers[segmentIndex] ?? '';
      segmentIndex += 1;
      return { ...readSegment(wire, ref, optionPointer), ref };
    });
    return { ref: optionPointer, segments };
  });
}

/** A pointer for each segment: its own, else that of an option which is this segment alone, else its number in the itinerary. */
function segmentRefs(options: readonly Wire[], numbering: Numbering): readonly string[] {
  const segments = options.flatMap((option) => {
    const wires = records(option.flightSegment);
    const alone = wires.length === 1 ? readPointer(option.rph) : undefined;
    return wires.map((wire) => ({ rph: readPointer(wire.rph), alone }));
  });
  const ownRefs = segments.flatMap(({ rph }) => rph ?? []);
  const places = numbered(segments);
  if (ownRefs.length === 0) {
    // An option's pointer is a segment's only if every option is one segment.
    const alone = segments.flatMap((segment) => segment.alone ?? []);
    return alone.length === segments.length && !isShared(alone) ? alone : places;
  }
  const isUnambiguous = ownRefs.length === segments.length && !isShared(ownRefs);
  if (numbering === 'place' && !isUnambiguous) return places;
  const taken = new Set(ownRefs);
  return segments.map(({ rph, alone }, i) => {
    const chosenRef = rph ?? [alone, places[i], ...places].find((ref) => ref !== undefined && !taken.has(ref)) ?? '';
    taken.add(chosenRef);
    return chosenRef;
  });
}

/** Whether one pointer stands for several things. */
function isShared(refs: readonly string[]): boolean {
  return new Set(refs).size < refs.length;
}

/** `1`, `2`, … for as many things. */
function numbered(things: readonly unknown[]): string[] {
  return things.map((_, i) => String(i + 1));
}

/** How booking requests are written (docs/wire/notes.md, Shapes sent). */
export interface RequestForm {
  readonly dialect: 'rail' | 'airline';
  /** Airline dialect: sends the chosen fare with each segment. Rail always sends it. */
  readonly sendFare: boolean;
}

/** `status` 30 (active) is sent with a booking request (docs/wire/interface.md, Booking by names). */
const ACTIVE = '30';

/** A segment that names no operating carrier is operated by the marketing carrier. Throws E_INPUT without both. */
function operatingFlight({ ref, operating, marketing, flightNumber }: Segment): Flight {
  if (operating !== undefined) return operating;
  if (marketing?.carrier !== undefined) return { carrier: marketing.carrier, number: flightNumber };
  throw inputError('operating carrier', `segment ${ref} names none, and the airline requires it.`);
}

/** Throws E_INPUT without a carrier. */
export function requestSegment(segment: Segment, status?: string) {
  const { marketing } = segment;
  const operating = operatingFlight(segment);
  return {
    departureAirport: { locationCode: segment.from },
    arrivalAirport: { locationCode: segment.to },
    operatingAirline: { code: operating.carrier, flightNumber: operating.number },
    marketingAirline: { code: marketing?.carrier ?? operating.carrier },
    flightNumber: segment.flightNumber,
    departureDateTime: toMillis(segment.departs),
    arrivalDateTime: toMillis(segment.arrives),
    rph: segment.ref,
    fareBasisCode: segment.fareBasis,
    resBookDesigCode: segment.bookingClass,
    status,
  };
}

/** A segment of a booking request, rail dialect. Throws without a fare: the airline would choose one by itself. */
function railSegment(segment: Segment): Wire {
  if (segment.fareBasis !== undefined) return { ...requestSegment(segment, ACTIVE), equipment: [] };
  const message = "The airline's search did not say which fare this offer is. Nothing was sent.";
  throw new ClerkError('E_AIRLINE_REPLY', message, {
    next: 'Call search_fares again and book another offer, or ask the airline.',
  });
}

/** An itinerary with pointers on options and segments alike (docs/wire/notes.md, Shapes sent). */
export function writeItinerary<S>(options: readonly SegmentOption[], writeSegment: (segment: Segment) => S) {
  const originDestinationOption = options.map(({ segments, ref }) => ({
    flightSegment: segments.map(writeSegment),
    rph: ref,
  }));
  return { originDestinationOptions: { originDestinationOption } };
}

/** The itinerary of a booking request. `numberInParty`: airline dialect, for a booking from counts. */
export function requestItinerary(
  options: readonly SegmentOption[],
  { dialect, sendFare }: RequestForm,
  numberInParty?: number,
): Wire {
  if (dialect === 'rail') return writeItinerary(options, railSegment);
  return writeItinerary(options, (segment) => {
    const { operatingAirline: _, fareBasisCode, ...rest } = requestSegment(segment);
    return { ...rest, fareBasisCode: sendFare ? fareBasisCode : undefined, numberInParty };
  });
}
