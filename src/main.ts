/**
 * The command line. Commands are loaded when they are called, so that none pays for another's code.
 */
import type { ExitCode, Terminal } from './cli/commands/command.ts';
import { COMMANDS } from './cli/commands/index.ts';
import { SettingsError, UsageError } from './config/problem.ts';
import { nearest } from './domain/time-and-text/nearest-word.ts';
import { ClerkError } from './errors.ts';
import { VERSION } from './version.ts';

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`);
  return `fareclerk ${VERSION}: a booking clerk for AI assistants, over MCP

usage: fareclerk [command] [options]

${rows.join('\n')}

  fareclerk demo    shows it at work
  fareclerk init    adds it to Claude Desktop, Claude Code, VS Code or Cursor

Without settings it talks to an embedded sandbox airline: nothing is real.
\`fareclerk COMMAND --help\` tells more. \`fareclerk --version\` prints the version.
`;
}

const isCommand = (word: string | undefined): word is string => word !== undefined && Object.hasOwn(COMMANDS, word);

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first = 'serve', ...rest] = argv;
  if (first === '--version' || first === '-v') {
    terminal.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (first === 'help' && isCommand(rest[0])) return dispatch([rest[0], '--help'], terminal);
  if (first === '--help' || first === '-h' || first === 'help') {
    terminal.stdout.write(overview());
    return 0;
  }
  const [name, args] = first.startsWith('-') ? ['serve', argv] : [first, rest];
  const entry = isCommand(name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const near = nearest(name, Object.keys(COMMANDS));
    throw new UsageError(
      `there is no command "${name.slice(0, 40)}".${near === undefined ? '' : ` Nearest: ${near}.`}`,
    );
  }
  const command = await entry.load();
  if (args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(command.help);
    return 0;
  }
  return command.run(args, terminal);
}

/** Describes a failure; adds a stack only to a defect of the program. */
async function failure(error: unknown, [first]: readonly string[]): Promise<{ text: string; code: ExitCode }> {
  if (error instanceof SettingsError) return { text: error.message, code: 2 };
  if (error instanceof UsageError) {
    const help = isCommand(first) ? `fareclerk ${first} --help` : 'fareclerk --help';
    return { text: `${error.message}\n\`${help}\` lists what there is.`, code: 2 };
  }
  if (error instanceof ClerkError) return { text: `${error.code}: ${error.message}\nNext: ${error.next}`, code: 1 };
  if (!(error instanceof Error)) return { text: String(error), code: 1 };
  const { sourceStack } = await import('./cli/terminal/source-stack.ts');
  return { text: sourceStack(error), code: 1 };
}

/** Runs the command line and gives its exit code. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    const { text, code } = await failure(error, argv);
    terminal.stderr.write(`fareclerk: ${text}\n`);
    return code;
  }
}
