/** Traces of this program: of its calls, and of its requests to the airline. */
import type { Config } from '../../config/load.ts';
import { TransportFailure } from '../../ota/errors/transport-failure.ts';
import type { TraceExchange } from '../../ota/options.ts';
import { outgoingTrace } from '../../server/trace.ts';
import { createTracer, type Tracer } from '../../server/tracing/tracer.ts';
import { VERSION } from '../../version.ts';
import type { Logs } from '../terminal/log.ts';

/** Without a collector, calls have trace ids and nothing is loaded. */
export function tracerOf({ traces, environment, state }: Config, { traces: log }: Logs): Tracer {
  if (traces === undefined) return createTracer();
  const { url, headers, unsupported, ...sampling } = traces;
  if (unsupported !== undefined) {
    log.unsupported();
    return createTracer();
  }
  return createTracer(async () => {
    const { openOtlp, headersFrom } = await import('../../server/tracing/otlp.ts');
    return openOtlp({
      url,
      headers: headersFrom(headers?.reveal()),
      ...sampling,
      version: VERSION,
      resource: {
        'service.instance.id': crypto.randomUUID(),
        'fareclerk.environment': environment,
        'fareclerk.store': state.databaseUrl === undefined ? 'sqlite' : 'postgresql',
      },
      lost: log.lost,
    });
  });
}

/** Each request to the airline as a span of its own (semantic conventions of HTTP clients). */
export function tracedExchange(tracer: Tracer): TraceExchange {
  return ({ operation, attempt, method, url }, send) => {
    const { hostname, port, protocol } = new URL(url);
    const fields = {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'fareclerk.airline.operation': operation,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
    return tracer.span({ name: `${method} ${operation}`, kind: 'client', fields }, async () => {
      try {
        const reply = await send(outgoingTrace());
        tracer.mark({ 'http.response.status_code': reply.status });
        if (reply.status >= 400) tracer.fail(String(reply.status));
        return reply;
      } catch (error) {
        if (error instanceof TransportFailure) tracer.mark({ 'fareclerk.airline.failure': error.kind });
        throw error;
      }
    });
  };
}
