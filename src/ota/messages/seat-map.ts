/**
 * Reads the seat map of a paid booking with its cabins, rows and seats: OTA_AirSeatMapRQ (docs/wire/interface.md, Seat
 * map). First the request, then the reply, from the whole map down to the seat.
 */
import { isObject } from '../../core/own.ts';
import type {
  Seat,
  SeatCabin,
  SeatMapQuery,
  SeatRow,
  SeatStatus,
  SegmentSeatMap,
} from '../../domain/booking/seat-map.ts';
import { publishedClass } from './availability.ts';
import {
  RESERVATION,
  readAll,
  readCount,
  readFlag,
  readPointers,
  readReferences,
  record,
  records,
  replyBody,
  replyError,
  text,
  texts,
  type Wire,
} from './reader.ts';
import { type CheckedRequest, checkRequest, REQUESTS, UnwritableRequest } from './request.ts';
import { copyFlight, readSegment, requestSegment } from './segment.ts';
import { allTravelers, readTravelers, writeTraveler } from './traveler.ts';

/** The airline's words for each status; the first status with a word that fits wins. */
const STATUS_WORDS: readonly (readonly [SeatStatus, ReadonlySet<string>])[] = [
  ['yours', new Set(['SEAT_RESERVED', 'ACTIVE'])],
  ['taken', new Set(['SEAT_OCCUPIED', 'BOOKED'])],
  ['free', new Set(['SEAT_AVAILABLE', 'AVAILABLE'])],
];

/** The items of `availabilityList[]`, by seat number. */
type SeatFlags = ReadonlyMap<string, Wire>;

export function encodeSeatMapRequest(query: SeatMapQuery): CheckedRequest {
  const source = isObject(query.source) ? query.source : undefined;
  const airTraveler = writeTravelers(query, source);
  const request = checkRequest(REQUESTS.seatMap, {
    seatMapRequests: {
      seatMapRequest: query.requests.map(({ segment, travelerRefs }) => ({
        flightSegmentInfo: source ? copyFlight(source, segment) : requestSegment(segment, segment.statusCode),
        travelerRefNumberRPHs: [...travelerRefs],
      })),
    },
    airTravelers: { airTraveler },
    bookingReferenceID: [writeReference(query.locator, source)],
  });

  const sentRefs = new Set(readTravelers(airTraveler).travelers.map(({ ref }) => ref));
  const requestedRefs = query.requests.flatMap(({ travelerRefs }) => travelerRefs);
  if (requestedRefs.every((ref) => sentRefs.has(ref))) return request;

  throw new UnwritableRequest('a traveller pointer is not among airTravelers');
}

/** Writes all travellers of the reading, with the contact. */
function writeTravelers({ travelers }: SeatMapQuery, source: Wire | undefined): readonly Wire[] {
  const copied = source === undefined ? [] : allTravelers(source);
  return copied.length === 0 ? travelers.map(writeTraveler) : copied;
}

/** Writes our own locator, with its company, and no other reference. */
function writeReference(id: string, source: Wire | undefined): Wire {
  const code = readReferences(source?.bookingReferenceID).find((reference) => reference.id === id)?.system;
  return { companyName: code === undefined ? undefined : { code }, type: RESERVATION, id };
}

export function decodeSeatMapReply(wire: unknown): readonly SegmentSeatMap[] {
  const responses = replyBody(wire).seatMapResponses;
  if (responses === undefined || responses === null) throw replyError('seatMapResponses');
  const wires = Array.isArray(responses) ? responses : record(responses).seatMapResponse;
  return records(wires).flatMap(readResponse);
}

