/** A file of settings, `NAME=value`, one a line, as in the environment: a profile, or what FARECLERK_SETTINGS_FILE names. */
import { nearest } from '../core/nearest-word.ts';
import { readBelieved } from '../files/own-files.ts';
import { foreignFile, type Problem } from './problem.ts';
import { insteadOf } from './retired-settings.ts';
import { KNOWN_NAMES } from './settings.ts';
import { pathOf } from './state-dir.ts';

/** `export` and quotes are allowed, so that `fareclerk sandbox > FILE` makes one. */
const LINE = /^(?:export\s+)?([A-Z][A-Z0-9_]*)=(?:'([^']*)'|"([^"]*)"|(.*))$/;
/** Readers of such files differ about where a value ends without quotes, or goes on after them. */
const UNCLEAR = /\s#|^['"]/;

/** Name and value of a line. No name: it is not a setting. No value: it is not clear. */
function parsed(line: string): { readonly name?: string | undefined; readonly value?: string | undefined } {
  const [, name, single, double, bare = ''] = LINE.exec(line.trim()) ?? [];
  return { name, value: single ?? double ?? (UNCLEAR.test(bare) ? undefined : bare) };
}

export interface SettingsFile {
  readonly path: string;
  /** What names it, in problems: the setting or the flag. */
  readonly namedBy: string;
}

/** Problems name a line, and never its value: it may be a secret. `isOpen`: every user of this machine can read it. */
export function readSettingsFile({ path, namedBy }: SettingsFile, problems: Problem[]) {
  const file = pathOf(path);
  const settings: Record<string, string> = {};
  const wrong = (what: string, expected: string): void => {
    problems.push({ setting: namedBy, wrong: `names a file ${what}.`, expected });
  };
  let lines: readonly string[] = [];
  let isOpen = false;
  try {
    const read = readBelieved(file);
    lines = read.text.split(/\r?\n/);
    isOpen = read.isOpen;
  } catch (error) {
    const foreign = foreignFile(namedBy, error);
    if (foreign === undefined) wrong('that cannot be read', 'the path of a file');
    else problems.push(foreign);
  }
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const { name, value } = parsed(line);
    if (name === undefined || name === 'FARECLERK_SETTINGS_FILE') {
      const expected = 'lines such as FARECLERK_CURRENCY=SAR; # begins a comment';
      wrong(`whose line ${at + 1} is not a setting`, expected);
    } else if (!KNOWN_NAMES.includes(name)) {
      const instead = insteadOf(name);
      const what = instead === undefined ? 'a name that is no setting' : `${name}, which is no longer a setting`;
      wrong(`whose line ${at + 1} has ${what}`, instead ?? nearest(name, KNOWN_NAMES) ?? UNKNOWN);
    } else if (value === undefined) {
      const expected = 'the whole value in quotes, and a comment on a line of its own';
      wrong(`whose line ${at + 1} does not say where the value of ${name} ends`, expected);
    } else settings[name] = value;
  }
  return { settings, isOpen };
}

const UNKNOWN = 'a name from the list in `fareclerk help settings --all`; other variables belong in the environment';

/** The line of a setting, which {@link readSettingsFile} reads as the same value. Undefined if no line can. */
export function settingsLine(name: string, value: string): string | undefined {
  const lines = [value, `'${value}'`, `"${value}"`].map((text) => `${name}=${text}`);
  return lines.find((line) => !/[\r\n]/.test(line) && parsed(line).value === value);
}
