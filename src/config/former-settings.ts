/** Settings of earlier versions: they have no effect any more, and a start names them with what a user does instead. */
import type { Problem } from './problem.ts';

interface FormerSetting {
  /** What a user does instead; continues `expected: `. */
  readonly instead: string;
  /** Whether it limited money or access. Such a limit must not end unnoticed: a start with the setting is refused. */
  readonly limited: boolean;
  /** Whether its flag may stand without a value. */
  readonly yesNo?: true;
}

export type FormerSettings = Readonly<Record<string, FormerSetting>>;

export const FORMER_SETTINGS: FormerSettings = {
  FARECLERK_PRICE_CHECK: {
    instead: 'create_booking, whose free hold says the price before anybody pays',
    limited: false,
    yesNo: true,
  },
  FARECLERK_TICKETS_DIR: {
    instead: 'the links of get_tickets, which hosts open and save',
    limited: false,
  },
};

/** A former setting that somebody still sets, and that limited nothing. */
export interface FormerInUse {
  readonly name: string;
  /** The variable, and the flag if it came from one. */
  readonly setting: string;
  readonly instead: string;
}

/**
 * Finds the former settings among those that somebody sets: the ones that limited money or access are problems of the start.
 * @param set the settings that are set, by name, each as its error names it
 */
export function findFormer(
  set: ReadonlyMap<string, string>,
  former = FORMER_SETTINGS,
): { readonly problems: readonly Problem[]; readonly ignored: readonly FormerInUse[] } {
  const problems: Problem[] = [];
  const ignored: FormerInUse[] = [];
  for (const [name, setting] of set) {
    const found = former[name];
    if (found === undefined) continue;
    const { instead, limited } = found;
    const wrong = 'is a setting of an earlier version, and it limited money or access.';
    if (limited) problems.push({ setting, wrong, expected: instead });
    else ignored.push({ name, setting, instead });
  }
  return { problems, ignored };
}

/** Says that a setting has no effect; `doctor` says the same in two lines. */
export function formerWarning({ setting, instead }: FormerInUse): string {
  return `${setting} is a setting of an earlier version and has no effect. Remove it. Instead: ${instead}.`;
}
