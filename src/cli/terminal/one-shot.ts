/**
 * Settings of a command that runs once for a person: as for the server, but without its log of ordinary events unless
 * one is asked for.
 */
import { type Config, type Flags, readConfig } from '../../config/load.ts';
import type { Terminal } from '../commands/command.ts';

export function readOneShotConfig({ env }: Terminal, flags: Flags): Config {
  const quiet: Flags = env.FARECLERK_LOG_LEVEL ? {} : { FARECLERK_LOG_LEVEL: 'warn' };
  return readConfig(env, { ...quiet, ...flags });
}
