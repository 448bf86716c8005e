/**
 * Asks `getfacl` whether an access list lets another user read or write a file of settings, secrets or the state. Node.js cannot read
 * POSIX access lists: the mode of such a file shows only the most that they grant (acl(5), “Correspondence between ACL entries and file
 * permission bits”). Finds nothing if no `getfacl` is installed or the file system has no such lists.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config, EnvironmentVariables } from '../../config/load.ts';
import { type CheckOutcome, finding, joined } from './check.ts';

/** For one file, milliseconds: a network file system may not answer. */
const PATIENCE_MS = 2_000;
/** `user:5002:rw-`; with `-n` ids are numbers. Entries without an id are what the mode shows. `default:` entries grant nothing here. */
const NAMED_ENTRY = /^(user|group):(\d+):([r-])([w-])/gm;
/** The most that the entries grant. */
const MASK = /^mask::([r-])([w-])/m;

/** Undefined if no access list lets another user in, or nobody can tell. */
export function checkAccessLists(config: Config, env: EnvironmentVariables): CheckOutcome | undefined {
  if (process.geteuid === undefined) return undefined;
  const listed = pathsOf(config).map((path) => ({ path, grants: grantsOf(path, env) }));
  const open = listed.filter(({ grants }) => grants.length > 0);
  if (open.length === 0) return undefined;
  return finding('access_list', {
    grants: joined(open.map(({ path, grants }) => `${grants.join(', ')} ${path}`)),
    command: `setfacl -b ${open.map(({ path }) => path).join(' ')}`,
  });
}

/** The files that are read, and the folders in which another user could replace them. */
function pathsOf({ files, http, state }: Config): readonly string[] {
  const read = [...files.map(({ path }) => path), ...(http.callersFile === undefined ? [] : [http.callersFile])];
  const kept = state.databaseUrl === undefined ? [state.file] : [];
  return [...new Set([...read, ...kept, ...read.map(dirname), state.directory, state.secondRecords])];
}

/** What the access list of a file grants to others: `user 5002 can read and write`. Of a folder, only who can write it. */
function grantsOf(path: string, { PATH }: EnvironmentVariables): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const asked = spawnSync('getfacl', ['-n', path], {
    encoding: 'utf8',
    env: { PATH, LC_ALL: 'C' },
    timeout: PATIENCE_MS,
  });
  if (asked.status !== 0) return [];
  const [, maskReads = 'r', maskWrites = 'w'] = MASK.exec(asked.stdout) ?? [];
  return [...asked.stdout.matchAll(NAMED_ENTRY)].flatMap(([, kind, id, reads, writes]) => {
    const isOurs = kind === 'user' && [process.geteuid?.(), stat.uid, 0].includes(Number(id));
    const canRead = !stat.isDirectory() && reads === 'r' && maskReads === 'r';
    const canWrite = writes === 'w' && maskWrites === 'w';
    if (isOurs || !(canRead || canWrite)) return [];
    return [`${kind} ${id} can ${joined([canRead && 'read', canWrite && 'write'], ' and ')}`];
  });
}