/** Reads a map for each `seatMapDetails` item of a segment: the item shows the seats of its travellers. */
function readResponse(wire: Wire, index: number): SegmentSeatMap[] {
  const ref = String(index + 1);
  const info = record(wire.flightSegmentInfo);
  const segmentOfMap = readSegment(info, ref, ref);
  const segment = { ...segmentOfMap, optionRef: segmentOfMap.ref };

  return records(wire.seatMapDetails).map((details) => ({
    segment,
    travelerRefs: readPointers(details.travelerRefNumberRPHs),
    cabins: records(details.cabinClass).map(readCabin),
  }));
}

function readCabin(wire: Wire): SeatCabin {
  const flagsByNumber = readFlags(wire);
  const zones = records(wire.zone);
  const rowInfo = records(wire.rowInfo);
  const cabinType = text(rowInfo[0]?.cabinType) ?? text(zones[0]?.type) ?? text(wire.cabinType);

  return {
    cabin: readCabinName(cabinType),
    zones: zones.map(({ code, name }) => ({ code: text(code), name: text(name) })),
    rows: rowInfo.length > 0 ? rowInfo.map((row) => readRow(row, flagsByNumber)) : rowsFromList(flagsByNumber),
  };
}

function readCabinName(cabinType: string | undefined): SeatCabin['cabin'] {
  const bookingClass = publishedClass(cabinType ?? '');
  if (bookingClass === 'Y') return 'economy';
  return bookingClass === 'C' ? 'business' : 'other';
}

function readRow(wire: Wire, flagsByNumber: SeatFlags): SeatRow {
  const seats = records(wire.seatInfo);
  const number = text(wire.rowNumber) ?? text(record(seats[0]?.summary).rowNumber) ?? '';
  return {
    number,
    seats: readAll(seats, (seat) => readSeat(seat, flagsByNumber)),
  };
}

/** Makes the rows of a cabin that only lists its seats: `12A` names its row, a number counted through the train does not. */
function rowsFromList(flagsByNumber: SeatFlags): SeatRow[] {
  const rows = new Map<string, Seat[]>();
  for (const [number, flags] of flagsByNumber) {
    if (!/^\d/.test(number)) continue;
    const row = /^(\d+)[A-Z]/i.exec(number)?.[1] ?? '';
    const status = readStatus([], [flags]);
    const seat = { number, status, window: false, aisle: false, amenities: [] };
    rows.set(row, [...(rows.get(row) ?? []), seat]);
  }

  return [...rows].map(([number, seats]) => ({ number, seats }));
}

/** Reads `availabilityList[]` by seat number. */
function readFlags(cabin: Wire): SeatFlags {
  return new Map(records(cabin.availabilityList).map((seat) => [text(seat.seatNumber) ?? '', seat]));
}

function readSeat(wire: Wire, flagsByNumber: SeatFlags): Seat | undefined {
  const summary = record(wire.summary);
  const number = text(summary.seatNumber);
  if (number === undefined) return undefined;

  const words = [...texts(wire.availability), ...texts(wire.status)];
  const features = texts(wire.features);

  return {
    number,
    column: readCount(wire.columnNumber),
    status: readStatus(words, [summary, record(flagsByNumber.get(number))]),
    window: features.includes('WINDOW'),
    aisle: features.includes('AISLE'),
    facing: readFacing(records(wire.features)),
    amenities: texts(wire.amenity),
  };
}

/** Words win over flags, and taken over free. A seat without a known word or flag is taken. */
function readStatus(words: readonly string[], flags: readonly Wire[]): SeatStatus {
  const byWord = STATUS_WORDS.find(([, statusWords]) => words.some((word) => statusWords.has(word)))?.[0];
  if (byWord !== undefined) return byWord;
  if (flags.some((seat) => readFlag(seat.occupiedInd) === true)) return 'taken';
  return flags.some((seat) => readFlag(seat.availableInd) === true) ? 'free' : 'taken';
}

function readFacing(features: readonly Wire[]): Seat['facing'] {
  const directions = features.map((feature) => text(feature.extension));
  if (directions.includes('ForwardFacing')) return 'forward';
  return directions.includes('BackwardFacing') ? 'backward' : undefined;
}
