/**
 * The change of a host's file, for a person to look at: our own entry before and after, and nothing of anybody else's,
 * whose lines may hold secrets.
 */
import { ABOUT, isSettingName } from '../../config/settings.ts';
import type { HostFile } from './host-file.ts';
import { SERVER } from './host-file.ts';

const HIDDEN = '[not shown]';

/** Lines with `+`, `-` or a space before them, as `diff -u` marks them. */
export function changeLines(
  file: HostFile,
  field: string,
  entry: Readonly<Record<string, unknown>>,
): readonly string[] {
  const before = file.entry === undefined ? [] : linesOf(file.entry);
  const after = linesOf(entry);
  const others =
    file.others === 0 ? [] : [`    … ${file.others} other ${file.others === 1 ? 'server' : 'servers'}, not touched`];
  const fresh = file.before === undefined;
  return [
    fresh ? '--- (no such file yet)' : `--- ${file.path}`,
    `+++ ${file.path}`,
    `${fresh ? '+' : ' '}{`,
    `${fresh ? '+' : ' '}  "${field}": {`,
    ...others.map((line) => ` ${line}`),
    ...difference(before, after).map(([mark, line]) => `${mark}    ${line}`),
    `${fresh ? '+' : ' '}  }`,
    `${fresh ? '+' : ' '}}`,
  ];
}

/** Whether the entry is there already as it would be written. */
export function isSame({ entry }: HostFile, ours: unknown): boolean {
  return JSON.stringify(entry) === JSON.stringify(ours);
}

function linesOf(entry: unknown): readonly string[] {
  const [first = '', ...rest] = JSON.stringify(masked(entry), undefined, 2).split('\n');
  return [`"${SERVER}": ${first}`, ...rest];
}

/** What somebody put there by hand may be anything: only what we know to be no secret is shown. */
function masked(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return HIDDEN;
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => {
      if (name === 'env') return [name, maskedEnv(value)];
      if (name === 'args') return [name, maskedArgs(value)];
      return [name, name === 'command' || name === 'type' ? value : HIDDEN];
    }),
  );
}

function maskedEnv(env: unknown): unknown {
  if (typeof env !== 'object' || env === null) return HIDDEN;
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      const open = isSettingName(name) ? ABOUT[name].secret !== true : name.endsWith('_FILE');
      return [name, open ? value : HIDDEN];
    }),
  );
}

/** A flag's name says whether its value is one. */
function maskedArgs(args: unknown): unknown {
  if (!Array.isArray(args)) return HIDDEN;
  const suspect = /key|secret|token|passw/i;
  return args.map((arg, i) => {
    const text = String(arg);
    if (suspect.test(String(args[i - 1] ?? '')) && !text.startsWith('-')) return HIDDEN;
    return suspect.test(text) && text.includes('=') ? `${text.slice(0, text.indexOf('='))}=${HIDDEN}` : text;
  });
}

type Marked = readonly [mark: '+' | '-' | ' ', line: string];

/** Longest common lines, so that what stays stands once. */
function difference(before: readonly string[], after: readonly string[]): readonly Marked[] {
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = common[i] ?? [];
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Marked[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (old !== undefined && old === now) lines.push([' ', old]);
    else if (old !== undefined && (now === undefined || at(i + 1, j) >= at(i, j + 1))) lines.push(['-', old]);
    else if (now !== undefined) lines.push(['+', now]);
    if (lines.at(-1)?.[0] !== '+') i++;
    if (lines.at(-1)?.[0] !== '-') j++;
  }
  return lines;
}
