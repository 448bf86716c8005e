/**
 * Sends spans to a collector by OTLP over HTTP (OpenTelemetry). It is loaded only if the settings name a collector. If the
 * collector is away, slow or full, spans are lost and nothing else: the queue is bounded, and nobody waits for it.
 */
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace as spans,
  TraceFlags,
} from '@opentelemetry/api';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { late, systemClock, within } from '../journal/clock.ts';
import type { SpanAbout, SpanFields } from '../journal/ports.ts';
import type { RecordedSpan, Recorder, Trace } from './tracer.ts';

/** OpenTelemetry's kind of a span, by ours. */
const KINDS: Readonly<Record<NonNullable<SpanAbout['kind']>, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
};

/** How long one request may take, milliseconds. There are at most two at once. */
const SEND_MS = 2_000;
/** Time between two requests, milliseconds. */
const EVERY_MS = 1_000;
/** Time for the spans that are left when the program ends, milliseconds. */
const CLOSE_MS = 1_000;
/** Lost spans are reported at most so often, milliseconds. */
const LOST_EVERY_MS = 10 * 60_000;

interface OtlpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of this process, for every span. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win. */
  readonly resource: SpanFields;
  readonly version: string;
  /** Spans were lost. Called at most every ten minutes. */
  lost(): void;
}

/** Creates a recorder that sends spans to a collector: of each trace, unless the caller's is not recorded. */
export function openOtlp({ url, headers, resource, version, lost }: OtlpOptions): Recorder {
  const reportLost = atMostEveryTenMinutes(lost);
  listenForLoss(reportLost);

  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'fareclerk', 'service.version': version, ...resource }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_MS, concurrencyLimit: 2 }),
        maxQueueSize: 2_048,
        maxExportBatchSize: 256,
        scheduledDelayMillis: EVERY_MS,
        exportTimeoutMillis: SEND_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('fareclerk', version);

  return {
    start({ name, kind, fields = {}, operation }, parent) {
      const attributes = { ...fields, ...(operation !== undefined && { 'fareclerk.operation.id': operation }) };
      const options = { kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind], attributes };
      return recordedSpan(tracer.startSpan(name, options, parentContext(parent)), parent);
    },

    async close() {
      const sent = provider.shutdown().catch(reportLost);
      if ((await within(systemClock, CLOSE_MS, sent)) === late) reportLost();
    },
  };
}

/** The headers of OTEL_EXPORTER_OTLP_HEADERS: `api-key=abc,other=1`. */
export function headersFrom(text: string | undefined): Record<string, string> {
  return parseKeyPairsIntoRecord(text);
}

/** Wraps a span of OpenTelemetry for our tracer. */
function recordedSpan(span: Span, parent: Trace | undefined): RecordedSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = (traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01';

  return {
    trace: { traceId, spanId, flags, state: parent?.state },

    // Work may go on after its span, such as a send whose caller has its answer already.
    mark(fields, event) {
      if (!span.isRecording()) return;
      span.setAttributes(fields);
      if (event !== undefined) span.addEvent(event, fields);
    },

    fail(type) {
      if (span.isRecording()) span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
    },

    end: () => span.end(),
  };
}

/** The context in which a new span is the child of `parent`. */
function parentContext(parent: Trace | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT;

  const { traceId, spanId, flags } = parent;
  return spans.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}

/** Calls `report` for every failed request that OpenTelemetry logs. Drops its texts: they may quote the collector. */
function listenForLoss(report: () => void): void {
  const ignore = () => undefined;
  diag.setLogger({ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}

/** Calls `report` at most once in ten minutes. */
function atMostEveryTenMinutes(report: () => void): () => void {
  let nextAt = 0;
  return () => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + LOST_EVERY_MS;
    report();
  };
}
