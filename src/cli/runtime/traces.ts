/** The tracer of this program, from the settings. */
import type { Config } from '../../config/load.ts';
import { createTracer, type Tracer } from '../../server/tracing/tracer.ts';
import { VERSION } from '../../version.ts';
import type { Logs } from '../terminal/log.ts';

/** Without a collector, calls have trace ids and nothing is loaded. */
export function tracerOf({ traces, environment, state }: Config, { traces: log }: Logs): Tracer {
  if (traces === undefined) return createTracer();
  const { url, headers, unsupported, ...sampling } = traces;
  if (unsupported !== undefined) {
    log.unsupported(unsupported);
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
