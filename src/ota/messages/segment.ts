/**
 * Flight segments and their options (docs/wire/interface.md, Flight segment): first how they are read, then how they are
 * written, then how flights of a reading are copied for a change, with the fields that nobody here knows.
 */
import { cleanRef } from '../../core/clean-text.ts';
import { type ClerkError, inputError, notSent } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import type {
  ClassAvailability,
  FareRuleText,
  Flight,
  PermittedOperation,
  Segment,
  SegmentOption,
} from '../../domain/booking/booking.ts';
import { ACTIVE_SEGMENT } from '../../domain/booking/status-codes.ts';
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
    return { bookingClass, quantity: text(item.resBookDesigQuantity) };
  });
}

/** Reads which changes the airline permits. Undefined if it names none of them; an empty list permits none. */
function readPermitted(segment: Wire): readonly PermittedOperation[] | undefined {
  const operations = extensions(segment).operations;
  if (operations === undefined || operations === null) return undefined;
  return readAll(operations, (operation): PermittedOperation | undefined => {
    const modificationType = text(operation.modificationType);
    return modificationType === undefined ? undefined : { modificationType };
  });
}

/** A name such as `${rule.name}` is a key that the airline did not fill in. */
const TEMPLATE = /^\s*\$\{/;

/** Rules as words (docs/wire/notes.md, Fares and prices). */
function readFareRules(value: unknown): readonly FareRuleText[] {
  return readAll(value, (wire): FareRuleText | undefined => {
    const [words, name] = [text(wire.value), text(wire.name)];
    if (words === undefined) return undefined;
    const isFilledIn = name !== undefined && !TEMPLATE.test(name);
    return { name: isFilledIn ? name : undefined, text: words };
  });
}

/** Reads one `flightSegment`. `ref` is its pointer if it has none of its own. */
export function readSegment(value: unknown, ref: string, optionRef: string): Segment {
  const wire = record(value);
  const extension = extensions(wire);
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
    bookingClass: text(wire.resBookDesigCode)?.trim(),
    // The airline dialect has the fare basis in an extension.
    fareBasis: text(wire.fareBasisCode) ?? text(extension.fareBasis),
    fareName: text(extension.priceGroup),
    fareRules: unlessEmpty(readFareRules(extension.fareRule)),
    statusCode: text(wire.status),
    availability: unlessEmpty(readAvailability(wire.bookingClassAvails)),
    stops: readCount(wire.stopQuantity),
    permitted: readPermitted(wire),
  };
}

/** Returns the option objects of `airItinerary`, with or without the `originDestinationOptions` wrapper. */
export function wireOptions(airItinerary: unknown): readonly Wire[] {
  const itinerary = isObject(airItinerary) ? airItinerary : { originDestinationOption: airItinerary };
  const wrapper = itinerary.originDestinationOptions;
  if (isObject(wrapper)) return records(wrapper.originDestinationOption);

  if (Array.isArray(wrapper)) {
    const holders = wrapper.filter((holder) => isObject(holder) && holder.originDestinationOption !== undefined);
    if (holders.length === 0) return records(wrapper);
    return holders.flatMap((holder) => records(holder.originDestinationOption));
  }

  return records(itinerary.originDestinationOption);
}

/** The option's pointer, else its first segment's, else its number from 1. */
function optionRef(option: Wire, index: number): string {
  return readPointer(option.rph) ?? readPointer(record(option.flightSegment).rph) ?? String(index + 1);
}

/**
 * Where pointers come from. `airline`: of a booking, whose pointers stay. `place`: of a search, where shared or partly
 * missing pointers are replaced by numbers, as price rows count (docs/wire/notes.md, Rows).
 */
type Numbering = 'airline' | 'place';

/** Reads options and their segments. Segments without pointers are counted through all options, as price rows do. */
export function readOptions(airItinerary: unknown, numbering: Numbering = 'airline'): SegmentOption[] {
  const wires = wireOptions(airItinerary);
  const pointers = wires.map(optionRef);
  const optionRefs = numbering === 'place' && hasDuplicates(pointers) ? numberedRefs(pointers.length) : pointers;
  const refs = segmentRefs(wires, numbering);
  let segmentIndex = 0;

  return wires.map((option, i) => {
    const refOfOption = optionRefs[i] ?? '';
    const segments = records(option.flightSegment).map((wire) => {
      const ref = refs[segmentIndex] ?? '';
      segmentIndex += 1;
      return { ...readSegment(wire, ref, refOfOption), ref };
    });
    return { ref: refOfOption, segments };
  });
}

/**
 * Chooses a pointer for each segment:
 *
 * - No segment has one: the pointers of the options if every option is one segment, else numbers.
 * - Each has its own: these.
 * - Some have none, or two share one: of a booking the pointers stay and the gaps are filled; of a search all become numbers.
 */
function segmentRefs(options: readonly Wire[], numbering: Numbering): readonly string[] {
  const segments = options.flatMap((option) => {
    const wires = records(option.flightSegment);
    const optionRph = wires.length === 1 ? readPointer(option.rph) : undefined;
    return wires.map((wire) => ({ rph: readPointer(wire.rph), optionRph }));
  });
  const pointers = segments.flatMap(({ rph }) => rph ?? []);
  const numbers = numberedRefs(segments.length);
  if (pointers.length === 0 && segments.some(({ optionRph }) => optionRph === undefined)) return numbers;

  const isAmbiguous = pointers.length < segments.length || hasDuplicates(pointers);
  if (numbering === 'place' && pointers.length > 0 && isAmbiguous) return numbers;

  const usedRefs = new Set(pointers);
  return segments.map(({ rph, optionRph }, i) => {
    if (rph !== undefined) return rph;
    const candidates = [optionRph, numbers[i], ...numbers];
    const ref = candidates.find((candidate) => candidate !== undefined && !usedRefs.has(candidate)) ?? '';
    usedRefs.add(ref);
    return ref;
  });
}

