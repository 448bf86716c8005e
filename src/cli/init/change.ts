/** Shows a person the change to our entry in a host's file. Hides other entries, because they may contain secrets. */
import { isSettingName, SETTINGS } from '../../config/settings.ts';
import { type HostFile, SERVER } from './host-file.ts';

const HIDDEN = '[not shown]';

/** Lines with `+`, `-` or a space before them, as `diff -u` marks them. */
export async function changeLines(
  file: HostFile,
  field: string,
  entry: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const { diffArrays } = await import('diff');
  const before: string[] = file.entry === undefined ? [] : linesOf(file.entry);
  const after = linesOf(entry);
  const others =
    file.others === 0 ? [] : [`    … ${file.others} other ${file.others === 1 ? 'server' : 'servers'}, not touched`];
  const fresh = file.before === undefined;
  const mark = fresh ? '+' : ' ';
  return [
    fresh ? '--- (no such file yet)' : `--- ${file.path}`,
    `+++ ${file.path}`,
    `${mark}{`,
    `${mark}  "${field}": {`,
    ...others.map((line) => ` ${line}`),
    ...diffArrays(before, after).flatMap(({ added, removed, value }) =>
      value.map((line) => `${signOf({ added, removed })}    ${line}`),
    ),
    `${mark}  }`,
    `${mark}}`,
  ];
}

function signOf({ added, removed }: { readonly added: boolean; readonly removed: boolean }): string {
  if (added) return '+';
  return removed ? '-' : ' ';
}

/** Whether the file already has this entry. */
export function isSame({ entry }: HostFile, ours: unknown): boolean {
  return JSON.stringify(entry) === JSON.stringify(ours);
}

function linesOf(entry: unknown): string[] {
  const [first = '', ...rest] = JSON.stringify(masked(entry), undefined, 2).split('\n');
  return [`"${SERVER}": ${first}`, ...rest];
}

/** People edit these files by hand, so this shows only what cannot be a secret. */
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
      const open = isSettingName(name) ? !SETTINGS[name].secret : name.endsWith('_FILE');
      return [name, open ? value : HIDDEN];
    }),
  );
}

/** A flag's name says whether its value is a secret. */
function maskedArgs(args: unknown): unknown {
  if (!Array.isArray(args)) return HIDDEN;
  const suspect = /key|secret|token|passw/i;
  return args.map((arg, i) => {
    const text = String(arg);
    if (suspect.test(String(args[i - 1] ?? '')) && !text.startsWith('-')) return HIDDEN;
    return suspect.test(text) && text.includes('=') ? `${text.slice(0, text.indexOf('='))}=${HIDDEN}` : text;
  });
}
