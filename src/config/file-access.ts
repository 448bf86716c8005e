/** Who may change or read a file, by its owner and mode. Windows has neither: there everything is fine. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;
/** The group is the owner's choice; the default of most systems is everybody. */
const READABLE_BY_ALL = 0o004;

interface FileAccess {
  /** Why another user could have written it, as the end of a sentence; undefined: only this user or root. */
  readonly foreign?: string;
  readonly isReadableByAll: boolean;
}

/** @throws the error of the file system */
export function accessOf(path: string): FileAccess {
  const { mode, uid } = statSync(path);
  const us = process.geteuid?.();
  if (us === undefined) return { isReadableByAll: false };
  const isReadableByAll = (mode & READABLE_BY_ALL) !== 0;
  if (uid !== us && uid !== ROOT) return { foreign: 'belongs to another user', isReadableByAll };
  if ((mode & WRITABLE_BY_OTHERS) !== 0) return { foreign: 'can be written by other users', isReadableByAll };
  return { isReadableByAll };
}

/** The folder, or the first above it, that belongs to another user, who can delete what is in it. `ownerOf`: uid. */
export function foreignFolder(folder: string, ownerOf = (path: string) => statSync(path).uid): string | undefined {
  const us = process.geteuid?.();
  if (us === undefined) return undefined;
  const path = foldersOf(folder).filter((each) => existsSync(each));
  // A link may lead to where other folders are above.
  const real = path.slice(0, 1).flatMap((each) => foldersOf(realpathSync(each)));
  // A user namespace may show root as another id. Whoever owns / can replace every folder anyway.
  const trusted = [us, ROOT, ownerOf('/')];
  return [...path, ...real].find((each) => !trusted.includes(ownerOf(each)));
}

function foldersOf(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersOf(above)];
}
