/**
 * `fareclerk sandbox`: the sandbox airline alone, over HTTP, for servers and programs that are to be pointed at it.
 */
import { once } from 'node:events';
import { UsageError } from '../../config/load.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start.ts';
import { readArguments, wholeNumber } from '../terminal/arguments.ts';
import type { Command, ExitCode, Terminal } from './command.ts';

const OPTIONS = {
  port: { type: 'string' },
  seed: { type: 'string' },
  dialect: { type: 'string' },
  now: { type: 'string' },
  inventory: { type: 'string' },
  state: { type: 'string' },
  replay: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const DEFAULT_PORT = 8770;

type Own = Readonly<Record<string, string | boolean | undefined>>;

function dialectOf(value: Own[string]): SandboxOptions['dialect'] {
  if (value === undefined || value === 'rail' || value === 'airline') return value;
  throw new UsageError('--dialect: expected rail or airline.');
}

const portOf = (own: Own): number => wholeNumber('--port', own.port, 0, 65_535) ?? DEFAULT_PORT;

function optionsOf(own: Own): SandboxOptions {
  const seed = wholeNumber('--seed', own.seed, 0, 2 ** 31);
  const dialect = dialectOf(own.dialect);
  const { now, inventory, state } = own;
  if (typeof now === 'string' && Number.isNaN(Date.parse(now))) {
    throw new UsageError('--now: expected a time such as 2026-12-01T08:00:00Z.');
  }
  return {
    port: portOf(own),
    ...(seed !== undefined && { seed }),
    ...(dialect !== undefined && { dialect }),
    ...(typeof now === 'string' && { nowIso: now }),
    ...(typeof inventory === 'string' && { inventoryFile: inventory }),
    ...(typeof state === 'string' && { stateFile: state }),
  };
}

type Running = Pick<Sandbox, 'url' | 'settings' | 'close'>;

/** A recording brings its own replies: nothing of how they would be made goes with it. */
async function replay(own: Own, file: string): Promise<Running> {
  const other = ['seed', 'dialect', 'now', 'inventory', 'state'].find((name) => own[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other}: does not go with --replay.`);
  const { readTape, startReplay } = await import('../../sandbox/replay.ts');
  return startReplay(readTape(file), { port: portOf(own) });
}

/** A port that is taken is the machine's affair; anything else is wrong with what was asked for. */
async function start(own: Own): Promise<Running> {
  try {
    if (typeof own.replay === 'string') return await replay(own, own.replay);
    return await startSandbox(optionsOf(own));
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE' || code === 'EACCES') {
      throw new UsageError(`--port: ${portOf(own)} cannot be had (${code}). Choose another one.`);
    }
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** `export NAME='value'` for a POSIX shell. */
function exportLines(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`);
  return `${lines.join('\n')}\n`;
}

async function untilStopped(terminal: Terminal): Promise<void> {
  const stopped = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal, { signal: stopped.signal }));
  await Promise.race([...signals, once(terminal.stdout, 'error', { signal: stopped.signal })]);
  stopped.abort();
  await Promise.allSettled(signals);
}

export const sandbox: Command = {
  help: `usage: fareclerk sandbox [options]

The sandbox airline alone, over HTTP on this machine: OTA messages, tokens,
schedule, e-mails and ticket downloads. Prints the settings that point a server
at it, and runs until it is stopped.

  fareclerk sandbox --port 8770 --seed 7
  fareclerk sandbox --dialect airline --now 2026-12-01T08:00:00Z --json

  --port N           where it listens (${DEFAULT_PORT}; 0: any free port)
  --seed N           which seats are taken and fares sold out (1)
  --dialect NAME     rail (default) or airline: how replies look
  --now ISO          its clock starts there
  --inventory FILE   another network: stations, lines, fares
  --state FILE       what it remembers, kept in this file (default: in memory)
  --replay FILE      plays back a recording (FARECLERK_RECORD_FILE) instead
  --json             the settings as JSON instead of export lines
`,
  async run(argv, terminal): Promise<ExitCode> {
    const { own } = readArguments(argv, OPTIONS, { takesSettings: false });
    const airline = await start(own);
    try {
      const { settings, url } = airline;
      terminal.stdout.write(own.json === true ? `${JSON.stringify(settings, undefined, 2)}\n` : exportLines(settings));
      const what = own.replay === undefined ? 'The sandbox airline' : 'A recorded airline';
      terminal.stderr.write(`${what} listens on ${url}. Nothing there is real. Ctrl-C ends it.\n`);
      await untilStopped(terminal);
      return 0;
    } finally {
      await airline.close();
    }
  },
};
