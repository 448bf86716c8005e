/** Runs that are not as scheduled: what mishaps did to single days of a train or flight. */

import type { Network } from '../network/network.ts';
import type { CarrierState } from '../state.ts';
import { type RunChange, Timetable } from '../timetable.ts';

/** The timetable of an airline, with all that happened to it. */
export function timetableOf(state: CarrierState, network: Network): Timetable {
  const [seed, firstDay] = [Number(state.meta('seed') ?? '1'), state.meta('first_day') ?? '1970-01-01'];
  return new Timetable(network, seed, firstDay, (number, date) => runChange(state, number, date));
}

function runChange(state: CarrierState, number: string, serviceDate: string): RunChange | undefined {
  const row = state.row('SELECT change FROM runs WHERE number = ? AND service_date = ?', number, serviceDate);
  return row === undefined ? undefined : (JSON.parse(String(row.change)) as RunChange);
}

/** Adds to what happened to the run before: minutes add up, the rest is replaced. */
export function changeRun(state: CarrierState, number: string, serviceDate: string, change: RunChange): void {
  const before = runChange(state, number, serviceDate) ?? {};
  const departs = (before.departs ?? 0) + (change.departs ?? 0);
  const arrives = (before.arrives ?? 0) + (change.arrives ?? 0);
  state.run(
    `INSERT INTO runs VALUES (?, ?, ?) ON CONFLICT (number, service_date) DO UPDATE SET change = excluded.change`,
    number,
    serviceDate,
    JSON.stringify({ ...before, ...change, departs, arrives }),
  );
}

/** Locators of bookings with a seat on a run: those that hold or paid one. */
export function bookedOn(state: CarrierState, number: string, serviceDate: string, now: number): readonly string[] {
  const sql = `SELECT DISTINCT locator FROM claims
    WHERE number = ? AND service_date = ? AND (expires IS NULL OR expires > ?) ORDER BY locator`;
  return state.rows(sql, number, serviceDate, now).map((row) => String(row.locator));
}
