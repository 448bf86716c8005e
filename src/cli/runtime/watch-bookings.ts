/** Compares readings of bookings, and reads bookings again for a server over HTTP. */

import { keyedDigest } from '../../approvals/digest.ts';
import type { Config } from '../../config/load.ts';
import { remembered } from '../../core/remembered.ts';
import { systemClock } from '../../journal/clock.ts';
import type { Clock } from '../../journal/ports.ts';
import type { Runtime } from '../../server/clerk.ts';
import type { Metrics } from '../../server/metrics/metrics.ts';
import type { State } from '../../store/state.ts';
import { ACTS } from '../../tools/index.ts';
import type { ReadingComparer } from '../../watching/compare-reading.ts';
import type { Logs } from '../terminal/log.ts';
import type { PointsOfSale } from './points-of-sale.ts';

/** Texts of which the digest is kept: the coupons of the bookings that are read again and again. */
const MOST_DIGESTS = 2_000;

/** @param watches this process reads bookings again: its hours hold, and not those of who else reads one */
export function readingComparer(
  { watching: { paces, readsPerHour } }: Pick<Config, 'watching'>,
  state: State,
  { watches }: { readonly watches?: true } = {},
): ReadingComparer {
  const digest = remembered((text: string) => keyedDigest(state.digestKey, text), MOST_DIGESTS);
  return { acts: ACTS, state, rules: { ...(watches && readsPerHour > 0 && { paces }) }, digest };
}

export function compareReadingBy(comparer: ReadingComparer, clock: Clock): NonNullable<Runtime['compareReading']> {
  return async (caller, booking, begunAt) => {
    const { readSoon, compareReading } = await import('../../watching/compare-reading.ts');
    if (begunAt !== undefined) return (await compareReading(comparer, caller, booking, begunAt)).isQuiet;
    await readSoon(comparer, caller, booking.locator, clock.now());
    return false;
  };
}

interface Watching {
  readonly logs: Logs;
  readonly state: State;
  readonly pointsOfSale: PointsOfSale;
  /** Of this process, for the lease. */
  readonly owner: string;
  readonly metrics: Metrics | undefined;
  readonly comparer: ReadingComparer;
}

/** Until the signal; at once if bookings are not to be read again. */
export async function watchBookings(
  { watching: { readsPerHour } }: Pick<Config, 'watching'>,
  { logs, state, pointsOfSale: { readerFor, load }, owner, metrics, comparer }: Watching,
  signal: AbortSignal,
): Promise<void> {
  if (readsPerHour === 0) return;
  const { createWatcher, isBusyAt, READING_OUTCOMES } = await import('../../watching/watcher.ts');
  const { knowingRefunds, ledgerEntry } = await import('../../tools/steps/record-booking.ts');
  const countReading = metrics?.watchBookings(READING_OUTCOMES);
  const watcher = createWatcher({
    ...comparer,
    state,
    owner,
    readsPerHour,
    readerFor,
    log: logs.journal,
    clock: state.clock ?? systemClock,
    async renew(tenant, booking, at) {
      const known = await knowingRefunds(booking, { acts: comparer.acts, state, caller: { tenant } });
      await state.ledger.renew(tenant, ledgerEntry(known, false, at));
    },
    isBusy: () => isBusyAt(load().lanes),
    ...(countReading && { countReading }),
  });
  await watcher.run(signal);
}
