/**
 * The facts of a flight: a row for each. A row says how to read the fact, when two values are equal, which other facts it depends on, and
 * the words and the finding for a change of it. Flights of offers, holds and readings are all compared by these rows.
 *
 * In this order: flights as they are compared, the rows, when two numbers are the same, reading.
 */
import type { Segment } from '../booking/booking.ts';
import type { FindingFacts, FindingKind } from '../booking/finding.ts';
import { digitsOnly, sameCode, sameStationTime, sameWords, type ValueForm } from './values.ts';

/** A flight as one side states it. What that one leaves out is absent, and so is what an earlier version did not keep. */
export interface FlightFacts {
  /** The airline's pointer. */
  readonly ref: string;
  readonly from?: string;
  readonly to?: string;
  readonly departs?: string;
  readonly arrives?: string;
  readonly number?: string;
  readonly operatingNumber?: string;
  readonly marketingNumber?: string;
  readonly operatingCarrier?: string;
  readonly marketingCarrier?: string;
  readonly bookingClass?: string;
  readonly fare?: string;
  readonly fareName?: string;
  /** How often it stops on the way. */
  readonly stops?: string;
  /** Code of its status. Absent of an offer. */
  readonly status?: string;
}

/** A flight as a kept reading has it. */
export interface KeptSegment extends FlightFacts {
  /** Until when it can be cancelled alone, UTC. */
  readonly cancelUntil?: string;
  /** Its refund rules and texts in {@link KeptReading.rules} and `ruleTexts`, once it is paid. */
  readonly rules?: readonly string[];
  /** It waits for confirmation now, and did not in an earlier reading. */
  readonly waitsAgain?: true;
}

export type FlightField = Exclude<keyof FlightFacts, 'ref' | 'status'>;

/** The facts of a flight that have a row. */
export type StatedFlight = Pick<FlightFacts, FlightField>;

export interface FlightRow {
  readonly field: FlightField;
  readonly what: string;
  /** The verb of a sentence about the flight. */
  readonly says: string;
  readonly form: ValueForm;
  readonly read: (segment: Segment) => string | undefined;
  readonly same: (was: string, is: string, before: StatedFlight, now: StatedFlight) => boolean;
  /**
   * The fields that this one depends on. If one of them changes, the old value of this field no longer counts, and both changes are
   * reported together.
   */
  readonly goesWith: readonly FlightField[];
  /** Without this field a reading does not say why the value changed: then the new value is ignored. */
  readonly needs?: FlightField;
  /** The finding for a change of it, unless a field changed on which it depends. */
  readonly kind: FindingKind;
  /** What the finding states of one side. */
  readonly states: (value: string, flight: FlightFacts) => FindingFacts;
  /** Reported only if it changes alone: the fields that it depends on say enough. */
  readonly isTold?: 'alone';
}

type FlightNames = Pick<FlightRow, 'field' | 'what' | 'says'>;
/** Unless it says otherwise, a value is a code that depends on nothing. */
type FlightRowChange = Pick<FlightRow, 'kind' | 'needs' | 'isTold'> &
  Partial<Pick<FlightRow, 'form' | 'same' | 'goesWith'>>;

/* @__NO_SIDE_EFFECTS__ */
function row(
  names: FlightNames,
  change: FlightRowChange,
  read: FlightRow['read'],
  states: FlightRow['states'] = (value) => ({ [names.field]: value }),
): FlightRow {
  return { form: 'code', same: sameCode, goesWith: [], ...names, ...change, read, states };
}

