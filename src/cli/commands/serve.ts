/** `fareclerk serve` runs the MCP server, on stdio or over HTTP. */
import { type Config, UsageError } from '../../config/load.ts';
import { VERSION } from '../../core/version.ts';
import { serveOnStdio } from '../../mcp/stdio.ts';
import { composeClerk } from '../runtime/compose.ts';
import { withRehearsalWaits } from '../runtime/rehearsal.ts';
import type { Listening } from '../runtime/serve-http.ts';
import { type Arguments, readArguments, wholeNumber } from '../terminal/arguments.ts';
import type { Command, Terminal } from '../terminal/command.ts';
import { COMMANDS, DEFAULT_PORTS } from '../terminal/command-table.ts';
import { actsOn, readServerSettings } from '../terminal/settings.ts';
import { typedCommands } from '../terminal/this-program.ts';
import { hint } from '../terminal/window.ts';

/** How long open operations of an earlier process wait, milliseconds: the client gets its first answers before. */
const RESUME_AFTER_MS = 1_500;

/** Where HTTP listens; undefined on stdio. @throws UsageError */
function listenOn({ http, host, port }: Arguments<typeof COMMANDS.serve.options>['flags']): Listening | undefined {
  const number = wholeNumber('--port', port, 0, 65_535);
  if (http) return { host: host ?? '127.0.0.1', port: number ?? DEFAULT_PORTS.serve };
  if (host === undefined && port === undefined) return undefined;
  throw new UsageError('--host and --port go with --http.');
}

/** Whether the log level lets messages for people through. */
const showsMessages = ({ log }: Config): boolean => log.level !== 'fatal' && log.level !== 'silent';

/** Reads the settings, with the waits of `--rehearsal`. */
function serveSettings(terminal: Terminal, args: Arguments<typeof COMMANDS.serve.options>): Config {
  const config = readServerSettings(terminal, args);
  const seconds = wholeNumber('--rehearsal', args.flags.rehearsal, 1, 600);
  if (seconds === undefined) return config;

  if (showsMessages(config))
    terminal.stderr.write(
      'This is a rehearsal, so a dialog that a program answers counts as an approval. Never use it with a real airline.\n',
    );

  return withRehearsalWaits(config, seconds);
}

export const serve: Command = {
  about: `usage: fareclerk [serve] [--http [--host H] [--port N]] [options]

The MCP server, on stdio or with --http on Streamable HTTP at /mcp. A host such
as Claude Desktop starts it by itself; \`fareclerk init\` sets one up.

Without settings it talks to an embedded sandbox airline, and nothing it does is
real. There, where nobody can be asked (no dialog, no browser, no terminal), the
assistant's second call counts as the approval, and the result says "approved by
nobody: sandbox". With a real airline nothing is paid unless a person approves.

  fareclerk serve
  fareclerk serve --http --port 8765
  FARECLERK_API_KEY_FILE=/run/secrets/key fareclerk serve \\
    --base-url https://air.example/ota --credentials key \\
    --agent-id A1 --agency-id Agency --currency SAR
`,
  async run(argv, terminal, used) {
    const args = readArguments(argv, COMMANDS.serve);
    const listening = listenOn(args.flags);
    const config = serveSettings(terminal, args);
    if (listening !== undefined) {
      const { serveHttp } = await import('../runtime/serve-http.ts');
      await serveHttp(config, listening, terminal);
      return 0;
    }

    if (showsMessages(config)) terminal.stderr.write(actsOn(config));
    const composed = composeClerk(config, { localPages: 'all', typed: typedCommands(terminal, config) });
    setTimeout(() => void composed.resume().catch(() => undefined), RESUME_AFTER_MS).unref();

    const { clerk, caller } = composed;
    const served = serveOnStdio(clerk, {
      version: VERSION,
      caller,
      answered: (what) => used?.(`${config.environment} ${what}`),
      close: () => composed.close(),
    });

    if (terminal.stdin.isTTY) {
      const { WAITS_FOR_CLIENT } = await import('../terminal/help.ts');
      hint({ terminal }, WAITS_FOR_CLIENT);
    }

    await served;
    return 0;
  },
};
