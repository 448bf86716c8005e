/**
 * Where the settings of a command come from: the environment, or a profile, or neither. Never from both: an address of one
 * airline with a secret, a limit or a state of another would be neither's.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClerkError } from '../core/errors.ts';
import { UsageError } from './problem.ts';
import {
  type EnvironmentVariables,
  type Flags,
  flagOf,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from './settings.ts';
import { homeFolder } from './state-dir.ts';

export type Origin =
  /** Variables, FARECLERK_SETTINGS_FILE and flags. */
  | { readonly from: 'environment' }
  | { readonly from: 'profile'; readonly profile: string; readonly file: string }
  /** `--sandbox`: as the environment, which must name no airline. */
  | { readonly from: 'sandbox' };

export const ENVIRONMENT: Origin = Object.freeze({ from: 'environment' });
export const DEFAULT_PROFILE = 'default';

/** What the command line says about it. */
export interface Chosen {
  readonly profile?: string;
  readonly sandbox?: true;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
const SUFFIX = '.env';

/** The folder of applications' settings: XDG on Linux, Application Support, %APPDATA%. */
export function configRoot(env: EnvironmentVariables, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return env.APPDATA || join(homeFolder(env), 'AppData', 'Roaming');
  if (platform === 'darwin') return join(homeFolder(env), 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(homeFolder(env), '.config');
}

/** @throws UsageError */
export function profileFile(env: EnvironmentVariables, profile: string): string {
  if (!NAME.test(profile)) throw new UsageError('--profile: expected a name of small letters, digits and hyphens.');
  return join(configRoot(env), 'fareclerk', profile + SUFFIX);
}

/** @throws ClerkError if there may be profiles, and nobody can tell */
export function profileNames(env: EnvironmentVariables): readonly string[] {
  let folder: string;
  try {
    folder = join(configRoot(env), 'fareclerk');
  } catch {
    // An account without a home folder has no profiles.
    return [];
  }
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
    return names
      .map((name) => name.slice(0, -SUFFIX.length))
      .filter((name) => NAME.test(name))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new ClerkError('E_CONFIG', `Cannot read ${folder}, where profiles are (${code}). Nothing was started.`, {
      next: 'Make it readable for this user, set XDG_CONFIG_HOME, or give --sandbox for the sandbox airline.',
    });
  }
}

/** Profiles that are not surely of the sandbox: one that cannot be read may be of a real airline. */
export function realProfiles(env: EnvironmentVariables): readonly string[] {
  return profileNames(env).filter((name) => {
    try {
      return /FARECLERK_BASE_URL/.test(readFileSync(profileFile(env, name), 'utf8'));
    } catch {
      return true;
    }
  });
}

/** These say which airline and which state: with a profile they would be another's. */
function isSteering(name: SettingName): boolean {
  return SETTINGS[name].airline === true || STEERING.includes(name);
}
export const STEERING: readonly SettingName[] = [
  'FARECLERK_BASE_URL',
  'FARECLERK_STATE_DIR',
  'FARECLERK_WITNESS_DIR',
  'FARECLERK_SETTINGS_FILE',
];

/**
 * The environment wherever it has a setting, or a flag names an airline or a settings file; else the profile.
 * @throws UsageError if the command line contradicts itself, the environment or the profile
 * @throws ClerkError if it is not clear which profile is meant
 */
export function originOf(env: EnvironmentVariables, flags: Flags, { profile, sandbox }: Chosen): Origin {
  if (sandbox) {
    if (profile !== undefined) throw new UsageError('--profile and --sandbox: choose one of the two.');
    return { from: 'sandbox' };
  }
  // Also where a host left the placeholder of an empty field: its form is the source.
  const set = Object.keys(env).filter((name) => /^fareclerk_/i.test(name) && env[name]?.trim());
  const steering = SETTING_NAMES.find((name) => flags[name] !== undefined && isSteering(name));
  if (profile !== undefined) {
    const file = profileFile(env, profile);
    if (set.length > 0) {
      throw new UsageError(
        `--profile: the environment has settings too (${set.slice(0, 3).join(', ')}${set.length > 3 ? ', …' : ''}). Settings come from one of the two. Unset them, or leave --profile out.`,
      );
    }
    if (steering !== undefined) {
      throw new UsageError(`${flagOf(steering)}: the profile says which airline and which state are meant.`);
    }
    if (existsSync(file)) return { from: 'profile', profile, file };
    const names = profileNames(env);
    const known =
      names.length === 0 ? 'There is none yet: `fareclerk init` makes one.' : `There is ${names.join(', ')}.`;
    throw new UsageError(`--profile: there is no profile ${profile} (${file}). ${known}`);
  }
  const isNamed = flags.FARECLERK_BASE_URL !== undefined || flags.FARECLERK_SETTINGS_FILE !== undefined;
  if (set.length > 0 || isNamed) return ENVIRONMENT;
  const names = profileNames(env);
  if (names.length === 0) return ENVIRONMENT;
  if (steering !== undefined) {
    throw new UsageError(
      `${flagOf(steering)}: a profile (${names.join(', ')}) says which airline and which state are meant. Leave the flag out, or add --sandbox.`,
    );
  }
  const file = profileFile(env, DEFAULT_PROFILE);
  if (names.includes(DEFAULT_PROFILE)) return { from: 'profile', profile: DEFAULT_PROFILE, file };
  throw new ClerkError('E_CONFIG', `No profile is named default; there is ${names.join(', ')}. Nothing was done.`, {
    next: `Add --profile ${names[0]} to the command, or another of them, or --sandbox.`,
  });
}
