/**
 * PostgreSQL whose disk is full: what a caller hears, and what a probe finds. Root gives the tables a small disk of their
 * own, and fills it. For anybody else the server itself refuses the rows of operations, as a full disk does (SQLSTATE 53100).
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { startCluster } from '../campaigns/support/postgres.ts';
import { newOperation } from './support/new-operation.ts';
import type { State } from './support/ports.ts';
import { errorOf } from './support/suite-database.ts';

interface Disk {
  /** The folder of the tables; absent: the server's own. */
  readonly folder?: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  close(): void;
}

type Cluster = Awaited<ReturnType<typeof startCluster>>;
let disk: Disk;
let cluster: Cluster;
const opened: State[] = [];

const open = async () => {
  const state = await openPostgresState(cluster.url(), {});
  opened.push(state);
  return state;
};

function smallDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'clerk-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder]);
  const rest = join(folder, 'rest');
  return {
    folder,
    async fill() {
      const file = openSync(rest, 'w');
      const block = Buffer.alloc(4_096);
      try {
        for (;;) writeSync(file, block);
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      } finally {
        closeSync(file);
      }
    },
    free: async () => rmSync(rest),
    close() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

const refusingRows: Disk = {
  async fill() {
    await cluster.sql(
      'postgres',
      `create function fareclerk.no_room() returns trigger language plpgsql as
         $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
       create trigger no_room before insert on fareclerk.operation for each row execute function fareclerk.no_room()`,
    );
  },
  free: async () => void (await cluster.sql('postgres', 'drop function fareclerk.no_room cascade')),
  close() {},
};

beforeAll(async () => {
  disk = userInfo().uid === 0 ? smallDisk() : refusingRows;
  cluster = await startCluster(disk.folder === undefined ? {} : { tables: disk.folder });
});
afterAll(async () => {
  for (const state of opened) await state.close();
  await cluster.close();
  disk.close();
});

const enter = ({ operations }: State, id: string) =>
  operations.insert(newOperation(id, { locator: id }), {
    now: Date.now(),
    owner: 'p1',
    leaseUntil: Date.now() + 60_000,
  });

test('refuses operations with the reason while the disk is full, is found out by a probe, and is found back', async () => {
  const state = await open();
  const other = await open();
  expect([await state.unwritable(), await other.unwritable()]).toEqual([[], []]);
  await enter(state, 'before');
  await disk.fill();
  // Some rows still fit into pages that the tables have.
  let refused: unknown;
  for (let n = 0; n < 500 && refused === undefined; n++)
    refused = await errorOf(enter(state, `full${n}`)).catch(() => undefined);
  expect(refused).toMatchObject({
    ...{ code: 'E_STATE_DOWN', effect: 'none', retry: 'after_s:5' },
    message: "The database's disk is full. Nothing was sent.",
    next: 'Repeat the same call in 5 seconds, which is safe. If it lasts, tell the operator.',
  });
  expect(await state.unwritable()).toEqual(['state']);
  // On a real disk also a process finds it that was refused nothing.
  if (disk.folder !== undefined) expect(await other.unwritable()).toEqual(['state']);
  await disk.free();
  await expect.poll(() => other.unwritable()).toEqual([]);
  await expect.poll(() => state.unwritable()).toEqual([]);
  expect(await enter(state, 'after')).toMatchObject({ kind: 'inserted' });
});
