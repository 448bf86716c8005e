/**
 * Runs work as spans of a trace (W3C Trace Context, level 1): their ids go into log lines and requests, and a recorder, if there
 * is one, keeps the spans. In order: spans and their recorder, the tracer, what running work carries, `traceparent` as text.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { ClerkError } from '../core/errors.ts';
import type { SpanAbout, SpanFields, Tracing } from '../journal/ports.ts';

/** Matches a `traceparent`: version, trace id, span id, flags, and what later versions add. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Matches a `tracestate`: visible ASCII and spaces, passed on without further parsing. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** One span of a trace. */
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

/** One span that is recorded. */
export interface RecordedSpan {
  readonly trace: Trace;
  mark(fields: SpanFields, event?: string): void;
  fail(type: string): void;
  end(): void;
}

/** Keeps spans and sends them to a collector. */
export interface Recorder {
  start(about: SpanAbout, parent: Trace | undefined): RecordedSpan;
  /** Sends what is left. Takes a second at most, whatever the collector does. */
  close(): Promise<void>;
}

export interface Tracer extends Tracing {
  /** Runs the work of a request. It continues the trace that the request carries; otherwise, the running one. */
  serve<T>(carried: TraceFields, about: SpanAbout, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The span in which code runs. */
interface RunningSpan {
  readonly trace: Trace;
  /** Absent without a recorder. */
  readonly recorded: RecordedSpan | undefined;
  /** The span around it, such as that of the HTTP request of a call. */
  readonly outer: RunningSpan | undefined;
  /** The operation that it is about, once known. */
  operation: string | undefined;
}

const runningSpan = new AsyncLocalStorage<RunningSpan>();

/** @param open loads the recorder, with the first span. Absent: spans have ids and are recorded nowhere. */
export function createTracer(open?: () => Promise<Recorder>): Tracer {
  let opening: Promise<Recorder | undefined> | undefined;

  /** Runs work as a new span below `parent`. */
  async function inSpan<T>(about: SpanAbout, parent: Trace | undefined, work: () => Promise<T>): Promise<T> {
    // If the recorder cannot be loaded, the work goes on without it.
    if (open !== undefined) opening ??= open().catch(() => undefined);
    const recorder = opening && (await opening);
    const outer = runningSpan.getStore();
    const recorded = recorder?.start(about, parent);
    const trace = recorded?.trace ?? nextSpan(parent);
    const span: RunningSpan = { trace, recorded, outer, operation: about.operation ?? outer?.operation };

    async function workAndEnd(): Promise<T> {
      try {
        return await work();
      } catch (error) {
        recorded?.fail(errorType(error));
        throw error;
      } finally {
        recorded?.end();
      }
    }

    return runningSpan.run(span, workAndEnd);
  }

  return {
    current() {
      const span = runningSpan.getStore();
      return span && writeTraceparent(span.trace);
    },

    about(operation) {
      const span = runningSpan.getStore();
      if (span === undefined) return;
      span.operation = operation;
      // The spans around it keep the operation that they name already.
      for (let { outer } = span; outer !== undefined; outer = outer.outer) outer.operation ??= operation;
      span.recorded?.mark({ 'fareclerk.operation.id': operation });
    },

    mark: (fields, event) => runningSpan.getStore()?.recorded?.mark(fields, event),
    fail: (type) => runningSpan.getStore()?.recorded?.fail(type),
    span: (about, work) => inSpan(about, runningSpan.getStore()?.trace, work),
    serve: (carried, about, work) => inSpan(about, receivedTrace(carried) ?? runningSpan.getStore()?.trace, work),

    async close() {
      await (await opening)?.close();
    },
  };
}

/** A tracer that records nowhere. */
export const plainTracer = createTracer();

/** What kind of error it was. Never its message: that may hold personal data. */
function errorType(error: unknown): string {
  if (error instanceof ClerkError) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}

/** Fields for every log line written during a call: pino's `mixin`. */
export function traceFields(): { trace_id?: string; span_id?: string; operation?: string } {
  const span = runningSpan.getStore();
  if (span === undefined) return {};
  const { trace, operation } = span;
  return { trace_id: trace.traceId, span_id: trace.spanId, operation };
}

/** Headers that carry the trace to the airline: the hook for whoever sends (never the caller's own headers). */
export function outgoingTrace(): Record<string, string> {
  const trace = runningSpan.getStore()?.trace;
  if (trace === undefined) return {};
  return { traceparent: writeTraceparent(trace), ...(trace.state !== undefined && { tracestate: trace.state }) };
}

/** Runs work that belongs to no call, such as a timer that a call happens to start. */
export function outsideTrace<T>(work: () => T): T {
  return runningSpan.exit(work);
}

/** Reads the caller's span; undefined if it does not parse (section 3.2.2.5). */
function receivedTrace({ traceparent, tracestate }: TraceFields): Trace | undefined {
  const trace = typeof traceparent === 'string' ? readTraceparent(traceparent) : undefined;
  if (trace === undefined) return undefined;
  return typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? { ...trace, state: tracestate } : trace;
}

function readTraceparent(text: string): Trace | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text) ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  // Later versions may say more; version 00 may not.
  if (version === '00' && more !== undefined) return undefined;
  // Only the flag that level 1 knows is passed on: sampled.
  return { traceId, spanId, flags: Number.parseInt(flags, 16) % 2 === 1 ? '01' : '00' };
}

function writeTraceparent({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

/** Makes a new span of the parent's trace; without a parent, of a new trace, which is not recorded. */
export function nextSpan(parent: Trace | undefined): Trace {
  const spanId = randomDigits().slice(-16);
  return parent === undefined ? { traceId: randomDigits(), spanId, flags: '00' } : { ...parent, spanId };
}

/** Returns 32 hexadecimal digits, never all 0. Made from a UUID, because Node keeps random bytes ready only for those. */
function randomDigits(): string {
  return randomUUID().replaceAll('-', '');
}
