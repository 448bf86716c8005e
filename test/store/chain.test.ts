/**
 * The journal as a whole, on SQLite: what is seen of it in a second place, and what stops sending.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SqliteChain } from '../../src/store/sqlite/chain.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { SqliteOperations } from '../../src/store/sqlite/operations.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { Witness } from '../../src/store/witness.ts';
import { newOperation } from './new-operation.ts';
import { putBack, scratch } from './support/journals.ts';
import type { Hold, State } from './support/ports.ts';

const META = { now: 1000, owner: 'p1', leaseUntil: 61_000 };
const AT = { now: 2000, actor: 'p1' };
const folder = scratch('chain');
afterAll(() => folder.remove());

let n = 0;
let file: string;
let witnesses: string;
let holds: Hold[];
const open = (): Promise<State> => openSqliteState(file, { witnesses, noticed: (hold) => holds.push(hold) });

beforeEach(() => {
  n += 1;
  file = folder.at(`${n}/state/journal.sqlite`);
  witnesses = folder.at(`${n}/witness`);
  holds = [];
});

async function send({ operations }: State, id: string): Promise<void> {
  await operations.insert(newOperation(id, { locator: id.toUpperCase() }), META);
  await operations.transition(id, ['intent'], 'dispatched', { dispatchedAt: 1500 }, AT);
}

async function settle({ operations }: State, id: string): Promise<void> {
  await operations.transition(id, ['dispatched'], 'succeeded', { outcome: { basis: 'reply' } }, AT);
}

/** One act, a copy, and a second act that the copy does not have. */
async function goneOn(): Promise<State> {
  const state = await open();
  await send(state, 'a');
  await settle(state, 'a');
  const db = new DatabaseSync(file);
  db.exec(`vacuum into '${folder.at(`${n}/copy.sqlite`)}'`);
  db.close();
  await send(state, 'b');
  return state;
}

const copy = () => folder.at(`${n}/copy.sqlite`);
const refused = { code: 'E_NOT_PERMITTED', effect: 'none' };

test('does not miss the first link of a new journal that is seen while the journal is read', async () => {
  const state = await open();
  const looking = state.chain.status();
  (state.chain as SqliteChain).witness.see({ n: 1, hash: 'just written' });
  expect((await looking).hold).toBeUndefined();
  expect(holds).toEqual([]);
  await state.close();
});

describe('an older copy of the file', () => {
  test('detects an older copy when it is opened, sends nothing, and names the lost operation', async () => {
    await (await goneOn()).close();
    putBack(copy(), file);
    const state = await open();
    expect(holds).toMatchObject([{ seen: { n: 5 }, head: { n: 3 } }]);
    await expect(send(state, 'c')).rejects.toMatchObject(refused);
    expect(await state.operations.get('c')).toMatchObject({ state: 'intent' });
    const { links, acts } = await state.chain.lost();
    expect(links).toBe(1);
    expect(acts).toMatchObject([{ sent: { id: 'b', locator: 'B', dispatchedAt: 1500 } }]);
    await state.close();
    const again = await open();
    expect(holds).toHaveLength(1);
    expect((await again.chain.status()).hold).toBeDefined();
    await again.close();
  });

  test('detects in a running instance an older copy that a backup wrote in place', async () => {
    const [one, other] = [await goneOn(), await open()];
    const { backup } = await import('node:sqlite');
    const source = new DatabaseSync(copy());
    await backup(source, file);
    source.close();
    for (const state of [one, other]) await expect(send(state, 'c')).rejects.toMatchObject(refused);
    expect(holds).toHaveLength(1);
    expect(await one.operations.verify()).toBeUndefined();
    for (const state of [one, other]) await state.close();
  });

  test('detects an older copy even after it has grown past the highest link that was seen', async () => {
    await (await goneOn()).close();
    putBack(copy(), file);
    const blind = await openSqliteState(file);
    for (const id of ['x', 'y', 'z']) await send(blind, id);
    await blind.close();
    const state = await open();
    expect((await state.chain.status()).hold).toMatchObject({ seen: { n: 5 }, head: { n: 9 } });
    await state.close();
  });

  test('continues in every instance once lost operations are recovered, and detects a second loss', async () => {
    await (await goneOn()).close();
    putBack(copy(), file);
    const [one, other] = [await open(), await open()];
    await expect(send(other, 'c')).rejects.toMatchObject(refused);
    expect(await one.chain.release(7, 'os:ann', 3000)).toEqual({ kind: 'more_lost' });
    const { links } = await one.chain.lost();
    expect(await one.chain.release(links, 'os:ann', 3000)).toEqual({ kind: 'released' });
    expect(await one.chain.release(links, 'os:ann', 3000)).toEqual({ kind: 'released_before', by: 'os:ann' });
    expect(await one.chain.lost()).toEqual({ links: 0, acts: [] });
    await send(one, 'd');
    await send(other, 'e');
    expect(await one.operations.verify()).toBeUndefined();
    for (const state of [one, other]) await state.close();
    putBack(copy(), file);
    const state = await open();
    const { acts } = await state.chain.lost();
    expect(acts.map(({ sent }) => sent?.id)).toEqual(['b', 'd', 'e']);
    await state.close();
  });

  test('recovers a lost operation with the end that the second record has', async () => {
    const state = await goneOn();
    await settle(state, 'b');
    await state.close();
    putBack(copy(), file);
    const back = await open();
    expect((await back.chain.lost()).acts).toMatchObject([
      { sent: { id: 'b' }, end: { state: 'succeeded', outcome: { basis: 'reply' } } },
    ]);
    await back.close();
  });
});

