/**
 * Puts together the journal and the watcher, whose readings are compared with those before, on any state and airline: open-runtime.ts
 * passes those of the settings, and each campaign its own.
 */
import { digestWith } from '../../approvals/digest.ts';
import type { Runtime } from '../../clerk/clerk.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { createJournal, type Journal, type JournalOptions } from '../../journal/journal.ts';
import type { Operation } from '../../journal/operation.ts';
import type { BookingReader, Clock } from '../../journal/ports.ts';
import type { State } from '../../store/state.ts';
import { ACTS, noteSettled } from '../../tools/index.ts';
import { knownNow, ledgerEntry, type Settling, withOwnCancellations } from '../../tools/steps/record-booking.ts';
import type { ReadingComparer } from '../../watching/store-findings.ts';
import type { WatcherOptions } from '../../watching/watcher.ts';

/** What the functions below need of the state. */
type WorkState = Settling['state'] & Pick<State, 'operations' | 'chain' | 'ends' | 'findings' | 'watches'>;

/** What readings are compared by. */
export function readingComparer(state: WorkState, paces?: ReadingComparer['paces']): ReadingComparer {
  return { acts: ACTS, state, paces, digest: digestWith(state.digestKey) };
}

/** Compares a reading, or has a booking read soon. */
export interface WatchingCalls {
  /** Compares a reading that began at `begunAt`. Without that time nothing is compared, and the booking is read soon. */
  readonly compareReading: NonNullable<Runtime['compareReading']>;
  /** Has the booking of an operation's reply read soon. */
  readonly readSoon: Settling['readSoon'];
}

export function watchingCalls(comparer: ReadingComparer, clock: Pick<Clock, 'now'>): WatchingCalls {
  const readSoon: Settling['readSoon'] = async (caller, booking, hold) => {
    const watching = await import('../../watching/store-findings.ts');
    await watching.readSoon(comparer, caller, { booking, hold }, clock.now());
  };

  return {
    readSoon,
    async compareReading(caller, booking, begunAt, operations) {
      if (begunAt === undefined) {
        await readSoon(caller, booking);
        return { isQuiet: false, seen: [] };
      }
      const watching = await import('../../watching/store-findings.ts');
      return watching.compareReading(comparer, caller, booking, { begunAt, operations });
    },
  };
}

/** What the journal works with, besides its own options. */
interface JournalServices {
  readonly state: WorkState;
  readonly clock: Clock;
  /** Reads with the point of sale of a caller. */
  readonly readerFor: (caller: { readonly tenant: string; readonly id: string }) => BookingReader;
  readonly readings: WatchingCalls;
  /** Reports an error that must not stop an operation. */
  failed(error: unknown): void;
}

/** The options of the journal that differ between the program and a campaign. */
type JournalTold = Pick<JournalOptions, 'owner' | 'settleMs'> & Partial<JournalOptions>;

/** Creates the journal over the store. */
export function openJournal(services: JournalServices, told: JournalTold): Journal {
  const { state, clock, readerFor, readings, failed } = services;

  return createJournal({
    acts: ACTS,
    store: state.operations,
    chain: state.chain,
    ends: state.ends,
    clock,
    readerFor: (operation) => ({ read: (locator) => readCompared(services, operation, locator, told.log) }),
    settled: noteSettled({ acts: ACTS, state, clock, readerFor, ...readings, failed }),
    digest: digestWith(state.digestKey),
    ...told,
  });
}

/**
 * Reads a booking of an operation, and compares it with the booking as it was. If that fails, the reading still counts. A booking that
 * an answer only names may be somebody else's: it is neither kept nor watched.
 */
async function readCompared(
  { clock, readerFor, readings }: JournalServices,
  { tenant, caller: id, outcome }: Operation,
  locator: string,
  log: JournalTold['log'],
): Promise<Booking> {
  const begunAt = clock.now();
  const booking = await readerFor({ tenant, id }).read(locator);
  if (outcome?.named === locator) return booking;
  await readings
    .compareReading({ tenant, id }, booking, begunAt)
    .catch((err: unknown) => log?.warn({ err }, 'a reading could not be compared'));
  return booking;
}

/** What the watcher works with: what it compares by is {@link readingComparer}'s. */
export type WatcherServices = Omit<WatcherOptions, Exclude<keyof ReadingComparer, 'paces'> | 'renew'> & {
  readonly comparer: ReadingComparer;
  readonly state: State;
};

/** Makes what reads bookings again. */
export async function openWatcher({ comparer, state, ...services }: WatcherServices) {
  const { createWatcher } = await import('../../watching/watcher.ts');
  return createWatcher({
    ...comparer,
    ...services,
    state,
    async renew(tenant, booking, at, seen) {
      const { acts } = comparer;
      const identity = digestWith(state.digestKey);
      const ctx = { acts, state, caller: { tenant, id: '' }, identity, now: () => at };
      const known = await knownNow(await withOwnCancellations(booking, ctx), ctx, seen);
      await state.ledger.renew(tenant, ledgerEntry(known, { madeHere: false, now: at, digest: identity }));
    },
  });
}
