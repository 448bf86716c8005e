/**
 * The journal as a whole: what is seen of it in a second place, what stops sending, and what a person then does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { plays } from './support/databases.ts';
import { putBack } from './support/journals.ts';
import { newOperation } from './support/new-operation.ts';
import { NO_DISK, NO_RECORDS, type Office, offices } from './support/offices.ts';
import type { State } from './support/ports.ts';

let clock = 1_000_000;
const { both, sqlite, postgres } = offices(() => ++clock);

const META = { now: 1000, owner: 'p1', leaseUntil: 61_000 };
const AT = { now: 2000, actor: 'p1' };
const refused = { code: 'E_NOT_PERMITTED', effect: 'none' };
/** The release of what was lost, which is due. */
const due = (links: number) => [{ at: 0, by: 'os:ann', links }, 3000] as const;

async function send({ operations }: State, id: string): Promise<void> {
  const now = ++clock;
  await operations.insert(newOperation(id, { locator: id.toUpperCase() }), { now, owner: 'p1', leaseUntil: now });
  await operations.transition(
    id,
    { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: 1500 } },
    { now, actor: 'p1' },
  );
}

async function settle({ operations }: State, id: string): Promise<void> {
  await operations.transition(
    id,
    { from: ['dispatched'], to: 'succeeded', patch: { outcome: { basis: 'reply' } } },
    AT,
  );
}

/** One act, a copy, and a second act that the copy does not have. */
async function goneOn(office: Office, machine?: string): Promise<State> {
  const state = await office.open(machine);
  await send(state, 'a');
  await settle(state, 'a');
  await office.copy();
  await send(state, 'b');
  return state;
}

interface SecondRecord {
  readonly top?: object;
  raiseTop(link: object): void;
  look(): void;
  recordSend(seen: object): Promise<void>;
  records(): Iterable<{ readonly n: number; readonly sent?: { readonly id: string } }>;
}
const secondRecord = ({ chain }: State) => (chain as unknown as { readonly record: SecondRecord }).record;

/** Two machines that look at the journal before the first act. */
async function machines(office: Office): Promise<readonly [State, State]> {
  const both = [await office.open('one'), await office.open('two')] as const;
  for (const { chain } of both) await chain.keepUp();
  return both;
}

const lostBy = async (state: State) => (await state.chain.lost()).acts.map(({ sent }) => sent?.id);
const isHeld = async (state: State) => (await state.chain.status()).hold !== undefined;
/** What a person does who found out what was lost. */
const released = async ({ chain }: State) => await chain.release(...due((await chain.lost()).links));

