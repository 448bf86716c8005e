/**
 * Where the settings of a command come from: a profile, or the environment with flags and files. Never from both: an
 * address of one airline with a secret, a limit or a state of another would be neither's.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { ClerkError } from '../core/errors.ts';
import { readBelieved } from '../files/own-files.ts';
import { absolutePath, configRoot } from './folders.ts';
import { expectedInFile, unknownVariables } from './misspelt-names.ts';
import { foreignFile, type Problem, UsageError } from './problem.ts';
import {
  type EnvironmentVariables,
  type Flags,
  fileVariable,
  flagName,
  KNOWN_NAMES,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingTexts,
} from './settings.ts';

export type Origin =
  /** Variables, FARECLERK_SETTINGS_FILE and flags. */
  | { readonly from: 'environment' }
  | { readonly from: 'profile'; readonly profile: string; readonly file: string }
  /** `--sandbox`: as the environment, which must name no airline. */
  | { readonly from: 'sandbox' };

export const ENVIRONMENT: Origin = Object.freeze({ from: 'environment' });
/** The profile that is used where nobody names one. */
export const DEFAULT_PROFILE = 'default';

/** What the command line says about where the settings come from. */
export interface Chosen {
  readonly profile?: string;
  readonly sandbox?: true;
}

/** The name of a profile. */
const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** The end of the name of a profile's file. */
const SUFFIX = '.env';

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

/** Whether a setting says which airline, or which state, is meant: beside a profile it would contradict the profile. */
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
export function chooseOrigin(env: EnvironmentVariables, flags: Flags, { profile, sandbox }: Chosen): Origin {
  if (sandbox) {
    if (profile !== undefined) throw new UsageError('--profile and --sandbox: choose one of the two.');
    return { from: 'sandbox' };
  }
  // Also where a host left the placeholder of an empty field: its form is the source.
  const variables = Object.keys(env).filter((name) => /^fareclerk_/i.test(name) && env[name]?.trim());
  const steering = SETTING_NAMES.find((name) => flags[name] !== undefined && isSteering(name));
  if (profile !== undefined) {
    const file = profileFile(env, profile);
    if (variables.length > 0) {
      throw new UsageError(
        `--profile: the environment has settings too (${variables.slice(0, 3).join(', ')}${variables.length > 3 ? ', …' : ''}). Settings come from one of the two. Unset them, or leave --profile out.`,
      );
    }
    if (steering !== undefined) {
      throw new UsageError(`${flagName(steering)}: the profile says which airline and which state are meant.`);
    }
    if (existsSync(file)) return { from: 'profile', profile, file };
    const names = profileNames(env);
    const known =
      names.length === 0 ? 'There is none yet: `fareclerk init` makes one.' : `There is ${names.join(', ')}.`;
    throw new UsageError(`--profile: there is no profile ${profile} (${file}). ${known}`);
  }
  const isNamed = flags.FARECLERK_BASE_URL !== undefined || flags.FARECLERK_SETTINGS_FILE !== undefined;
  if (variables.length > 0 || isNamed) return ENVIRONMENT;
  const names = profileNames(env);
  if (names.length === 0) return ENVIRONMENT;
  if (steering !== undefined) {
    throw new UsageError(
      `${flagName(steering)}: a profile (${names.join(', ')}) says which airline and which state are meant. Leave the flag out, or add --sandbox.`,
    );
  }
  const file = profileFile(env, DEFAULT_PROFILE);
  if (names.includes(DEFAULT_PROFILE)) return { from: 'profile', profile: DEFAULT_PROFILE, file };
  throw new ClerkError('E_CONFIG', `No profile is named default; there is ${names.join(', ')}. Nothing was done.`, {
    next: `Add --profile ${names[0]} to the command, or another of them, or --sandbox.`,
  });
}

export interface SettingsSource {
  readonly texts: SettingTexts;
  /** Names a setting as the person set it: variable or flag. */
  readonly named: (name: SettingName) => string;
  readonly problems: readonly Problem[];
  /** The files of settings and secrets that every user of this machine can read. */
  readonly openFiles: readonly string[];
}

/** Hosts leave the placeholder of an empty form field (MCPB `user_config`). */
const UNFILLED = /^\$\{user_config\.\w+\}$/;

/** The text that somebody gave, without spaces around it. An empty one counts as not given. */
function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' || UNFILLED.test(trimmed) ? undefined : trimmed;
}

/** What is found out while the sources are read. */
interface SourceFindings {
  readonly problems: Problem[];
  readonly openFiles: string[];
}

/** A secret from its variable, or from the file that its other variable names. Removes it from `env`. */
function secretText(name: SettingName, env: EnvironmentVariables, findings: SourceFindings): string | undefined {
  const direct = given(env[name]) === undefined ? undefined : env[name];
  const path = given(env[fileVariable(name)]);
  delete env[name];
  if (path === undefined) return direct;
  if (direct === undefined) return fileText(name, path, findings);
  findings.problems.push({
    setting: name,
    wrong: `is set, and so is ${fileVariable(name)}.`,
    expected: 'one of the two',
  });
  return undefined;
}

