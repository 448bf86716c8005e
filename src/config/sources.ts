/**
 * Where the settings of a command come from: a profile, or the environment with flags and files. Never from both: an
 * address of one airline with a secret, a limit or a state of another would be neither's. First the choice of the origin,
 * then the texts of all settings, then how a settings file is read and written.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { readBelieved } from '../files/own-files.ts';
import { absolutePath, configRoot } from './folders.ts';
import { foreignFile, type Problem, UsageError } from './problem.ts';
import { expectedInFile, type GivenSettings, isOurVariable, unknownVariables } from './refused-settings.ts';
import { insteadOfSetting, wasRemoved } from './removed-settings.ts';
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
export interface OriginChoice {
  readonly profile?: string;
  readonly sandbox?: true;
}

const PROFILE_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** The end of the name of a profile's file. */
const SUFFIX = '.env';

/** Settings that name the airline or the state, beside those that describe an airline. */
const STEERING: readonly SettingName[] = [
  'FARECLERK_BASE_URL',
  'FARECLERK_STATE_DIR',
  'FARECLERK_WITNESS_DIR',
  'FARECLERK_SETTINGS_FILE',
];

/** Hosts leave the placeholder of an empty form field (MCPB `user_config`). */
const UNFILLED = /^\$\{user_config\.\w+\}$/;
/** `export` and quotes are allowed, so that `fareclerk sandbox > FILE` writes a settings file. */
const SETTING_LINE = /^(?:export\s+)?([A-Z][A-Z0-9_]*)=(?:'([^']*)'|"([^"]*)"|(.*))$/;
/** Programs differ about where such a value ends: before a `#`, or at the second quote. */
const UNCLEAR_END = /\s#|^['"]/;

/**
 * The path of a profile's file, whether or not it exists.
 * @throws UsageError if this is not a name of a profile
 */
export function profileFile(env: EnvironmentVariables, profile: string): string {
  if (!PROFILE_NAME.test(profile))
    throw new UsageError('--profile: expected a name of small letters, digits and hyphens.');
  return join(configRoot(env), 'fareclerk', profile + SUFFIX);
}

