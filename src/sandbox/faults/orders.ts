/**
 * Faults on demand. A fault is ordered for the nth next call of a message. Orders are stored in the state, so that
 * another process can place them.
 */
import { CarrierState } from '../state.ts';

/**
 * `commit-…`: the airline acts and its answer fails. `…-before`: it does not act. For downloads: `wrong-type` sends the file
 * as another type, `mislabelled` sends an error page as the file's type.
 */
const SANDBOX_FAULTS = [
  'commit-then-lose',
  'commit-then-hang',
  'commit-then-5xx',
  'commit-then-truncated',
  'commit-then-late',
  'commit-then-html',
  'commit-then-error',
  'late-commit',
  'lose-before',
  'hang-before',
  '5xx-before',
  '4xx-before',
  'error-before',
  'throttled',
  'unauthorized',
  'html',
  'empty-body',
  'wrong-locator',
  'slow-drip',
  'redirect',
  'wrong-type',
  'mislabelled',
  'oversized',
] as const;

export type SandboxFaultKind = (typeof SANDBOX_FAULTS)[number];

/** Messages by name (`OTA_AirBookRQ`); other calls are `token`, `routes`, `calendar`, `email` and `download`. */
export interface SandboxFault {
  /** `*` for every call. */
  readonly message: string;
  readonly kind: SandboxFaultKind;
  /** Counted from now; default 1, the next call. */
  readonly nth?: number;
  /** How many calls in a row; default 1. */
  readonly times?: number;
  /** Real milliseconds, for kinds that wait: hang (default until the caller disconnects), late, late-commit, drip per byte. */
  readonly ms?: number;
  /** HTTP status of `…5xx…`, `4xx-before`, `commit-then-error` and `error-before`. */
  readonly status?: number;
  /** Code of `commit-then-error` and `error-before`: digits, or a word such as `TIMEOUT` (default `SYSTEM_ERROR`). */
  readonly code?: string;
  /** `type` sent with a word; default `system`. */
  readonly type?: string;
  /** Seconds of `Retry-After`, for `throttled`. */
  readonly retryAfter?: number;
  /** Where `redirect` points; default a host that does not exist. */
  readonly location?: string;
  /** Bytes that `oversized` adds to the file; default 6 MiB. */
  readonly bytes?: number;
}

export function placeFault(state: CarrierState, fault: SandboxFault): void {
  const { message, nth = 1, times = 1 } = fault;
  if (!SANDBOX_FAULTS.includes(fault.kind))
    throw new Error(`no fault ${fault.kind}; known: ${SANDBOX_FAULTS.join(', ')}`);
  const columns = '(message, skip, times, fault)';
  state.run(`INSERT INTO faults ${columns} VALUES (?, ?, ?, ?)`, message, nth - 1, times, JSON.stringify(fault));
}

/** An order that has not struck yet. */
export interface OrderedFault {
  readonly message: string;
  readonly kind: string;
  /** Calls that pass before it strikes. */
  readonly skip: number;
  readonly times: number;
}

export function orderedFaults(state: CarrierState): readonly OrderedFault[] {
  return state.rows('SELECT * FROM faults ORDER BY id').map(({ message, skip, times, fault }) => {
    const { kind } = JSON.parse(String(fault)) as SandboxFault;
    return { message: String(message), kind, skip: Number(skip), times: Number(times) };
  });
}

/** Reads the orders from another process, through the airline's `stateFile`. */
export function readOrders(stateFile: string): readonly OrderedFault[] {
  const state = new CarrierState(stateFile);
  try {
    return orderedFaults(state);
  } finally {
    state.close();
  }
}

/** Orders a fault from another process, through the airline's `stateFile`. */
export function orderFault(stateFile: string, fault: SandboxFault): void {
  const state = new CarrierState(stateFile);
  try {
    placeFault(state, fault);
  } finally {
    state.close();
  }
}

/** Counts the call and returns the fault ordered for it, if any. */
export function takeFault(state: CarrierState, message: string): SandboxFault | undefined {
  // Usually there are no orders: then nothing is written.
  if (state.row('SELECT 1 FROM faults LIMIT 1') === undefined) return undefined;
  return state.change(() => {
    const orders = state.rows(`SELECT * FROM faults WHERE message IN (?, '*') ORDER BY id`, message);
    let due: SandboxFault | undefined;
    for (const order of orders) {
      const id = Number(order.id);
      if (Number(order.skip) > 0) {
        state.run('UPDATE faults SET skip = skip - 1 WHERE id = ?', id);
      } else if (due === undefined) {
        due = JSON.parse(String(order.fault)) as SandboxFault;
        state.run('UPDATE faults SET times = times - 1 WHERE id = ?', id);
      }
    }
    state.run('DELETE FROM faults WHERE times <= 0');
    return due;
  });
}