describe.each(both)('on $name', ({ office: openOffice }) => {
  let office: Office;
  beforeEach(() => {
    office = openOffice();
  });

  test('detects an older copy when it is opened, sends nothing, and names what is lost with its end', async () => {
    const before = await goneOn(office);
    await settle(before, 'b');
    await before.close();
    await office.putBack();
    const state = await office.open();
    expect(office.holds).toMatchObject([{ seen: { n: 6 }, head: { n: 3 } }]);
    await expect(send(state, 'c')).rejects.toMatchObject(refused);
    expect(await state.operations.get('c')).toMatchObject({ state: 'intent' });
    expect((await state.chain.lost()).acts).toMatchObject([
      {
        sent: { id: 'b', locator: 'B', dispatchedAt: 1500 },
        end: { state: 'succeeded', outcome: { basis: 'reply' } },
      },
    ]);
    await state.close();
    expect(await isHeld(await office.open())).toBe(true);
    expect(office.holds).toHaveLength(1);
  });

  test.each([
    ['with second records', 'one'],
    ['on a disk that takes none', NO_DISK],
    ['that keeps none', NO_RECORDS],
  ])('stops every process %s under which an older copy is put, until what is lost is known', async (_, machine) => {
    const [one, other] = [await goneOn(office, machine), await office.open(machine)];
    await office.putBackBeneath();
    for (const state of [one, other]) await expect(send(state, 'c')).rejects.toMatchObject(refused);
    expect(office.holds).toMatchObject([{ seen: { n: 5 } }]);
    expect(await one.operations.verify()).toBeUndefined();
    expect(await lostBy(one)).toEqual(['b']);
    const { links } = await one.chain.lost();
    expect(await one.chain.release(...due(links + 1))).toBe('more_lost');
    expect(await one.chain.release(...due(links))).toBe('released');
    expect(await one.chain.release(...due(links))).toBe('released');
    expect(await one.chain.lost()).toEqual({ links: 0, acts: [] });
    await send(one, 'd');
    await send(other, 'e');
    expect(await one.operations.verify()).toBeUndefined();
    if (machine !== 'one') return;
    for (const state of [one, other]) await state.close();
    await office.putBack();
    expect(await lostBy(await office.open())).toEqual(['b', 'd', 'e']);
  });

  test('detects an older copy even after it has grown past the highest link that was seen', async () => {
    await (await goneOn(office)).close();
    await office.putBack();
    const blind = await office.open(NO_RECORDS);
    for (const id of ['x', 'y', 'z']) await send(blind, id);
    await blind.close();
    const state = await office.open();
    expect((await state.chain.status()).hold).toMatchObject({ seen: { n: 5 }, head: { n: 9 } });
  });

  test('does not treat a journal as new that is gone', async () => {
    await (await goneOn(office)).close();
    await office.lose();
    const state = await office.open();
    expect((await state.chain.status()).hold).toMatchObject({ seen: { n: 5 }, head: { n: 0 } });
    expect(await lostBy(state)).toEqual(['a', 'b']);
    expect(await released(state)).toBe('released');
    await send(state, 'c');
    expect(await state.operations.verify()).toBeUndefined();
  });

  test('stops every process with a pause, records it in the chain, and ends it', async () => {
    const [one, other] = [await office.open(), await office.open()];
    await one.chain.pause('the airline asked', 'os:ann', 5000);
    await one.chain.pause('still', 'os:bea', 6000);
    await expect(send(other, 'a')).rejects.toThrow('“os:bea” paused sending at 1970-01-01T00:00:06Z: “still”');
    const resumed = [await other.chain.resume('os:ann', 7000), await other.chain.resume('os:ann', 7000)];
    expect(resumed).toEqual([{ kind: 'resumed' }, { kind: 'not_paused' }]);
    await send(one, 'b');
    expect(await one.operations.verify()).toBeUndefined();
    const steps = (await one.operations.events('')).map(({ to, actor }) => `${to} ${actor}`);
    expect(steps).toEqual(['paused os:ann', 'paused os:bea', 'resumed os:ann']);
    await office.sql(`update $.note set body = replace(body, 'still', 'nothing')`);
    expect(await one.operations.verify()).toEqual({ operationId: '', seq: 2 });
  });

  test('holds paused sending, though nothing is known to be lost, until it is released, and resumes it only then', async () => {
    const [one, other] = [await office.open(), await office.open('two')];
    await send(one, 'a');
    await one.chain.pause('restored a copy', 'os:ann', 5000);
    const { head } = await one.chain.status();
    expect(await one.chain.holdSince(5000, 'os:ann', 6000)).toEqual({
      since: 5000,
      head,
      seen: { n: 0, hash: expect.anything() },
    });
    expect(await one.chain.lost()).toEqual({ links: 0, acts: [] });
    expect(await other.chain.resume('os:ann', 7000)).toMatchObject({ kind: 'held', hold: { since: 5000 } });
    await expect(send(other, 'b')).rejects.toThrow(/no second record says what it lacks/);

    const at = clock + 50;
    expect(await one.chain.release({ at, by: 'os:ann', links: 0 }, clock)).toBe('planned');
    expect(await other.chain.resume('os:ann', 7000)).toMatchObject({ kind: 'held', hold: { release: { at } } });
    clock = at;
    expect(await other.chain.resume('os:ann', 7000)).toEqual({ kind: 'resumed' });
    await send(other, 'c');
    expect(await isHeld(one)).toBe(false);
    expect(await one.operations.verify()).toBeUndefined();
    const steps = (await one.operations.events('')).map(({ to, actor }) => `${to} ${actor}`);
    expect(steps).toEqual(['paused os:ann', 'held os:ann', 'restored os:ann', 'resumed os:ann']);
  });

  test('does not resume sending while a higher number of the chain is known', async () => {
    const state = await goneOn(office);
    await state.close();
    await office.putBack();
    const fresh = await office.open('fresh');
    await fresh.chain.pause('restored a copy', 'os:ann', 5000);
    expect(await (await office.open()).chain.resume('os:ann', 7000)).toMatchObject({
      kind: 'held',
      hold: { seen: { n: 5 } },
    });
    expect((await fresh.chain.status()).pause).toBeDefined();
  });

  test('gives up the planned end of such a hold when second records show what was lost', async () => {
    await (await goneOn(office)).close();
    await office.putBack();
    const fresh = await office.open('fresh');
    await fresh.chain.pause('restored a copy', 'os:ann', 5000);
    await fresh.chain.holdSince(5000, 'os:ann', 6000);
    await fresh.chain.release({ at: clock + 50, by: 'os:ann', links: 0 }, clock);
    const recorded = await office.open();
    clock += 100;
    expect((await fresh.chain.status()).hold).toMatchObject({ since: 5000 });
    expect(await lostBy(recorded)).toEqual(['b']);
  });

  test('enters nothing new for a person while sending is stopped, says why, and finds what is there', async () => {
    const [one, other] = [await office.open(), await office.open()];
    const meta = { now: ++clock, owner: 'p1', leaseUntil: clock, unlessStopped: true } as const;
    const enter = (id: string, more: { unlessStopped?: true } = meta) =>
      other.operations.insert(newOperation(id, { locator: id.toUpperCase() }), { ...meta, ...more });
    expect((await enter('a')).kind).toBe('inserted');
    await one.chain.pause('the airline asked', 'os:ann', 5000);
    const pause = { since: 5000, by: 'os:ann', why: 'the airline asked' };
    expect(await enter('b')).toEqual({ kind: 'stopped', pause });
    expect(await other.operations.get('b')).toBeUndefined();
    secondRecord(one).raiseTop({ n: 99, hash: 'of another copy' });
    const { hold } = await one.chain.status();
    expect(await enter('b')).toEqual({ kind: 'stopped', pause, hold });
    expect(await enter('a')).toMatchObject({ kind: 'exists', operation: { id: 'a' } });
    // What was sent before an older copy was put back is entered again while sending is held.
    const { unlessStopped: _, ...again } = meta;
    expect((await other.operations.insert(newOperation('b', { locator: 'B' }), again)).kind).toBe('inserted');
    expect(await released(one)).toBe('released');
    await one.chain.resume('os:ann', 7000);
    expect((await enter('c')).kind).toBe('inserted');
    expect(await one.operations.verify()).toBeUndefined();
  });

  test('lets a machine without second records send, and stops it by the records of another machine', async () => {
    const one = await office.open('one');
    await send(one, 'a');
    await office.copy();
    await send(one, 'b');
    await one.close();
    await office.putBack();
    const fresh = await office.open('fresh');
    await send(fresh, 'c');
    expect(await isHeld(await office.open('one'))).toBe(true);
    await expect(send(fresh, 'd')).rejects.toMatchObject(refused);
    expect(await lostBy(fresh)).toEqual(['b']);
    expect(await released(fresh)).toBe('released');
    await send(fresh, 'e');
  });

  test('stops machines that run, also one that sent nothing, if a server takes over that lacks the last sends', async () => {
    const [one, two] = await machines(office);
    await send(one, 'a');
    await office.copy();
    await send(one, 'b');
    await two.chain.keepUp();
    await office.putBackBeneath();
    for (const state of [two, one]) await expect(send(state, 'c')).rejects.toMatchObject(refused);
    // What was lost is in the records of the one that sent it.
    await one.chain.keepUp();
    expect(await lostBy(two)).toEqual(['b']);
    expect(await released(two)).toBe('released');
    await send(one, 'd');
    await send(two, 'e');
    expect(await one.operations.verify()).toBeUndefined();
  });

  test('sends again by itself once a planned release is due, unless more is found to be lost', async () => {
    const [one, two] = await machines(office);
    await send(one, 'a');
    await office.copy();
    await send(one, 'b');
    await send(two, 'c');
    for (const state of [one, two]) await state.close();
    await office.putBack();
    const first = await office.open('one');
    const plan = async (at: number) =>
      first.chain.release({ at, by: 'os:ann', links: (await first.chain.lost()).links }, clock);
    const at = clock + 1_000;
    expect(await plan(at)).toBe('planned');
    expect((await first.chain.status()).hold).toMatchObject({ release: { at, by: 'os:ann' } });
    await expect(send(first, 'd')).rejects.toThrow(/Sending is allowed again at 1970-01-01T/);
    // Another machine has records of its own.
    const second = await office.open('two');
    expect((await second.chain.status()).hold?.release).toBeUndefined();
    clock += 2_000;
    expect(await isHeld(first)).toBe(true);
    expect(await plan(clock + 1_000)).toBe('planned');
    clock += 2_000;
    expect([await isHeld(first), await isHeld(second)]).toEqual([false, false]);
    await send(second, 'e');
    await send(first, 'f');
    expect((await first.operations.events('')).map(({ to, actor }) => `${to} ${actor}`)).toEqual([
      'held fareclerk',
      'restored os:ann',
    ]);
    expect(await first.operations.verify()).toBeUndefined();
  });

  test('detects with the records of one machine that what another machine sent is lost', async () => {
    const [one, two] = await machines(office);
    await send(one, 'a');
    await office.copy();
    await send(two, 'b');
    for (const state of [one, two]) await state.chain.keepUp();
    for (const state of [one, two]) await state.close();
    await office.putBack();
    const first = await office.open('one');
    expect((await first.chain.status()).hold?.seen?.n).toBeGreaterThan(2);
    const { links } = await first.chain.lost();
    expect(await first.chain.release(...due(links))).toBe('released');
    // Its own records say what those links were.
    const second = await office.open('two');
    expect([await lostBy(second), await isHeld(second)]).toEqual([['b'], true]);
  });
});