/** @throws UsageError if the folder of profiles cannot be read */
export function profileNames(env: EnvironmentVariables): readonly string[] {
  let folder = '';
  try {
    folder = join(configRoot(env), 'fareclerk');
    const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
    return names
      .map((name) => name.slice(0, -SUFFIX.length))
      .filter((name) => PROFILE_NAME.test(name))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // An account without a home folder has no profiles.
    if (folder === '' || code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new UsageError(`Cannot read ${folder}, where profiles are (${code}).`);
  }
}

/** Whether a setting says which airline, or which state, is meant: beside a profile it would contradict the profile. */
function isSteering(name: SettingName): boolean {
  return SETTINGS[name].airline === true || STEERING.includes(name);
}

/** The names of our variables that are set. */
export function filledVariables(env: EnvironmentVariables): string[] {
  return Object.keys(env).filter((name) => isOurVariable(name) && env[name]?.trim());
}

/**
 * Chooses the environment if it has a setting, or if a flag names an airline or a settings file; else the profile, if there is one.
 * @throws UsageError if the command line contradicts itself, the environment or the profile, or means a profile that is not there
 */
export function chooseOrigin(env: EnvironmentVariables, flags: Flags, { profile, sandbox }: OriginChoice): Origin {
  if (sandbox && profile !== undefined) throw new UsageError('--profile and --sandbox: choose one of the two.');
  if (sandbox) return { from: 'sandbox' };

  // Also where a host left the placeholder of an empty field: its form is the source.
  const variables = filledVariables(env);
  if (profile === undefined) {
    const flagNamesSource = flags.FARECLERK_BASE_URL !== undefined || flags.FARECLERK_SETTINGS_FILE !== undefined;
    if (variables.length > 0 || flagNamesSource || profileNames(env).length === 0) return ENVIRONMENT;
  }

  if (variables.length > 0) {
    throw new UsageError(
      `--profile: the environment has settings too (${variables.join(', ')}). Settings come from one of the two. Unset them, or leave --profile out.`,
    );
  }

  const steeringFlag = SETTING_NAMES.find((name) => flags[name] !== undefined && isSteering(name));
  if (steeringFlag !== undefined) {
    throw new UsageError(
      `${flagName(steeringFlag)}: the profile says which airline and which state are meant. Leave the flag out, or add --sandbox.`,
    );
  }

  return openedProfile(env, profile ?? DEFAULT_PROFILE);
}

/** @throws UsageError if there is no such profile */
function openedProfile(env: EnvironmentVariables, profile: string): Origin {
  const file = profileFile(env, profile);
  if (existsSync(file)) return { from: 'profile', profile, file };

  const names = profileNames(env);
  const known =
    names.length === 0
      ? '`fareclerk init` makes one.'
      : `There is ${names.join(', ')}: add --profile NAME, or --sandbox.`;
  throw new UsageError(`There is no profile ${profile} (${file}). ${known}`);
}

/** The texts of all settings, before their values are checked. */
export interface SettingsSource extends GivenSettings {
  readonly problems: readonly Problem[];
  readonly files: readonly ReadFile[];
}

/** A file of settings or of a secret. */
interface ReadFile {
  readonly path: string;
  /** Whether every user of this machine can read it. */
  readonly isOpen: boolean;
}

/** The text without spaces around it. Undefined if that is empty or the placeholder of an empty field. */
function filledText(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' || UNFILLED.test(trimmed) ? undefined : trimmed;
}

/** Two lists to which the readers of secrets and files add what they find. */
interface SourceFindings {
  readonly problems: Problem[];
  readonly files: ReadFile[];
}

/** A secret from its variable, or from the file that its other variable names. Removes it from `env`. */
function secretText(name: SettingName, env: EnvironmentVariables, findings: SourceFindings): string | undefined {
  // A secret is used as it was given: spaces may belong to it.
  const direct = filledText(env[name]) === undefined ? undefined : env[name];
  const path = filledText(env[fileVariable(name)]);

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

/** The secret in a file. Adds a problem if it cannot be read. */
function fileText(name: SettingName, path: string, { problems, files }: SourceFindings): string | undefined {
  const setting = fileVariable(name);
  try {
    const { text, isOpen } = readBelieved(path);
    const secret = text.replace(/\r?\n$/, '');

    files.push({ path, isOpen });
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

interface SettingsFile {
  readonly path: string;
  /** The setting or the flag that names the file; problems begin with it. */
  readonly namedBy: string;
}

/** The file of the profile, or the one that FARECLERK_SETTINGS_FILE names. */
function settingsFile(env: EnvironmentVariables, flags: Flags, origin: Origin): SettingsFile | undefined {
  if (origin.from === 'profile') return { path: origin.file, namedBy: `--profile ${origin.profile}` };
  const path = filledText(flags.FARECLERK_SETTINGS_FILE) ?? filledText(env.FARECLERK_SETTINGS_FILE);
  return path === undefined ? undefined : { path, namedBy: 'FARECLERK_SETTINGS_FILE' };
}

/** Adds a file's settings to the environment, which wins. Variables that a host left empty do not hide the file's. */
function addFileSettings(fileSettings: SettingTexts, env: EnvironmentVariables): EnvironmentVariables {
  const filledEntries = Object.entries(env).filter(([, text]) => filledText(text) !== undefined);
  return { ...fileSettings, ...Object.fromEntries(filledEntries) };
}

/**
 * Gathers the text of each setting: flags win over the environment, and the environment wins over the settings file.
 * Removes the secrets from `variables`, so that no child process or dump contains them.
 */
export function gatherSettings(variables: EnvironmentVariables, flags: Flags, origin: Origin): SettingsSource {
  const problems: Problem[] = [];
  const files: ReadFile[] = [];
  const file = settingsFile(variables, flags, origin);
  const fileContent = file && readSettingsFile(file, problems);
  if (file !== undefined && fileContent !== undefined) files.push({ path: file.path, isOpen: fileContent.isOpen });

  const env = fileContent === undefined ? variables : addFileSettings(fileContent.settings, variables);
  const typed: EnvironmentVariables = flags;
  const nameAsSet = (name: string): string =>
    filledText(typed[name]) === undefined ? name : `${flagName(name)} (${name})`;

  const names = Object.keys({ ...env, ...typed }).filter((name) => filledText(typed[name] ?? env[name]) !== undefined);
  problems.push(...unknownVariables(names));

  const texts: SettingTexts = {};
  for (const name of SETTING_NAMES) {
    const { secret: isSecret } = SETTINGS[name];
    const text = isSecret
      ? secretText(name, env, { problems, files })
      : (filledText(flags[name]) ?? filledText(env[name]));
    if (text !== undefined) texts[name] = text;
    // Also here: with a settings file, `env` is a copy.
    if (isSecret) delete variables[name];
  }

  return { texts, nameAsSet, problems, files };
}

/** Parses a line into name and value. No name: the line is not a setting. No value: it is unclear where it ends. */
function parseLine(line: string): { readonly name?: string | undefined; readonly value?: string | undefined } {
  const [, name, single, double, bare = ''] = SETTING_LINE.exec(line.trim()) ?? [];
  return { name, value: single ?? double ?? (UNCLEAR_END.test(bare) ? undefined : bare) };
}

/**
 * Reads the settings of a file and adds a problem for each line that is not one. Problems name a line, and never its
 * value, which may be a secret. `isOpen`: every user of this machine can read the file.
 */
export function readSettingsFile({ path, namedBy }: SettingsFile, problems: Problem[]) {
  const file = absolutePath(path);
  const settings: Record<string, string> = {};

  const addProblem = (fault: string, expected: string): void => {
    problems.push({ setting: namedBy, wrong: `names a file ${fault}.`, expected });
  };

  let lines: readonly string[] = [];
  let isOpen = false;

  try {
    const content = readBelieved(file);
    lines = content.text.split(/\r?\n/);
    isOpen = content.isOpen;
  } catch (error) {
    const foreign = foreignFile(namedBy, error);
    if (foreign === undefined) addProblem('that cannot be read', 'the path of a file');
    else problems.push(foreign);
  }

  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;

    const { name, value } = parseLine(line);
    const instead = insteadOfSetting(name ?? '');

    if (name === undefined || name === 'FARECLERK_SETTINGS_FILE') {
      const expected = 'lines such as FARECLERK_CURRENCY=SAR; # begins a comment';
      addProblem(`whose line ${index + 1} is not a setting`, expected);
    } else if (instead !== undefined) {
      addProblem(`whose line ${index + 1} has ${name}, which ${wasRemoved(instead)}`, 'the file without this line');
    } else if (!KNOWN_NAMES.includes(name)) {
      addProblem(`whose line ${index + 1} has a name that is no setting`, expectedInFile(name));
    } else if (value === undefined) {
      const expected = 'the whole value in quotes, and a comment on a line of its own';
      addProblem(`whose line ${index + 1} does not say where the value of ${name} ends`, expected);
    } else settings[name] = value;
  }

  return { settings, isOpen };
}

/** Writes a line that {@link readSettingsFile} reads as this value. Undefined if no line can hold the value. */
export function settingsLine(name: string, value: string): string | undefined {
  const lines = [value, `'${value}'`, `"${value}"`].map((text) => `${name}=${text}`);
  return lines.find((line) => !/[\r\n]/.test(line) && parseLine(line).value === value);
}
