/**
 * Asks `getfacl` whether an access list lets another user read or write a file. Node.js cannot read POSIX access lists: the mode of such a
 * file shows only the most that they grant (acl(5), “Correspondence between ACL entries and file permission bits”).
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** For one file, milliseconds: a network file system may not answer. */
const PATIENCE_MS = 2_000;
/** `user:5002:rw-`; with `-n` ids are numbers. Entries without an id are what the mode shows. `default:` entries grant nothing here. */
const NAMED_ENTRY = /^(user|group):(\d+):([r-])([w-])/gm;
/** The most that the entries grant. */
const MASK = /^mask::([r-])([w-])/m;
const ROOT = 0;

/**
 * What the access list of a file grants to others: `user 5002 can read and write`; of a folder, only who can write it. Empty if no
 * `getfacl` is installed, or the file system has no such lists.
 * @param path the PATH where `getfacl` is looked for
 */
export function grantedToOthers(file: string, path: string | undefined): readonly string[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (process.geteuid === undefined || stat === undefined) return [];
  const ours = [process.geteuid(), stat.uid, ROOT];
  const asked = spawnSync('getfacl', ['-n', file], {
    encoding: 'utf8',
    env: { PATH: path, LC_ALL: 'C' },
    timeout: PATIENCE_MS,
  });
  if (asked.status !== 0) return [];
  const [, maskReads = 'r', maskWrites = 'w'] = MASK.exec(asked.stdout) ?? [];
  return [...asked.stdout.matchAll(NAMED_ENTRY)].flatMap(([, kind, id, reads, writes]) => {
    const canRead = !stat.isDirectory() && reads === 'r' && maskReads === 'r';
    const canWrite = writes === 'w' && maskWrites === 'w';
    const granted = [...(canRead ? ['read'] : []), ...(canWrite ? ['write'] : [])].join(' and ');
    return granted === '' || (kind === 'user' && ours.includes(Number(id))) ? [] : [`${kind} ${id} can ${granted}`];
  });
}
