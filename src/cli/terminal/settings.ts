/** Reads the settings of a command, and says first which airline and which state it works with. */
import { type Config, readConfig } from '../../config/load.ts';
import { originOf, realProfiles } from '../../config/origin.ts';
import { ClerkError } from '../../errors.ts';
import type { Terminal } from '../commands/command.ts';
import { airlineWords, storeWords } from '../runtime/start-facts.ts';
import type { Arguments } from './arguments.ts';
import { sameCommand } from './this-program.ts';

type Given = Pick<Arguments, 'settings' | 'chosen'>;

/** For a server: it logs what the settings say, and says itself whom it serves. */
export function readServerSettings({ env, stderr }: Terminal, { settings, chosen }: Given): Config {
  const config = readConfig(env, settings, originOf(env, settings, chosen));
  if (config.openFile !== undefined)
    stderr.write(`fareclerk: every user of this machine can read ${config.openFile}. Run \`chmod 600\` on it.\n`);
  return config;
}

/** For a command that runs once for a person: logs only warnings unless a log level is set. */
export function readSettings(terminal: Terminal, { settings, chosen }: Given): Config {
  const quiet = terminal.env.FARECLERK_LOG_LEVEL ? {} : { FARECLERK_LOG_LEVEL: 'warn' };
  const config = readServerSettings(terminal, { settings: { ...quiet, ...settings }, chosen });
  terminal.stderr.write(actsOn(config));
  return config;
}

/**
 * For a command that pauses, decides or erases: a person who has set up an airline means that one, and the sandbox
 * only with `--sandbox`.
 * @throws ClerkError
 */
export function readSettingsToChange(terminal: Terminal, given: Given): Config {
  const config = readSettings(terminal, given);
  if (config.environment === 'live' || config.origin.from === 'sandbox') return config;
  const [real] = realProfiles(terminal.env);
  if (real === undefined) return config;
  throw new ClerkError(
    'E_CONFIG',
    `These settings mean the sandbox airline, and profile ${real} is of a real one. Nothing was changed.`,
    {
      next: `For the real one unset the FARECLERK_ variables and run \`${sameCommand(terminal, `--profile ${real}`)}\`. For the sandbox run \`${sameCommand(terminal, '--sandbox')}\`.`,
    },
  );
}

export function actsOn(config: Config): string {
  return `Airline: ${airlineWords(config)}. State: ${storeWords(config)}\n`;
}
