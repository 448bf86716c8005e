/** Reads the settings of a command, and says first which airline and which state it works with. */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formerWarning } from '../../config/former-settings.ts';
import { type Config, readConfig, sellingTenant } from '../../config/load.ts';
import { isOurVariable } from '../../config/refused-settings.ts';
import { flagName } from '../../config/settings.ts';
import { chooseOrigin, profileFile, profileNames, realProfiles, STEERING } from '../../config/sources.ts';
import { ClerkError } from '../../core/errors.ts';
import type { Terminal } from '../commands/command.ts';
import type { Arguments } from './arguments.ts';
import { sameCommand } from './this-program.ts';

type SettingArguments = Pick<Arguments, 'settings' | 'originChoice'>;

/** Reads the settings of a server, which says itself whom it serves. */
export function readServerSettings({ env, stderr }: Terminal, { settings, originChoice }: SettingArguments): Config {
  const config = readConfig(env, settings, chooseOrigin(env, settings, originChoice));
  for (const { path } of config.files.filter(({ isOpen }) => isOpen))
    stderr.write(`fareclerk: every user of this machine can read ${path}. Run \`chmod 600\` on it.\n`);
  for (const former of config.former) stderr.write(`fareclerk: ${formerWarning(former)}\n`);
  return config;
}

/** Reads the settings of a command that runs once for a person: it logs only warnings unless a log level is set. */
export function readSettings(terminal: Terminal, { settings, originChoice }: SettingArguments): Config {
  const quiet = terminal.env.FARECLERK_LOG_LEVEL ? {} : { FARECLERK_LOG_LEVEL: 'warn' };
  const config = readServerSettings(terminal, { settings: { ...quiet, ...settings }, originChoice });
  terminal.stderr.write(actsOn(config));
  return config;
}

/**
 * Reads the settings of a command that pauses, decides or erases: a person who has set up an airline means that one and its state, and
 * the sandbox only with `--sandbox`.
 * @throws ClerkError
 */
export function readSettingsToChange(terminal: Terminal, args: SettingArguments): Config {
  const config = readSettings(terminal, args);
  if (config.environment === 'live') refuseOtherState(config, terminal);
  else if (config.origin.from !== 'sandbox') refuseSandbox(config, terminal);
  return config;
}

/**
 * Refuses settings of a shell that mean another state than the profile of the same airline: settings that name no state mean
 * the default one.
 * @throws ClerkError
 */
function refuseOtherState(config: Config, terminal: Terminal): void {
  const { origin, state } = config;
  if (origin.from === 'profile' || !state.isDefault || state.databaseUrl !== undefined) return;
  const profiles = profilesOfAirline(config, terminal);
  const [other] = profiles;
  const isStateOfProfile = profiles.some(({ store }) => store === storeText(config));
  if (other === undefined || isStateOfProfile) return;
  throw new ClerkError(
    'E_CONFIG',
    `These settings mean ${storeText(config)}, and profile ${other.profile} has the same airline with ${other.store}. Nothing was changed.`,
    {
      next: `For the profile ${inProfile(terminal, other.profile)}. For the other one set FARECLERK_STATE_DIR to its folder.`,
    },
  );
}

/** Profiles of the same airline and agency, and where their state is. */
function profilesOfAirline({ airline }: Config, { env }: Terminal) {
  const otherVariables = Object.entries(env).filter(([name]) => !isOurVariable(name));
  return profileNames(env).flatMap((profile) => {
    try {
      const origin = { from: 'profile', profile, file: profileFile(env, profile) } as const;
      const config = readConfig(Object.fromEntries(otherVariables), {}, origin);
      return sellingTenant(config.airline) === sellingTenant(airline) ? [{ profile, store: storeText(config) }] : [];
    } catch {
      // No server can start with a profile that cannot be read.
      return [];
    }
  });
}

/** Refuses the sandbox if a real airline is set up on this machine. @throws ClerkError */
function refuseSandbox(config: Config, terminal: Terminal): void {
  const sandboxCommand = sameCommand(terminal, ['--profile'], '--sandbox');
  const refusal = (found: string, realAdvice: string) => {
    const message = `These settings mean the sandbox airline, and ${found} of a real one. Nothing was changed.`;
    const next = `For the real one ${realAdvice}. For the sandbox run \`${sandboxCommand}\`.`;
    return new ClerkError('E_CONFIG', message, { next });
  };
  const [profile] = realProfiles(terminal.env);
  if (profile !== undefined) throw refusal(`profile ${profile} is`, inProfile(terminal, profile));
  const root = dirname(config.state.directory);
  const [journal] = globSync(['fareclerk.sqlite', 'profiles/*/fareclerk.sqlite'], { cwd: root });
  if (journal !== undefined) {
    throw refusal(`${join(root, journal)} is the journal`, 'set its FARECLERK_ variables, or run `fareclerk init`');
  }
}

/** Says how to run the same command with the settings of a profile. */
function inProfile(terminal: Terminal, profile: string): string {
  const without = ['--profile', ...STEERING.map(flagName)];
  return `unset the FARECLERK_ variables and run \`${sameCommand(terminal, without, `--profile ${profile}`)}\``;
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
