/** Runs work that only one process at a time may do, while this process has the lease of that work. */
import type { Clock, Leases } from './ports.ts';

/** How long a lease lasts by default, milliseconds. */
const LEASE_MS = 30_000;
/** How long to wait before asking again for a lease that another process has, milliseconds. */
const RETRY_MS = 5_000;

interface LeasedWork {
  readonly leases: Leases;
  readonly clock: Clock;
  /** Name of the work. */
  readonly name: string;
  /** Unique id of this process. */
  readonly owner: string;
  /** How long a silent process is believed to be at work, milliseconds. Default 30_000. */
  readonly leaseMs?: number;
}

/**
 * Calls `work` whenever this process gets the lease. The work's signal aborts with `signal`, or when the lease is lost.
 * Gives the lease back and returns once `signal` aborts. A failure of the store counts as a lease that another process
 * has.
 */
export async function workWheneverLeased(
  lease: LeasedWork,
  signal: AbortSignal,
  work: (leaseSignal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const hadLease = await workIfLeased(lease, signal, work);
    if (!hadLease) await lease.clock.sleep(RETRY_MS, signal);
  }
  await giveBack(lease);
}

/** Calls `work` once, if this process gets the lease. Returns false if another process has it. */
export async function workOnceIfLeased(
  lease: LeasedWork,
  signal: AbortSignal,
  work: (leaseSignal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  return await workIfLeased(lease, signal, work).finally(() => giveBack(lease));
}

async function workIfLeased(
  lease: LeasedWork,
  signal: AbortSignal,
  work: (leaseSignal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (!(await takeLease(lease))) return false;
  // Aborted when the lease is lost, or when the work has finished.
  const ended = new AbortController();
  const renewing = renew(lease, ended);
  await work(AbortSignal.any([signal, ended.signal])).finally(() => ended.abort());
  await renewing;
  return true;
}

/** Ends the lease, if this process has it. */
function giveBack({ leases, name, owner }: LeasedWork): Promise<void> {
  return leases.end(name, owner).catch(() => undefined);
}

function takeLease({ leases, clock, name, owner, leaseMs = LEASE_MS }: LeasedWork): Promise<boolean> {
  const now = clock.now();
  return leases.take(name, owner, now + leaseMs, now).catch(() => false);
}

/** Renews the lease until `ended` aborts. If that fails, aborts `ended` before another process can get the lease. */
async function renew(lease: LeasedWork, ended: AbortController): Promise<void> {
  const { clock, leaseMs = LEASE_MS } = lease;
  let until = clock.now() + leaseMs;

  for (;;) {
    await clock.sleep(leaseMs / 3, ended.signal);
    if (ended.signal.aborted) return;

    const now = clock.now();
    if (await takeLease(lease)) {
      until = now + leaseMs;
      continue;
    }

    const isNearlyOver = until - now < leaseMs / 2;
    if (isNearlyOver) {
      ended.abort();
      return;
    }
  }
}
