/**
 * Seats asked for: `specialReqDetails[].seatRequests` (field-notes.md, modifications, type 5). A seat in another coach
 * than the traveller's own is written with its coach: `4-12A`.
 */
import * as z from 'zod';
import type { SeatChoice } from '../../../domain/requests.ts';
import { defined, only } from './reader.ts';
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
  const seatRequest = seats.map(({ segmentRef, travelerRef, seat, coach }) => ({
    flightRefNumberRPHList: only(segmentRef),
    travelerRefNumberRPHList: only(travelerRef),
    seatNumber: coach === undefined ? seat : `${coach}-${seat}`,
  }));
  return { specialReqDetails: only({ seatRequests: { seatRequest } }) };
}

export function readSeats({ specialReqDetails: [details] }: z.output<typeof seatDetails>): SeatChoice[] {
  return details.seatRequests.seatRequest.map((wire) => {
    const [segmentRef] = wire.flightRefNumberRPHList;
    const [travelerRef] = wire.travelerRefNumberRPHList;
    const [, coach, seat = ''] = /^(?:(.+?)-)?([^-]+)$/.exec(wire.seatNumber) ?? ['', undefined, wire.seatNumber];
    return defined({ segmentRef, travelerRef, seat, coach });
  });
}
