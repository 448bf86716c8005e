/** OTA_AirLowFareSearchRQ (docs/wire/interface.md, Fare search; docs/wire/notes.md, Shapes sent). */
import * as z from 'zod';
import type { Counts } from '../model.ts';
import { airport, quantity } from './segment.ts';

const days = z.string().regex(/^P\d{1,3}D$/);

export const passengerTypeQuantity = z
  .array(z.object({ code: z.enum(['ADT', 'CHD', 'INF']), quantity }))
  .min(1)
  .refine((lines) => new Set(lines.map((line) => line.code)).size === lines.length, 'a passenger type stands twice');

export function countsOf(lines: z.output<typeof passengerTypeQuantity>): Counts {
  const of = (code: string): number => Number(lines.find((line) => line.code === code)?.quantity ?? 0);
  return { ADT: of('ADT'), CHD: of('CHD'), INF: of('INF') };
}

export const searchRequest = z.object({
  processingInfo: z.object({
    displayOrder: z.literal('BY_PRICE_LOW_TO_HIGH'),
    availabilityIndicator: z.boolean(),
  }),
  originDestinationInformation: z
    .array(
      z.object({
        originLocation: airport,
        destinationLocation: airport,
        departureDateTime: z.object({ value: z.iso.date(), windowBefore: days, windowAfter: days }),
      }),
    )
    .min(1),
  specificFlightInfo: z
    .object({ bookingClassPref: z.array(z.object({ resBookDesigCode: z.string().min(1) })).min(1) })
    .optional(),
  travelPreferences: z.object({ fareRestrictPref: z.object({ fareRestriction: z.enum(['OUT', 'IN']) }) }).optional(),
  travelerInfoSummary: z.object({ airTravelerAvail: z.tuple([z.object({ passengerTypeQuantity })]) }),
  availableFlightsOnly: z.boolean().optional(),
});

export interface SearchLeg {
  readonly from: string;
  readonly to: string;
  readonly date: string;
  readonly daysBefore: number;
  readonly daysAfter: number;
}

export interface Search {
  readonly legs: readonly SearchLeg[];
  readonly counts: Counts;
  readonly classes: readonly string[];
  readonly includesSoldOut: boolean;
}

const daysOf = (duration: string): number => Number(duration.slice(1, -1));

export function searchOf(sent: z.output<typeof searchRequest>): Search {
  return {
    legs: sent.originDestinationInformation.map(({ originLocation, destinationLocation, departureDateTime }) => ({
      from: originLocation.locationCode,
      to: destinationLocation.locationCode,
      date: departureDateTime.value,
      daysBefore: daysOf(departureDateTime.windowBefore),
      daysAfter: daysOf(departureDateTime.windowAfter),
    })),
    counts: countsOf(sent.travelerInfoSummary.airTravelerAvail[0].passengerTypeQuantity),
    classes: (sent.specificFlightInfo?.bookingClassPref ?? []).map((it) => it.resBookDesigCode),
    includesSoldOut: sent.availableFlightsOnly === false,
  };
}
