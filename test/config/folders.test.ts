/**
 * The folders of state and second records, where HOME or XDG_STATE_HOME is another user's.
 */
import fs, { chownSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { folderOf, live, problems } from './read.ts';

const US = 4712;
const ours = '/nowhere';
const STATE = { FARECLERK_STATE_DIR: join(ours, 'state') };

/** Folders of this process are then another user's. */
let theirs: string;
/** The first on the way to it that is not root's: another one where the folder of temporary files is of this user. */
function firstOfThem(): string {
  const names = theirs.split('/');
  const all = names.map((_, i) => names.slice(0, i + 1).join('/') || '/');
  return all.find((path) => fs.lstatSync(path).uid !== 0) ?? theirs;
}
beforeEach(() => {
  theirs = realpathSync(folderOf('theirs'));
  // Root owns what root makes, and root's folders are accepted.
  if (process.getuid?.() === 0) chownSync(theirs, US - 1, US - 1);
  vi.spyOn(process, 'geteuid').mockReturnValue(US);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.skipIf(process.platform === 'win32')("another user's folder", () => {
  it('is refused as the default of state and second records, each with its setting', () => {
    expect(problems(() => readConfig(live({ HOME: theirs })))).toMatch(
      new RegExp(
        `FARECLERK_STATE_DIR is not set.* ${firstOfThem()} belongs.*\\n.*\\n.*FARECLERK_WITNESS_DIR is not set`,
      ),
    );
    expect(problems(() => readConfig(live({ HOME: theirs, ...STATE })))).toMatch(
      /^The settings are not valid. Nothing was started.\n {2}FARECLERK_WITNESS_DIR is not set/,
    );
  });

  it('is refused where a link leads into it, and where it is the folder itself', () => {
    const link = join(folderOf('link'), 'state');
    symlinkSync(theirs, link);
    for (const XDG_STATE_HOME of [theirs, link, join(theirs, 'none', 'yet')])
      expect(() => readConfig({ HOME: ours, XDG_STATE_HOME })).toThrow(/belongs to another user/);
  });

  it('does not matter where settings name other folders, or none is used', () => {
    const set = live({ HOME: theirs, ...STATE });
    const records = join(ours, 'records');
    const state = { directory: STATE.FARECLERK_STATE_DIR, secondRecords: records };
    expect(readConfig({ ...set, FARECLERK_WITNESS_DIR: records }).state).toMatchObject(state);
    const database = { ...set, FARECLERK_DATABASE_URL: 'postgres://clerk:secret@db.example/clerk' };
    expect(readConfig(database).state.secondRecords).toBe(join(ours, 'state', 'witness'));
    const sandbox = readConfig({ HOME: theirs, ...STATE, FARECLERK_WITNESS_DIR: theirs });
    expect(sandbox.state.secondRecords).toBe(join(ours, 'state', 'sandbox', 'witness'));
  });
});
