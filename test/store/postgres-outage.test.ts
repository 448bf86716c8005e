/** What became of a send whose answer comes while PostgreSQL is away. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { act, booking, type Evidence, error, type Journal, REPLY } from '../journal/answers.ts';
import { Harness, TestClock } from '../journal/harness.ts';
import { bareTraveler, personName } from '../support/people.ts';
import { newOperation } from './new-operation.ts';
import type { State } from './support/ports.ts';
import { suiteDatabase } from './support/suite-database.ts';

const { cluster, open, freshSchema } = suiteDatabase();

/** Pauses of the journal are a fiftieth as long: its tries of an hour fit into a minute. */
const FASTER = 50;
const HOLDS = 10;

let witnesses: string;
let schema: string;
beforeEach(() => {
  witnesses = mkdtempSync(join(tmpdir(), 'clerk-outage-'));
  schema = freshSchema();
});
afterEach(() => rmSync(witnesses, { recursive: true, force: true }));

interface Process {
  readonly state: State;
  readonly journal: Journal;
  /** The process dies: it tries nothing more. */
  die(): Promise<void>;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function process(owner: string, folder = witnesses): Promise<Process> {
  const state = await open({ schema, witnesses: folder });
  const { clock, operations: store, chain, ends } = state;
  if (clock === undefined) throw new Error('no clock');
  const ending = new AbortController();
  const journal = new Harness(state, new TestClock()).process(owner, {
    ...{ store, chain, ends, ending: ending.signal, leaseMs: 1_000, digest: (text) => text },
    clock: { now: () => clock.now(), sleep: (ms, signal) => clock.sleep(ms / FASTER, signal) },
    reader: { read: () => Promise.reject(error('E_AIRLINE_DOWN')) },
  });
  return {
    state,
    journal,
    async die() {
      ending.abort();
      await state.close();
    },
  };
}

const hold = (n: number) => {
  const { amount: _, direction: __, locator: ___, ...bare } = newOperation(`hold-${n}`);
  return { ...bare, tool: 'create_booking', fingerprint: `trip-${n}`, subject: { kind: 'create' as const } };
};

/** All of them are at the airline when the server goes away, and the airline answers afterwards. Returns their runs. */
async function answeredWhileAway({ journal }: Process, answer: (n: number) => Evidence | Error = made) {
  const away = Promise.withResolvers<void>();
  const begun: Promise<void>[] = [];
  const runs = [];
  for (let n = 0; n < HOLDS; n++) {
    const opened = await journal.open(hold(n));
    if (opened.kind !== 'fresh') throw new Error(opened.kind);
    const left = Promise.withResolvers<void>();
    begun.push(left.promise);
    const sending = act(async (dispatch) => {
      left.resolve();
      await away.promise;
      await dispatch.keep(REPLY);
      const end = answer(n);
      if (end instanceof Error) throw end;
      return end;
    });
    runs.push(journal.run(opened.operation, sending));
  }
  await Promise.all(begun);
  await cluster().kill();
  away.resolve();
  return runs;
}

const made = (n: number): Evidence => ({ booking: booking({ locator: `HOLD0${n}` }) });
const stateOf = async ({ state }: Process, n: number) => await state.operations.get(`hold-${n}`);
const expectHolds = async (process: Process, from = 0) => {
  for (let n = from; n < HOLDS; n++) {
    const stored = { state: 'succeeded', locator: `HOLD0${n}`, outcome: { basis: 'reply' } };
    expect(await stateOf(process, n)).toMatchObject(stored);
  }
};
const waiting = () => readdirSync(witnesses).filter((name) => name.endsWith('.end'));

/** All answers wait in files, and the process dies before PostgreSQL is back. */
async function died(one: Process, runs: readonly Promise<unknown>[]): Promise<void> {
  await expect.poll(() => waiting().length, { timeout: 15_000 }).toBe(HOLDS);
  await one.die();
  await Promise.all(runs);
}

describe('an answer that comes while PostgreSQL is away', () => {
  test('is stored, and told to its caller, once PostgreSQL is back', async () => {
    const one = await process('p1');
    const runs = await answeredWhileAway(one);
    // Longer than many tries.
    await sleep(20_000 / FASTER);
    await cluster().start();
    for (const [n, run] of runs.entries())
      expect(await run).toMatchObject({ operation: { state: 'succeeded', outcome: { locator: `HOLD0${n}` } } });
    await expectHolds(one);
    expect(waiting()).toEqual([]);
  });

  test('is used at the next start if its process dies meanwhile, and then leaves the second record', async () => {
    const travelers = [bareTraveler('1', { name: personName('Wilhelmina', 'Quastenflosser') })];
    const refusal = error('E_NOT_PERMITTED', { airline: { status: 422, code: '167' } });
    const one = await process('p1');
    const runs = await answeredWhileAway(one, (n) =>
      n === 0 ? refusal : { booking: booking({ locator: `HOLD0${n}`, travelers }) },
    );
    await died(one, runs);
    const files = waiting().map((name) => readFileSync(join(witnesses, name), 'utf8'));
    expect(files.join()).toContain('HOLD01');
    expect(files.join()).not.toMatch(/wilhelmina|quastenflosser/i);
    await cluster().start();
    // Cut short.
    writeFileSync(join(witnesses, 'other.end'), '{"id":"other","sta');
    const two = await process('p2');
    await two.journal.reconcile();
    expect(await stateOf(two, 0)).toMatchObject({ state: 'refused', outcome: { error: { airline: { status: 422 } } } });
    await expectHolds(two, 1);
    expect(two.state.ends.all()).toEqual([]);
    expect(await two.state.operations.verify()).toBeUndefined();
  });

  test('corrects what another machine handed to a person before that start', async () => {
    const one = await process('p1');
    await died(one, await answeredWhileAway(one));
    await cluster().start();
    const elsewhere = mkdtempSync(join(tmpdir(), 'clerk-elsewhere-'));
    const other = await process('p3', elsewhere);
    const meta = { now: other.state.clock?.now() ?? 0, actor: 'p3' };
    const check = { outcome: { check: 'look' } };
    for (let n = 0; n < HOLDS; n++)
      await other.state.operations.transition(`hold-${n}`, ['dispatched'], 'needs_person', check, meta);
    await (await process('p2')).journal.reconcile();
    await expectHolds(other);
    rmSync(elsewhere, { recursive: true, force: true });
  });
});
