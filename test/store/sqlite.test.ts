import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { detailsOf } from '../details/store-suite.ts';
import { pendingApproval } from '../support/approvals.ts';
import { holdNewFile } from '../support/hold-new-file.ts';
import { describeState } from './state-suite.ts';
import { newOperation } from './support/new-operation.ts';
import type { State } from './support/ports.ts';
import { errorOf } from './support/suite-database.ts';

describeState('SQLite', (now) => openSqliteState(':memory:', { now }));

const MODES = [0o600, 0o600, 0o600];
const META = { now: 1000, owner: 'p1', leaseUntil: 61_000 };
const run = promisify(execFile);

describe('the file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clerk-state-'));
    file = join(folder, 'new', 'state.db');
  });
  const states: State[] = [];
  afterEach(async () => {
    for (const state of states.splice(0)) await state.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** Is closed when the test ends. */
  const open = async (...given: Parameters<typeof openSqliteState> | []) => {
    const [path = file, options] = given;
    const state = await openSqliteState(path, options);
    states.push(state);
    return state;
  };

  const problem = async (...given: Parameters<typeof openSqliteState> | []) => {
    const error = await errorOf(open(...given));
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    return error;
  };

  test.skipIf(process.platform === 'win32')('is a write-ahead log that only its owner reads', async () => {
    const state = await open();
    await state.operations.insert(newOperation('a'), META);
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect([join(folder, 'new'), file, `${file}-wal`, `${file}-shm`].map(mode)).toEqual([0o700, ...MODES]);
    await state.close();
    await state.close();
    chmodSync(file, 0o644);
    await open();
    expect(mode(file)).toBe(0o600);
  });

  test('forces a no and what travellers entered to the disk, and questions, a yes, the report of its outcome and claims only with the write that follows', async () => {
    const { approvals, claims, details } = await open();
    const said = vi.spyOn(DatabaseSync.prototype, 'exec');
    const isForced = async (write: Promise<unknown>) => {
      await write;
      const on = said.mock.contexts as readonly DatabaseSync[];
      const isOurs = (db: DatabaseSync | undefined) => db?.isOpen === true && db.location() === file;
      const isLight = said.mock.calls.some(([sql], i) => sql === 'pragma synchronous = normal' && isOurs(on[i]));
      said.mockClear();
      return !isLight;
    };
    const now = Date.now();
    const asked = (handleHash: string) =>
      pendingApproval({ handleHash, operationId: handleHash, expiresAt: now + 60_000 });
    try {
      expect(await isForced(approvals.put(asked('yes')))).toBe(false);
      await isForced(approvals.put(asked('no')));
      expect(await isForced(approvals.decide('yes', { decision: 'granted', assurance: 'page' }, now))).toBe(false);
      expect(await isForced(approvals.decide('no', { decision: 'declined', assurance: 'page' }, now))).toBe(true);
      expect(await isForced(approvals.markTold('yes', now))).toBe(false);
      expect(await isForced(claims.add({ tenant: 't', id: 'ann' }, ['ABC123'], 0))).toBe(false);
      const form = detailsOf('forced', now);
      await isForced(details.open(form));
      expect(await isForced(details.submit(form.idHash, 0, 'sealed', now))).toBe(true);
      expect(await isForced(details.use(form.idHash, 'op', 'digest'))).toBe(true);
      expect(await approvals.get('yes')).toMatchObject({ decision: 'granted' });
      expect(await approvals.get('no')).toMatchObject({ decision: 'declined' });
    } finally {
      said.mockRestore();
    }
  });

  test('tells which places take no writes, and takes the lock of another process for a sign that writing works', async () => {
    const secondRecords = join(folder, 'records');
    const state = await open(file, { secondRecords });
    expect(await state.unwritable()).toEqual([]);
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    expect(await state.unwritable()).toEqual([]);
    other.exec('rollback');
    other.close();
    rmSync(secondRecords, { recursive: true });
    writeFileSync(secondRecords, '');
    expect(await state.unwritable()).toEqual(['second_record']);
    rmSync(secondRecords);
    mkdirSync(secondRecords);
    expect(await state.unwritable()).toEqual([]);
  });

  test('refuses what is not SQLite, without repeating SQLite’s message, and what is or lies in no folder', async () => {
    const other = join(folder, 'letter.txt');
    writeFileSync(other, 'Dear Sir or Madam, this is not a database at all.');
    const error = await problem(other);
    expect(error.message).toContain('cannot be opened');
    expect(error.message).not.toContain('file is not a database');
    await problem(folder);
    await problem(join(other, 'state.db'));
  });

  test.skipIf(process.platform === 'win32')('refuses a folder of another user, and names no path', async () => {
    const me = process.getuid?.() ?? 0;
    mkdirSync(join(folder, 'new'));
    // Root's own folder would be accepted.
    if (me === 0) chownSync(join(folder, 'new'), 4711, 4711);
    const getuid = vi.spyOn(process, 'geteuid').mockReturnValue(4712);
    const error = await problem().finally(() => getuid.mockRestore());
    // Another user than root can give no folder away: then the one above it is another's, too, and the refusal names that one.
    const whose = me === 0 ? 'belongs' : 'is below a folder that belongs';
    expect(error.message).toBe(
      `The state folder ${whose} to another user, who could replace the journal. It was not changed.`,
    );
    expect(`${error.message} ${error.next}`).not.toContain(folder);
    expect(existsSync(file)).toBe(false);
  });

  test.skipIf(process.platform === 'win32')(
    'refuses a folder or a file that others can write, and a file that is a link',
    async () => {
      const place = join(folder, 'new');
      await (await open()).close();
      chmodSync(place, 0o777);
      const shared = await problem();
      expect(shared.message).toBe(
        'The state folder can be written by other users (mode 777), who could replace the journal. It was not changed.',
      );
      expect(shared.next).toContain('closes it to other users');
      chmodSync(place, 0o700);
      for (const name of [file, `${file}-wal`]) {
        if (!existsSync(name)) writeFileSync(name, '');
        chmodSync(name, 0o666);
        expect((await problem()).message).toContain('The state file can be written by other users (mode 666)');
        chmodSync(name, 0o600);
      }
      const target = join(folder, 'target');
      writeFileSync(target, 'of somebody', { mode: 0o644 });
      for (const name of [file, `${file}-wal`]) {
        rmSync(name, { force: true });
        symlinkSync(target, name);
        expect((await problem()).message).toBe(
          'The state file is a link. Nothing is read or made through it. It was not changed.',
        );
        rmSync(name);
      }
      expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual(['of somebody', 0o644]);
    },
  );

  test.skipIf(process.platform === 'win32')('takes a volume that root gives to the group of this user', async () => {
    const place = join(folder, 'new');
    mkdirSync(place);
    chmodSync(place, 0o2775);
    const { uid, gid } = statSync(place);
    const nameOf = (option: string) => execFileSync('id', [option], { encoding: 'utf8' });
    if (uid === 0) {
      vi.spyOn(process, 'geteuid').mockReturnValue(4712);
      vi.spyOn(process, 'getgroups').mockReturnValue([4712, gid]);
      await (await open()).close();
      vi.spyOn(process, 'getgroups').mockReturnValue([4712]);
      vi.spyOn(process, 'getegid').mockReturnValue(4712);
      expect((await problem()).message).toContain('(mode 2775)');
    } else if (nameOf('-gn') === nameOf('-un')) {
      // Only root can give a folder away. A group of the name of this user is its own, and nobody else is in it.
      await (await open()).close();
    } else {
      vi.spyOn(process, 'getegid').mockReturnValue(gid + 1);
      vi.spyOn(process, 'getgroups').mockReturnValue([gid + 1]);
      expect((await problem()).message).toContain('(mode 2775)');
    }
    vi.restoreAllMocks();
  });

  describe('shared by several processes', () => {
    /** Each waits for the others to be up, then does its work. */
    async function together(count: number, work: string): Promise<string[]> {
      const start = Date.now() + 1500;
      const source = (i: number) => `
        const { openSqliteState } = await import(${JSON.stringify(join(process.cwd(), 'src/store/sqlite/state.ts'))});
        const { newOperation } = await import(${JSON.stringify(join(process.cwd(), 'test/store/support/new-operation.ts'))});
        await new Promise((go) => setTimeout(go, ${start} - Date.now()));
        const me = ${i}, meta = { now: 1000, owner: 'p${i}', leaseUntil: 61000 };
        const state = await openSqliteState(${JSON.stringify(file)});
        ${work}
        await state.close();`;
      const runs = Array.from({ length: count }, (_, i) =>
        run(process.execPath, ['--input-type=module', '-e', source(i)]),
      );
      return (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
    }

    test('waits for another process that is writing the new file', async () => {
      mkdirSync(dirname(file));
      await holdNewFile(file, 700);
      await open();
    });

    test('enters one operation of each booking in one chain from processes that open a new file at once', async () => {
      const said = await together(
        4,
        `let won = 0;
         for (let n = 0; n < 25; n++) {
           const { kind } = await state.operations.insert(newOperation('op-' + n + '-' + me, { locator: 'L' + n }), meta);
           if (kind === 'inserted') won++;
           await state.operations.insert(newOperation('own-' + n + '-' + me, { locator: 'M' + n + me }), meta);
         }
         console.log(won);`,
      );
      expect(said.reduce((sum, won) => sum + Number(won), 0)).toBe(25);
      const state = await openSqliteState(file);
      expect(await state.operations.list({})).toHaveLength(125);
      expect(await state.operations.verify()).toBeUndefined();
      await state.close();
      expect(existsSync(`${file}-wal`)).toBe(false);
    });
  });
});
