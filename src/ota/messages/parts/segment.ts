/**
 * Flight segments and the options that hold them (docs/wire/interface.md, Flight segment).
 */
import type {
  ClassAvailability,
  FareRuleText,
  Flight,
  PermittedOperation,
  Segment,
  SegmentOption,
} from '../../../domain/booking/itinerary.ts';
import {
  company,
  count,
  defined,
  extensions,
  isRecord,
  place,
  readPointer,
  readTime,
  record,
  records,
  text,
  unlessEmpty,
  type Wire,
} from './reader.ts';

function readFlight(airline: unknown, flightNumber: string): Flight | undefined {
  const carrier = company(airline);
  return carrier === undefined ? undefined : { carrier, number: text(record(airline).flightNumber) ?? flightNumber };
}

function readMarketing(airline: unknown): Partial<Flight> | undefined {
  const carrier = company(airline);
  const number = text(record(airline).flightNumber);
  return carrier === undefined && number === undefined ? undefined : defined({ carrier, number });
}

function readAvailability(avails: unknown): readonly ClassAvailability[] {
  const found: ClassAvailability[] = [];
  for (const avail of records(avails)) {
    for (const one of records(avail.bookingClassAvail)) {
      const bookingClass = text(one.resBookDesigCode);
      if (bookingClass === undefined) continue;
      const [quantity, statusCode] = [text(one.resBookDesigQuantity), text(one.resBookDesigStatusCode)];
      found.push(defined({ bookingClass, quantity, statusCode }));
    }
  }
  return found;
}

/** Undefined where the airline says nothing of operations; an empty list permits none. */
function readPermitted(segment: Wire): readonly PermittedOperation[] | undefined {
  const operations = extensions(segment).operations;
  if (operations === undefined || operations === null) return undefined;
  const found: PermittedOperation[] = [];
  for (const one of records(operations)) {
    const modificationType = text(one.modificationType);
    if (modificationType !== undefined) found.push(defined({ modificationType, name: text(one.name) }));
  }
  return found;
}

/** A name such as `${rule.name}` is a key that the airline did not fill in. */
const TEMPLATE = /^\s*\$\{/;

/** Rules as words (docs/wire/notes.md, Fares and prices). */
function readFareRules(value: unknown): readonly FareRuleText[] {
  const found: FareRuleText[] = [];
  for (const wire of records(value)) {
    const words = text(wire.value);
    if (words === undefined) continue;
    const name = text(wire.name);
    const shown = name === undefined || TEMPLATE.test(name) ? undefined : name;
    found.push(defined({ code: text(wire.code), name: shown, text: words }));
  }
  return found;
}

/** One `flightSegment`; `ref` stands in where it has no pointer of its own. */
export function readSegment(value: unknown, ref: string, optionRef: string): Segment {
  const wire = record(value);
  const own = extensions(wire);
  const operatingNumber = text(record(wire.operatingAirline).flightNumber);
  const flightNumber = text(wire.flightNumber) ?? operatingNumber ?? '';
  return defined({
    ref: readPointer(wire.rph) ?? ref,
    optionRef,
    flightNumber,
    operating: readFlight(wire.operatingAirline, flightNumber),
    marketing: readMarketing(wire.marketingAirline),
    from: place(wire.departureAirport) ?? '',
    to: place(wire.arrivalAirport) ?? '',
    departs: readTime(wire.departureDateTime) ?? '',
    arrives: readTime(wire.arrivalDateTime) ?? '',
    bookingClass: text(wire.resBookDesigCode),
    // The airline dialect writes it among the extensions.
    fareBasis: text(wire.fareBasisCode) ?? text(own.fareBasis),
    fareName: text(own.priceGroup),
    fareRules: unlessEmpty(readFareRules(own.fareRule)),
    statusCode: text(wire.status),
    availability: unlessEmpty(readAvailability(wire.bookingClassAvails)),
    stops: count(wire.stopQuantity),
    permitted: readPermitted(wire),
  });
}

/** The option objects of `airItinerary`, with or without the `originDestinationOptions` wrapper. */
export function wireOptions(airItinerary: unknown): readonly Wire[] {
  const itinerary = isRecord(airItinerary) ? airItinerary : { originDestinationOption: airItinerary };
  const wrapper = itinerary.originDestinationOptions;
  if (isRecord(wrapper)) return records(wrapper.originDestinationOption);
  if (Array.isArray(wrapper)) {
    const wrapped = wrapper.filter((one) => isRecord(one) && one.originDestinationOption !== undefined);
    return wrapped.length === 0 ? records(wrapper) : wrapped.flatMap((one) => records(one.originDestinationOption));
  }
  return records(itinerary.originDestinationOption);
}

/** An option without a pointer takes its first segment's; where neither has one, its place counts from 1. */
function optionRef(option: Wire, place: number): string {
  return readPointer(option.rph) ?? readPointer(record(option.flightSegment).rph) ?? String(place + 1);
}

/**
 * Who gives the pointers: `airline` in a booking, whose own stay as they are; `place` in a search, where those that are
 * shared or missing in part are counted anew, as price rows count (docs/wire/notes.md, Rows).
 */
export type Numbering = 'airline' | 'place';

/** Segments without pointers count through all options, as the pointers of price rows do. */
export function readOptions(airItinerary: unknown, numbering: Numbering = 'airline'): SegmentOption[] {
  const options = wireOptions(airItinerary);
  const given = options.map(optionRef);
  const refs = numbering === 'place' && isShared(given) ? counted(given) : given;
  const pointers = segmentRefs(options, numbering);
  let place = 0;
  return options.map((option, i) => {
    const own = refs[i] ?? '';
    const segments = records(option.flightSegment).map((wire) => {
      const ref = pointers[place] ?? '';
      place += 1;
      return { ...readSegment(wire, ref, own), ref };
    });
    return { ref: own, segments };
  });
}

/** A pointer for each segment of all options. */
function segmentRefs(options: readonly Wire[], numbering: Numbering): readonly string[] {
  const segments = options.flatMap((option) => {
    const wires = records(option.flightSegment);
    const alone = wires.length === 1 ? readPointer(option.rph) : undefined;
    return wires.map((wire) => ({ own: readPointer(wire.rph), alone }));
  });
  const given = segments.flatMap(({ own }) => own ?? []);
  const places = counted(segments);
  if (given.length === 0) {
    // Pointers of options count other things than segments, unless every option is one segment.
    const alone = segments.flatMap((segment) => segment.alone ?? []);
    return alone.length === segments.length && !isShared(alone) ? alone : places;
  }
  const clear = given.length === segments.length && !isShared(given);
  if (numbering === 'place' && !clear) return places;
  const taken = new Set(given);
  return segments.map(({ own, alone }, i) => {
    const free = own ?? [alone, places[i], ...places].find((ref) => ref !== undefined && !taken.has(ref)) ?? '';
    taken.add(free);
    return free;
  });
}

function isShared(refs: readonly string[]): boolean {
  return new Set(refs).size < refs.length;
}

function counted(things: readonly unknown[]): string[] {
  return things.map((_, i) => String(i + 1));
}
