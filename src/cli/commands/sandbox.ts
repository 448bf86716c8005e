/** `fareclerk sandbox` runs the sandbox airline alone, over HTTP, and disturbs a sandbox that runs. */
import { UsageError } from '../../config/load.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/addresses/start.ts';
import { type Arguments, readArguments, wholeNumber } from '../terminal/arguments.ts';
import type { Command, ExitCode, Terminal } from '../terminal/command.ts';
import { COMMANDS, DEFAULT_PORTS } from '../terminal/command-table.ts';
import { untilStopped } from '../terminal/stop-signals.ts';
import { print } from '../terminal/window.ts';

type SandboxFlags = Arguments<typeof COMMANDS.sandbox.options>['flags'];

function portToUse({ port }: SandboxFlags): number {
  return wholeNumber('--port', port, 0, 65_535) ?? DEFAULT_PORTS.sandbox;
}

function sandboxOptions(flags: SandboxFlags): SandboxOptions {
  const { now, dialect, state } = flags;
  if (now !== undefined && Number.isNaN(Date.parse(now))) {
    throw new UsageError('--now: expected a time such as 2026-12-01T08:00:00Z.');
  }
  const seed = wholeNumber('--seed', flags.seed, 0, 2 ** 31);
  return { port: portToUse(flags), seed, dialect, nowIso: now, stateFile: state };
}

/** Every failure to start comes from the options: a port in use, or a file that cannot be read. */
async function startFromFlags(flags: SandboxFlags): Promise<Sandbox> {
  try {
    return await startSandbox(sandboxOptions(flags));
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE' || code === 'EACCES') {
      throw new UsageError(`--port: cannot listen on ${portToUse(flags)} (${code}). Choose another port.`);
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

/** Orders a fault or causes a mishap in a sandbox that runs. */
async function disturbSandbox(
  [word = '', ...names]: readonly string[],
  flags: SandboxFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { playMishap, triggerFault } = await import('../sandbox/faults-and-mishaps.ts');
  if (word === 'trigger' && names.length <= 1) return triggerFault(names[0], flags, terminal);
  if (word !== 'mishap') throw new UsageError('sandbox: expected trigger FAULT, mishap KIND BOOKING, or only options.');
  return await playMishap(names, flags, terminal);
}

export const sandbox: Command = {
  about: `usage: fareclerk sandbox [options]
       fareclerk sandbox trigger FAULT [--for TOOL] [--times N] [--state FILE]
       fareclerk sandbox mishap KIND LOCATOR [--segment N] [--minutes N]

The sandbox airline alone, over HTTP on this machine. Prints the settings that
point a server at it, and runs until it is stopped.

Without FARECLERK_BASE_URL every server has a sandbox airline inside. \`trigger\`
makes its next call fail: lost-answer, sold-out or airline-down. \`mishap\`
changes bookings unasked, as airlines do: cancel, retime or delay. --state
names the file of another sandbox. A real airline has no such switch.

  fareclerk sandbox --dialect airline --now 2026-12-01T08:00:00Z --json
  fareclerk sandbox trigger lost-answer     the next payment loses its answer
  fareclerk sandbox trigger airline-down --for search_fares --times 3
  fareclerk sandbox trigger sold-out --state airline.sqlite
  fareclerk sandbox mishap cancel K7PL2M    the booking's train is cancelled
  fareclerk sandbox mishap delay K7PL2M --minutes 90
`,
  async run(argv, terminal) {
    const { flags, positionals } = readArguments(argv, COMMANDS.sandbox);
    if (positionals.length > 0) return await disturbSandbox(positionals, flags, terminal);

    const airline = await startFromFlags(flags);
    const { settings, url } = airline;

    try {
      print({ terminal, json: flags.json === true }, settings, exportLines(settings));
      terminal.stderr.write(`The sandbox airline listens on ${url}. Nothing there is real. Press Ctrl-C to stop it.\n`);
      await untilStopped(terminal);
      return 0;
    } finally {
      await airline.close();
    }
  },
};