function hasDuplicates(refs: readonly string[]): boolean {
  return new Set(refs).size < refs.length;
}

/** `1`, `2`, … up to the count. */
function numberedRefs(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(i + 1));
}

/** What the form of a booking request depends on (docs/wire/notes.md, Shapes sent). */
export interface RequestForm {
  readonly dialect: 'rail' | 'airline';
  /** Airline dialect: sends the chosen fare with each segment. Rail always sends it. */
  readonly sendFare: boolean;
}

/** Who operates the segment: the marketing carrier, if it names no operating one. Throws E_INPUT without both. */
function operatingFlight({ ref, operating, marketing, flightNumber }: Segment): Flight {
  if (operating !== undefined) return operating;
  if (marketing?.carrier !== undefined) return { carrier: marketing.carrier, number: flightNumber };
  throw inputError('operating carrier', `segment ${cleanRef(ref)} names none, and the airline requires it.`);
}

/** Writes a segment with all fields that a request may name. Throws E_INPUT without a carrier. */
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

/**
 * Writes a segment of a booking request in the rail dialect. Throws E_AIRLINE_REPLY without a fare: the airline would choose
 * one by itself.
 */
function railSegment(segment: Segment): Wire {
  // A booking request sends each segment as active (docs/wire/interface.md, Booking by names).
  if (segment.fareBasis !== undefined) return { ...requestSegment(segment, ACTIVE_SEGMENT), equipment: [] };
  throw notSent(
    'E_AIRLINE_REPLY',
    "The airline's search did not say which fare this offer is.",
    'Call search_fares again and book another offer, or ask the airline.',
  );
}

/** Writes an itinerary with pointers on options and segments alike (docs/wire/notes.md, Shapes sent). */
export function writeItinerary<S>(options: readonly SegmentOption[], writeSegment: (segment: Segment) => S) {
  const originDestinationOption = options.map(({ segments, ref }) => ({
    flightSegment: segments.map(writeSegment),
    rph: ref,
  }));
  return { originDestinationOptions: { originDestinationOption } };
}

/**
 * Writes the itinerary of a booking request.
 * @param numberInParty for a booking from counts in the airline dialect
 */
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

/** Two readings show the same flight if these fields are equal. */
const IDENTIFYING_FIELDS = ['ref', 'from', 'to', 'flightNumber', 'departs', 'arrives'] as const;

/** Copies a segment of the reading. Fields that it lacks, or has in another form, come from the domain's segment. */
function copySegment(wire: Wire, segment: Segment): Wire {
  // The fare stays as the reading has it.
  const { fareBasisCode: _, ...requestFields } = requestSegment(segment, segment.statusCode);
  const copied: Wire = { ...wire };

  for (const [name, value] of Object.entries(requestFields)) {
    const wireValue = wire[name];
    const isOtherForm = typeof wireValue !== typeof value || Array.isArray(wireValue);
    if (isObject(value) && isObject(wireValue)) copied[name] = withMissingTexts(wireValue, value);
    else if (value !== undefined && isOtherForm) copied[name] = value;
  }

  const { departureDateTime, arrivalDateTime } = requestFields;
  return { ...copied, departureDateTime, arrivalDateTime };
}

/** Copies an object of the reading. Texts that it lacks, or has in another form, come from `requestFields`. */
function withMissingTexts(wire: Wire, requestFields: Wire): Wire {
  const copied: Wire = { ...wire };
  for (const [name, value] of Object.entries(requestFields)) if (typeof wire[name] !== 'string') copied[name] = value;
  return copied;
}

function isSameFlight(a: Segment, b: Segment): boolean {
  return IDENTIFYING_FIELDS.every((field) => a[field] === b[field]);
}

export function hasSameFlights(a: readonly Segment[], b: readonly Segment[]): boolean {
  return a.length === b.length && a.every((segment, i) => isSameFlight(segment, b[i] ?? segment));
}

/** The booking changed after the reading, or its pointers mislead. Another flight must not be sent. */
function otherFlightError(): ClerkError {
  return notSent(
    'E_AIRLINE_REPLY',
    'A flight is not where the airline showed it.',
    'Call read_booking, and ask the airline where two flights have the same pointer.',
  );
}

/** Copies an option of the reading. Throws E_AIRLINE_REPLY if it has other flights than the booking's option. */
export function copyOption(optionWire: Wire, option: SegmentOption): Wire {
  const wires = records(optionWire.flightSegment);
  const segments = wires.map((wire, i) => readSegment(wire, option.segments[i]?.ref ?? '', option.ref));
  if (!hasSameFlights(option.segments, segments)) throw otherFlightError();
  const flightSegment = option.segments.map((segment, i) => copySegment(record(wires[i]), segment));
  return { ...optionWire, flightSegment, rph: option.ref };
}

/** Copies one segment of the reading (docs/wire/notes.md, Seats). Throws if the reading has no such flight. */
export function copyFlight(reservation: Wire, segment: Segment): Wire {
  const wires = wireOptions(reservation.airItinerary).flatMap((option) => records(option.flightSegment));
  const segments = readOptions(reservation.airItinerary).flatMap((option) => option.segments);
  const index = segments.findIndex(
    (candidate) => candidate.optionRef === segment.optionRef && isSameFlight(candidate, segment),
  );
  const wire = wires[index];
  if (wire === undefined) throw otherFlightError();

  return { ...copySegment(wire, segment), rph: segment.ref };
}
