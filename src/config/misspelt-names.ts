/**
 * Refuses a misspelt name of a setting, of a FARECLERK_ variable or in a settings file, and tells which name was
 * probably meant: a typing error must not quietly leave a limit unset.
 */
import { nearest } from '../core/nearest-word.ts';
import type { Problem } from './problem.ts';
import { KNOWN_NAMES } from './settings.ts';

const NAME_FROM_LIST = 'a name from the list in `fareclerk help settings --all`';

/** Whether a variable is meant for this program. In any case of letters: another case is a misspelling. */
export function isOurVariable(name: string): boolean {
  return /^fareclerk_/i.test(name);
}

/** Names each FARECLERK_ variable that is not a setting. Ignores other variables, which other programs use. */
export function unknownVariables(names: readonly string[]): Problem[] {
  // Windows ignores the case of names; elsewhere another case is a misspelling.
  const asKnown = (name: string): string => (process.platform === 'win32' ? name.toUpperCase() : name);
  return names
    .filter((name) => isOurVariable(name) && !KNOWN_NAMES.includes(asKnown(name)))
    .map((name) => ({
      setting: name,
      wrong: 'is not a setting of fareclerk.',
      expected: nearest(name, KNOWN_NAMES) ?? NAME_FROM_LIST,
    }));
}

/** What is expected in a settings file in place of a name that is no setting. */
export function expectedInFile(name: string): string {
  return nearest(name, KNOWN_NAMES) ?? `${NAME_FROM_LIST}; other variables belong in the environment`;
}
