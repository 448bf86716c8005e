/** A file of settings, for hosts whose form asks for few: `NAME=value`, one a line, as in the environment. */
import { readFileSync } from 'node:fs';
import type { Problem } from './problem.ts';
import { pathOf } from './state-dir.ts';

const SETTING = 'FARECLERK_SETTINGS_FILE';
/** `export` and quotes are allowed, so that `fareclerk sandbox > FILE` makes one. */
const LINE = /^(?:export\s+)?([A-Z][A-Z0-9_]*)=(?:'([^']*)'|"([^"]*)"|(.*))$/;

/** Reads the file; empty without one. Problems name a line, never its text: it may hold a secret. */
export function readSettingsFile(path: string | undefined, problems: Problem[]): Record<string, string> {
  if (path === undefined) return {};
  let text: string;
  try {
    text = readFileSync(pathOf(path), 'utf8');
  } catch {
    problems.push({ setting: SETTING, wrong: 'names a file that cannot be read.', expected: 'the path of a file' });
    return {};
  }
  const settings: Record<string, string> = {};
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, ...values] = LINE.exec(line.trim()) ?? [];
    if (name === undefined || name === SETTING) {
      const expected = 'lines such as FARECLERK_CURRENCY=SAR; # begins a comment';
      problems.push({ setting: SETTING, wrong: `names a file whose line ${at + 1} is not a setting.`, expected });
    } else settings[name] = values.find((value) => value !== undefined) ?? '';
  }
  return settings;
}
