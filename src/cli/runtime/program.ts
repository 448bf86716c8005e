/**
 * What a process works with, in the order in which it is made: logs, tracer, state, airline and journal. The first call opens the state
 * and loads heavy code, so listing tools is fast. The clerk over it: compose.ts.
 */
import { existsSync } from 'node:fs';
import type { Config } from '../../config/load.ts';
import { VERSION } from '../../core/version.ts';
import { CallCounter } from '../../ledger/call-counter.ts';
import type { State } from '../../store/state.ts';
import { createTracer, outsideTrace, type Tracer } from '../../tracing/tracer.ts';
import { createLogs, type Logs } from '../terminal/log.ts';
import type { openRuntime, RuntimeExtras } from './open-runtime.ts';

export type Program = ReturnType<typeof createProgram>;

/**
 * Opens nothing yet. Its `state` and `open` open the state, and everything else that calls need, once each. After a failure the next call
 * tries again. Timers live longer than the call that opens them, so they do not belong to its trace.
 */
export function createProgram(config: Config, extras: RuntimeExtras = {}) {
  const logs = createLogs(config);
  const tracer = openTracer(config, logs);
  for (const ignored of config.ignoredVariables) logs.traces.ignored(ignored);

  /** Undefined before the first call, and after a failure. */
  let opening: Promise<State> | undefined;
  /** Whether the last try to open the state failed. */
  let hasFailed = false;
  let runtime: Awaited<ReturnType<typeof openRuntime>> | undefined;

  const state = (): Promise<State> => {
    hasFailed = false;
    opening ??= outsideTrace(() => openState(config, logs, extras)).catch((error) => {
      opening = undefined;
      hasFailed = true;
      throw error;
    });
    return opening;
  };

  // A count alone does not create the state, and does not wait for one that could not be opened just now.
  const canBeOpened = () => !hasFailed && hasState(config);
  const counter = new CallCounter({
    records: async () => (opening !== undefined || canBeOpened() ? (await state()).callRecords : undefined),
  });

  return {
    config,
    logs,
    tracer,
    counter,
    /** Whether this process reads bookings again. */
    watches: extras.watches === true,
    state,
    isOpen: () => runtime !== undefined,

    async open() {
      const { openRuntime } = await import('./open-runtime.ts');
      const shared = { logs, tracer, state: await state(), extras: { ...extras, counter } };
      runtime = await outsideTrace(() => openRuntime(config, shared));
      return runtime;
    },

    async close() {
      await runtime?.close();
      await counter.close();
      await (await opening)?.close();
      await tracer.close();
    },
  };
}

/** Whether there is a state that can be opened, and need not be made. */
export function hasState({ state: { databaseUrl, file } }: Config): boolean {
  return databaseUrl !== undefined || existsSync(file);
}

async function openState(config: Config, logs: Logs, { metrics, watches }: RuntimeExtras): Promise<State> {
  const stores = await import('./open-state.ts');
  const state = await stores.openState(config, {
    // Only `serve --http` watches bookings.
    isServer: watches,
    noticed: logs.journal.held,
    tookOver: logs.journal.tookOver,
    waited: metrics?.observeJournalWait,
  });
  return metrics?.timeState(state) ?? state;
}

/** Opens the tracer. Without a collector, calls have trace ids and nothing is loaded. */
function openTracer({ traces, environment, state }: Config, { traces: log }: Logs): Tracer {
  if (traces === undefined) return createTracer();

  const { url, headers, isSupported } = traces;
  if (!isSupported) {
    log.unsupported();
    return createTracer();
  }

  return createTracer(async () => {
    const { openOtlp, headersFrom } = await import('../../tracing/otlp.ts');
    return openOtlp({
      url,
      headers: headersFrom(headers?.reveal()),
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
