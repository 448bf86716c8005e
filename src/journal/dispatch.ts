/**
 * The fence before the first byte, and the keeper of the raw reply.
 */
import type { Dispatch } from '../domain/airline.ts';
import type { Context } from './context.ts';

export interface FencedDispatch extends Dispatch {
  /** Whether the first byte was allowed to leave. */
  readonly started: boolean;
  /** Nothing may leave any more. */
  close(): void;
}

/**
 * The first byte may leave once, within `fenceMs` of the durable dispatch and while the lease holds. A process that
 * slept longer than that must not wake up and send: another may have settled the operation meanwhile.
 */
export function fencedDispatch(
  context: Context,
  id: string,
  dispatchedAt: number,
  leaseUntil: () => number,
): FencedDispatch {
  const { clock, fenceMs, store, log } = context;
  let started = false;
  let closed = false;
  return {
    get started() {
      return started;
    },
    close() {
      closed = true;
    },
    mayStart() {
      const now = clock.now();
      if (started || closed || now < dispatchedAt || now - dispatchedAt > fenceMs || now >= leaseUntil()) return false;
      started = true;
      return true;
    },
    async keep(reply) {
      try {
        await store.keepReply(id, reply);
      } catch (error) {
        // A reply that cannot be kept is still a reply: it is parsed, and judged, all the same.
        log.warn({ operation: id, err: error }, 'the raw reply could not be kept');
      }
    },
  };
}