describe('the file of a running instance', () => {
  test.each([
    ['removed', () => rmSync(file)],
    [
      'replaced',
      () => {
        writeFileSync(`${file}.new`, 'anything');
        renameSync(`${file}.new`, file);
      },
    ],
    ['emptied', () => truncateSync(file)],
  ])('stops sending if the journal file was %s under a running instance', async (how, harm) => {
    const state = await goneOn();
    await state.operations.insert(newOperation('c', { locator: 'C' }), META);
    harm();
    const sending = state.operations.transition('c', ['intent'], 'dispatched', {}, AT);
    await expect(sending).rejects.toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    await expect(state.chain.status()).rejects.toThrow(`file was ${how} while`);
    await state.close();
  });
});

describe('a missing journal', () => {
  const removeFile = () => {
    for (const tail of ['', '-wal', '-shm']) rmSync(file + tail, { force: true });
  };

  test.each([
    ['the file', () => removeFile()],
    ['the whole folder', () => rmSync(folder.at(`${n}/state`), { recursive: true })],
  ])('does not treat the journal as new after %s was removed', async (_what, remove) => {
    await (await goneOn()).close();
    remove();
    const state = await open();
    expect((await state.chain.status()).hold).toMatchObject({ seen: { n: 5 } });
    const { acts } = await state.chain.lost();
    expect(acts.map(({ sent }) => sent?.id)).toEqual(['a', 'b']);
    await state.close();
  });

  test('replaces a removed journal that never sent anything by a new one', async () => {
    await (await open()).close();
    removeFile();
    const state = await open();
    await send(state, 'a');
    await state.close();
  });

  test('detects another journal in the place of the lost one, which takes over its operations', async () => {
    await (await goneOn()).close();
    const own = file;
    file = folder.at(`${n}/other/journal.sqlite`);
    const other = await open();
    await send(other, 'x');
    await other.close();
    renameSync(own, `${own}.kept`);
    putBack(file, own);
    file = own;
    const state = await open();
    await expect(send(state, 'c')).rejects.toMatchObject(refused);
    const { links, acts } = await state.chain.lost();
    expect(acts.map(({ sent }) => sent?.id)).toEqual(['a', 'b']);
    expect(await state.chain.release(links, 'os:ann', 3000)).toEqual({ kind: 'released' });
    await send(state, 'd');
    await state.close();
    await (await open()).close();
    expect(holds).toHaveLength(1);
  });

  test('opens a journal although its marker cannot be read or written', async () => {
    await (await open()).close();
    rmSync(`${file}.id`);
    mkdirSync(`${file}.id`);
    const state = await open();
    await send(state, 'a');
    await state.close();
  });
});

describe('a pause', () => {
  test('stops sending on every instance during a pause, and records the pause in the chain', async () => {
    const [one, other] = [await open(), await open()];
    await one.chain.pause('the airline asked', 'os:ann', 5000);
    await one.chain.pause('still', 'os:bea', 6000);
    await expect(send(other, 'a')).rejects.toThrow('“os:bea” paused sending at 1970-01-01T00:00:06Z: “still”');
    expect(await other.chain.resume('os:ann', 7000)).toBe(true);
    expect(await other.chain.resume('os:ann', 7000)).toBe(false);
    await send(one, 'b');
    expect(await one.operations.verify()).toBeUndefined();
    expect((await one.operations.events('')).map(({ to, actor }) => [to, actor])).toEqual([
      ['paused', 'os:ann'],
      ['paused', 'os:bea'],
      ['resumed', 'os:ann'],
    ]);
    for (const state of [one, other]) await state.close();
    const db = new DatabaseSync(file);
    db.exec(`update note set body = replace(body, 'still', 'nothing')`);
    db.close();
    const state = await open();
    expect(await state.operations.verify()).toEqual({ operationId: '', seq: 2 });
    await state.close();
  });
});

