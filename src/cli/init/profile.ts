/** Reads, changes and writes profiles. A profile is a file for this user alone, with the settings of one airline. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stateRoot } from '../../config/folders.ts';
import { type Problem, SettingsError, UsageError } from '../../config/problem.ts';
import { isSettingName, KNOWN_NAMES, SETTINGS } from '../../config/settings.ts';
import { DEFAULT_PROFILE, profileFile, readSettingsFile, settingsLine } from '../../config/sources.ts';
import { ClerkError } from '../../core/errors.ts';
import { followPath } from '../../files/foreign.ts';
import { ownFolder } from '../../files/own-files.ts';
import type { Terminal } from '../terminal/command.ts';
import { replaceWithBackup } from './host-file.ts';
import type { InterviewAnswers } from './interview.ts';

/** Readable and writable by this user alone. */
const PROFILE_MODE = 0o600;

export interface Profile {
  readonly name: string;
  readonly file: string;
  /** Its settings now; undefined if there is no file yet. */
  readonly before: InterviewAnswers | undefined;
}

const PROFILE_HEADER = '# Settings of fareclerk, written by `fareclerk init`. Its commands read them here.';

/** @throws SettingsError if the file could have been written by others, or is not valid */
export function openProfile(env: Terminal['env'], name: string = DEFAULT_PROFILE): Profile {
  const file = profileFile(env, name);
  if (!existsSync(file)) return { name, file, before: undefined };
  const problems: Problem[] = [];
  const { settings } = readSettingsFile({ path: file, namedBy: `--profile ${name}` }, problems);
  if (problems.length > 0) throw new SettingsError(problems, ` of profile ${name} (${file})`);
  return { name, file, before: settings };
}

/** `air.example, agency A1` */
export function nameAirline({
  FARECLERK_BASE_URL: address = '',
  FARECLERK_AGENCY_ID: agency = '',
}: InterviewAnswers): string {
  return `${URL.parse(address)?.host ?? address}, agency ${agency}`;
}

/** Adds the folders of the state, so that a host and a shell with other variables mean the same state and second records. */
export function withStateFolders(answers: InterviewAnswers, { name }: Profile, env: Terminal['env']): InterviewAnswers {
  const root = stateRoot(undefined, env);
  const folder = name === DEFAULT_PROFILE ? root : join(root, 'profiles', name);
  const isShared = 'FARECLERK_DATABASE_URL' in answers || 'FARECLERK_DATABASE_URL_FILE' in answers;

  return {
    FARECLERK_STATE_DIR: folder,
    ...(isShared ? {} : { FARECLERK_WITNESS_DIR: `${root}-witness` }),
    ...answers,
  };
}

/**
 * Returns how the file of a profile would change, as lines without secrets, and a function that writes it.
 * @throws ClerkError if another user could replace the file, or if it is another airline's: the server of that one would lose
 *   its commands
 */
export function profileChange({ name, file, before = {} }: Profile, answers: InterviewAnswers) {
  const { foreign } = followPath(dirname(file));
  if (foreign !== undefined) {
    const { path, why, command } = foreign;
    throw new ClerkError('E_CONFIG', `${path} ${why}, who could replace ${file}. Nothing was written.`, {
      next: `${command === undefined ? 'Run `fareclerk init` as that user' : `Run \`${command}\``}, or set HOME or XDG_CONFIG_HOME to a folder of this user.`,
    });
  }

  if (before.FARECLERK_BASE_URL !== undefined && nameAirline(before) !== nameAirline(answers)) {
    throw new ClerkError('E_CONFIG', `Profile ${name} is of ${nameAirline(before)}. Nothing was written.`, {
      next: `Add --profile NAME to set up ${nameAirline(answers)} beside it.`,
    });
  }

  const names = KNOWN_NAMES.filter((known) => known in answers || known in before);
  const lines = names.flatMap((setting) => settingDiff(setting, before[setting], answers[setting]));
  const text = [PROFILE_HEADER, ...names.flatMap((setting) => settingLine(setting, answers[setting])), ''].join('\n');

  return {
    isSame: lines.every((line) => line.startsWith(' ')),
    lines: [`+++ ${file}`, ...lines],
    /** Returns the path of the copy; undefined if there was no profile. */
    write(now: number): string | undefined {
      ownFolder(dirname(file));
      return replaceWithBackup(file, text, { now, mode: PROFILE_MODE });
    },
  };
}

/** Marks the lines of one setting with `+`, `-` or a space, as `diff -u` does. */
function settingDiff(name: string, before: string | undefined, after: string | undefined): readonly string[] {
  const lineText = (value = '') => `${name}=${isSettingName(name) && SETTINGS[name].secret ? '[not shown]' : value}`;
  if (before === after) return [` ${lineText(after)}`];
  return [
    ...(before === undefined ? [] : [`-${lineText(before)}`]),
    ...(after === undefined ? [] : [`+${lineText(after)}`]),
  ];
}

/** @throws UsageError if the value does not fit into one line */
function settingLine(name: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  const line = settingsLine(name, value);
  if (line !== undefined) return [line];
  throw new UsageError(
    `init: ${name} has characters that no line can hold. Put it into a file that ${name}_FILE names.`,
  );
}
