/** Gauges of events that addresses of other systems lack. They are absent without such an address. */
import { Gauge, type Registry } from 'prom-client';
import type { EventCounts } from '../context.ts';

interface Counting {
  counts(receivers: readonly string[]): Promise<EventCounts>;
}

export function eventGauges(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const waiting = gauge('fareclerk_events_waiting', 'Events that an address lacks, each counted for each address');
  const dead = gauge('fareclerk_events_dead', 'Dead letters: events that an address did not take in three days');
  const oldest = gauge(
    'fareclerk_events_oldest_seconds',
    'Age of the oldest event that an address lacks and still gets; 0 if there is none',
  );
  let receivers: readonly string[] = [];
  // A gauge that was never set would show 0, which would be a guess.
  for (const each of [waiting, dead, oldest]) each.remove();
  return {
    watch(keys: readonly string[]): void {
      receivers = keys;
    },
    async look(deliveries: Counting | undefined, now: number): Promise<void> {
      if (receivers.length === 0 || deliveries === undefined) return;
      const counts = await deliveries.counts(receivers);
      waiting.set(counts.waiting);
      dead.set(counts.dead);
      oldest.set(counts.oldestAt === undefined ? 0 : Math.max(0, now - counts.oldestAt) / 1000);
    },
  };
}
