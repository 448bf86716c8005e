/** Copies options of a reading into a request, completed (docs/wire/interface.md, Changes, type 10). */
import * as z from 'zod';
import { ClerkError, inputError } from '../../../core/errors.ts';
import type { Booking } from '../../../domain/booking/booking.ts';
import type { Segment, SegmentOption } from '../../../domain/booking/itinerary.ts';
import { isObject } from '../../transport/json.ts';
import { record, records, type Wire } from './reader.ts';
import { readOptions, readSegment, wireOptions } from './segment.ts';
import { location, pointer, requestSegment } from './segment-request.ts';

const airport = z.looseObject(location.shape);

const copiedSegment = z.looseObject({
  departureAirport: airport,
  arrivalAirport: airport,
  operatingAirline: z.looseObject({ code: z.string().min(1), flightNumber: z.string().min(1) }),
  marketingAirline: z.looseObject({ code: z.string().min(1) }),
  flightNumber: z.string().min(1),
  departureDateTime: z.iso.datetime({ offset: true }),
  arrivalDateTime: z.iso.datetime({ offset: true }),
});

/** The segment of a seat map request (docs/wire/interface.md, Seat map). */
export const copiedFlight = copiedSegment.partial({ marketingAirline: true }).extend({ rph: pointer });

const copiedOption = z.looseObject({ flightSegment: z.array(copiedSegment).min(1), rph: pointer });

export const copiedItinerary = z.strictObject({
  originDestinationOptions: z.strictObject({ originDestinationOption: z.array(copiedOption).min(1) }),
});

type CopiedSegment = z.output<typeof copiedSegment>;

/** The raw object. Fields that it lacks, or has in another form, come from the domain. */
function complete(raw: Wire, segment: Segment): CopiedSegment {
  // The fare stays as the reading has it.
  const { fareBasisCode: _, ...due } = requestSegment(segment, segment.statusCode);
  const filled: Wire = { ...raw };
  for (const [name, value] of Object.entries(due)) {
    const rawValue = raw[name];
    if (isObject(value) && isObject(rawValue)) filled[name] = withTexts(rawValue, value);
    else if (typeof rawValue !== typeof value || Array.isArray(rawValue)) filled[name] = value;
  }
  return { ...filled, departureDateTime: due.departureDateTime, arrivalDateTime: due.arrivalDateTime } as CopiedSegment;
}

function withTexts(raw: Wire, due: Wire): Wire {
  const filled: Wire = { ...raw };
  for (const [name, value] of Object.entries(due)) if (typeof raw[name] !== 'string') filled[name] = value;
  return filled;
}

const SAME = ['ref', 'from', 'to', 'flightNumber', 'departs', 'arrives'] as const;

const isSame = (one: Segment, other: Segment): boolean => SAME.every((field) => one[field] === other[field]);

function sameSegments({ segments }: SegmentOption, other: SegmentOption): boolean {
  return segments.length === other.segments.length && segments.every((one, i) => isSame(one, other.segments[i] ?? one));
}

/** The booking changed after the reading, or its pointers mislead. Another flight must not be sent. */
function disagreement(): ClerkError {
  return new ClerkError('E_AIRLINE_REPLY', 'A flight is not where the airline showed it. Nothing was sent.', {
    next: 'Call read_booking, and ask the airline where two flights have the same pointer.',
  });
}

function copyOption(raw: Wire, option: SegmentOption): z.output<typeof copiedOption> {
  const wires = records(raw.flightSegment);
  const read = wires.map((wire, i) => readSegment(wire, option.segments[i]?.ref ?? '', option.ref));
  if (!sameSegments(option, { ref: option.ref, segments: read })) throw disagreement();
  const flightSegment = option.segments.map((segment, i) => complete(record(wires[i]), segment));
  return { ...raw, flightSegment, rph: option.ref };
}

/** One segment of the reading (docs/wire/notes.md, Seats). Throws if the reading has no such flight. */
export function copiedFlightOf(reservation: Wire, segment: Segment): z.output<typeof copiedFlight> {
  const wires = wireOptions(reservation.airItinerary).map((option) => records(option.flightSegment));
  const read = readOptions(reservation.airItinerary).flatMap(({ segments }) => segments);
  const place = read.findIndex((one) => one.optionRef === segment.optionRef && isSame(one, segment));
  const wire = wires.flat()[place];
  if (wire === undefined) throw disagreement();
  return { ...complete(wire, segment), rph: segment.ref };
}

/** By identity, else the only option with these flights: two options can have the same pointer. */
function placeOf(booking: Booking, option: SegmentOption): number {
  const place = booking.options.indexOf(option);
  if (place >= 0) return place;
  const alike = booking.options.filter((one) => one.ref === option.ref && sameSegments(one, option));
  return alike.length === 1 ? booking.options.findIndex((one) => alike.includes(one)) : -1;
}

/** The options to cancel. Throws E_INPUT for an unknown option, E_AIRLINE_REPLY if another flight is in its place. */
export function chosenOptions(
  booking: Booking,
  reservation: Wire,
  options: readonly SegmentOption[],
): z.output<typeof copiedItinerary> {
  const wires = wireOptions(reservation.airItinerary);
  const originDestinationOption = options.map((option) => {
    const wire = wires[placeOf(booking, option)];
    if (wire === undefined) throw inputError('segment_refs', `the booking has no option ${option.ref}.`);
    return copyOption(wire, option);
  });
  return { originDestinationOptions: { originDestinationOption } };
}
