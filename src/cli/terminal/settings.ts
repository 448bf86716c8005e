/** Reads the settings of a command, and says first which airline and which state it works with. */
import { type Config, readConfig } from '../../config/load.ts';
import { chooseOrigin } from '../../config/sources.ts';
import type { Arguments } from './arguments.ts';
import type { Terminal } from './command.ts';

type SettingArguments = Pick<Arguments, 'settings' | 'originChoice'>;

/** Reads the settings of a server, which says itself whom it serves. */
export function readServerSettings({ env, stderr }: Terminal, { settings, originChoice }: SettingArguments): Config {
  const config = readConfig(env, settings, chooseOrigin(env, settings, originChoice));
  for (const { path } of config.files.filter(({ isOpen }) => isOpen))
    stderr.write(`fareclerk: every user of this machine can read ${path}. Run \`chmod 600\` on it.\n`);
  return config;
}

/** Reads the settings of a command that runs once for a person: it logs only warnings unless a log level is set. */
export function readSettings(terminal: Terminal, { settings, originChoice }: SettingArguments): Config {
  const quiet = terminal.env.FARECLERK_LOG_LEVEL ? {} : { FARECLERK_LOG_LEVEL: 'warn' };
  const config = readServerSettings(terminal, { settings: { ...quiet, ...settings }, originChoice });
  terminal.stderr.write(actsOn(config));
  return config;
}

/** Says which airline and which state a command works with. */
export function actsOn(config: Config): string {
  return `Airline: ${airlineText(config)}. State: ${storeText(config)}\n`;
}

export function airlineText({ airline, origin }: Config): string {
  const profile = origin.from === 'profile' ? ` (profile ${origin.profile})` : '';
  if (airline === undefined) return `the sandbox, nothing is real${profile}`;
  return `${new URL(airline.baseUrl).host}, agency ${airline.agencyId}, ${airline.currency}${profile}`;
}

/** Names the file, or host and database: never user or password. */
export function storeText({ state }: Config): string {
  if (state.databaseUrl === undefined) return `SQLite ${state.file}`;
  const url = URL.parse(state.databaseUrl.reveal());
  return url === null ? 'PostgreSQL' : `PostgreSQL ${url.host}${url.pathname}`;
}
