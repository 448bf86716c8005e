/** What can come between a state and the program that takes it over: other programs, other settings, rights, locks and full disks. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, globSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import client from 'postgres';
import { describe, expect, test } from 'vitest';
import { NEXT, PRESENT } from '../support/next-version.ts';
import { played, plays } from './support/databases.ts';
import { EARLIER, type Kept, keptStates, NOW } from './support/kept.ts';
import { newOperation } from './support/new-operation.ts';
import { errorOf } from './support/suite-database.ts';
import { startPooler } from './support/transaction-pooler.ts';

const { sqlite, postgres, cluster, url, next: nextVersion } = keptStates();
/** A state that the next version takes over, and a fresh one that this version opens. */
const BOTH = [EARLIER, undefined] as const;
const MINUTE = 60_000;

const leases = async ({ sql }: Kept) =>
  (await sql('select name from $.lease order by name')).map(({ name }) => String(name));
const lease = ({ sql }: Kept, name: string, owner: string, until: number) =>
  sql(`insert into $.lease(name, owner, lease_until) values ('${name}', '${owner}', ${until})`);

describe.each(
  played([
    { name: 'SQLite', kept: sqlite },
    { name: 'PostgreSQL', kept: postgres },
  ]),
)('on $name', ({ kept }) => {
  test('a state of another airline stays as it is, and nothing is left in it', async () => {
    for (const version of BOTH) {
      const state = await kept(version);
      const error = await errorOf(state.open({ airline: 'another' }));
      expect(error.message).toContain('holds the journal of another airline or agency (kept, not another)');
      expect([await state.version(), await leases(state)]).toEqual([version ?? PRESENT, []]);
    }
  });

  test('what only reads does not count as a program', async () => {
    const present = await kept();
    await present.open({ reads: true });
    expect(await leases(present)).toEqual([]);
  });

  test('an earlier state that went backwards is held by the program that takes it over', async () => {
    const state = await kept(EARLIER);
    const [log = ''] = globSync(join(state.records, '*.log'));
    appendFileSync(log, `\n${JSON.stringify({ n: 9_999, hash: 'f'.repeat(64) })}\n`);
    expect((await (await state.open()).chain.status()).hold).toMatchObject({ seen: { n: 9_999 } });
  });

  test('a program says that it is there until it ends, and removes what programs left that were killed', async () => {
    const state = await kept();
    await lease(state, 'program killed', PRESENT, NOW - 61 * MINUTE);
    await lease(state, 'program slow', PRESENT, NOW - MINUTE);
    const { clean, close } = await state.open();
    await clean();
    expect(await leases(state)).toEqual([expect.stringMatching(/^program [-0-9a-f]{36}$/), 'program slow']);
    expect(await state.sql(`select 1 from $.lease where owner <> '${PRESENT}'`)).toHaveLength(0);
    await close();
    expect(await leases(state)).toEqual(['program slow']);
  });
});

test.each(
  played([
    { name: 'SQLite', kept: sqlite },
    { name: 'PostgreSQL', kept: postgres },
  ]),
)('a version is digits and nothing else, on $name', async ({ kept }) => {
  const state = await kept();
  for (const version of [
    `0x${Number(PRESENT).toString(16)}`,
    ` ${PRESENT}`,
    `${PRESENT}.0`,
    `0${PRESENT}`,
    '1e1',
    '',
  ]) {
    await state.sql(`update $.meta set value = '${version}' where key = 'schema_version'`);
    for (const reads of [undefined, true] as const) {
      const error = await errorOf(state.open(reads && { reads }));
      expect(error.message, version).toContain('has a version that is no whole number. It was not changed.');
    }
    expect(await state.version()).toBe(version);
  }
});

