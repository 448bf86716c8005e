/** Compares two sides by the rows of their facts, and says what is known after a side that leaves some out. */
import type { FindingFacts } from '../booking/finding.ts';
import {
  FLIGHT_ROWS,
  type FlightFacts,
  type FlightField,
  type FlightRow,
  type FlightValues,
  flightRow,
} from './flight-rows.ts';

/** A fact that two sides can state: of a flight, a person, a ticket, or of what an airline was asked for. */
export interface FactRow<Field extends string, Value, Side> {
  readonly field: Field;
  /** Whether two values are the same: in another spelling, or by what the sides state beside them. */
  readonly same: (was: Value, is: Value, before: Side, now: Side) => boolean;
}

/** A fact that both sides state, otherwise. */
export interface FactDifference<Row, Value> {
  readonly row: Row;
  readonly was: Value;
  readonly is: Value;
}

/** What a side states. What it leaves out is absent or empty. */
type Stating<Field extends string, Value> = { readonly [field in Field]?: Value | undefined };

/** Compares two sides by the rows of what they state. Ignores what either of them leaves out. */
export function diff<Field extends string, Value extends string | readonly unknown[], Side, Row>(
  rows: readonly (Row & FactRow<Field, Value, Side>)[],
  before: Side & Stating<Field, Value>,
  now: Side & Stating<Field, Value>,
): readonly FactDifference<Row & FactRow<Field, Value, Side>, Value>[] {
  const valueIn = (side: Stating<Field, Value>, field: Field): Value | undefined => {
    const value = side[field];
    return value?.length === 0 ? undefined : value;
  };

  return rows.flatMap((row) => {
    const [was, is] = [valueIn(before, row.field), valueIn(now, row.field)];
    if (was === undefined || is === undefined) return [];
    return was === is || row.same(was, is, before, now) ? [] : [{ row, was, is }];
  });
}

export type FlightDifference = FactDifference<FlightRow, string>;

/** Compares two forms of a flight. */
export function diffFlight(before: FlightFacts, now: FlightFacts): readonly FlightDifference[] {
  return diff(FLIGHT_ROWS, before, now);
}

/** Makes a test for whether a field differs between two forms of a flight. */
export function isOtherIn(before: FlightFacts, now: FlightFacts): (field: FlightField) => boolean {
  return (field) => diff([flightRow(field)], before, now).length > 0;
}

/** What is known of a flight after a side that leaves some of it out. */
export function carryFlight(before: FlightFacts, shown: FlightFacts): FlightFacts {
  const isOther = isOtherIn(before, shown);
  const flight: FlightValues = { ref: shown.ref };

  // FLIGHT_ROWS lists a row after the one that it needs.
  const unexplained = new Set<FlightField>();
  for (const { field, goesWith, needs } of FLIGHT_ROWS) {
    const isLeftOut = needs !== undefined && shown[needs] === undefined && before[needs] !== undefined;
    if (isLeftOut || (needs !== undefined && unexplained.has(needs))) unexplained.add(field);
    const stated = unexplained.has(field) ? before[field] : shown[field];
    flight[field] = stated ?? (goesWith.some(isOther) ? undefined : before[field]);
  }

  return flight;
}

/** Differences that are reported as one change. */
export interface DifferencesTogether {
  /** The row that the others go with. */
  readonly leader: FlightRow;
  readonly differences: readonly FlightDifference[];
}

/** Groups differences of a flight: each with those that go with it. */
export function together(differences: readonly FlightDifference[]): readonly DifferencesTogether[] {
  const rows = differences.map(({ row }) => row);
  const leaders = rows.filter(({ goesWith }) => !rows.some(({ field }) => goesWith.includes(field)));
  const leaderOf = ({ row }: FlightDifference) => leaders.find(({ field }) => row.goesWith.includes(field)) ?? row;
  return [...Map.groupBy(differences, leaderOf)].map(([leader, group]) => ({ leader, differences: group }));
}

/** What a finding states of one side of differences that go together. */
export function stated({ leader, differences }: DifferencesTogether, side: 'was' | 'is', flight: FlightFacts) {
  const said = differences.filter(({ row }) => row === leader || row.isTold !== 'alone');
  return statedBy(said, side, flight);
}

export function statedBy(
  differences: readonly FlightDifference[],
  side: 'was' | 'is',
  flight: FlightFacts,
): FindingFacts {
  return Object.assign({}, ...differences.map((difference) => difference.row.states(difference[side], flight)));
}
