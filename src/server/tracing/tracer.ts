/** Runs work as spans: their ids go into log lines and requests, and a recorder, if there is one, keeps the spans. */

import { ClerkError } from '../../core/errors.ts';
import type { SpanAbout, SpanFields, Tracing } from '../../journal/ports.ts';
import {
  currently,
  nextSpan,
  type Running,
  receivedTrace,
  runWith,
  type Trace,
  type TraceFields,
  traceparentOf,
} from './trace.ts';

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

/** `outer`: what it runs in, such as the HTTP request of a call. */
type RunningSpan = Running & { readonly recorded?: RecordedSpan; readonly outer?: RunningSpan };

const now = currently as () => RunningSpan | undefined;

/** @param open loads the recorder, with the first span. Absent: spans have ids and are recorded nowhere. */
export function createTracer(open?: () => Promise<Recorder>): Tracer {
  let opened: Promise<Recorder | undefined> | undefined;

  async function run<T>(about: SpanAbout, parent: Trace | undefined, work: () => Promise<T>): Promise<T> {
    // Without its recorder the work goes on.
    if (open !== undefined) opened ??= open().catch(() => undefined);
    const recorder = opened && (await opened);
    const before = now();
    const other = before?.trace.traceId === parent?.traceId ? undefined : before;
    const recorded = recorder?.start(about, parent, other ? [other.trace] : []);
    if (other !== undefined && parent !== undefined) other.recorded?.link(parent);
    const operation = about.operation ?? before?.operation;
    const trace = recorded?.trace ?? nextSpan(parent);
    const span: RunningSpan = { trace, recorded, operation, outer: before };
    return runWith(span, async () => {
      try {
        return await work();
      } catch (error) {
        recorded?.fail(typeOf(error));
        throw error;
      } finally {
        recorded?.end();
      }
    });
  }

  return {
    current() {
      const running = now();
      return running && traceparentOf(running.trace);
    },
    about(operation) {
      const running = now();
      if (running === undefined) return;
      running.operation = operation;
      for (let { outer } = running; outer !== undefined; outer = outer.outer) outer.operation ??= operation;
      running.recorded?.mark({ 'fareclerk.operation.id': operation });
    },
    mark: (fields, event) => now()?.recorded?.mark(fields, event),
    fail: (type) => now()?.recorded?.fail(type),
    span(about, work) {
      const running = now()?.trace;
      const kept = receivedTrace({ traceparent: about.of });
      return run(about, kept === undefined || kept.traceId === running?.traceId ? running : kept, work);
    },
    serve: (carried, about, work) => run(about, receivedTrace(carried) ?? now()?.trace, work),
    async close() {
      await (await opened)?.close();
    },
  };
}

/** Never the message: it may hold personal data. */
function typeOf(error: unknown): string {
  if (error instanceof ClerkError) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}

/** Records nowhere. */
export const plainTracer = createTracer();
