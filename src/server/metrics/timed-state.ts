/** Times the requests to the state store by kind of work, without SQL in the labels. */

import { ClerkError, isOwnFailure } from '../../core/errors.ts';
import { own } from '../../core/own.ts';

/** Reports its duration and whether the store failed. */
type Observe = (work: string, seconds: number, failed: boolean) => void;

const WRITES = new Set(['insert', 'transition', 'lease', 'note', 'keepReply']);
/** Take long by design, so they must not hide slow reads. */
const REPORTS = new Set(['activity', 'counted', 'verify']);

/** By part of the state: its kind of work, for a method. Each kind is nine series: few, and those that slow each other. */
const WORK: Readonly<Record<string, (method: string) => string>> = {
  operations(method) {
    if (WRITES.has(method)) return 'journal_write';
    return REPORTS.has(method) ? 'report' : 'journal_read';
  },
  chain: () => 'journal_read',
  approvals: () => 'approvals',
  unseenDialogs: () => 'approvals',
  plans: () => 'approvals',
  offers: () => 'bookings',
  ledger: () => 'bookings',
  claims: () => 'bookings',
  findings: () => 'bookings',
  watches: () => 'bookings',
  outbox: () => 'events',
  deliveries: () => 'events',
  ticketKeys: () => 'other',
  leases: () => 'other',
  logins: () => 'other',
};

/** The same state; each of its parts reports how long its methods take. */
export function timedState<S extends object>(state: S, observe: Observe): S {
  const parts = Object.entries(state).map(([name, part]: [string, unknown]) => {
    const workOf = own(WORK, name);
    const isPart = workOf !== undefined && typeof part === 'object' && part !== null;
    return [name, isPart ? timedPart(part, workOf, observe) : part] as const;
  });
  return { ...state, ...Object.fromEntries(parts) };
}

function timedPart(part: object, workOf: (method: string) => string, observe: Observe): object {
  const timed = new Map<string | symbol, unknown>();
  return new Proxy(part, {
    get(target, name) {
      const known = timed.get(name);
      if (known !== undefined) return known;
      // Private fields need the part itself, not its proxy.
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || typeof name === 'symbol') return value;
      const method = timedMethod(target, value as Method, workOf(name), observe);
      timed.set(name, method);
      return method;
    },
  });
}

type Method = (...args: unknown[]) => unknown;

function timedMethod(target: object, method: Method, work: string, observe: Observe): Method {
  return (...args) => {
    const began = performance.now();
    const ended = (error?: unknown) => observe(work, (performance.now() - began) / 1000, isFailure(error));
    try {
      const answer = method.apply(target, args);
      if (!(answer instanceof Promise)) ended();
      else answer.then(() => ended(), ended);
      return answer;
    } catch (error) {
      ended(error);
      throw error;
    }
  };
}

/** A refusal, such as a stopped journal, is an answer of the store. */
function isFailure(error: unknown): boolean {
  return error !== undefined && (!(error instanceof ClerkError) || isOwnFailure(error));
}
