/**
 * What is wrong with settings or usage: told on stderr before anything starts; exit code 2.
 */

export interface Problem {
  /** The variable, and the flag where the value came from one. */
  readonly setting: string;
  readonly wrong: string;
  readonly expected: string;
}

export class SettingsError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ setting, wrong, expected }) => `  ${setting} ${wrong}\n    expected: ${expected}`);
    super(`Settings are not right, nothing was started:\n${lines.join('\n')}`);
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

/** A command used wrongly; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
