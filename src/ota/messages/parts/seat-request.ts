/**
 * Seats asked for: `specialReqDetails[].seatRequests` (docs/wire/notes.md, Changes, type 5). Seats are numbered through
 * the train: the whole number is sent bare, for another coach too.
 */
import * as z from 'zod';
import type { SeatChoice } from '../../../domain/booking/booking-requests.ts';
import { only } from './reader.ts';
import { pointer } from './segment-request.ts';

const one = z.tuple([pointer]);

export const seatDetails = z.strictObject({
  specialReqDetails: z.tuple([
    z.strictObject({
      seatRequests: z.strictObject({
        seatRequest: z
          .array(
            z.strictObject({
              flightRefNumberRPHList: one,
              travelerRefNumberRPHList: one,
              seatNumber: z.string().min(1),
            }),
          )
          .min(1),
      }),
    }),
  ]),
});

export function writeSeats(seats: readonly SeatChoice[]): z.output<typeof seatDetails> {
  const seatRequest = seats.map(({ segmentRef, travelerRef, seat }) => ({
    flightRefNumberRPHList: only(segmentRef),
    travelerRefNumberRPHList: only(travelerRef),
    seatNumber: seat,
  }));
  return { specialReqDetails: only({ seatRequests: { seatRequest } }) };
}
