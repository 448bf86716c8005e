/** The command line. The code of a command is loaded when it runs. */
import type { Command, ExitCode, Terminal, Used } from './cli/terminal/command.ts';
import { COMMANDS, type CommandName } from './cli/terminal/command-table.ts';
import { foreignFileFault, SettingsError, UsageError } from './config/problem.ts';
import { ClerkError, isBrokenPipe } from './core/errors.ts';
import { VERSION } from './core/version.ts';

const LOAD: Readonly<Record<CommandName, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/commands/serve.ts')).serve,
  sandbox: async () => (await import('./cli/commands/sandbox.ts')).sandbox,
  demo: async () => (await import('./cli/commands/demo.ts')).demo,
  call: async () => (await import('./cli/commands/call.ts')).call,
  approve: async () => (await import('./cli/commands/approve.ts')).approve,
  doctor: async () => (await import('./cli/commands/doctor.ts')).doctor,
  init: async () => (await import('./cli/commands/init.ts')).init,
  events: async () => (await import('./cli/commands/events.ts')).events,
  findings: async () => (await import('./cli/commands/findings.ts')).findings,
  forget: async () => (await import('./cli/commands/forget.ts')).forget,
  journal: async () => (await import('./cli/commands/journal.ts')).journal,
  pause: async () => (await import('./cli/commands/pause.ts')).pause,
  resume: async () => (await import('./cli/commands/pause.ts')).resume,
};

const isCommand = (word: string | undefined): word is CommandName =>
  word !== undefined && Object.hasOwn(COMMANDS, word);

/**
 * Runs what was typed. The first that fits:
 *
 * | typed                            | does                                          |
 * | -------------------------------- | --------------------------------------------- |
 * | nothing, in a terminal           | lists the commands                            |
 * | `--version`, `-v`                | prints the version                            |
 * | `help settings`                  | lists the settings                            |
 * | `help COMMAND`                   | the same as `COMMAND --help`                  |
 * | `help`, `--help`, `-h`           | lists the commands                            |
 * | nothing, or another option first | runs `serve` with all that was typed          |
 * | `COMMAND …`                      | runs it; with `--help` or `-h`, describes it  |
 */
async function dispatch(argv: readonly string[], terminal: Terminal, used?: Used): Promise<ExitCode> {
  const [first = 'serve', ...rest] = argv;

  // A person typed it, so it does not wait for a client on stdin.
  if (argv.length === 0 && terminal.stdin.isTTY && terminal.stdout.isTTY) return help([], terminal);
  if (first === '--version' || first === '-v') {
    terminal.stdout.write(`${VERSION}\n`);
    return 0;
  }

  if (first === 'help') return help(rest, terminal);
  if (first === '--help' || first === '-h') return help([], terminal);

  const [name, args] = first.startsWith('-') ? ['serve', argv] : [first, rest];
  if (!isCommand(name)) {
    const { nearestCommand } = await import('./cli/terminal/nearest-command.ts');
    const near = nearestCommand(name);
    const hint = near === undefined ? '' : ` Nearest: ${near}.`;
    throw new UsageError(`there is no command "${name.slice(0, 40)}".${hint}`);
  }

  const command = await LOAD[name]();
  if (!args.includes('--help') && !args.includes('-h')) return command.run(args, terminal, used);

  const { helpText, typedHelp } = await import('./cli/terminal/help.ts');
  const text = (await command.helpFor?.(args)) ?? helpText(command, COMMANDS[name]);
  terminal.stdout.write(typedHelp(text, terminal));

  return 0;
}

/** Runs `help`: lists the commands, or describes the topic that is typed behind it. */
async function help([topic, ...options]: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (topic !== undefined && topic !== 'settings') return dispatch([topic, ...options, '--help'], terminal);
  const { overview, settingsHelp, typedHelp } = await import('./cli/terminal/help.ts');
  terminal.stdout.write(typedHelp(topic === undefined ? overview() : settingsHelp(), terminal));
  return 0;
}

/** Returns the command that describes what was typed. For `call` it names the tool. */
function helpCommandFor([first, ...rest]: readonly string[]): string {
  if (!isCommand(first)) return 'fareclerk help';
  const tool = first === 'call' ? rest.find((word) => /^[a-z]+(?:_[a-z]+)+$/.test(word)) : undefined;
  return ['fareclerk', first, ...(tool === undefined ? [] : [tool]), '--help'].join(' ');
}

/** Describes a failure. Only a defect of the program gets a stack. */
async function failure(error: unknown, argv: readonly string[]): Promise<{ text: string; code: ExitCode }> {
  if (error instanceof SettingsError) return { text: error.message, code: 2 };
  if (error instanceof UsageError) {
    return { text: `${error.message}\n\`${helpCommandFor(argv)}\` lists what there is.`, code: 2 };
  }

  if (error instanceof ClerkError) {
    const fault = foreignFileFault(error.cause);
    const what = `${error.code}: ${error.message}${fault === undefined ? '' : `\nFound: ${fault}.`}`;
    return { text: `${what}\nNext: ${error.next}`, code: 1 };
  }
  if (!(error instanceof Error)) return { text: String(error), code: 1 };

  const { sourceStack } = await import('./cli/terminal/source-stack.ts');
  return { text: sourceStack(error), code: 1 };
}

/** Runs the command line and returns its exit code. */
export async function main(argv: readonly string[], terminal: Terminal, used?: Used): Promise<ExitCode> {
  let unwritten: NodeJS.ErrnoException | undefined;

  // A reader that has enough, such as `head`, closes the pipe. What was begun is still finished, also on a full disk.
  terminal.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isBrokenPipe(error)) unwritten ??= error;
  });

  // Nobody reads what would say so. `serve` on stdio ends.
  terminal.stderr.on('error', () => undefined);

  let ended: ExitCode;
  try {
    ended = await dispatch(argv, terminal, used);
  } catch (error) {
    ended = 1;
    if (error !== unwritten) {
      const { text, code } = await failure(error, argv);
      const { typedCommands } = await import('./cli/terminal/this-program.ts');
      terminal.stderr.write(`fareclerk: ${typedCommands(terminal)(text)}\n`);
      ended = code;
    }
  }

  // Streams tell of an error in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  if (unwritten === undefined) return ended;

  terminal.stderr.write(
    `fareclerk: The output could not be written to its end (${unwritten.code}), so it is cut. What the command did is done.\n`,
  );

  return 1;
}
