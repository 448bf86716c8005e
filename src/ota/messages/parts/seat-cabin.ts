/** Cabins, rows and seats of a seat map (docs/wire/interface.md, Seat map). */

import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Seat, SeatCabin, SeatRow, SeatStatus, SeatZone } from '../../../domain/booking/seat-map.ts';
import { bookingClassOf } from './availability.ts';
import { count, flag, readAll, record, records, text, texts, type Wire } from './reader.ts';

const WORDS: readonly (readonly [SeatStatus, ReadonlySet<string>])[] = [
  ['yours', new Set(['SEAT_RESERVED', 'ACTIVE'])],
  ['taken', new Set(['SEAT_OCCUPIED', 'BOOKED'])],
  ['free', new Set(['SEAT_AVAILABLE', 'AVAILABLE'])],
];

/** Words win over flags, and taken over free. A seat without a known word or flag is taken. */
function readStatus(words: readonly string[], flags: readonly Wire[]): SeatStatus {
  const said = WORDS.find(([, known]) => words.some((word) => known.has(word)))?.[0];
  if (said !== undefined) return said;
  if (flags.some((one) => flag(one.occupiedInd) === true)) return 'taken';
  return flags.some((one) => flag(one.availableInd) === true) ? 'free' : 'taken';
}

function readFacing(features: readonly Wire[]): Seat['facing'] {
  const extensions = features.map((feature) => text(feature.extension));
  if (extensions.includes('ForwardFacing')) return 'forward';
  return extensions.includes('BackwardFacing') ? 'backward' : undefined;
}

type SeatFlags = ReadonlyMap<string, Wire>;

/** `availabilityList[]` by seat number. */
function readFlags(cabin: Wire): SeatFlags {
  return new Map(records(cabin.availabilityList).map((one) => [text(one.seatNumber) ?? '', one]));
}

function readSeat(wire: Wire, row: string, listed: SeatFlags): Seat | undefined {
  const summary = record(wire.summary);
  const number = text(summary.seatNumber);
  if (number === undefined) return undefined;
  const words = [...texts(wire.availability), ...texts(wire.status)];
  const features = records(wire.features);
  const kinds = texts(wire.features);
  return omitUndefined({
    number,
    row: text(summary.rowNumber) ?? row,
    column: count(wire.columnNumber),
    sequence: count(summary.seatSequenceNumber),
    status: readStatus(words, [summary, record(listed.get(number))]),
    window: kinds.includes('WINDOW'),
    aisle: kinds.includes('AISLE'),
    facing: readFacing(features),
    amenities: texts(wire.amenity),
    services: texts(wire.service),
  });
}

function readRow(wire: Wire, listed: SeatFlags): SeatRow {
  const seats = records(wire.seatInfo);
  const number = text(wire.rowNumber) ?? text(record(seats[0]?.summary).rowNumber) ?? '';
  return {
    number,
    characteristics: texts(wire.characteristics),
    description: texts(wire.description),
    seats: readAll(seats, (seat) => readSeat(seat, number, listed)),
  };
}

/** Rows of a cabin that only lists its seats: `12A` names its row, a number counted through the train does not. */
function rowsOfList(listed: SeatFlags): SeatRow[] {
  const rows = new Map<string, Seat[]>();
  for (const [number, flags] of listed) {
    if (!/^\d/.test(number)) continue;
    const row = /^(\d+)[A-Z]/i.exec(number)?.[1] ?? '';
    const status = readStatus([], [flags]);
    const seat = { number, row, status, window: false, aisle: false, amenities: [], services: [] };
    rows.set(row, [...(rows.get(row) ?? []), seat]);
  }
  return [...rows].map(([number, seats]) => ({ number, characteristics: [], description: [], seats }));
}

function readZone(wire: Wire): SeatZone {
  return omitUndefined({
    id: text(wire.id),
    code: text(wire.code),
    name: text(wire.name),
    description: text(wire.description),
    totalSeats: count(wire.totalSeatQty),
    type: text(wire.type),
  });
}

function cabinOf(cabinType: string | undefined): SeatCabin['cabin'] {
  const bookingClass = bookingClassOf(cabinType ?? '');
  if (bookingClass === 'Y') return 'economy';
  return bookingClass === 'C' ? 'business' : 'other';
}

export function readCabin(wire: Wire): SeatCabin {
  const listed = readFlags(wire);
  const zones = records(wire.zone).map(readZone);
  const rowInfo = records(wire.rowInfo);
  const cabinType = text(rowInfo[0]?.cabinType) ?? zones[0]?.type ?? text(wire.cabinType);
  return omitUndefined({
    cabin: cabinOf(cabinType),
    cabinType,
    zones,
    columns: count(wire.columnSpan),
    startingRow: text(wire.startingRow),
    endingRow: text(wire.endingRow),
    rows: rowInfo.length > 0 ? rowInfo.map((row) => readRow(row, listed)) : rowsOfList(listed),
  });
}
