/**
 * Fields of requests that the airline does not know. Such services ignore them; here they are written down, by path and
 * without their values, so that a test can see what was sent in vain.
 */
import type { CarrierState } from './state.ts';

export interface UnknownField {
  readonly message: string;
  /** `$.travelerInfo.airTraveler[1].nickname` */
  readonly path: string;
}

/** Runs within a write transaction. */
export function noteUnknown(state: CarrierState, at: number, message: string, paths: readonly string[]): void {
  for (const path of paths) {
    state.run('INSERT INTO unknown_fields (at, message, path) VALUES (?, ?, ?)', at, message, path);
  }
}

export function readUnknown(state: CarrierState): UnknownField[] {
  return state
    .rows('SELECT message, path FROM unknown_fields ORDER BY seq')
    .map((row) => ({ message: String(row.message), path: String(row.path) }));
}
