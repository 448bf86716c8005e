/**
 * The settings of a server that a person's yes depends on. All servers of one state must have the same: else they would
 * ask different questions, and let more through together than one of them allows.
 */

/** By name, as texts. */
export type YesSettings = Readonly<Record<string, string>>;

/** A setting that a server has otherwise which began earlier. */
export interface UnlikeSetting {
  readonly setting: string;
  readonly here: string;
  readonly there: string;
}

const NOT_SET = 'not set';

export function unlikeSettings(here: YesSettings, there: YesSettings): readonly UnlikeSetting[] {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  return names
    .map((setting) => ({ setting, here: here[setting] ?? NOT_SET, there: there[setting] ?? NOT_SET }))
    .filter((values) => values.here !== values.there);
}

/** A sentence for each setting. */
export function unlikeWords(unlike: readonly UnlikeSetting[]): readonly string[] {
  return unlike.map(
    ({ setting, here, there }) => `${setting} is ${here} here, and ${there} at a server that works with this state.`,
  );
}
