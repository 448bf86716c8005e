/** Errors in settings and usage: exit code 2, before anything starts. */

export interface Problem {
  /** The variable, and the flag if the value came from one. */
  readonly setting: string;
  readonly wrong: string;
  readonly expected: string;
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly Problem[];

  /** @param whose ` of profile default (/path)`, where the settings are not those of the environment */
  constructor(problems: readonly Problem[], whose = '') {
    const lines = problems.map(({ setting, wrong, expected }) => `  ${setting} ${wrong}\n    expected: ${expected}`);
    super(`The settings${whose} are not valid. Nothing was started.\n${lines.join('\n')}`);
    this.problems = problems;
  }
}

export function badSetting(setting: string, wrong: string, expected: string): SettingsError {
  return new SettingsError([{ setting, wrong, expected }]);
}

/** A command used wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
