/** What became of a send whose answer comes while PostgreSQL is away. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectCreate } from '../../src/domain/booking/expected-change.ts';
import { systemClock } from '../../src/journal/clock.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { act, booking, error, REPLY } from '../journal/harness.ts';
import { bareTraveler, personName, type Traveler } from '../support/people.ts';
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
  readonly journal: ReturnType<typeof createJournal>;
  /** The process dies: it tries nothing more. */
  die(): Promise<void>;
}

async function process(owner: string, folder = witnesses): Promise<Process> {
  const state = await open({ schema, witnesses: folder });
  const { clock = systemClock } = state;
  const ending = new AbortController();
  const journal = createJournal({
    ...{ store: state.operations, chain: state.chain, ends: state.ends, ending: ending.signal, owner },
    clock: { now: () => clock.now(), sleep: (ms, signal) => clock.sleep(ms / FASTER, signal) },
    reader: { read: () => Promise.reject(error('E_AIRLINE_DOWN')) },
    digest: (text) => text,
    settleMs: 240_000,
    leaseMs: 1_000,
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

const hold = (n: number, travelers: readonly Traveler[]) => {
  const { amount: _, direction: __, locator: ___, ...bare } = newOperation(`hold-${n}`);
  return {
    ...bare,
    tool: 'create_booking',
    fingerprint: `trip-${n}`,
    subject: expectCreate(travelers, (text) => text),
  };
};

/** All of them are at the airline when the server goes away, and the airline answers afterwards. Returns their runs. */
async function answeredWhileAway(
  { journal }: Process,
  answer: (n: number) => Evidence | Error,
  travelers: readonly Traveler[] = [],
) {
  const away = Promise.withResolvers<void>();
  const begun: Promise<void>[] = [];
  const runs = [];
  for (let n = 0; n < HOLDS; n++) {
    const opened = await journal.open(hold(n, travelers));
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

type Evidence = Awaited<ReturnType<Parameters<typeof act>[0]>>;
const made = (n: number): Evidence => ({ booking: booking({ locator: `HOLD0${n}` }) });
const stateOf = async ({ state }: Process, n: number) => await state.operations.get(`hold-${n}`);
const waiting = () => readdirSync(witnesses).filter((name) => name.endsWith('.end'));

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 15_000; !(await what()); ) {
    if (performance.now() > end) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('an answer that comes while PostgreSQL is away', () => {
  test('is stored, and told to its caller, once PostgreSQL is back', async () => {
    const one = await process('p1');
    const runs = await answeredWhileAway(one, made);
    // Longer than many tries.
    await systemClock.sleep(20_000 / FASTER);
    await cluster().start();
    for (const [n, run] of runs.entries()) {
      expect(await run).toMatchObject({ operation: { state: 'succeeded', outcome: { locator: `HOLD0${n}` } } });
      expect(await stateOf(one, n)).toMatchObject({
        state: 'succeeded',
        locator: `HOLD0${n}`,
        outcome: { basis: 'reply' },
      });
    }
    expect(waiting()).toEqual([]);
  });

  test('is used at the next start if its process dies meanwhile, and then leaves the second record', async () => {
    const her = bareTraveler('1', { name: personName('Wilhelmina', 'Quastenflosser') });
    const refusal = error('E_NOT_PERMITTED', { airline: { status: 422, code: '167' } });
    const one = await process('p1');
    const answer = (n: number) =>
      n === 0 ? refusal : { booking: booking({ locator: `HOLD0${n}`, travelers: [her] }) };
    const runs = await answeredWhileAway(one, answer, [her]);
    await until(() => waiting().length === HOLDS);
    const files = waiting().map((name) => readFileSync(join(witnesses, name), 'utf8'));
    expect(files.join()).toContain('HOLD01');
    expect(files.join()).not.toMatch(/wilhelmina|quastenflosser/i);
    await one.die();
    await Promise.all(runs);
    await cluster().start();
    const two = await process('p2');
    await two.journal.reconcile();
    expect(await stateOf(two, 0)).toMatchObject({ state: 'refused', outcome: { error: { airline: { status: 422 } } } });
    for (let n = 1; n < HOLDS; n++)
      expect(await stateOf(two, n)).toMatchObject({
        state: 'succeeded',
        locator: `HOLD0${n}`,
        outcome: { basis: 'reply' },
      });
    expect(waiting()).toEqual([]);
    expect(await two.state.operations.verify()).toBeUndefined();
  });

  test('corrects what another machine handed to a person before that start', async () => {
    const one = await process('p1');
    const runs = await answeredWhileAway(one, made);
    await until(() => waiting().length === HOLDS);
    await one.die();
    await Promise.all(runs);
    await cluster().start();
    const elsewhere = mkdtempSync(join(tmpdir(), 'clerk-elsewhere-'));
    const other = await process('p3', elsewhere);
    for (let n = 0; n < HOLDS; n++) {
      const meta = { now: other.state.clock?.now() ?? 0, actor: 'p3' };
      await other.state.operations.transition(
        `hold-${n}`,
        ['dispatched'],
        'needs_person',
        { outcome: { check: 'look' } },
        meta,
      );
    }
    const two = await process('p2');
    await two.journal.reconcile();
    for (let n = 0; n < HOLDS; n++)
      expect(await stateOf(other, n)).toMatchObject({ state: 'succeeded', locator: `HOLD0${n}` });
    rmSync(elsewhere, { recursive: true, force: true });
  });

  test('is left to readings if the file that it waits in was cut short', async () => {
    writeFileSync(join(witnesses, 'hold-0.end'), '{"id":"hold-0","sta');
    const one = await process('p1');
    await one.journal.reconcile();
    expect(one.state.ends.all()).toEqual([]);
  });
});
