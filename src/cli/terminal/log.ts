/**
 * Logs on stderr, one JSON line each, by pino (loaded with the first line). Only the fields named here are ever written:
 * no arguments, no names, no bodies, no locators.
 */
import type { Logger } from 'pino';
import type { Config } from '../../config/load.ts';
import type { CallLogEntry, OtaLog } from '../../ota/options.ts';
import type { ClerkLog } from '../../server/clerk.ts';
import type { HttpLog } from '../../server/http/router.ts';
import { sourceStack } from './source-stack.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';
const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
type Fields = Readonly<Record<string, unknown>>;

export interface Logs {
  readonly clerk: ClerkLog;
  readonly airline: OtaLog;
  readonly http: HttpLog;
  readonly journal: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    /** The journal went backwards: numbers of the chain, and nothing else. */
    held(hold: { readonly seen: { readonly n: number }; readonly head: { readonly n: number } }): void;
  };
}

/** Where something failed, without the words of the error: those may hold a person's data or a secret. */
function failed(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  const code: unknown = 'code' in error ? error.code : undefined;
  const frames = sourceStack(error)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    ...(typeof code === 'string' && { code }),
    at: frames.slice(0, 8).map((line) => line.trim()),
  };
}

async function openLogger({ level, pretty }: Config['log']): Promise<Logger> {
  const [{ default: pino }, { traceFields }] = await Promise.all([import('pino'), import('../../server/trace.ts')]);
  // Over HTTP every line says which trace it belongs to.
  const options = { level, base: { pid: process.pid }, mixin: traceFields };
  // Lines leave together a tenth of a second later, and at the end: a line by itself costs as much as the call it tells of.
  if (!pretty) return pino(options, pino.destination({ dest: 2, sync: false, minLength: 4_096, periodicFlush: 100 }));
  const { default: prettyStream } = await import('pino-pretty');
  return pino(options, prettyStream({ destination: 2, sync: true }));
}

function picked(fields: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

export function createLogs(config: Config['log']): Logs {
  let logger: Promise<Logger> | undefined;
  const write = (level: Level, fields: Fields, message: string): void => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(config.level)) return;
    // Once the answer that the line speaks of has left: nobody waits for the log.
    setImmediate(() => {
      logger ??= openLogger(config);
      // A log that cannot be written must not stop the clerk.
      logger.then((log) => log[level](fields, message)).catch(() => undefined);
    });
  };
  const moved = (level: Level) => (fields: object, message: string) => {
    const err: unknown = 'err' in fields ? fields.err : undefined;
    write(level, { ...picked(fields, ['operation', 'state']), ...(err !== undefined && failed(err)) }, message);
  };
  return {
    clerk: {
      call: (fields) => write('info', picked(fields, ['tool', 'ms', 'outcome', 'code']), 'tool call'),
      failure: ({ tool, reference, error }) => write('error', { tool, reference, ...failed(error) }, 'internal error'),
      unrecorded: ({ error }) => write('warn', failed(error), 'bookings or offers could not be written to the state'),
    },
    airline: {
      call: (entry: CallLogEntry) =>
        write('debug', picked(entry, ['operation', 'attempt', 'ms', 'status', 'code']), 'airline call'),
    },
    http: {
      answered: (fields) => write('debug', picked(fields, ['route', 'method', 'status', 'ms']), 'http request'),
      failure: ({ reference, error }) => write('error', { reference, ...failed(error) }, 'http failure'),
    },
    journal: {
      info: moved('info'),
      warn: moved('warn'),
      held: ({ seen, head }) =>
        write('error', { seen: seen.n, head: head.n }, 'the journal went backwards: sending is held'),
    },
  };
}
