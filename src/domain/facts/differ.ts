/** Compares two sides by the rows of their facts, and says what is known after a side that leaves some out. */
import type { FindingFacts } from '../booking/finding.ts';
import { FLIGHT_ROWS, type FlightFacts, type FlightField, type FlightRow } from './flight-rows.ts';

/** A fact of a flight that both sides state, otherwise. */
export interface FlightDifference {
  readonly row: FlightRow;
  readonly was: string;
  readonly is: string;
}

/** What differs of a flight. What either side leaves out is no difference. */
export function diffFlight(before: FlightFacts, now: FlightFacts): readonly FlightDifference[] {
  return FLIGHT_ROWS.flatMap((row) => {
    const [was, is] = [before[row.field], now[row.field]];
    if (was === undefined || is === undefined || was === is || row.same(was, is, before, now)) return [];
    return [{ row, was, is }];
  });
}

/** Whether a field of a flight is another. */
export function isOtherIn(before: FlightFacts, now: FlightFacts): (field: FlightField) => boolean {
  const others = new Set(diffFlight(before, now).map(({ row }) => row.field));
  return (field) => others.has(field);
}

/** What is known of a flight after a side that leaves some of it out. */
export function carryFlight(before: FlightFacts, shown: FlightFacts): FlightFacts {
  const isOther = isOtherIn(before, shown);
  const values = FLIGHT_ROWS.map(({ field, goesWith, needs }) => {
    const isUnexplained = needs !== undefined && shown[needs] === undefined && before[needs] !== undefined;
    const isVoid = goesWith.some(isOther);
    const known = isVoid ? undefined : before[field];
    return [field, isUnexplained ? before[field] : (shown[field] ?? known)] as const;
  });
  return { ref: shown.ref, ...Object.fromEntries(values) };
}

/** Differences that are told as one. */
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
