/** The fence before the first byte, and the keeper of the raw reply. */
import type { Dispatch } from '../domain/airline.ts';
import { within } from './clock.ts';
import type { Context } from './context.ts';

/** A store that is away must not hold up the reading of a reply. */
const KEEP_MS = 1_000;

export interface FencedDispatch extends Dispatch {
  /** Whether the first byte was allowed to leave. */
  readonly started: boolean;
  /** Forbids sending from now on. */
  close(): void;
}

/**
 * Allows the first byte once, within `fenceMs` of the durable dispatch and while the lease is valid. A process that slept
 * longer must not send: another may have settled the operation meanwhile.
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
      // Whether or not the store takes it in time, the reply is parsed and judged.
      const keeping = store.keepReply(id, reply).catch((error: unknown) => {
        log.warn({ operation: id, err: error }, 'the raw reply could not be kept');
      });
      await within(clock, KEEP_MS, keeping);
    },
  };
}
