/**
 * Things that go wrong on demand. A mishap is ordered for the nth coming call of a message; orders lie in the state, so
 * that another process can place them.
 */
import { CarrierState } from '../state.ts';

/** `commit-…`: the airline did it, and the answer suffers. `…-before`: it did nothing. */
export const MISHAP_KINDS = [
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

export type MishapKind = (typeof MISHAP_KINDS)[number];

/** Messages by name (`OTA_AirBookRQ`); other calls are `token`, `routes`, `calendar`, `email` and `download`. */
export interface Mishap {
  /** `*` for every call. */
  readonly message: string;
  readonly kind: MishapKind;
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

export function placeMishap(state: CarrierState, mishap: Mishap): void {
  const { message, nth = 1, times = 1 } = mishap;
  if (!MISHAP_KINDS.includes(mishap.kind))
    throw new Error(`no mishap ${mishap.kind}; known: ${MISHAP_KINDS.join(', ')}`);
  const columns = '(message, skip, times, mishap)';
  state.run(`INSERT INTO mishaps ${columns} VALUES (?, ?, ?, ?)`, message, nth - 1, times, JSON.stringify(mishap));
}

/** Orders a mishap of the airline whose state lies in `stateFile`, from another process. */
export function orderMishap(stateFile: string, mishap: Mishap): void {
  const state = new CarrierState(stateFile);
  try {
    placeMishap(state, mishap);
  } finally {
    state.close();
  }
}

/** The mishap of this call, if one was ordered; counts the call. */
export function takeMishap(state: CarrierState, message: string): Mishap | undefined {
  // Without orders, which is the rule, nothing is written.
  if (state.row('SELECT 1 FROM mishaps LIMIT 1') === undefined) return undefined;
  return state.change(() => {
    const orders = state.rows(`SELECT * FROM mishaps WHERE message IN (?, '*') ORDER BY id`, message);
    let due: Mishap | undefined;
    for (const order of orders) {
      const id = Number(order.id);
      if (Number(order.skip) > 0) {
        state.run('UPDATE mishaps SET skip = skip - 1 WHERE id = ?', id);
      } else if (due === undefined) {
        due = JSON.parse(String(order.mishap)) as Mishap;
        state.run('UPDATE mishaps SET times = times - 1 WHERE id = ?', id);
      }
    }
    state.run('DELETE FROM mishaps WHERE times <= 0');
    return due;
  });
}
