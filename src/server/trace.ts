/** W3C Trace Context (level 1): the trace of a call, for log lines and outgoing requests. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface Trace {
  /** 32 hexadecimal digits, the caller's or a new one. */
  readonly traceId: string;
  /** 16 hexadecimal digits: this call's own span. */
  readonly spanId: string;
  /** Two hexadecimal digits as received; `00` for a new trace. */
  readonly flags: string;
  /** As received. */
  readonly state?: string;
}

/** From HTTP headers or MCP `_meta`. */
export interface TraceFields {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}

const running = new AsyncLocalStorage<Trace>();

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Visible ASCII and spaces; passed on without further parsing. */
const STATE = /^[\x20-\x7e]{1,512}$/;

/** Continues a caller's trace, or begins a new one if it does not parse (section 3.2.2.5). */
export function traceOf({ traceparent, tracestate }: TraceFields): Trace {
  const spanId = randomBytes(8).toString('hex');
  const parent = continuedTrace({ traceparent });
  if (parent === undefined) return { traceId: randomBytes(16).toString('hex'), spanId, flags: '00' };
  const state = typeof tracestate === 'string' && STATE.test(tracestate) ? { state: tracestate } : {};
  return { ...parent, spanId, ...state };
}

/** The caller's trace; undefined if there is none that parses. */
export function continuedTrace({ traceparent }: TraceFields): Pick<Trace, 'traceId' | 'flags'> | undefined {
  return typeof traceparent === 'string' ? parentOf(traceparent) : undefined;
}

function parentOf(text: string): Pick<Trace, 'traceId' | 'flags'> | undefined {
  const [, version, traceId = '', parentId = '', flags = '', more] = PARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  // Later versions may say more; version 00 may not.
  if (version === '00' && more !== undefined) return undefined;
  // Only the flag that level 1 knows is passed on: sampled.
  return { traceId, flags: Number.parseInt(flags, 16) % 2 === 1 ? '01' : '00' };
}

export function withTrace<T>(trace: Trace, run: () => T): T {
  return running.run(trace, run);
}

export function currentTrace(): Trace | undefined {
  return running.getStore();
}

/** Fields for every log line written during a call: pino's `mixin`. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const trace = currentTrace();
  return trace === undefined ? {} : { trace_id: trace.traceId, span_id: trace.spanId };
}

/** Headers that carry the trace to the airline: the hook for whoever sends (never the caller's own headers). */
export function outgoingTrace(): Record<string, string> {
  const trace = currentTrace();
  if (trace === undefined) return {};
  const { traceId, spanId, flags, state } = trace;
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state !== undefined && { tracestate: state }) };
}
