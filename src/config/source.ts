/**
 * Gathers the text of every setting from flags, environment and files. Removes secrets from the environment, so that no
 * child process or dump contains them.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { nearest } from '../core/nearest-word.ts';
import { readBelieved } from '../files/own-files.ts';
import type { Origin } from './origin.ts';
import { foreignFile, type Problem } from './problem.ts';
import { insteadOf } from './retired-settings.ts';
import {
  type EnvironmentVariables,
  type Flags,
  fileVariable,
  flagOf,
  KNOWN_NAMES,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingTexts,
} from './settings.ts';
import { readSettingsFile, type SettingsFile } from './settings-file.ts';

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

/** Empty is unset. */
function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' || UNFILLED.test(trimmed) ? undefined : trimmed;
}

function unknownNames(env: EnvironmentVariables): Problem[] {
  // Windows ignores the case of names; elsewhere another case is a misspelling.
  const asKnown = (name: string): string => (process.platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(env)
    .filter((name) => /^fareclerk_/i.test(name) && given(env[name]) !== undefined)
    .filter((name) => !KNOWN_NAMES.includes(asKnown(name)))
    .map((name) => {
      const instead = insteadOf(asKnown(name));
      if (instead !== undefined) return { setting: name, wrong: 'is no longer a setting.', expected: instead };
      const expected = nearest(name, KNOWN_NAMES) ?? 'a name from the list in `fareclerk help settings --all`';
      return { setting: name, wrong: 'is not a setting of fareclerk.', expected };
    });
}

/** What is found while the sources are read. */
interface SourceFindings {
  readonly problems: Problem[];
  readonly openFiles: string[];
}

function secretText(name: SettingName, env: EnvironmentVariables, found: SourceFindings): string | undefined {
  const direct = given(env[name]) === undefined ? undefined : env[name];
  const path = given(env[fileVariable(name)]);
  delete env[name];
  if (path === undefined) return direct;
  if (direct === undefined) return fileText(name, path, found);
  found.problems.push({ setting: name, wrong: `is set, and so is ${fileVariable(name)}.`, expected: 'one of the two' });
  return undefined;
}

function fileText(name: SettingName, path: string, { problems, openFiles }: SourceFindings): string | undefined {
  const setting = fileVariable(name);
  try {
    const { text, isOpen } = readBelieved(path);
    const secret = text.replace(/\r?\n$/, '');
    if (isOpen) openFiles.push(path);
    if (secret !== '') return secret;
    problems.push({ setting, wrong: `names an empty file${shown(path)}.`, expected: 'a file that holds the secret' });
  } catch (error) {
    const foreign = foreignFile(setting, error);
    if (foreign !== undefined) {
      problems.push(foreign);
      return undefined;
    }
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : 'it cannot be read';
    problems.push({ setting, wrong: `names a file that cannot be read${shown(path)}: ${why}.`, expected: 'a path' });
  }
  return undefined;
}

/** Repeats a path only if its folder exists: other text may be the secret itself, in the wrong variable. */
function shown(path: string): string {
  return isAbsolute(path) && dirname(path) !== '/' && existsSync(dirname(path)) ? ` (${path})` : '';
}

/** The file that has the settings, or more of them. */
function fileOf(env: EnvironmentVariables, flags: Flags, origin: Origin): SettingsFile | undefined {
  if (origin.from === 'profile') return { path: origin.file, namedBy: `--profile ${origin.profile}` };
  const path = given(flags.FARECLERK_SETTINGS_FILE) ?? given(env.FARECLERK_SETTINGS_FILE);
  return path === undefined ? undefined : { path, namedBy: 'FARECLERK_SETTINGS_FILE' };
}

/** The environment over the file of settings; variables that a host left empty do not hide the file's. */
function over(file: SettingTexts, env: EnvironmentVariables): EnvironmentVariables {
  const filled = Object.entries(env).filter(([, text]) => given(text) !== undefined);
  return { ...file, ...Object.fromEntries(filled) };
}

/** Flags win over the environment, and that over the settings file. Removes the secrets from `variables`. */
export function gather(variables: EnvironmentVariables, flags: Flags, origin: Origin): SettingsSource {
  const problems: Problem[] = [];
  const openFiles: string[] = [];
  const file = fileOf(variables, flags, origin);
  const read = file && readSettingsFile(file, problems);
  if (file !== undefined && read?.isOpen) openFiles.push(file.path);
  const env = read === undefined ? variables : over(read.settings, variables);
  problems.push(...unknownNames(env));
  const texts: SettingTexts = {};
  for (const name of SETTING_NAMES) {
    const { secret: isSecret } = SETTINGS[name];
    const text = isSecret ? secretText(name, env, { problems, openFiles }) : (given(flags[name]) ?? given(env[name]));
    if (text !== undefined) texts[name] = text;
    if (isSecret) delete variables[name];
  }
  const named = (name: SettingName): string => (given(flags[name]) === undefined ? name : `${flagOf(name)} (${name})`);
  return { texts, named, problems, openFiles };
}
