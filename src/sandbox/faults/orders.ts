/**
 * Things that go wrong on demand. A fault is ordered for the nth coming call of a message; orders lie in the state, so
 * that another process can place them.
 */
import { CarrierState } from '../state.ts';

/** `commit-…`: the airline did it, and the answer suffers. `…-before`: it did nothing. */
export const SANDBOX_FAULTS = [
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
] as const;

export type SandboxFaultKind = (typeof SANDBOX_FAULTS)[number];

/** Messages by name (`OTA_AirBookRQ`); other calls are `token`, `routes`, `calendar`, `email` and `download`. */
export interface SandboxFault {
  /** `*` for every call. */
  readonly message: string;
  readonly kind: SandboxFaultKind;
  /** Of the calls from now on; default 1, the next. */
  readonly nth?: number;
  /** How many calls in a row; default 1. */
  readonly times?: number;
  /** Real milliseconds, for kinds that wait: hang (default until the caller goes), late, late-commit, drip per byte. */
  readonly ms?: number;
  /** HTTP status of `…5xx…`, `4xx-before`, `commit-then-error` and `error-before`. */
  readonly status?: number;
  /** Code of `commit-then-error` and `error-before`: digits, or a word such as `TIMEOUT` (default `SYSTEM_ERROR`). */
  readonly code?: string;
  /** `type` beside a word; default `system`. */
  readonly type?: string;
  /** Seconds of `Retry-After`, for `throttled`. */
  readonly retryAfter?: number;
}

export function placeFault(state: CarrierState, fault: SandboxFault): void {
  const { message, nth = 1, times = 1 } = fault;
  if (!SANDBOX_FAULTS.includes(fault.kind))
    throw new Error(`no fault ${fault.kind}; known: ${SANDBOX_FAULTS.join(', ')}`);
  const columns = '(message, skip, times, fault)';
  state.run(`INSERT INTO faults ${columns} VALUES (?, ?, ?, ?)`, message, nth - 1, times, JSON.stringify(fault));
}

/** Orders a fault of the airline whose state lies in `stateFile`, from another process. */
export function orderFault(stateFile: string, fault: SandboxFault): void {
  const state = new CarrierState(stateFile);
  try {
    placeFault(state, fault);
  } finally {
    state.close();
  }
}

/** The fault of this call, if one was ordered; counts the call. */
export function takeFault(state: CarrierState, message: string): SandboxFault | undefined {
  // Without orders, which is the rule, nothing is written.
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
