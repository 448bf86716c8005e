/**
 * `fareclerk serve`: the MCP server.
 */
import { readConfig } from '../config.ts';
import { serveOnStdio } from '../server/stdio.ts';
import { VERSION } from '../version.ts';
import { readArguments } from './args.ts';
import type { Command } from './command.ts';
import { composeClerk } from './compose.ts';
import { settingsHelp } from './help.ts';

/** Operations that an earlier process left open are taken up once the client has what it asked for first. */
const RESUME_AFTER_MS = 1_500;

export const serve: Command = {
  get help() {
    return `usage: fareclerk [serve] [options]

An MCP server on stdio. Without settings it talks to the embedded sandbox
airline, and nothing it does is real.

  fareclerk serve
  FARECLERK_API_KEY_FILE=/run/secrets/key fareclerk serve \\
    --base-url https://air.example/ota --credentials key \\
    --agent-id A1 --agency-id Agency --currency SAR

${settingsHelp()}`;
  },
  async run(argv, terminal) {
    const { settings } = readArguments(argv, {}, { takesSettings: true });
    const composed = composeClerk(readConfig(terminal.env, settings), { page: true });
    setTimeout(() => void composed.resume().catch(() => undefined), RESUME_AFTER_MS).unref();
    await serveOnStdio(composed.clerk, { version: VERSION, caller: composed.caller, close: () => composed.close() });
    return 0;
  },
};
