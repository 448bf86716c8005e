/**
 * The facts of a flight: a row for each. A row says how to read the fact, when two values are equal, which other facts it depends on, and
 * the words and the finding for a change of it. Flights of offers, holds and readings are all compared by these rows.
 *
 * In this order: flights as they are compared, the rows, when two numbers are the same, reading.
 */
import type { Segment } from '../booking/booking.ts';
import type { FindingFacts, FindingKind } from '../booking/finding.ts';
import { digitsOnly, sameCode, sameStationTime, sameWords, type ValueForm } from './values.ts';

/** A flight as one side states it. What that one leaves out is absent, and so is what a reading of 0.3.0 did not keep. */
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

/** Unless it says otherwise, a value is a code that depends on nothing, and segments and findings have it under the name of the field. */
type FlightRowChange = Pick<FlightRow, 'needs' | 'isTold'> &
  Partial<Pick<FlightRow, 'form' | 'read' | 'same' | 'goesWith' | 'states'>>;

/* @__NO_SIDE_EFFECTS__ */
function row(
  kind: FindingKind,
  field: FlightField,
  [what, says]: readonly [what: string, says: string],
  change: FlightRowChange = {},
): FlightRow {
  return {
    kind,
    field,
    what,
    says,
    form: 'code',
    same: sameCode,
    goesWith: [],
    read: (segment) => segment[field as keyof Segment]?.toString(),
    states: (value) => ({ [field]: value }),
    ...change,
  };
}

const AT_STATION = { form: 'time', same: sameStationTime } as const;

export const FLIGHT_ROWS: readonly FlightRow[] = [
  row('route_changed', 'from', ['start', 'leaves from']),
  row('route_changed', 'to', ['destination', 'goes to'], { goesWith: ['from'] }),
  row('retimed', 'departs', ['departure', 'leaves'], { ...AT_STATION, goesWith: ['from', 'to', 'number'] }),
  row('retimed', 'arrives', ['arrival', 'arrives'], { ...AT_STATION, goesWith: ['from', 'to', 'number', 'departs'] }),
  row('number_changed', 'number', ['number', 'has number'], {
    read: ({ flightNumber }) => flightNumber,
    same: isSoldNumber,
  }),
  row('carrier_changed', 'operatingNumber', ['operating number', 'is operated as'], {
    read: ({ operating }) => operating?.number,
    same: isAskedNumber,
    goesWith: ['number', 'operatingCarrier'],
    states: (number, { operatingCarrier = '' }) => ({ carrier: `${operatingCarrier}${number}` }),
    isTold: 'alone',
  }),
  row('carrier_changed', 'marketingNumber', ['marketing number', 'is sold as'], {
    read: ({ marketing }) => marketing?.number,
    same: (was, is) => digitsOnly(was) === digitsOnly(is),
    goesWith: ['number', 'operatingCarrier', 'marketingCarrier'],
    states: (number, { marketingCarrier = '' }) => ({ carrier: `${marketingCarrier}${number}`, detail: 'sold' }),
    isTold: 'alone',
  }),
  row('carrier_changed', 'operatingCarrier', ['operating carrier', 'is operated by'], {
    read: ({ operating }) => operating?.carrier,
    goesWith: ['number'],
    states: (carrier) => ({ carrier }),
  }),
  row('carrier_changed', 'marketingCarrier', ['marketing carrier', 'is sold by'], {
    read: ({ marketing }) => marketing?.carrier,
    goesWith: ['number', 'operatingCarrier'],
    states: (carrier) => ({ carrier, detail: 'sold' }),
    isTold: 'alone',
  }),
  row('class_changed', 'bookingClass', ['class', 'is in class'], { states: (code) => ({ class: code }) }),
  row('fare_changed', 'fare', ['fare', 'is in fare'], {
    read: ({ fareBasis }) => fareBasis,
    goesWith: ['bookingClass'],
    needs: 'bookingClass',
  }),
  row('fare_changed', 'fareName', ['name of the fare', 'is in the fare'], {
    form: 'words',
    same: (was, is, before, now) => sameWords(was, is) || isOtherFare(before, now),
    goesWith: ['bookingClass', 'fare'],
    needs: 'fare',
    states: (fare) => ({ fare, detail: 'name' }),
    isTold: 'alone',
  }),
  row('stops_changed', 'stops', ['stops', 'stops on the way:'], { goesWith: ['from', 'to', 'number'] }),
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
