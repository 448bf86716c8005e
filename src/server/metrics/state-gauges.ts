/** Gauges of the state store. They are set before the page is written, so that writing it cannot fail. */
import { Gauge, type Registry } from 'prom-client';
import type { OpenCounts } from '../../approvals/ports.ts';
import type { Clerk } from '../clerk.ts';
import { eventGauges } from './event-gauges.ts';
import { type StateWatchOptions, stateWatch } from './open-counts.ts';
import { watchGauges } from './watch-gauges.ts';

export function stateGauges(registers: Registry[], options?: StateWatchOptions) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const up = gauge('fareclerk_state_store_up', '1 if the state store answered when it was last asked, else 0');
  const age = gauge(
    'fareclerk_state_counts_age_seconds',
    'Age of the counts of operations and approvals: they are the last known while the store does not answer',
  );
  const open = countGauges(registers);
  const stopped = new Gauge({
    name: 'fareclerk_sending_stopped',
    help: '1 while nothing is sent: held (the journal went backwards) or paused (by the operator)',
    labelNames: ['why'],
    registers,
  });
  const events = eventGauges(registers);
  const bookings = watchGauges(registers);
  let watched: Pick<Clerk, 'parts'> | undefined;
  let now = () => 0;

  const look = stateWatch(async () => {
    if (watched === undefined) throw new Error('no state is watched');
    const { state, clock } = await watched.parts();
    now = () => clock.now();
    const counts = await state.openCounts(clock.now());
    stopped.set({ why: 'held' }, counts.held ? 1 : 0);
    stopped.set({ why: 'paused' }, counts.paused ? 1 : 0);
    await events.look(state.deliveries, clock.now());
    return counts;
  }, options);

  // A gauge that was never set would show 0, which would be a guess.
  for (const each of [up, age]) each.remove();
  return {
    watch(clerk: Pick<Clerk, 'parts'>): void {
      watched = clerk;
    },
    watchEvents: events.watch,
    watchBookings: bookings.begin,
    /** Never rejects. */
    async refresh(): Promise<void> {
      if (watched === undefined) return;
      const seen = await look();
      up.set(seen.up ? 1 : 0);
      if (seen.known === undefined) return;
      const { counts, ageMs } = seen.known;
      age.set(ageMs / 1000);
      open.set(counts, now());
      bookings.set(counts, now());
    },
  };
}

/** What is open in the whole state. */
function countGauges(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const inDoubt = gauge('fareclerk_operations_in_doubt', 'Operations whose outcome is not known yet');
  const needsPerson = gauge('fareclerk_operations_needing_person', 'Operations that a person must check');
  const holds = gauge(
    'fareclerk_operations_needing_person_holds',
    'Those of them that are unpaid holds without a booking reference: they lapse by themselves',
  );
  const checked = gauge(
    'fareclerk_journal_checked_seconds',
    'Time since `journal verify` last found the whole journal whole. Absent: never, or the last check failed',
  );
  const oldest = gauge(
    'fareclerk_operations_needing_person_oldest_seconds',
    'Time since the oldest of them was handed to a person; 0 if there is none',
  );
  const waiting = gauge('fareclerk_approvals_waiting', "Questions that wait for a person's yes");
  const lapsed = new Gauge({
    name: 'fareclerk_approvals_lapsed',
    help: 'Questions of the last hour that nobody answered in time, by channel',
    labelNames: ['channel'],
    registers,
  });
  // A gauge that was never set would show 0, which would be a guess.
  for (const each of [inDoubt, needsPerson, holds, oldest, waiting, checked]) each.remove();
  return {
    set(counts: OpenCounts, now: number): void {
      inDoubt.set(counts.inDoubt);
      needsPerson.set(counts.needsPerson);
      holds.set(counts.needsPersonHolds);
      if (counts.journalCheckedAt === undefined) checked.remove();
      else checked.set(Math.max(0, now - counts.journalCheckedAt) / 1000);
      const since = counts.needsPersonSince;
      oldest.set(since === undefined ? 0 : Math.max(0, now - since) / 1000);
      waiting.set(counts.approvalsWaiting);
      for (const channel of ['dialog', 'page'] as const) lapsed.set({ channel }, counts.approvalsLapsed[channel]);
    },
  };
}
