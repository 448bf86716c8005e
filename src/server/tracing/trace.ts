/** W3C Trace Context (level 1): the trace of a call, for log lines and outgoing requests. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

export interface Trace {
  /** 32 hexadecimal digits, the caller's or a new one. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Two hexadecimal digits: `01` if the trace is recorded, else `00`. */
  readonly flags: string;
  /** As received. */
  readonly state?: string;
}

/** HTTP headers or MCP `_meta`, of which `traceparent` and `tracestate` are read. */
export type TraceFields = Readonly<Record<string, unknown>>;

/** What runs now. */
export interface Running {
  readonly trace: Trace;
  /** The operation that it is about, once known. */
  operation?: string;
}

const running = new AsyncLocalStorage<Running>();

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Visible ASCII and spaces; passed on without further parsing. */
const STATE = /^[\x20-\x7e]{1,512}$/;

/** The caller's span; undefined if it does not parse (section 3.2.2.5). */
export function receivedTrace({ traceparent, tracestate }: TraceFields): Trace | undefined {
  const parent = typeof traceparent === 'string' ? parentOf(traceparent) : undefined;
  if (parent === undefined) return undefined;
  return typeof tracestate === 'string' && STATE.test(tracestate) ? { ...parent, state: tracestate } : parent;
}

function parentOf(text: string): Trace | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = PARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  // Later versions may say more; version 00 may not.
  if (version === '00' && more !== undefined) return undefined;
  // Only the flag that level 1 knows is passed on: sampled.
  return { traceId, spanId, flags: Number.parseInt(flags, 16) % 2 === 1 ? '01' : '00' };
}

/** A new span of that trace, or of a new trace, which is not recorded. */
export function nextSpan(parent: Trace | undefined): Trace {
  const spanId = digits().slice(-16);
  return parent === undefined ? { traceId: digits(), spanId, flags: '00' } : { ...parent, spanId };
}

/** 32 hexadecimal digits, most of them random and never all 0. Node keeps random bytes ready for these alone. */
function digits(): string {
  return randomUUID().replaceAll('-', '');
}

export function runWith<T>(now: Running, work: () => T): T {
  return running.run(now, work);
}

/** Runs work that belongs to no call, such as a timer that a call happens to start. */
export function outsideTrace<T>(work: () => T): T {
  return running.exit(work);
}

export function currently(): Running | undefined {
  return running.getStore();
}

/** Fields for every log line written during a call: pino's `mixin`. */
export function traceFields(): { trace_id?: string; span_id?: string; operation?: string } {
  const now = currently();
  if (now === undefined) return {};
  const { trace, operation } = now;
  return { trace_id: trace.traceId, span_id: trace.spanId, operation };
}

export function traceparentOf({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

/** Headers that carry the trace to the airline: the hook for whoever sends (never the caller's own headers). */
export function outgoingTrace(): Record<string, string> {
  const trace = currently()?.trace;
  if (trace === undefined) return {};
  return { traceparent: traceparentOf(trace), ...(trace.state !== undefined && { tracestate: trace.state }) };
}
