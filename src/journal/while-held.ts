/** Does work that one process at a time does, while this process has its lease. */
import type { Clock, Leases } from './ports.ts';

/** How long a lease lasts where nothing else is said, milliseconds. */
const LEASE_MS = 30_000;
/** How long to wait before asking again for a lease that another process has, milliseconds. */
const AGAIN_MS = 5_000;

interface HeldWork {
  readonly leases: Leases;
  readonly clock: Clock;
  /** Names the work, and this process. */
  readonly name: string;
  readonly owner: string;
  /** How long a silent process is believed to be at work, milliseconds. Default 30_000. */
  readonly leaseMs?: number;
}

/**
 * Calls `work` whenever this process gets the lease, with a signal that ends with it. Returns, without the lease, once
 * the signal given here has ended. A failure of the store counts as a lease that another process has.
 */
export async function whileHeld(
  held: HeldWork,
  signal: AbortSignal,
  work: (held: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) if (!(await workIfTaken(held, signal, work))) await held.clock.sleep(AGAIN_MS, signal);
  await giveBack(held);
}

/** Calls `work` once, if this process gets the lease. Returns false if another process has it. */
export async function onceHeld(
  held: HeldWork,
  signal: AbortSignal,
  work: (held: AbortSignal) => Promise<void>,
): Promise<boolean> {
  return await workIfTaken(held, signal, work).finally(() => giveBack(held));
}

async function workIfTaken(
  held: HeldWork,
  signal: AbortSignal,
  work: (held: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (!(await takeLease(held))) return false;
  const lost = new AbortController();
  const renewing = renew(held, lost);
  await work(AbortSignal.any([signal, lost.signal])).finally(() => lost.abort());
  await renewing;
  return true;
}

/** Ends the lease, if this process has it. */
function giveBack({ leases, name, owner }: HeldWork): Promise<void> {
  return leases.end(name, owner).catch(() => undefined);
}

function takeLease({ leases, clock, name, owner, leaseMs = LEASE_MS }: HeldWork): Promise<boolean> {
  const now = clock.now();
  return leases.take(name, owner, now + leaseMs, now).catch(() => false);
}

/** Renews the lease until `lost` ends. Where that fails, ends `lost` before another process can have the lease. */
async function renew(held: HeldWork, lost: AbortController): Promise<void> {
  const { clock, leaseMs = LEASE_MS } = held;
  let until = clock.now() + leaseMs;
  for (;;) {
    await clock.sleep(leaseMs / 3, lost.signal);
    if (lost.signal.aborted) return;
    const now = clock.now();
    if (await takeLease(held)) until = now + leaseMs;
    else if (now + leaseMs / 2 > until) return lost.abort();
  }
}
