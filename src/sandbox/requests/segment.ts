/** Segments as requests carry them (docs/wire/interface.md, Flight segment; docs/wire/notes.md, Shapes sent). */
import * as z from 'zod';
import type { AskedOption, AskedSegment } from '../record.ts';
import { type Dialect, given } from '../wire.ts';

export const airport = z.object({ locationCode: z.string().min(1) });
export const pointer = z.string().min(1);
const instant = z.iso.datetime({ offset: true, precision: 3 });
const ignored = z.unknown().optional();
/** Quantities come as numbers or as their digits. */
export const quantity = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,3}$/)]);

const operating = z.object({ code: z.string().min(1), flightNumber: z.string().min(1) });
const marketing = z.object({ code: z.string().min(1), flightNumber: z.string().optional() });

const common = {
  departureAirport: airport,
  arrivalAirport: airport,
  flightNumber: z.string().min(1),
  departureDateTime: instant,
  arrivalDateTime: instant,
  rph: pointer,
  fareBasisCode: z.string().optional(),
  resBookDesigCode: z.string().optional(),
  status: z.string().optional(),
  equipment: z.array(z.unknown()).optional(),
  comment: z.array(z.unknown()).optional(),
  stopLocation: z.array(z.unknown()).optional(),
  stopQuantity: z.int().optional(),
  numberInParty: quantity.optional(),
  bookingClassAvails: ignored,
  tpaextensions: ignored,
};

const SEGMENTS = {
  rail: z.object({ ...common, operatingAirline: operating, marketingAirline: marketing.optional() }),
  airline: z.object({ ...common, operatingAirline: operating.optional(), marketingAirline: marketing }),
} as const;

/** A segment of a change or seat map: a copy of the reading's, what identifies it checked. */
export const copiedSegment = z.looseObject({
  departureAirport: airport,
  arrivalAirport: airport,
  operatingAirline: operating,
  marketingAirline: marketing,
  flightNumber: z.string().min(1),
  departureDateTime: z.string().min(1),
  arrivalDateTime: z.string().min(1),
  rph: pointer.optional(),
});

const itinerary = <T extends z.ZodType>(flightSegment: T) =>
  z.object({
    originDestinationOptions: z.object({
      originDestinationOption: z
        .array(z.object({ flightSegment: z.array(flightSegment).min(1), rph: pointer.optional() }))
        .min(1),
    }),
  });

const ITINERARIES = { rail: itinerary(SEGMENTS.rail), airline: itinerary(SEGMENTS.airline) } as const;

/** `airItinerary` of a booking request. */
export function itinerarySchema(dialect: Dialect) {
  return dialect === 'rail' ? ITINERARIES.rail : ITINERARIES.airline;
}

/** `airItinerary` of a change, copied from the reading. */
export const copiedItinerary = itinerary(copiedSegment);

type SentSegment = {
  readonly departureAirport: { readonly locationCode: string };
  readonly arrivalAirport: { readonly locationCode: string };
  readonly operatingAirline?: { readonly code: string; readonly flightNumber: string } | undefined;
  readonly marketingAirline?: { readonly code: string } | undefined;
  readonly flightNumber: string;
  readonly departureDateTime: string;
  readonly arrivalDateTime: string;
  readonly rph?: string | undefined;
  readonly resBookDesigCode?: unknown;
  readonly fareBasisCode?: unknown;
  readonly status?: unknown;
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function askedSegment(sent: SentSegment, place: number): AskedSegment {
  return given({
    ref: sent.rph ?? String(place),
    number: sent.flightNumber,
    operatingCode: sent.operatingAirline?.code,
    operatingNumber: sent.operatingAirline?.flightNumber,
    marketingCode: sent.marketingAirline?.code,
    from: sent.departureAirport.locationCode,
    to: sent.arrivalAirport.locationCode,
    departs: sent.departureDateTime,
    arrives: sent.arrivalDateTime,
    bookingClass: text(sent.resBookDesigCode),
    basis: text(sent.fareBasisCode),
    status: text(sent.status),
  });
}

type SentItinerary = {
  readonly originDestinationOptions: {
    readonly originDestinationOption: readonly {
      readonly flightSegment: readonly SentSegment[];
      readonly rph?: string | undefined;
    }[];
  };
};

/** An option without a pointer takes that of its first segment (docs/wire/notes.md, Tolerated in replies). */
export function askedOptions(sent: SentItinerary): AskedOption[] {
  let place = 0;
  return sent.originDestinationOptions.originDestinationOption.map(({ flightSegment, rph }) => {
    const segments = flightSegment.map((segment) => {
      place += 1;
      return askedSegment(segment, place);
    });
    return { ref: rph ?? segments[0]?.ref ?? '', segments };
  });
}
