/** Does work that one process at a time does, while this process has its lease. */
import type { Clock, Leases } from './ports.ts';

/** How long a lease lasts, and how long to wait before asking for it again, milliseconds. */
const LEASE_MS = 30_000;
const AGAIN_MS = 5_000;

export interface HeldWork {
  readonly leases: Leases;
  readonly clock: Clock;
  /** The work, and this process. */
  readonly name: string;
  readonly owner: string;
}

/**
 * Calls `work` whenever this process gets the lease, with a signal that ends with it. Returns, without the lease, once the
 * signal given here has ended. A failure of the store counts as a lease that another process has.
 */
export async function whileHeld(
  held: HeldWork,
  signal: AbortSignal,
  work: (held: AbortSignal) => Promise<void>,
): Promise<void> {
  const { leases, clock, name, owner } = held;
  while (!signal.aborted) {
    if (!(await isTaken(held))) {
      await clock.sleep(AGAIN_MS, signal);
      continue;
    }
    const lost = new AbortController();
    const renewing = renew(held, lost);
    await work(AbortSignal.any([signal, lost.signal])).finally(() => lost.abort());
    await renewing;
  }
  await leases.end(name, owner).catch(() => undefined);
}

function isTaken({ leases, clock, name, owner }: HeldWork): Promise<boolean> {
  const now = clock.now();
  return leases.take(name, owner, now + LEASE_MS, now).catch(() => false);
}

/** Ends `lost` before another process can have it. */
async function renew(held: HeldWork, lost: AbortController): Promise<void> {
  let until = held.clock.now() + LEASE_MS;
  for (;;) {
    await held.clock.sleep(LEASE_MS / 3, lost.signal);
    if (lost.signal.aborted) return;
    const now = held.clock.now();
    if (await isTaken(held)) until = now + LEASE_MS;
    else if (now + LEASE_MS / 2 > until) return lost.abort();
  }
}