if (plays('PostgreSQL'))
  test('on PostgreSQL goes on if its journal got another name and lost nothing, and lets no statement past a pause', async () => {
    const office = postgres();
    const state = await office.open(NO_RECORDS);
    await send(state, 'a');
    await office.sql("update $.meta set value = 'another' where key = 'journal_id'");
    // The chain has all that was seen: nothing is lost, and it goes on under its new name.
    await send(state, 'b');
    expect(await isHeld(state)).toBe(false);
    await state.operations.insert(newOperation('c', { locator: 'C' }), { ...META, now: ++clock });
    await state.chain.pause('the airline asked', 'os:ann', 5000);
    const move = `select $.move_operation('c', 'intent', 'dispatched', '{}', 2000, 'p0', false,
    0, '', (select value from $.meta where key = 'schema_version'))`;
    await expect(office.sql(move)).rejects.toMatchObject({ code: 'FC003' });
  });

if (plays('SQLite'))
  describe('the file of SQLite', () => {
    let office: ReturnType<typeof sqlite>;
    let file: string;
    beforeEach(() => {
      office = sqlite();
      file = office.file;
    });

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
    ])('stops sending if it was %s under a running process', async (how, harm) => {
      const state = await goneOn(office);
      await state.operations.insert(newOperation('c', { locator: 'C' }), META);
      harm();
      const sending = state.operations.transition('c', { from: ['intent'], to: 'dispatched', patch: {} }, AT);
      await expect(sending).rejects.toMatchObject({ code: 'E_STATE_DOWN', effect: 'none' });
      await expect(state.chain.status()).rejects.toThrow(`file was ${how} while`);
    });

    test('is replaced by a new one if it was removed and never sent anything, also without second records', async () => {
      await (await office.open()).close();
      rmSync(file);
      const second = await office.open();
      await second.close();
      rmSync(office.records('one'), { recursive: true });
      await send(await office.open(), 'a');
    });

    test('is found to be another journal in the place of the lost one, which takes over its operations', async () => {
      await (await goneOn(office)).close();
      const elsewhere = sqlite();
      const other = await elsewhere.open();
      await send(other, 'x');
      await other.close();
      cpSync(elsewhere.records('one'), office.records('one'), { recursive: true });
      renameSync(file, `${file}.kept`);
      putBack(elsewhere.file, file);
      const state = await office.open();
      await expect(send(state, 'c')).rejects.toMatchObject(refused);
      expect(await lostBy(state)).toEqual(['a', 'b']);
      expect(await released(state)).toBe('released');
      await send(state, 'd');
      await state.close();
      await office.open();
      expect(office.holds).toHaveLength(1);
    });

    test('says in the error that the disk is full', async () => {
      const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
      const { operations } = await office.open();
      const [db] = exec.mock.contexts as DatabaseSync[];
      exec.mockRestore();
      const { page_count: pages } = db?.prepare('pragma page_count').get() ?? {};
      db?.exec(`pragma max_page_count = ${Number(pages)}`);
      const many = async () => {
        for (let i = 0; i < 200; i++) await operations.insert(newOperation(`${i}`, { locator: `L${i}` }), META);
      };
      const message = expect.stringContaining('the disk is full');
      await expect(many()).rejects.toMatchObject({ code: 'E_STATE_DOWN', message });
    });

    test('says in the error that another program holds its lock', async () => {
      const state = await office.open();
      const source = `const { DatabaseSync } = require('node:sqlite');
      const db = new DatabaseSync(${JSON.stringify(file)}); db.exec('begin immediate'); console.log('held');
      setInterval(() => {}, 1000);`;
      const holder = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'] });
      await once(holder.stdout, 'data');
      await expect(state.operations.insert(newOperation('a'), META)).rejects.toMatchObject({
        code: 'E_STATE_DOWN',
        message: 'The state file cannot be written: another program holds its lock.',
      });
      holder.kill();
      await once(holder, 'exit');
      expect((await state.operations.insert(newOperation('a'), META)).kind).toBe('inserted');
    });
  });

