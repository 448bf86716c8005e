/** Renews the lease of an operation while its process runs it. */
import type { Context } from './context.ts';
import type { Operation } from './operation.ts';

export interface LeaseHeartbeat {
  /** Until then the operation belongs to this process. */
  leaseUntil: number;
  stop(): void;
}

export function startLeaseHeartbeat(context: Context, operation: Operation): LeaseHeartbeat {
  const stopped = new AbortController();
  const heartbeat: LeaseHeartbeat = { leaseUntil: operation.leaseUntil, stop: () => stopped.abort('over') };
  void beat(context, operation.id, heartbeat, stopped.signal);
  return heartbeat;
}

async function beat(context: Context, id: string, heartbeat: LeaseHeartbeat, stopped: AbortSignal): Promise<void> {
  const { clock, store, owner, leaseMs, log } = context;
  for (;;) {
    await clock.sleep(leaseMs / 3, stopped);
    if (stopped.aborted) return;
    const now = clock.now();
    try {
      if (!(await store.lease(id, owner, now + leaseMs, now))) return;
      heartbeat.leaseUntil = Math.max(heartbeat.leaseUntil, now + leaseMs);
    } catch (error) {
      log.warn({ operation: id, err: error }, 'the lease could not be renewed');
    }
  }
}
