/**
 * Gathers the text of every setting from flags, environment and files, and removes secrets from the environment, so
 * that no child process and no dump carries them.
 */
import { readFileSync } from 'node:fs';
import { nearest } from '../domain/time-and-text/nearest-word.ts';
import type { Problem } from './problem.ts';
import { ABOUT, fileVariable, flagOf, SETTING_NAMES, type SettingName } from './settings.ts';

export type Environment = Record<string, string | undefined>;
/** Values given as flags, by variable name. */
export type Flags = Partial<Record<SettingName, string>>;

export interface Source {
  readonly texts: Partial<Record<SettingName, string>>;
  /** How to name a setting to the person who set it. */
  readonly named: (name: SettingName) => string;
  readonly problems: readonly Problem[];
}

/** Hosts leave the placeholder of an unset form field standing (MCPB `user_config`). */
const UNFILLED = /^\$\{user_config\.\w+\}$/;

/** Empty is unset. */
function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' || UNFILLED.test(trimmed) ? undefined : trimmed;
}

function unknownName(name: string): Problem {
  const known = nearest(name, [...SETTING_NAMES, ...SETTING_NAMES.filter((s) => ABOUT[s].secret).map(fileVariable)]);
  return {
    setting: name,
    wrong: 'is not a setting of fareclerk.',
    expected: known === undefined ? 'a name from the list in `fareclerk serve --help`' : known,
  };
}

function unknownNames(env: Environment): Problem[] {
  const known = new Set<string>(
    SETTING_NAMES.flatMap((name) => (ABOUT[name].secret ? [name, fileVariable(name)] : [name])),
  );
  // Names have no case on Windows; elsewhere another case is a misspelling.
  const asKnown = (name: string): string => (process.platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(env)
    .filter((name) => /^fareclerk_/i.test(name) && given(env[name]) !== undefined && !known.has(asKnown(name)))
    .map(unknownName);
}

function readSecret(name: SettingName, path: string, problems: Problem[]): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    problems.push({ setting: fileVariable(name), wrong: 'names a file that cannot be read.', expected: 'a path' });
    return undefined;
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  problems.push({ setting: fileVariable(name), wrong: 'names an empty file.', expected: 'the secret as its content' });
  return undefined;
}

function secretText(name: SettingName, env: Environment, problems: Problem[]): string | undefined {
  const direct = given(env[name]) === undefined ? undefined : env[name];
  const path = given(env[fileVariable(name)]);
  delete env[name];
  if (path === undefined) return direct;
  if (direct === undefined) return readSecret(name, path, problems);
  problems.push({
    setting: name,
    wrong: `is set, and so is ${fileVariable(name)}.`,
    expected: 'one of the two',
  });
  return undefined;
}

/** Flags win over the environment. `env` loses its secrets. */
export function gather(env: Environment, flags: Flags): Source {
  const problems = unknownNames(env);
  const texts: Partial<Record<SettingName, string>> = {};
  for (const name of SETTING_NAMES) {
    const text = ABOUT[name].secret ? secretText(name, env, problems) : (given(flags[name]) ?? given(env[name]));
    if (text !== undefined) texts[name] = text;
  }
  const named = (name: SettingName): string => (given(flags[name]) === undefined ? name : `${flagOf(name)} (${name})`);
  return { texts, named, problems };
}
