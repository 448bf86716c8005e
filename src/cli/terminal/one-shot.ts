/**
 * Settings of a command that runs once for a person: logs only warnings unless a log level is set.
 */
import { type Config, type Flags, readConfig } from '../../config/load.ts';
import type { Terminal } from '../commands/command.ts';

export function readOneShotConfig({ env }: Terminal, flags: Flags): Config {
  const quiet: Flags = env.FARECLERK_LOG_LEVEL ? {} : { FARECLERK_LOG_LEVEL: 'warn' };
  return readConfig(env, { ...quiet, ...flags });
}
