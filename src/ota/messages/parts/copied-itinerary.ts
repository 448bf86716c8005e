/**
 * Options and segments copied from a read reply into a request (docs/wire/interface.md, Changes, type 10): the
 * airline's own objects, with the required fields that they lack added.
 */
import * as z from 'zod';
import type { Segment, SegmentOption } from '../../../domain/itinerary.ts';
import { inputError } from '../../../errors.ts';
import { isRecord, readPointer, record, records, type Wire } from './reader.ts';
import { optionRef, wireOptions } from './segment.ts';
import { location, pointer, requestSegment } from './segment-request.ts';

const airport = z.looseObject(location.shape);

/** Required of a segment; whatever else the read reply gave may stand beside it. */
const copiedSegment = z.looseObject({
  departureAirport: airport,
  arrivalAirport: airport,
  operatingAirline: z.looseObject({ code: z.string().min(1), flightNumber: z.string().min(1) }),
  marketingAirline: z.looseObject({ code: z.string().min(1) }),
  flightNumber: z.string().min(1),
  departureDateTime: z.iso.datetime({ offset: true }),
  arrivalDateTime: z.iso.datetime({ offset: true }),
});

/** The segment of a seat map request, as in the read reply (docs/wire/interface.md, Seat map). */
export const copiedFlight = copiedSegment.partial({ marketingAirline: true }).extend({ rph: pointer });

const copiedOption = z.looseObject({ flightSegment: z.array(copiedSegment).min(1), rph: pointer });

export const copiedItinerary = z.strictObject({
  originDestinationOptions: z.strictObject({ originDestinationOption: z.array(copiedOption).min(1) }),
});

type Copied = z.output<typeof copiedItinerary>;
type CopiedSegment = z.output<typeof copiedSegment>;

/** The raw object where it has the field in the required form, else the field as the domain knows it. */
function complete(raw: Wire, segment: Segment): CopiedSegment {
  // The fare is written where the reading has it, which is not everywhere on the segment.
  const { fareBasisCode: _, ...due } = requestSegment(segment, segment.statusCode);
  const filled: Wire = { ...raw };
  for (const [name, value] of Object.entries(due)) {
    const own = raw[name];
    if (isRecord(value) && isRecord(own)) filled[name] = withTexts(own, value);
    else if (typeof own !== typeof value || Array.isArray(own)) filled[name] = value;
  }
  return { ...filled, departureDateTime: due.departureDateTime, arrivalDateTime: due.arrivalDateTime } as CopiedSegment;
}

function withTexts(own: Wire, due: Wire): Wire {
  const filled: Wire = { ...own };
  for (const [name, value] of Object.entries(due)) if (typeof own[name] !== 'string') filled[name] = value;
  return filled;
}

function copyOption(raw: Wire, option: SegmentOption): z.output<typeof copiedOption> {
  const wires = records(raw.flightSegment);
  const flightSegment = option.segments.map((segment, index) => {
    const own = wires.find((wire) => readPointer(wire.rph) === segment.ref) ?? record(wires[index]);
    return complete(own, segment);
  });
  return { ...raw, flightSegment, rph: option.ref };
}

/** One segment as the reading had it, else as the domain knows it (docs/wire/notes.md, Shapes sent, Seats). */
export function copiedFlightOf(reservation: Wire, segment: Segment): z.output<typeof copiedFlight> {
  const [own] = wireOptions(reservation.airItinerary)
    .filter((wire, index) => optionRef(wire, index) === segment.optionRef)
    .flatMap((wire) => wiresOf(wire, segment));
  return { ...complete(own ?? {}, segment), rph: segment.ref };
}

function wiresOf(option: Wire, segment: Segment): readonly Wire[] {
  const wires = records(option.flightSegment);
  return wires.length === 1 ? wires : wires.filter((wire) => readPointer(wire.rph) === segment.ref);
}

/**
 * Only the options to cancel, from the reservation that they stand in. Throws E_INPUT for an option that is not there.
 */
export function chosenOptions(reservation: Wire, options: readonly SegmentOption[]): Copied {
  const raw = new Map(wireOptions(reservation.airItinerary).map((wire, index) => [optionRef(wire, index), wire]));
  const originDestinationOption = options.map((option) => {
    const own = raw.get(option.ref);
    if (own === undefined) throw inputError('segment_refs', `the booking has no option ${option.ref}.`);
    return copyOption(own, option);
  });
  return { originDestinationOptions: { originDestinationOption } };
}
