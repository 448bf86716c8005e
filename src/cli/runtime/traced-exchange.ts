/** Each request to the airline as a span of its own (semantic conventions of HTTP clients). */
import { TransportFailure } from '../../ota/errors/transport-failure.ts';
import type { TraceExchange } from '../../ota/options.ts';
import { partsOf } from '../../ota/transport/addresses.ts';
import { outgoingTrace } from '../../server/trace.ts';
import type { Tracer } from '../../server/tracing/tracer.ts';

export function tracedExchange(tracer: Tracer): TraceExchange {
  return ({ operation, attempt, method, url }, send) => {
    const { hostname, port, protocol } = partsOf(url);
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
