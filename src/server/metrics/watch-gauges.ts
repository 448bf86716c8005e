/** Gauges of what readings found, and of readings that are late. */
import { Gauge, type Registry } from 'prom-client';
import type { OpenCounts } from '../../approvals/ports.ts';

export function watchGauges(registers: Registry[]) {
  const findings = new Gauge({
    name: 'fareclerk_findings_open',
    help: 'Changes of bookings by the airline that nobody has dealt with yet',
    registers,
  });
  const overdue = new Gauge({
    name: 'fareclerk_watch_overdue_seconds',
    help: 'How long the reading of a booking is due that is due for longest; 0 if none is. Absent where bookings are not watched',
    registers,
  });
  // A gauge that was never set would show 0, which would be a guess.
  for (const each of [findings, overdue]) each.remove();
  let watchesBookings = false;
  return {
    /** This server reads bookings again. */
    begin(): void {
      watchesBookings = true;
    },
    set({ findingsOpen, readingDueSince }: OpenCounts, now: number): void {
      findings.set(findingsOpen);
      if (!watchesBookings) return;
      overdue.set(readingDueSince === undefined ? 0 : Math.max(0, now - readingDueSince) / 1000);
    },
  };
}
