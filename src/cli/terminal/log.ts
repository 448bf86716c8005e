/** Writes the log: JSON lines on stderr, with only the fields that are named here. No arguments, names, bodies or locators. */
import type { Logger } from 'pino';
import type { ClerkLog } from '../../clerk/clerk.ts';
import type { Config } from '../../config/load.ts';
import type { IgnoredVariable } from '../../config/removed-settings.ts';
import { isBrokenPipe } from '../../core/errors.ts';
import type { HttpLog } from '../../http/router.ts';
import type { SendingHold } from '../../journal/ports.ts';
import type { OtaLog } from '../../ota/transport/options.ts';
import { sourceStack } from './source-stack.ts';
import { typedCommands } from './this-program.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
/** Routes that probes and Prometheus ask every few seconds: logged only at `debug`. */
const PROBED_ROUTES: readonly string[] = ['/healthz', '/readyz', '/metrics'];
/** The most lines of a stack trace. */
const MOST_FRAMES = 8;
const AIRLINE_FAILS = 'the airline fails: it is read by a probe only; `fareclerk doctor` says what is wrong';
const ACCESS_FIELDS = ['method', 'route', 'status', 'duration_ms', 'bytes', 'caller', 'refused'];
/** Lines are written together, because a write for each costs as much as a call: so often, milliseconds, … */
const FLUSH_MS = 100;
/** … or once there are so many characters. */
const FLUSH_CHARACTERS = 4_096;
/** The most bytes that wait for a reader. */
const MOST_WAITING_BYTES = 65_536;

type LogFields = Readonly<Record<string, unknown>>;

/** What is used of stderr. Node writes what fits at once, and keeps the rest. */
type Stderr = Pick<NodeJS.WriteStream, 'write' | 'writableLength'> & {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
};

export type Logs = ReturnType<typeof createLogs>;

/** Describes an error by where it was thrown. Leaves out the message, which may contain personal data or a secret. */
function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };

  const code: unknown = 'code' in error ? error.code : undefined;
  const frames = sourceStack(error)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));

  return {
    error: error.name,
    code: typeof code === 'string' ? code : undefined,
    at: frames.slice(0, MOST_FRAMES).map((line) => line.trim()),
  };
}

async function openLogger({ level }: Config['log']): Promise<Logger> {
  const [{ default: pino }, { traceFields }] = await Promise.all([import('pino'), import('../../tracing/tracer.ts')]);
  // Every line of a call names its trace and, once known, its operation.
  const options = { level, base: { pid: process.pid }, mixin: traceFields };
  if (!process.stderr.isTTY) return pino(options, logLines(process.stderr));
  const { prettyFactory } = await import('pino-pretty');
  return pino(options, logLines(process.stderr, prettyFactory({})));
}

/**
 * Writes lines to stderr without ever waiting for it. What cannot be written is dropped and not tried again: a logger that
 * insists on its last lines keeps a process alive whose host is dead, or a reader that does not read prevents its end.
 * @param format turns a line into what people read at a terminal
 */
function logLines(stderr: Stderr, format = (line: string): string => line): { write(line: string): void } {
  let waiting = '';
  let dropped = 0;
  let isBroken = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '' || isBroken) return;

    const lines = waiting;
    waiting = '';

    try {
      stderr.write(lines);
    } catch {
      // A log that fails must not stop the clerk.
    }
  };

  const add = (line: string): void => {
    waiting += format(line);
    if (waiting.length >= FLUSH_CHARACTERS) flush();
    else timer ??= setTimeout(flush, FLUSH_MS).unref();
  };

  stderr.on('error', (error) => {
    isBroken ||= isBrokenPipe(error);
  });
  process.once('exit', flush);

  return {
    write(line) {
      if (isBroken) return;
      if (stderr.writableLength > MOST_WAITING_BYTES) {
        dropped += 1;
        return;
      }

      if (dropped > 0) {
        const msg = 'lines of the log were dropped: nobody read them';
        add(`${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, dropped, msg })}\n`);
        dropped = 0;
      }

      add(line);
    },
  };
}

function pick(fields: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

export function createLogs(config: Config) {
  const { level: leastLevel } = config.log;
  let logger: Promise<Logger> | undefined;

  const write = (level: LogLevel, fields: LogFields, message: string): void => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(leastLevel)) return;
    // After the answer has left: no caller waits for the log.
    setImmediate(() => {
      logger ??= openLogger(config.log);
      // A log that fails must not stop the clerk.
      logger.then((log) => log[level](fields, message)).catch(() => undefined);
    });
  };

  const writeJournal = (level: LogLevel, fields: object, message: string): void => {
    const err: unknown = 'err' in fields ? fields.err : undefined;
    write(level, { ...pick(fields, ['operation', 'state']), ...(err !== undefined && errorFields(err)) }, message);
  };

  const clerk: ClerkLog = {
    call: (fields) => write('info', pick(fields, ['tool', 'ms', 'outcome', 'code']), 'tool call'),
    failure: ({ tool, reference, error }) =>
      write('error', { tool, reference, ...errorFields(error) }, 'internal error'),
    supervisorRead: (fields) =>
      write('info', pick(fields, ['tool', 'caller']), 'a supervisor looked at the whole desk'),
    unrecorded: ({ error }) =>
      write('warn', errorFields(error), 'bookings or offers could not be written to the state'),
  };

  const airline: OtaLog = {
    // `operation` is the journal's: an id.
    call: (entry) =>
      write('debug', { call: entry.operation, ...pick(entry, ['attempt', 'ms', 'status', 'code']) }, 'airline call'),
    down: (isDown) =>
      isDown
        ? write('warn', {}, typedCommands(process, config)(AIRLINE_FAILS))
        : write('info', {}, 'the airline answers again'),
  };

  const http: HttpLog = {
    answered: (line) =>
      write(PROBED_ROUTES.includes(line.route) ? 'debug' : 'info', pick(line, ACCESS_FIELDS), 'http request'),
    failure: ({ reference, error }) => write('error', { reference, ...errorFields(error) }, 'http failure'),
    readiness: (reasons) =>
      reasons.length === 0 ? write('info', {}, 'ready') : write('warn', { reasons }, 'not ready: probes get 503'),
  };

  const journal = {
    info: (fields: object, message: string) => writeJournal('info', fields, message),
    warn: (fields: object, message: string) => writeJournal('warn', fields, message),
    /** Logs only the numbers of the links. */
    held: ({ seen, head }: SendingHold) =>
      write('error', { seen: seen.n, head: head.n }, 'the journal went backwards: sending is held'),
    tookOver: (from: number) => write('info', { from }, 'took over the state of an earlier version'),
  };

  const events = {
    failed: (error: unknown) =>
      write('warn', errorFields(error), 'events could not be read from the state or delivered'),
  };

  /** The facts have no secrets (runtime/serve-http.ts). */
  const started = (facts: LogFields) => write('info', facts, 'serving');
  const traces = {
    lost: () => write('warn', {}, 'traces could not be delivered'),
    /** `variable`: its name alone, because its value may be a secret. */
    ignored: ({ name, instead }: IgnoredVariable) =>
      write('warn', { variable: name, instead }, 'a variable of OpenTelemetry is set and has no effect'),
    unsupported: () => write('warn', {}, 'traces are off: no whole http address that takes http/protobuf is set'),
  };
  return { clerk, airline, http, journal, events, traces, started };
}
