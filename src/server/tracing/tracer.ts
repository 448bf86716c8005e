/**
 * Runs work as spans of a trace (W3C Trace Context, level 1): their ids go into log lines and requests, and a recorder, if there
 * is one, keeps the spans.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { ClerkError } from '../../core/errors.ts';
import type { SpanAbout, SpanFields, Tracing } from '../../journal/ports.ts';

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Visible ASCII and spaces; passed on without further parsing. */
const STATE = /^[\x20-\x7e]{1,512}$/;

/** One span that is recorded. */
export interface RecordedSpan {
  readonly trace: Trace;
  mark(fields: SpanFields, event?: string): void;
  fail(type: string): void;
  link(to: Trace): void;
  end(): void;
}

/** Keeps spans and sends them to a collector. */
export interface Recorder {
  start(about: SpanAbout, parent: Trace | undefined, links: readonly Trace[]): RecordedSpan;
  /** Sends what is left. Takes a second at most, whatever the collector does. */
  close(): Promise<void>;
}

export interface Tracer extends Tracing {
  /** Runs the work of a request. It continues the trace that the request carries; otherwise, the running one. */
  serve<T>(carried: TraceFields, about: SpanAbout, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The span in which code runs. `outer`: the span around it, such as that of the HTTP request of a call. */
type RunningSpan = Running & { readonly recorded?: RecordedSpan; readonly outer?: RunningSpan };

const currentSpan = currently as () => RunningSpan | undefined;

/** @param open loads the recorder, with the first span. Absent: spans have ids and are recorded nowhere. */
export function createTracer(open?: () => Promise<Recorder>): Tracer {
  let opening: Promise<Recorder | undefined> | undefined;

  async function run<T>(about: SpanAbout, parent: Trace | undefined, work: () => Promise<T>): Promise<T> {
    // If the recorder cannot be loaded, the work goes on without it.
    if (open !== undefined) opening ??= open().catch(() => undefined);
    const recorder = opening && (await opening);
    const outer = currentSpan();
    // A span of another trace is not the parent: the two are linked.
    const outsideParent = outer?.trace.traceId === parent?.traceId ? undefined : outer;
    const recorded = recorder?.start(about, parent, outsideParent ? [outsideParent.trace] : []);
    if (outsideParent !== undefined && parent !== undefined) outsideParent.recorded?.link(parent);
    const operation = about.operation ?? outer?.operation;
    const trace = recorded?.trace ?? nextSpan(parent);
    const span: RunningSpan = { trace, recorded, operation, outer };
    return storage.run(span, async () => {
      try {
        return await work();
      } catch (error) {
        recorded?.fail(errorType(error));
        throw error;
      } finally {
        recorded?.end();
      }
    });
  }

  return {
    current() {
      const span = currentSpan();
      return span && writeTraceparent(span.trace);
    },
    about(operation) {
      const span = currentSpan();
      if (span === undefined) return;
      span.operation = operation;
      for (let { outer } = span; outer !== undefined; outer = outer.outer) outer.operation ??= operation;
      span.recorded?.mark({ 'fareclerk.operation.id': operation });
    },
    mark: (fields, event) => currentSpan()?.recorded?.mark(fields, event),
    fail: (type) => currentSpan()?.recorded?.fail(type),
    span(about, work) {
      const running = currentSpan()?.trace;
      const storedTrace = receivedTrace({ traceparent: about.of });
      const isRunning = storedTrace === undefined || storedTrace.traceId === running?.traceId;
      return run(about, isRunning ? running : storedTrace, work);
    },
    serve: (carried, about, work) => run(about, receivedTrace(carried) ?? currentSpan()?.trace, work),
    async close() {
      await (await opening)?.close();
    },
  };
}

/** What kind of error it was. Never its message: that may hold personal data. */
function errorType(error: unknown): string {
  if (error instanceof ClerkError) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}

/** A tracer that records nowhere. */
export const plainTracer = createTracer();

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
type TraceFields = Readonly<Record<string, unknown>>;

/** The span in which the code runs now. */
interface Running {
  readonly trace: Trace;
  /** The operation that it is about, once known. */
  operation?: string;
}

const storage = new AsyncLocalStorage<Running>();

/** The caller's span; undefined if it does not parse (section 3.2.2.5). */
function receivedTrace({ traceparent, tracestate }: TraceFields): Trace | undefined {
  const parent = typeof traceparent === 'string' ? readParent(traceparent) : undefined;
  if (parent === undefined) return undefined;
  return typeof tracestate === 'string' && STATE.test(tracestate) ? { ...parent, state: tracestate } : parent;
}

function readParent(text: string): Trace | undefined {
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

/** 32 hexadecimal digits, most of them random and never all 0. Made from a UUID, because Node keeps random bytes ready only for those. */
function digits(): string {
  return randomUUID().replaceAll('-', '');
}

/** Runs work that belongs to no call, such as a timer that a call happens to start. */
export function outsideTrace<T>(work: () => T): T {
  return storage.exit(work);
}

function currently(): Running | undefined {
  return storage.getStore();
}

/** Fields for every log line written during a call: pino's `mixin`. */
export function traceFields(): { trace_id?: string; span_id?: string; operation?: string } {
  const current = currently();
  if (current === undefined) return {};
  const { trace, operation } = current;
  return { trace_id: trace.traceId, span_id: trace.spanId, operation };
}

function writeTraceparent({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

/** Headers that carry the trace to the airline: the hook for whoever sends (never the caller's own headers). */
export function outgoingTrace(): Record<string, string> {
  const trace = currently()?.trace;
  if (trace === undefined) return {};
  return { traceparent: writeTraceparent(trace), ...(trace.state !== undefined && { tracestate: trace.state }) };
}
