/** A state of its own, in which each reading of a booking is compared with the one before. */
import { hash } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { compareReading } from '../../src/watching/store-findings.ts';
import { asRead, type Booking, NOW } from './bookings.ts';
import { ACTS } from './rules.ts';

type Paces = Parameters<typeof compareReading>[0]['paces'];

/** Opened before the tests of the file that calls it, and closed after them. */
export function readingDesk(paces?: Paces) {
  let state: Awaited<ReturnType<typeof openSqliteState>>;
  beforeAll(async () => {
    state = await openSqliteState(':memory:', { now: () => NOW });
  });
  afterAll(() => state.close());
  return {
    get state() {
      return state;
    },
    /** @param at when it is read, milliseconds since 1970 */
    see: (locator: string, booking: Booking, at: number) =>
      compareReading(
        { acts: ACTS, state, paces, digest: (text) => hash('sha256', text) },
        { tenant: 't', id: 'ann' },
        asRead({ ...booking, locator }),
        { begunAt: at },
      ),
  };
}