if (plays('SQLite'))
  describe('the second records', () => {
    let office: Office;
    let state: State;
    let records: string;
    beforeEach(async () => {
      office = sqlite();
      state = await office.open();
      records = office.records('one');
    });
    const logs = (end = '.log') => readdirSync(records).filter((name) => name.endsWith(end));

    test('do not miss the first link of a new journal that is seen while the journal is read', async () => {
      const looking = state.chain.status();
      secondRecord(state).raiseTop({ n: 1, hash: 'just written' });
      expect((await looking).hold).toBeUndefined();
      expect(office.holds).toEqual([]);
    });

    test('grow from several processes, survive a torn line, and begin anew after they were removed', async () => {
      const other = await office.open();
      await send(state, 'a');
      appendFileSync(`${records}/${logs()[0]}`, '{"n":99,"hash":"torn');
      await send(other, 'b');
      await send(state, 'c');
      expect(await isHeld(other)).toBe(false);
      expect([...secondRecord(state).records()].map(({ sent }) => sent?.id)).toEqual(['a', 'b', 'c']);
      rmSync(records, { recursive: true });
      mkdirSync(records);
      await send(state, 'd');
      expect(logs()).toHaveLength(1);
    });

    test('stop sending if they cannot be written', async () => {
      await state.operations.insert(newOperation('a'), META);
      vi.spyOn(secondRecord(state), 'recordSend').mockImplementation(() => {
        throw new Error('ENOSPC');
      });
      const sending = state.operations.transition('a', { from: ['intent'], to: 'dispatched', patch: {} }, AT);
      await expect(sending).rejects.toMatchObject({ code: 'E_STATE_DOWN', effect: 'none' });
    });

    test('stop sending while their file cannot be opened, and record again once it can', async () => {
      await send(state, 'a');
      const log = `${records}/${logs()[0]}`;
      rmSync(log);
      mkdirSync(log);
      await expect(send(state, 'b')).rejects.toMatchObject({ code: 'E_STATE_DOWN', effect: 'none' });
      rmSync(log, { recursive: true });
      await send(state, 'c');
      expect([...secondRecord(state).records()].map(({ sent }) => sent?.id)).toEqual(['c']);
    });

    test('wait for a quick disk, and let other work go on while a slow one writes', async () => {
      const record = secondRecord(state);
      let [time, each] = [0, 0];
      vi.spyOn(performance, 'now').mockImplementation(() => {
        time += each;
        return time;
      });
      let link = 0;
      const waits = async () => {
        let isOver = false;
        const kept = record.recordSend({ n: ++link, hash: String(link) }).then(() => {
          isOver = true;
        });
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        const waited = isOver;
        await kept;
        return waited;
      };
      expect(await waits()).toBe(true);
      each = 10;
      expect([await waits(), await waits()]).toEqual([true, false]);
      each = 0;
      expect([await waits(), await waits()]).toEqual([false, true]);
      vi.restoreAllMocks();
      expect([...record.records()].map(({ n: at }) => at)).toEqual([1, 2, 3, 4, 5]);
    });

    test('have the outcomes that the database has not taken, for every process of the machine', async () => {
      const [a, b] = ['a', 'b'].map((id) => ({ id, state: 'succeeded', outcome: { locator: `NEW${id}` } }) as const);
      if (a === undefined || b === undefined) throw new Error('no outcome');
      const other = await office.open();
      await send(state, 'a');
      for (const end of [a, b]) state.ends.keep(end);
      expect(other.ends.all()).toEqual([a, b]);
      // Its end tells the same.
      await settle(other, 'a');
      expect(state.ends.all()).toEqual([b]);
      const record = secondRecord(state);
      const sent = { ...newOperation('c'), outcome: { check: 'x'.repeat(1024 * 1024) } };
      for (let n = 10; n <= 41; n++) await record.recordSend({ n, hash: String(n), sent });
      await record.recordSend({ n: 42, hash: '42' });
      expect(logs('.old.log')).toHaveLength(1);
      await state.close();
      const next = await office.open();
      expect(next.ends.all()).toEqual([b]);
      next.ends.drop('b');
      next.ends.drop('b');
      expect(other.ends.all()).toEqual([]);
    });

    test('put long files aside and still read them', async () => {
      const record = secondRecord(state);
      const sent = { ...newOperation('a'), outcome: { check: 'x'.repeat(1024 * 1024) } };
      for (let n = 1; n <= 40; n++) {
        await record.recordSend({ n, hash: String(n), sent });
        record.look();
      }
      expect(logs('.old.log')).toHaveLength(1);
      expect([...record.records()].map((one) => one.n)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
      expect(record.top).toMatchObject({ n: 40 });
    });
  });