describe('the second records', () => {
  test('appends second records from several processes, and survives a torn line', async () => {
    const [one, other] = [await open(), await open()];
    await send(one, 'a');
    const [name = ''] = readdirSync(witnesses).filter((each) => each.endsWith('.log'));
    appendFileSync(`${witnesses}/${name}`, '{"n":99,"hash":"torn');
    await send(other, 'b');
    await send(one, 'c');
    expect((await other.chain.status()).hold).toBeUndefined();
    const id = name.replace('.log', '');
    const witness = new Witness(witnesses, id);
    expect([...witness.records()].map(({ sent }) => sent?.id)).toEqual(['a', 'b', 'c']);
    witness.close();
    for (const state of [one, other]) await state.close();
  });

  test('starts new second records after they were removed', async () => {
    const state = await open();
    await send(state, 'a');
    rmSync(witnesses, { recursive: true });
    mkdirSync(witnesses);
    await send(state, 'b');
    expect(readdirSync(witnesses).filter((name) => name.endsWith('.log'))).toHaveLength(1);
    await state.close();
  });

  test('stops sending if second records cannot be written', async () => {
    const state = await open();
    await state.operations.insert(newOperation('a'), META);
    const witness = Object.getPrototypeOf(new Witness(undefined, 'x')) as Witness;
    const keep = witness.keepNow;
    witness.keepNow = () => {
      throw new Error('ENOSPC');
    };
    try {
      const sending = state.operations.transition('a', ['intent'], 'dispatched', {}, AT);
      await expect(sending).rejects.toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    } finally {
      witness.keepNow = keep;
    }
    await state.close();
  });

  test('keeps second records in memory without a folder while the process lives', async () => {
    writeFileSync(folder.at(`${n}-plain`), '');
    witnesses = folder.at(`${n}-plain/below`);
    const state = await goneOn();
    const { backup } = await import('node:sqlite');
    const source = new DatabaseSync(copy());
    await backup(source, file);
    source.close();
    await expect(send(state, 'c')).rejects.toMatchObject(refused);
    expect((await state.chain.lost()).acts.map(({ sent }) => sent?.id)).toEqual(['b']);
    await state.close();
  });

  test('waits for a quick disk, and lets other work go on while a slow one writes', async () => {
    const witness = new Witness(witnesses, 'slow');
    let [time, each] = [0, 0];
    vi.spyOn(performance, 'now').mockImplementation(() => (time += each));
    let link = 0;
    const waits = async () => {
      let isOver = false;
      const kept = witness.keep({ n: ++link, hash: String(link) }).then(() => (isOver = true));
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      const waited = isOver;
      await kept;
      return waited;
    };
    expect(await waits()).toBe(true);
    each = 10;
    expect(await waits()).toBe(true);
    expect(await waits()).toBe(false);
    each = 0;
    expect(await waits()).toBe(false);
    expect(await waits()).toBe(true);
    vi.restoreAllMocks();
    expect([...witness.records()].map(({ n: at }) => at)).toEqual([1, 2, 3, 4, 5]);
    witness.close();
  });

  test('puts long files of second records aside and still reads them', async () => {
    mkdirSync(folder.at(String(n)), { recursive: true });
    const witness = new Witness(witnesses, 'long');
    const sent = { ...newOperation('a'), outcome: { check: 'x'.repeat(1024 * 1024) } } as never;
    for (let i = 1; i <= 40; i++) {
      await witness.keep({ n: i, hash: String(i), sent });
      witness.look();
    }
    expect(readdirSync(witnesses).filter((name) => name.endsWith('.old.log'))).toHaveLength(1);
    expect([...witness.records()].map((one) => one.n)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(witness.top).toMatchObject({ n: 40 });
    witness.close();
  }, 60_000);
});

describe('a file that cannot be written', () => {
  test('says in the error that the disk is full', async () => {
    mkdirSync(folder.at(`${n}/state`), { recursive: true });
    const db = await openDatabase(file);
    db.exec(`pragma max_page_count = ${Number(db.get('pragma page_count')?.page_count)}`);
    const operations = new SqliteOperations(db);
    const many = async () => {
      for (let i = 0; i < 200; i++) await operations.insert(newOperation(`${i}`, { locator: `L${i}` }), META);
    };
    await expect(many()).rejects.toMatchObject({
      code: 'E_INTERNAL',
      message: expect.stringContaining('the disk is full'),
    });
    db.close();
  });

  test('says in the error that another program holds the lock of the file', async () => {
    const state = await openSqliteState(file, { busyMs: 50 });
    const source = `const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(${JSON.stringify(file)}); db.exec('begin immediate'); console.log('held');
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(holder.stdout, 'data');
    await expect(state.operations.insert(newOperation('a'), META)).rejects.toMatchObject({
      code: 'E_INTERNAL',
      message: 'The state file cannot be written: another program holds its lock.',
    });
    holder.kill();
    await once(holder, 'exit');
    expect((await state.operations.insert(newOperation('a'), META)).kind).toBe('inserted');
    await state.close();
    expect(existsSync(file)).toBe(true);
  });
});