if (plays('SQLite'))
  describe('a state file', () => {
    test('that another program takes over while this one starts is refused, and this one is gone at once', async () => {
      const state = await sqlite();
      const next = NEXT;
      let looked = false;
      // A program asks for the time when it says that it is there: the newer one has just looked and seen nobody.
      const now = () => {
        if (!looked) void state.sql(`update meta set value = '${next}' where key = 'schema_version'`);
        looked = true;
        return NOW;
      };
      const error = await errorOf(state.open({ now }));
      expect(error.message).toContain(`was written by a newer fareclerk (its version is ${next}`);
      expect(await leases(state)).toEqual([]);
    });

    test('that another program holds is refused as locked', async () => {
      const state = await sqlite(EARLIER);
      const other = new DatabaseSync(state.file);
      other.exec('begin immediate');
      const error = await errorOf(state.open({ busyMs: 10 }));
      other.close();
      expect(error.message).toBe('The state file is locked by another program. It was not changed.');
      expect(error.next).toContain('a newer fareclerk may be taking the file over');
    });

    test('whose copy the disk has no room for stays as it is, and half a copy goes', async () => {
      const state = await sqlite(EARLIER);
      const script = fileURLToPath(new URL('support/killed-opening.ts', import.meta.url));
      const argv = [process.execPath, script, nextVersion, state.file, state.records, String(NOW), 'never'];
      // No file may grow beyond 200 blocks; the state is larger.
      const { status, stderr } = spawnSync('bash', ['-c', 'ulimit -f 200; exec "$0" "$@"', ...argv]);
      expect([status, String(stderr)]).toEqual([1, expect.stringContaining('cannot be copied')]);
      expect(await state.version()).toBe(EARLIER);
      expect(globSync('journal.sqlite.v*', { cwd: dirname(state.file) })).toEqual([]);
      await state.open();
      expect(await state.version()).toBe(NEXT);
    });

    test('whose copy cannot have its name stays as it is, and the copy goes', async () => {
      const state = await sqlite(EARLIER);
      const copy = `${state.file}.v${EARLIER}`;
      mkdirSync(join(copy, 'in the way'), { recursive: true });
      const error = await errorOf(state.open());
      expect(error.message).toContain('cannot be copied, which is done before its tables change. It was not changed.');
      expect([await state.version(), existsSync(`${copy}.part`)]).toEqual([EARLIER, false]);
      rmdirSync(join(copy, 'in the way'));
      rmdirSync(copy);
      await state.open();
      expect([await state.version(), existsSync(copy)]).toEqual([NEXT, true]);
    });

    test('has no copy after a person was forgotten, but keeps what people put beside it, whatever its name', async () => {
      const state = await sqlite(EARLIER);
      const opened = await state.open();
      const own = ['journal.sqlite.vault', 'journal.sqlite.v-friday', 'journal.sqlite.v16.gz'];
      for (const name of own) writeFileSync(join(dirname(state.file), name), '');
      const left = () => globSync('journal.sqlite.v*', { cwd: dirname(state.file) }).toSorted();
      expect(left()).toEqual([`journal.sqlite.v${EARLIER}`, ...own].toSorted());
      const person = { name: 'Amal Haddad' };
      await opened.forgetting.erase(person, await opened.forgetting.find(person), NOW);
      expect(left()).toEqual(own.toSorted());
    });

    test('is copied and taken over with what is in its log alone', async () => {
      const state = await sqlite(EARLIER);
      const other = new DatabaseSync(state.file);
      other.exec(`pragma wal_autocheckpoint = 0;
      update meta set value = '{"since":1,"by":"late","why":"late"}' where key = 'pause'`);
      const pausedBy = async (opened: Awaited<ReturnType<Kept['open']>>) => (await opened.chain.status()).pause?.by;
      expect(await pausedBy(await state.open())).toBe('late');
      other.close();
      const copy = new DatabaseSync(`${state.file}.v${EARLIER}`, { readOnly: true });
      expect(copy.prepare("select value from meta where key = 'pause'").get()?.value).toContain('late');
      copy.close();
    });

    test('that takes no writes is opened, and read', async () => {
      const state = await sqlite();
      const before = await state.open();
      await before.operations.insert(newOperation('a'), { now: NOW, owner: 'p1', leaseUntil: NOW });
      await before.close();
      const other = new DatabaseSync(state.file);
      // There is room for one row.
      other.exec(`insert into lease values ('other', 'x', ${NOW + MINUTE}); create unique index full on lease((1))`);
      other.close();
      const { operations } = await state.open();
      expect(await operations.list({ limit: 5 })).toMatchObject([{ id: 'a' }]);
    });
  });

