/** Segments of requests: strict schemas of the fields that are sent (docs/wire/interface.md, Flight segment). */
import * as z from 'zod';
import { ClerkError, inputError } from '../../../core/errors.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Flight, Segment, SegmentOption } from '../../../domain/booking/itinerary.ts';
import { toMillis, type Wire } from './reader.ts';

export const location = z.strictObject({ locationCode: z.string().min(1) });
const dateTime = z.iso.datetime({ offset: true, precision: 3 });
export const pointer = z.string().min(1);

const flightSegment = z.strictObject({
  departureAirport: location,
  arrivalAirport: location,
  operatingAirline: z.strictObject({ code: z.string().min(1), flightNumber: z.string().min(1) }),
  marketingAirline: z.strictObject({ code: z.string().min(1) }).optional(),
  flightNumber: z.string().min(1),
  departureDateTime: dateTime,
  arrivalDateTime: dateTime,
  rph: pointer,
  fareBasisCode: z.string().optional(),
  resBookDesigCode: z.string().optional(),
  status: z.string().optional(),
  equipment: z.tuple([]).optional(),
});

function itineraryOf<S extends z.ZodType>(segment: S) {
  const option = z.strictObject({ flightSegment: z.array(segment).min(1), rph: pointer });
  return z.strictObject({
    originDestinationOptions: z.strictObject({ originDestinationOption: z.array(option).min(1) }),
  });
}

export const airItinerary = itineraryOf(flightSegment);

/** For a price check: class without fare. */
export const pricedItinerary = itineraryOf(flightSegment.omit({ fareBasisCode: true, status: true }));

/** A segment of the airline dialect: no operating carrier, equipment or status. */
const airlineSegment = z.strictObject({
  departureAirport: location,
  arrivalAirport: location,
  departureDateTime: dateTime,
  arrivalDateTime: dateTime,
  rph: pointer,
  marketingAirline: z.strictObject({ code: z.string().min(1) }),
  flightNumber: z.string().min(1),
  fareBasisCode: z.string().min(1).optional(),
  resBookDesigCode: z.string().optional(),
  numberInParty: z.int().min(1).optional(),
});

export const bookedItinerary = { rail: airItinerary, airline: itineraryOf(airlineSegment) } as const;

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
export function requestSegment(segment: Segment, status?: string): z.output<typeof flightSegment> {
  const { marketing } = segment;
  const operating = operatingFlight(segment);
  return omitUndefined({
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
  });
}

/** A segment of a booking request, rail dialect. Throws without a fare: the airline would choose one by itself. */
function railSegment(segment: Segment): z.output<typeof flightSegment> {
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
    return omitUndefined({ ...rest, fareBasisCode: sendFare ? fareBasisCode : undefined, numberInParty });
  });
}
