/** Reads, changes and shows the file in which a host lists its servers. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isSettingName, SETTINGS } from '../../config/settings.ts';
import { ClerkError } from '../../core/errors.ts';
import { isObject } from '../../core/own.ts';
import { utcText } from '../../core/times.ts';
import { followPath } from '../../files/foreign.ts';
import { type Host, type ListedServers, SERVER_NAME } from './hosts.ts';
import { jsonServers } from './json-servers.ts';
import { tomlLines, tomlServers } from './toml-servers.ts';

/** Stands in the lines that a person sees for a value that may be a secret. */
const HIDDEN = '[not shown]';

/** The fields of an entry that have the address of a server. */
const ADDRESSES: readonly string[] = ['url', 'httpUrl', 'serverUrl'] satisfies readonly Host['addressField'][];

// The file of a host: reading and replacing it.

type HostFile = ReturnType<typeof readHostFile>;

/**
 * Reads the file in which a host lists its servers, and changes nothing.
 * @throws ClerkError E_CONFIG if another user could lead us to another file
 */
export function readHostFile(file: string, { field, format }: Pick<Host, 'field' | 'format'>) {
  const { real: path, foreign } = followPath(file);
  // A folder that a team shares is fine: the file has no secret.
  if (foreign !== undefined && foreign.by !== 'mode') {
    throw new ClerkError('E_CONFIG', `${foreign.path} ${foreign.why}. Nothing was written.`, {
      next: 'Run `fareclerk init` as that user, or with --host generic and put the lines in by hand.',
    });
  }
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const text = (before ?? '').replace(/^\uFEFF/, '');
  return {
    /** The file itself, where `file` was a link. */
    path,
    /** The text of the file; undefined if there is none yet. */
    before,
    /** Undefined if the text is not of the format, or lists no servers where it should. */
    servers: format === 'TOML' ? tomlServers(text, field) : jsonServers(text, field),
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

// The change, as a person sees it before it is written.

/** Shows how the file changes. Marks lines with `+`, `-` or a space, as `diff -u` does. */
export async function changeLines(
  { path, before }: Pick<HostFile, 'path' | 'before'>,
  { entry, otherCount }: ListedServers,
  host: Pick<Host, 'field' | 'format'>,
  ours: object,
): Promise<readonly string[]> {
  const { diffArrays } = await import('diff');
  const old = entry === undefined ? [] : shownLines(host, masked(entry));
  const changed = diffArrays(old, shownLines(host, masked(ours))).flatMap(({ added, removed, value }) =>
    value.map((line) => `${diffSign({ added, removed })}${line}`),
  );
  const isNew = before === undefined;
  const mark = isNew ? '+' : ' ';
  const others =
    otherCount === 0 ? [] : [`… ${otherCount} other ${otherCount === 1 ? 'server' : 'servers'}, not touched`];
  const head = [isNew ? '--- (no such file yet)' : `--- ${path}`, `+++ ${path}`];
  if (host.format === 'TOML') return [...head, ...others.map((line) => ` ${line}`), ...changed];
  return [
    ...head,
    `${mark}{`,
    `${mark}  "${host.field}": {`,
    ...others.map((line) => `     ${line}`),
    ...changed,
    `${mark}  }`,
    `${mark}}`,
  ];
}

function diffSign({ added, removed }: { readonly added: boolean; readonly removed: boolean }): string {
  if (added) return '+';
  return removed ? '-' : ' ';
}

/** Whether the file already has this entry. */
export function hasEntry({ entry }: ListedServers, ours: object): boolean {
  return JSON.stringify(entry) === JSON.stringify(ours);
}

/** The entry as a person puts it into a file by hand, with what surrounds it. */
export function linesByHand({ field, format }: Pick<Host, 'field' | 'format'>, ours: object): string {
  if (format === 'TOML') return `${tomlLines(field, ours).join('\n')}\n`;
  return `${JSON.stringify({ [field]: { [SERVER_NAME]: ours } }, undefined, 2)}\n`;
}

function shownLines({ field, format }: Pick<Host, 'field' | 'format'>, entry: unknown): string[] {
  if (format === 'TOML') return [...tomlLines(field, entry)];
  const [first = '', ...rest] = JSON.stringify(entry, undefined, 2).split('\n');
  return [`"${SERVER_NAME}": ${first}`, ...rest].map((line) => `    ${line}`);
}

/** People edit these files by hand, so this shows only what cannot be a secret. */
function masked(entry: unknown): unknown {
  if (!isObject(entry)) return HIDDEN;
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => {
      if (name === 'env') return [name, maskedEnv(value)];
      if (name === 'args') return [name, maskedArgs(value)];
      if (ADDRESSES.includes(name)) return [name, maskedAddress(value)];
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

/** Credentials and queries of an address may be secrets. */
function maskedAddress(value: unknown): string {
  const url = URL.parse(String(value));
  if (url === null) return HIDDEN;
  return url.username === '' && url.password === '' && url.search === '' ? url.href : HIDDEN;
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