export const FLIGHT_ROWS: readonly FlightRow[] = [
  row({ field: 'from', what: 'start', says: 'leaves from' }, { kind: 'route_changed' }, ({ from }) => from),
  row(
    { field: 'to', what: 'destination', says: 'goes to' },
    { kind: 'route_changed', goesWith: ['from'] },
    ({ to }) => to,
  ),
  row(
    { field: 'departs', what: 'departure', says: 'leaves' },
    { kind: 'retimed', form: 'time', same: sameStationTime, goesWith: ['from', 'to', 'number'] },
    ({ departs }) => departs,
  ),
  row(
    { field: 'arrives', what: 'arrival', says: 'arrives' },
    { kind: 'retimed', form: 'time', same: sameStationTime, goesWith: ['from', 'to', 'number', 'departs'] },
    ({ arrives }) => arrives,
  ),
  row(
    { field: 'number', what: 'number', says: 'has number' },
    { kind: 'number_changed', same: isSoldNumber },
    ({ flightNumber }) => flightNumber,
  ),
  row(
    { field: 'operatingNumber', what: 'operating number', says: 'is operated as' },
    { kind: 'carrier_changed', same: isAskedNumber, goesWith: ['number', 'operatingCarrier'], isTold: 'alone' },
    ({ operating }) => operating?.number,
    (number, { operatingCarrier = '' }) => ({ carrier: `${operatingCarrier}${number}` }),
  ),
  row(
    { field: 'marketingNumber', what: 'marketing number', says: 'is sold as' },
    {
      kind: 'carrier_changed',
      same: (was, is) => digitsOnly(was) === digitsOnly(is),
      goesWith: ['number', 'operatingCarrier', 'marketingCarrier'],
      isTold: 'alone',
    },
    ({ marketing }) => marketing?.number,
    (number, { marketingCarrier = '' }) => ({ carrier: `${marketingCarrier}${number}`, detail: 'sold' }),
  ),
  row(
    { field: 'operatingCarrier', what: 'operating carrier', says: 'is operated by' },
    { kind: 'carrier_changed', goesWith: ['number'] },
    ({ operating }) => operating?.carrier,
    (carrier) => ({ carrier }),
  ),
  row(
    { field: 'marketingCarrier', what: 'marketing carrier', says: 'is sold by' },
    { kind: 'carrier_changed', goesWith: ['number', 'operatingCarrier'], isTold: 'alone' },
    ({ marketing }) => marketing?.carrier,
    (carrier) => ({ carrier, detail: 'sold' }),
  ),
  row(
    { field: 'bookingClass', what: 'class', says: 'is in class' },
    { kind: 'class_changed' },
    ({ bookingClass }) => bookingClass,
    (code) => ({ class: code }),
  ),
  row(
    { field: 'fare', what: 'fare', says: 'is in fare' },
    { kind: 'fare_changed', goesWith: ['bookingClass'], needs: 'bookingClass' },
    ({ fareBasis }) => fareBasis,
  ),
  row(
    { field: 'fareName', what: 'name of the fare', says: 'is in the fare' },
    {
      kind: 'fare_changed',
      form: 'words',
      same: (was, is, before, now) => sameWords(was, is) || isOtherFare(before, now),
      goesWith: ['bookingClass', 'fare'],
      needs: 'fare',
      isTold: 'alone',
    },
    ({ fareName }) => fareName,
    (fare) => ({ fare, detail: 'name' }),
  ),
  row(
    { field: 'stops', what: 'stops', says: 'stops on the way:' },
    { kind: 'stops_changed', goesWith: ['from', 'to', 'number'] },
    ({ stops }) => stops?.toString(),
  ),
];

const ROW_OF = /* @__PURE__ */ new Map(FLIGHT_ROWS.map((row) => [row.field, row]));

export const flightRow = (field: FlightField): FlightRow => ROW_OF.get(field) as FlightRow;

/** A flight that is read row by row. */
export type FlightValues = { -readonly [field in keyof FlightFacts]: FlightFacts[field] };

/** Whether both sides state a fare, and these differ: then the names differ too. */
const isOtherFare = ({ fare: was }: StatedFlight, { fare: is }: StatedFlight): boolean =>
  was !== undefined && is !== undefined && !sameCode(was, is);

/** The digits of all numbers of a flight, first of its own. */
export function numbersOf({ number, operatingNumber, marketingNumber }: StatedFlight): readonly string[] {
  return [number, operatingNumber, marketingNumber].map((each = '') => digitsOnly(each));
}

/** Operating and marketing number can differ, and either can be sent as the flight's (docs/wire/notes.md, Replies). */
function isAskedNumber(_: string, is: string, before: StatedFlight): boolean {
  return numbersOf(before).includes(digitsOnly(is));
}

/** An airline may also name a flight by a marketing number that it left out before, beside the operating one. */
function isSoldNumber(was: string, is: string, before: StatedFlight, now: StatedFlight): boolean {
  if (isAskedNumber(was, is, before)) return true;
  const { marketingNumber = '', operatingNumber = '' } = now;
  const isMarketed = before.marketingNumber === undefined && digitsOnly(marketingNumber) === digitsOnly(is);
  return isMarketed && isAskedNumber(was, operatingNumber, before);
}

/** Reads a flight with all rows. An empty text is absent. */
export function readFlight(segment: Segment): Omit<FlightFacts, 'status'> {
  const flight: FlightValues = { ref: segment.ref };
  for (const { field, read } of FLIGHT_ROWS) {
    const value = read(segment);
    if (value) flight[field] = value;
  }
  return flight;
}
