/** Settings of earlier versions: they have no effect any more, and a start names them with what a user does instead. */
import { own } from '../core/own.ts';

interface FormerSetting {
  /** What a user does instead; continues `expected: `. */
  readonly instead: string;
}

export const FORMER_SETTINGS: Readonly<Record<string, FormerSetting>> = {
  FARECLERK_PRICE_CHECK: {
    instead: 'create_booking, whose free hold says the price before anybody pays',
  },
  FARECLERK_TICKETS_DIR: {
    instead: 'the links of get_tickets, which hosts open and save',
  },
};

/** A former setting that somebody still sets. */
export interface FormerInUse {
  readonly name: string;
  /** The variable, and the flag if it came from one. */
  readonly setting: string;
  readonly instead: string;
}

/**
 * Finds the former settings among those that somebody sets.
 * @param set the settings that are set, by name, each as its error names it
 */
export function findFormer(set: ReadonlyMap<string, string>): readonly FormerInUse[] {
  return [...set].flatMap(([name, setting]) => {
    const found = own(FORMER_SETTINGS, name);
    return found === undefined ? [] : [{ name, setting, instead: found.instead }];
  });
}

/** Says that a setting has no effect; `doctor` says the same in two lines. */
export function formerWarning({ setting, instead }: FormerInUse): string {
  return `${setting} is a setting of an earlier version and has no effect. Remove it. Instead: ${instead}.`;
}