/** The secret that a file holds; a problem if it cannot be read. */
function fileText(name: SettingName, path: string, { problems, openFiles }: SourceFindings): string | undefined {
  const setting = fileVariable(name);
  try {
    const { text, isOpen } = readBelieved(path);
    const secret = text.replace(/\r?\n$/, '');
    if (isOpen) openFiles.push(path);
    if (secret !== '') return secret;
    problems.push({
      setting,
      wrong: `names an empty file${shownPath(path)}.`,
      expected: 'a file that holds the secret',
    });
  } catch (error) {
    const foreign = foreignFile(setting, error);
    if (foreign !== undefined) {
      problems.push(foreign);
      return undefined;
    }
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : 'it cannot be read';
    problems.push({
      setting,
      wrong: `names a file that cannot be read${shownPath(path)}: ${why}.`,
      expected: 'a path',
    });
  }
  return undefined;
}

/** Repeats a path in brackets only if its folder exists: other text may be the secret itself, in the wrong variable. */
function shownPath(path: string): string {
  return isAbsolute(path) && dirname(path) !== '/' && existsSync(dirname(path)) ? ` (${path})` : '';
}

/** The file that has the settings, or more of them. */
function settingsFile(env: EnvironmentVariables, flags: Flags, origin: Origin): SettingsFile | undefined {
  if (origin.from === 'profile') return { path: origin.file, namedBy: `--profile ${origin.profile}` };
  const path = given(flags.FARECLERK_SETTINGS_FILE) ?? given(env.FARECLERK_SETTINGS_FILE);
  return path === undefined ? undefined : { path, namedBy: 'FARECLERK_SETTINGS_FILE' };
}

/** The environment, which wins, and the file's settings. Variables that a host left empty do not hide the file's. */
function withFile(file: SettingTexts, env: EnvironmentVariables): EnvironmentVariables {
  const filled = Object.entries(env).filter(([, text]) => given(text) !== undefined);
  return { ...file, ...Object.fromEntries(filled) };
}

/**
 * Flags win over the environment, and that over the settings file. Removes the secrets from `variables`, so that
 * no child process or dump contains them.
 */
export function gather(variables: EnvironmentVariables, flags: Flags, origin: Origin): SettingsSource {
  const problems: Problem[] = [];
  const openFiles: string[] = [];
  const file = settingsFile(variables, flags, origin);
  const read = file && readSettingsFile(file, problems);
  if (file !== undefined && read?.isOpen) openFiles.push(file.path);
  const env = read === undefined ? variables : withFile(read.settings, variables);
  problems.push(...unknownVariables(Object.keys(env).filter((name) => given(env[name]) !== undefined)));
  const texts: SettingTexts = {};
  for (const name of SETTING_NAMES) {
    const { secret: isSecret } = SETTINGS[name];
    const text = isSecret ? secretText(name, env, { problems, openFiles }) : (given(flags[name]) ?? given(env[name]));
    if (text !== undefined) texts[name] = text;
    if (isSecret) delete variables[name];
  }
  const named = (name: SettingName): string =>
    given(flags[name]) === undefined ? name : `${flagName(name)} (${name})`;
  return { texts, named, problems, openFiles };
}

/** `export` and quotes are allowed, so that `fareclerk sandbox > FILE` makes one. */
const LINE = /^(?:export\s+)?([A-Z][A-Z0-9_]*)=(?:'([^']*)'|"([^"]*)"|(.*))$/;
/** Readers of such files differ about where a value ends without quotes, or goes on after them. */
const UNCLEAR = /\s#|^['"]/;

/** Name and value of a line. No name: it is not a setting. No value: nobody can tell where it ends. */
function parseLine(line: string): { readonly name?: string | undefined; readonly value?: string | undefined } {
  const [, name, single, double, bare = ''] = LINE.exec(line.trim()) ?? [];
  return { name, value: single ?? double ?? (UNCLEAR.test(bare) ? undefined : bare) };
}

interface SettingsFile {
  readonly path: string;
  /** What names it, in problems: the setting or the flag. */
  readonly namedBy: string;
}

/** Problems name a line, and never its value: it may be a secret. `isOpen`: every user of this machine can read it. */
export function readSettingsFile({ path, namedBy }: SettingsFile, problems: Problem[]) {
  const file = absolutePath(path);
  const settings: Record<string, string> = {};
  const wrong = (what: string, expected: string): void => {
    problems.push({ setting: namedBy, wrong: `names a file ${what}.`, expected });
  };
  let lines: readonly string[] = [];
  let isOpen = false;
  try {
    const read = readBelieved(file);
    lines = read.text.split(/\r?\n/);
    isOpen = read.isOpen;
  } catch (error) {
    const foreign = foreignFile(namedBy, error);
    if (foreign === undefined) wrong('that cannot be read', 'the path of a file');
    else problems.push(foreign);
  }
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const { name, value } = parseLine(line);
    if (name === undefined || name === 'FARECLERK_SETTINGS_FILE') {
      const expected = 'lines such as FARECLERK_CURRENCY=SAR; # begins a comment';
      wrong(`whose line ${index + 1} is not a setting`, expected);
    } else if (!KNOWN_NAMES.includes(name)) {
      wrong(`whose line ${index + 1} has a name that is no setting`, expectedInFile(name));
    } else if (value === undefined) {
      const expected = 'the whole value in quotes, and a comment on a line of its own';
      wrong(`whose line ${index + 1} does not say where the value of ${name} ends`, expected);
    } else settings[name] = value;
  }
  return { settings, isOpen };
}

/** The line of a setting, which {@link readSettingsFile} reads as the same value. Undefined if no line can. */
export function settingsLine(name: string, value: string): string | undefined {
  const lines = [value, `'${value}'`, `"${value}"`].map((text) => `${name}=${text}`);
  return lines.find((line) => !/[\r\n]/.test(line) && parseLine(line).value === value);
}
