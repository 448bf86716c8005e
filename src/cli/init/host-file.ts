/** Reads, changes and shows the file in which a host lists its servers. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isSettingName, SETTINGS } from '../../config/settings.ts';
import { ClerkError } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import { utcText } from '../../core/times.ts';
import { followPath } from '../../files/foreign.ts';
import { SERVER_NAME } from './hosts.ts';

/** Stands in the lines that a person sees for a value that may be a secret. */
const HIDDEN = '[not shown]';

// The file of a host: reading and replacing it.

type HostFile = Awaited<ReturnType<typeof readHostFile>>;

/**
 * Reads the file in which a host lists its servers: JSON, with comments or without.
 * @param field the field that lists them
 * @throws ClerkError E_CONFIG if it is no such file, or another user could lead us to another file
 */
export async function readHostFile(file: string, field: string) {
  const { parse, modify, applyEdits } = await import('jsonc-parser');
  const { real: path, foreign } = followPath(file);
  // A folder that a team shares is fine: the file has no secret.
  if (foreign !== undefined && foreign.by !== 'mode') {
    throw new ClerkError('E_CONFIG', `${foreign.path} ${foreign.why}. Nothing was written.`, {
      next: 'Run `fareclerk init` as that user, or with --host generic and put the lines in by hand.',
    });
  }
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const withoutMark = (before ?? '').replace(/^\uFEFF/, '');
  const text = withoutMark.trim() === '' ? '{}\n' : withoutMark;

  const parseTree = (json: string): unknown => {
    const errors: unknown[] = [];
    const tree: unknown = parse(json, errors as [], { allowTrailingComma: true });
    return errors.length === 0 ? tree : undefined;
  };
  const tree = parseTree(text);
  if (!isObject(tree)) throw unreadable(path);
  const servers = tree[field] ?? {};
  if (!isObject(servers)) throw unreadable(path);
  const { [SERVER_NAME]: entry, ...otherServers } = servers;
  return {
    /** The file itself, where `file` was a link. */
    path,
    /** The text of the file; undefined if there is none yet. */
    before,
    /** Our entry in the file. */
    entry,
    /** How many other servers the file lists. */
    otherCount: Object.keys(otherServers).length,
    /** Returns the text of the file with this entry as ours. */
    with(ours: Readonly<Record<string, unknown>>): string {
      const formattingOptions = { ...readIndent(text), eol: text.includes('\r\n') ? '\r\n' : '\n' };
      const edits = isObject(tree[field])
        ? modify(text, [field, SERVER_NAME], ours, { formattingOptions })
        : modify(text, [field], { [SERVER_NAME]: ours }, { formattingOptions });
      const changed = applyEdits(text, edits);
      // A file that names a server twice: the edit is in one place, and hosts read the other.
      const wanted = { ...tree, [field]: { ...servers, [SERVER_NAME]: ours } };
      if (!isDeepStrictEqual(parseTree(changed), wanted)) throw unreadable(path);
      return changed;
    },
  };
}

/**
 * Replaces a file, and keeps a copy of it. Returns the path of the copy; undefined if there was no file.
 * @param before the text of the file when it was read
 * @param mode of the file and its copy. Default: that of the file
 * @throws ClerkError E_CONFIG if the file has another text now
 */
export function replaceFile(
  { path, before }: Pick<HostFile, 'path' | 'before'>,
  text: string,
  now: number,
  mode = modeAt(path),
): string | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const current = existsSync(path) ? readFileSync(path) : undefined;
  if (current?.toString('utf8') !== before) {
    throw new ClerkError('E_CONFIG', `${path} was changed by something else meanwhile. Nothing was written.`, {
      next: 'Run `fareclerk init` again.',
    });
  }
  const backup = current === undefined ? undefined : `${path}.before-fareclerk-${timeStamp(now)}`;
  if (backup !== undefined && current !== undefined) writeFileSync(backup, current, { flag: 'wx', mode });
  writeAtOnce(path, text, mode);
  return backup;
}

function modeAt(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
}

/** Writes the whole file, or nothing. */
function writeAtOnce(path: string, text: string, mode: number): void {
  const newFile = `${path}.${process.pid}.new`;
  try {
    writeFileSync(newFile, text, { flag: 'wx', mode });
    renameSync(newFile, path);
  } catch (error) {
    rmSync(newFile, { force: true });
    throw error;
  }
}

/** `20261201T080000Z` */
function timeStamp(now: number): string {
  return utcText(now).replace(/[-:]/g, '');
}

function unreadable(path: string): ClerkError {
  return new ClerkError('E_CONFIG', `${path} cannot be read as JSON. Nothing was written.`, {
    next: 'Run `fareclerk init --host generic` and put the lines in by hand.',
  });
}

/** The indent of the file; two spaces for a new one. */
function readIndent(text: string): { readonly insertSpaces: boolean; readonly tabSize: number } {
  const indent = /^[[{]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  ';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length };
}

// The change, as a person sees it before it is written.

/** Shows how the file changes. Marks lines with `+`, `-` or a space, as `diff -u` does. */
export async function changeLines(
  file: HostFile,
  field: string,
  entry: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const { diffArrays } = await import('diff');
  const before: string[] = file.entry === undefined ? [] : entryLines(file.entry);
  const after = entryLines(entry);
  const { otherCount } = file;
  const othersLine = `     … ${otherCount} other ${otherCount === 1 ? 'server' : 'servers'}, not touched`;
  const isNew = file.before === undefined;
  const mark = isNew ? '+' : ' ';
  return [
    isNew ? '--- (no such file yet)' : `--- ${file.path}`,
    `+++ ${file.path}`,
    `${mark}{`,
    `${mark}  "${field}": {`,
    ...(otherCount === 0 ? [] : [othersLine]),
    ...diffArrays(before, after).flatMap(({ added, removed, value }) =>
      value.map((line) => `${diffSign({ added, removed })}    ${line}`),
    ),
    `${mark}  }`,
    `${mark}}`,
  ];
}

function diffSign({ added, removed }: { readonly added: boolean; readonly removed: boolean }): string {
  if (added) return '+';
  return removed ? '-' : ' ';
}

/** Whether the file already has this entry. */
export function hasEntry({ entry }: HostFile, ours: unknown): boolean {
  return JSON.stringify(entry) === JSON.stringify(ours);
}

function entryLines(entry: unknown): string[] {
  const [first = '', ...rest] = JSON.stringify(masked(entry), undefined, 2).split('\n');
  return [`"${SERVER_NAME}": ${first}`, ...rest];
}

/** People edit these files by hand, so this shows only what cannot be a secret. */
function masked(entry: unknown): unknown {
  if (!isObject(entry)) return HIDDEN;
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
      const isPublic = isSettingName(name) ? !SETTINGS[name].secret : name.endsWith('_FILE');
      return [name, isPublic ? value : HIDDEN];
    }),
  );
}

/** A flag's name says whether its value is a secret. */
function maskedArgs(args: unknown): unknown {
  if (!Array.isArray(args)) return HIDDEN;
  const secretName = /key|secret|token|passw/i;
  return args.map((arg, i) => {
    const text = String(arg);
    if (secretName.test(String(args[i - 1] ?? '')) && !text.startsWith('-')) return HIDDEN;
    return secretName.test(text) && text.includes('=') ? `${text.slice(0, text.indexOf('='))}=${HIDDEN}` : text;
  });
}
