/**
 * Segments as requests carry them: strict, with the fields that are sent alone (docs/wire/interface.md, Flight
 * segment).
 */
import * as z from 'zod';
import type { Flight, Segment, SegmentOption } from '../../../domain/booking/itinerary.ts';
import { ClerkError, inputError } from '../../../errors.ts';
import { defined } from './reader.ts';
import { toMillis } from './times.ts';

export const location = z.strictObject({ locationCode: z.string().min(1) });
export const dateTime = z.iso.datetime({ offset: true, precision: 3 });
export const pointer = z.string().min(1);

export const flightSegment = z.strictObject({
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

/** Of a price check: class without fare. */
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

export const airlineItinerary = itineraryOf(airlineSegment);

/** How booking requests are written (docs/wire/notes.md, Shapes sent). */
export interface RequestForm {
  readonly dialect: 'rail' | 'airline';
  /** Airline dialect: whether the chosen fare goes with each segment. Rail always sends it. */
  readonly sendFare: boolean;
}

/** `status` 30 (active) is sent with a booking request (docs/wire/interface.md, Booking by names). */
export const ACTIVE = '30';

/** The marketing carrier operates a segment that names no other. Throws E_INPUT where neither is known. */
function operatingFlight({ ref, operating, marketing, flightNumber }: Segment): Flight {
  if (operating !== undefined) return operating;
  if (marketing?.carrier !== undefined) return { carrier: marketing.carrier, number: flightNumber };
  throw inputError('operating carrier', `segment ${ref} names none, and the airline requires it.`);
}

/** The segment for a request. Throws E_INPUT where no carrier is known. */
export function requestSegment(segment: Segment, status?: string): z.output<typeof flightSegment> {
  const { marketing } = segment;
  const operating = operatingFlight(segment);
  return defined({
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

/** A segment of a booking request, rail dialect. Throws where its fare is not known: the service would choose one. */
function railSegment(segment: Segment): z.output<typeof flightSegment> {
  if (segment.fareBasis === undefined) throw fareUnknown();
  return { ...requestSegment(segment, ACTIVE), equipment: [] };
}

/** No booking leaves without the fare that was chosen, where the service would choose another by itself. */
function fareUnknown(): ClerkError {
  return new ClerkError(
    'E_AIRLINE_REPLY',
    "The airline's search did not say which fare this offer is. Nothing was sent.",
    {
      next: 'Call search_fares again and book another offer, or ask the airline.',
    },
  );
}

/** The itinerary of a booking request: pointers on options and segments alike (docs/wire/notes.md, Shapes sent). */
export function requestItinerary(options: readonly SegmentOption[]): z.output<typeof airItinerary> {
  const originDestinationOption = options.map((option) => ({
    flightSegment: option.segments.map(railSegment),
    rph: option.ref,
  }));
  return { originDestinationOptions: { originDestinationOption } };
}

/** The same in the airline dialect. `numberInParty`: of a booking from counts. */
export function airlineRequestItinerary(
  options: readonly SegmentOption[],
  sendFare: boolean,
  numberInParty?: number,
): z.output<typeof airlineItinerary> {
  const originDestinationOption = options.map((option) => ({
    flightSegment: option.segments.map((segment) => {
      const { operatingAirline: _, fareBasisCode, marketingAirline = { code: '' }, ...rest } = requestSegment(segment);
      const fare = sendFare ? fareBasisCode : undefined;
      return defined({ ...rest, marketingAirline, fareBasisCode: fare, numberInParty });
    }),
    rph: option.ref,
  }));
  return { originDestinationOptions: { originDestinationOption } };
}
