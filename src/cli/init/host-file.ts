/**
 * Changes one entry in a host's own configuration file (JSON, with or without comments) and keeps a copy of the old file.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ClerkError } from '../../core/errors.ts';
import { wayTo } from '../../files/foreign.ts';

/** Name of our entry among the servers. */
export const SERVER = 'fareclerk';

type Tree = Record<string, unknown>;
export type HostFile = Awaited<ReturnType<typeof readHostFile>>;

/** @throws ClerkError E_CONFIG if the file is not JSON, with comments or without, or another user could lead us elsewhere */
export async function readHostFile(file: string, field: string) {
  const { parse, modify, applyEdits } = await import('jsonc-parser');
  const { real: path, foreign } = wayTo(file);
  // A folder that a team shares is fine: the file has no secret.
  if (foreign !== undefined && foreign.by !== 'mode') {
    throw new ClerkError('E_CONFIG', `${foreign.path} ${foreign.why}. Nothing was written.`, {
      next: 'Run `fareclerk init` as that user, or with --host generic and put the lines in by hand.',
    });
  }
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const bare = (before ?? '').replace(/^\uFEFF/, '');
  const text = bare.trim() === '' ? '{}\n' : bare;

  const treeOf = (json: string): unknown => {
    const errors: unknown[] = [];
    const tree: unknown = parse(json, errors as [], { allowTrailingComma: true });
    return errors.length === 0 ? tree : undefined;
  };
  const tree = treeOf(text);
  if (!isTree(tree)) throw unreadable(path);
  const servers = tree[field] ?? {};
  if (!isTree(servers)) throw unreadable(path);
  const { [SERVER]: entry, ...others } = servers;
  return {
    /** The file itself, where `file` was a link. */
    path,
    /** Its text; undefined if there is no file yet. */
    before,
    /** Our entry in it. */
    entry,
    /** How many other servers it lists. */
    others: Object.keys(others).length,
    /** The text with this entry instead. */
    with(ours: Readonly<Tree>): string {
      const formattingOptions = { ...indentOf(text), eol: text.includes('\r\n') ? '\r\n' : '\n' };
      const edits = isTree(tree[field])
        ? modify(text, [field, SERVER], ours, { formattingOptions })
        : modify(text, [field], { [SERVER]: ours }, { formattingOptions });
      const changed = applyEdits(text, edits);
      // A file that names a server twice: the edit is in one place, and hosts read the other.
      const wanted = { ...tree, [field]: { ...servers, [SERVER]: ours } };
      if (!isDeepStrictEqual(treeOf(changed), wanted)) throw unreadable(path);
      return changed;
    },
  };
}

/**
 * Returns the path of the copy; undefined if there was no file. File and copy get `mode`, or that of the file.
 * @throws ClerkError E_CONFIG
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
  const backup = current === undefined ? undefined : `${path}.before-fareclerk-${stamp(now)}`;
  if (backup !== undefined && current !== undefined) writeFileSync(backup, current, { flag: 'wx', mode });
  writeAtOnce(path, text, mode);
  return backup;
}

function modeAt(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
}

/** Writes the whole file, or nothing. */
function writeAtOnce(path: string, text: string, mode: number): void {
  const fresh = `${path}.${process.pid}.new`;
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** `20261201T080000Z` */
function stamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(path: string): ClerkError {
  return new ClerkError('E_CONFIG', `${path} cannot be read as JSON. Nothing was written.`, {
    next: 'Run `fareclerk init --host generic` and put the lines in by hand.',
  });
}

/** The indent of the file; two spaces for a new one. */
function indentOf(text: string): { readonly insertSpaces: boolean; readonly tabSize: number } {
  const indent = /^[[{]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  ';
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length };
}
