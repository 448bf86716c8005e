/**
 * Reply to a seat map request (docs/wire/interface.md, Seat map): one cabin for each coach; a skipped column is the
 * aisle.
 */
import { type Carrier, pricedOptions } from '../carrier.ts';
import type { DrawnCoach, DrawnSegment, SeatStatus } from '../operations/change-seats.ts';
import { segmentsIn } from '../priced-trip.ts';
import type { VehicleSeat } from '../seats.ts';
import { given, type Wire } from '../wire.ts';
import { inventoryClass } from './offers.ts';
import { writeSegment } from './segment.ts';

const WORDS: Readonly<Record<SeatStatus, readonly [string, string]>> = {
  free: ['SEAT_AVAILABLE', 'AVAILABLE'],
  taken: ['SEAT_OCCUPIED', 'BOOKED'],
  yours: ['SEAT_RESERVED', 'ACTIVE'],
};

const CABIN_NAMES: ReadonlyMap<string, string> = new Map([
  ['Y', 'economy'],
  ['C', 'business'],
]);

interface Drawn {
  readonly seat: VehicleSeat;
  readonly status: SeatStatus;
}

const writeFlags = ({ seat, status }: Drawn): Wire => ({
  seatNumber: seat.number,
  availableInd: status === 'free',
  occupiedInd: status !== 'free',
});

function writeSeat(drawn: Drawn, index: number, isTrain: boolean): Wire {
  const { seat, status } = drawn;
  const [availability, word] = WORDS[status];
  const facing = seat.row % 2 === 1 ? 'BackwardFacing' : 'ForwardFacing';
  return {
    summary: { ...writeFlags(drawn), rowNumber: seat.row, seatSequenceNumber: index + 1 },
    availability: { value: availability },
    features: [
      ...(seat.window ? [{ value: 'WINDOW' }] : []),
      ...(seat.aisle ? [{ value: 'AISLE' }] : []),
      ...(isTrain ? [{ value: 'OTHER', extension: facing }] : []),
    ],
    status: [{ value: word }],
    columnNumber: seat.column,
    amenity: [],
    service: [],
  };
}

function writeCoach({ coach, seats }: DrawnCoach, isTrain: boolean): Wire {
  const cabinType = inventoryClass(coach.bookingClass);
  const rows = Array.from({ length: coach.last - coach.first + 1 }, (_, i) => coach.first + i);
  return {
    availabilityList: seats.map(writeFlags),
    rowInfo: rows.map((rowNumber, i) => ({
      characteristics: [],
      description: [],
      seatInfo: seats.filter(({ seat }) => seat.row === rowNumber).map((drawn, n) => writeSeat(drawn, n, isTrain)),
      gridNumber: i + 1,
      cabinType,
      rowNumber,
    })),
    zone: [
      {
        id: coach.code,
        code: coach.code,
        name: `${isTrain ? 'Coach' : 'Cabin'} ${coach.code}`,
        description: CABIN_NAMES.get(coach.bookingClass) ?? 'other',
        totalSeatQty: seats.length,
        type: cabinType,
      },
    ],
    columnSpan: coach.letters.length,
    startingRow: String(coach.first),
    endingRow: String(coach.last),
  };
}

export function writeSeatMap(carrier: Carrier, drawn: readonly DrawnSegment[]): Wire {
  const seatMapResponse = drawn.map(({ booking, held, departure, travelerRefs, coaches }) => {
    const segment = segmentsIn(pricedOptions(carrier, booking.options)).find(({ ref }) => ref === held.ref);
    const isTrain = departure.service.vehicle.kind === 'train';
    return given({
      flightSegmentInfo: segment && writeSegment(carrier, segment, 'reading'),
      seatMapDetails: [
        { cabinClass: coaches.map((coach) => writeCoach(coach, isTrain)), travelerRefNumberRPHs: [...travelerRefs] },
      ],
      bookingReferenceID: [],
    });
  });
  return { seatMapResponses: { seatMapResponse } };
}
