/** Errors in settings and usage: exit code 2, before anything starts. */
import { ForeignError } from '../files/foreign.ts';

/** What is wrong with one setting. */
export interface Problem {
  /** The variable, and the flag if the value came from one. */
  readonly setting: string;
  /** Continues a sentence that begins with the setting: `is not a number.` */
  readonly wrong: string;
  /** Continues `expected: `. */
  readonly expected: string;
}

/** One or more settings are wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly Problem[];

  /** @param owner ` of profile default (/path)`; empty for the settings of the environment */
  constructor(problems: readonly Problem[], owner = '') {
    const lines = problems.map(({ setting, wrong, expected }) => `  ${setting} ${wrong}\n    expected: ${expected}`);
    super(`The settings${owner} are not valid. Nothing was started.\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

/** The error about one setting. */
export function badSetting(setting: string, wrong: string, expected: string): SettingsError {
  return new SettingsError([{ setting, wrong, expected }]);
}

/** The problem of a file that a setting names, if the error says that another user could have written it. */
export function foreignFile(setting: string, error: unknown): Problem | undefined {
  if (!(error instanceof ForeignError)) return undefined;
  const { path, why, command, isAbove } = error.foreign;
  const wrong = isAbove ? `names a file below ${path}, which ${why}.` : `names a file that ${why}.`;
  const kind = isAbove ? 'a file in a folder that only you and root can write' : 'a file that only you can write';
  return { setting, wrong, expected: `${kind}: own ${path}${command === undefined ? '' : ` and \`${command}\``}` };
}

/** The path of a file of another user, and its fault. For the operator only: messages to models must not name paths. */
export function foreignFileFault(cause: unknown): string | undefined {
  return cause instanceof ForeignError ? cause.message : undefined;
}

/** The arguments of a command are wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