if (plays('PostgreSQL'))
  describe('a database', () => {
    /** A session of somebody else. */
    async function besides<T>(work: (sql: ReturnType<typeof client>) => Promise<T>): Promise<T> {
      const sql = client(url(), { max: 1, fetch_types: false, onnotice: () => undefined });
      try {
        return await work(sql);
      } finally {
        await sql.end({ timeout: 0 });
      }
    }
    const waiting = () =>
      expect.poll(async () => (await cluster().sql('postgres', 'select 1 from pg_locks where not granted')).length);

    test('stays as it is while an earlier program says that it is there', async () => {
      const state = await postgres(EARLIER);
      await besides(async (sql) => {
        await sql.unsafe(
          `begin; insert into ${state.schema}.lease(name, owner, lease_until) values ('program x', '${EARLIER}', ${NOW + 1})`,
        );
        const opening = errorOf(state.open());
        await waiting().toBeGreaterThan(0);
        await sql.unsafe('commit');
        expect((await opening).message).toContain('in use by 1 program of an earlier');
      });
      expect(await state.version()).toBe(EARLIER);
    });

    test('lets no program in that says that it is there while a newer one takes over', async () => {
      const state = await postgres();
      const next = NEXT;
      await besides(async (sql) => {
        await sql.unsafe(`begin; lock table ${state.schema}.lease in share row exclusive mode`);
        const opening = errorOf(state.open());
        await waiting().toBeGreaterThan(0);
        await sql.unsafe(`update ${state.schema}.meta set value = '${next}' where key = 'schema_version'; commit`);
        expect((await opening).message).toContain(`was written by a newer fareclerk (its version is ${next}`);
      });
      expect(await leases(state)).toEqual([]);
    });

    test('whose tables a backup holds is refused after seconds, in words that say so', async () => {
      const state = await postgres(EARLIER);
      await besides(async (sql) => {
        await sql.unsafe(`begin; lock table ${state.schema}.operation in access share mode`);
        const error = await errorOf(state.open());
        expect(error.message).toBe(
          'The database of FARECLERK_DATABASE_URL has tables that must change, and another session, such as a backup, holds them. It was not changed.',
        );
      });
      expect(await state.version()).toBe(EARLIER);
      await state.open();
      expect(await state.version()).toBe(NEXT);
    });

    test('that this user does not own stays as it is until its owner starts the new version', async () => {
      const state = await postgres(EARLIER);
      const { schema } = state;
      await cluster().sql(
        'clerk',
        `create role lodger login; grant usage on schema ${schema} to lodger;
      grant all on all tables in schema ${schema} to lodger; grant all on all sequences in schema ${schema} to lodger`,
      );
      const at = url().replace(/\/\/[^@]+@/, '//lodger@');
      const error = await errorOf(state.open({ at }));
      expect(error.message).toContain(`has tables of another version of fareclerk in the schema ${schema}`);
      expect(error.next).not.toContain('doctor');
      expect(await state.version()).toBe(EARLIER);
      await (await state.open()).close();
      await state.open({ at });
    });

    test('is taken over behind a transaction pooler', async () => {
      const state = await postgres(EARLIER);
      const pooler = await startPooler(url());
      try {
        const opened = await state.open({ at: pooler.url });
        expect(await state.version()).toBe(NEXT);
        expect(await opened.operations.verify()).toBeUndefined();
        await opened.close();
      } finally {
        await pooler.close();
      }
      expect(await leases(state)).toEqual([]);
    });
  });
