/** Writes seat maps (docs/wire/interface.md, Seat map): one cabin for each coach; a skipped column is the aisle. */
import type { Carrier } from '../carrier.ts';
import type { DrawnCoach, DrawnSeat, DrawnSegment, SeatStatus } from '../operations/change-seats.ts';
import type { Wire } from '../wire.ts';
import { writeSegment } from './segment.ts';

const STATUS_CODES: Readonly<Record<SeatStatus, { readonly availability: string; readonly status: string }>> = {
  free: { availability: 'SEAT_AVAILABLE', status: 'AVAILABLE' },
  taken: { availability: 'SEAT_OCCUPIED', status: 'BOOKED' },
  yours: { availability: 'SEAT_RESERVED', status: 'ACTIVE' },
};

/** What seat maps call a booking class (docs/wire/interface.md, Code lists). */
const INVENTORY_CLASSES = new Map(Object.entries({ Y: 'T', C: 'P' }));
export const inventoryClass = (bookingClass: string): string => INVENTORY_CLASSES.get(bookingClass) ?? bookingClass;

const writeFlags = ({ seat, status }: DrawnSeat): Wire => ({
  seatNumber: seat.number,
  availableInd: status === 'free',
  occupiedInd: status !== 'free',
});

function writeSeat(drawnSeat: DrawnSeat, isTrain: boolean): Wire {
  const { seat } = drawnSeat;
  const { availability, status } = STATUS_CODES[drawnSeat.status];
  const facing = seat.row % 2 === 1 ? 'BackwardFacing' : 'ForwardFacing';

  return {
    summary: { ...writeFlags(drawnSeat), rowNumber: seat.row },
    availability: { value: availability },
    features: [
      ...(seat.window ? [{ value: 'WINDOW' }] : []),
      ...(seat.aisle ? [{ value: 'AISLE' }] : []),
      ...(isTrain ? [{ value: 'OTHER', extension: facing }] : []),
    ],
    status: [{ value: status }],
    columnNumber: seat.column,
  };
}

function writeCoach({ coach, seats }: DrawnCoach, isTrain: boolean): Wire {
  const cabinType = inventoryClass(coach.bookingClass);
  const rows = Array.from({ length: coach.last - coach.first + 1 }, (_, i) => coach.first + i);

  return {
    availabilityList: seats.map(writeFlags),
    rowInfo: rows.map((rowNumber) => ({
      seatInfo: seats.filter(({ seat }) => seat.row === rowNumber).map((drawn) => writeSeat(drawn, isTrain)),
      cabinType,
      rowNumber,
    })),
    zone: [
      {
        id: coach.code,
        code: coach.code,
        name: `${isTrain ? 'Coach' : 'Cabin'} ${coach.code}`,
        totalSeatQty: seats.length,
        type: cabinType,
      },
    ],
    columnSpan: coach.letters.length,
    startingRow: String(coach.first),
    endingRow: String(coach.last),
  };
}

export function writeSeatMap(carrier: Carrier, segments: readonly DrawnSegment[]): Wire {
  const seatMapResponse = segments.map(({ segment, travelerRefs, coaches }) => {
    const isTrain = segment.departure.service.vehicle.kind === 'train';
    const cabinClass = coaches.map((coach) => writeCoach(coach, isTrain));
    return {
      flightSegmentInfo: writeSegment(carrier, segment, 'reading'),
      seatMapDetails: [{ cabinClass, travelerRefNumberRPHs: [...travelerRefs] }],
    };
  });
  return { seatMapResponses: { seatMapResponse } };
}
