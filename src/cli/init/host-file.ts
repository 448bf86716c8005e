/**
 * A host's own configuration file: read, changed in one entry and nowhere else, and written whole or not at all, with
 * the file as it was kept beside it.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ClerkError } from '../../errors.ts';

/** Name of our entry among the servers. */
export const SERVER = 'fareclerk';

type Tree = Record<string, unknown>;

export interface HostFile {
  /** Where it really lies. */
  readonly path: string;
  /** Its text as read; undefined where there is none yet. */
  readonly before: string | undefined;
  /** Our entry as it stands there. */
  readonly entry: unknown;
  /** How many other servers stand there; they are not touched. */
  readonly others: number;
  /** The whole text with this entry. */
  with(entry: Readonly<Record<string, unknown>>): string;
}

/** @throws ClerkError E_CONFIG where the file is not plain JSON: it is not touched then */
export function readHostFile(file: string, field: string): HostFile {
  const path = existsSync(file) ? realpathSync(file) : file;
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const tree = treeOf(before ?? '', path);
  const servers = tree[field] ?? {};
  if (!isTree(servers)) throw unreadable(path);
  const { [SERVER]: entry, ...others } = servers;
  return {
    path,
    before,
    entry,
    others: Object.keys(others).length,
    with: (ours) => {
      const changed = { ...tree, [field]: { ...servers, [SERVER]: ours } };
      return `${JSON.stringify(changed, undefined, indentOf(before ?? ''))}\n`;
    },
  };
}

/** Gives the path of the backup; undefined where there was nothing to keep. @throws ClerkError E_CONFIG */
export function writeHostFile({ path, before }: HostFile, text: string, now: number): string | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (current !== before) {
    throw new ClerkError('E_CONFIG', `${path} was changed by something else meanwhile. Nothing was written.`, {
      next: 'Run `fareclerk init` again.',
    });
  }
  const backup = before === undefined ? undefined : `${path}.before-fareclerk-${stamp(now)}`;
  if (backup !== undefined) copyFileSync(path, backup, constants.COPYFILE_EXCL);
  const fresh = `${path}.${process.pid}.new`;
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode: before === undefined ? 0o600 : statSync(path).mode & 0o777 });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  return backup;
}

/** `20261201T080000Z` */
function stamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
}

function treeOf(text: string, path: string): Tree {
  const bare = text.replace(/^\uFEFF/, '');
  if (bare.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(bare, asWritten);
  } catch {
    throw unreadable(path);
  }
  if (!isTree(value)) throw unreadable(path);
  return value;
}

/** Numbers of others keep their digits. */
function asWritten(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON?: (text: string) => unknown };
  return typeof value === 'number' && context?.source !== undefined && rawJSON ? rawJSON(context.source) : value;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(path: string): ClerkError {
  return new ClerkError('E_CONFIG', `${path} is not plain JSON (it may hold comments). It was not touched.`, {
    next: 'Run `fareclerk init --host generic` and put the lines in by hand.',
  });
}

/** As the file is indented; two spaces for a new one. */
function indentOf(text: string): string {
  return /^[[{]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  ';
}
