/**
 * What became of sends whose answers come while PostgreSQL is away, and whose process dies meanwhile. How the journal
 * treats any store that fails is in test/journal/store-faults.test.ts.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { act, booking, error, NAMED } from '../journal/answers.ts';
import { Harness, TestClock } from '../journal/harness.ts';
import { bareTraveler, personName } from '../support/people.ts';
import { scratch } from './support/journals.ts';
import { newOperation } from './support/new-operation.ts';
import { suiteDatabase } from './support/suite-database.ts';

const { cluster, open } = suiteDatabase();
const folder = scratch('outage');
afterAll(() => folder.remove());
const secondRecords = folder.at('records');

/** Pauses of the journal are a fiftieth as long. */
const FASTER = 50;

async function process(owner: string) {
  const state = await open({ schema: 'outage', secondRecords });
  const { clock, operations: store, chain, ends } = state;
  if (clock === undefined) throw new Error('no clock');
  const ending = new AbortController();
  const journal = new Harness(state, new TestClock()).process(owner, {
    ...{ store, chain, ends, ending: ending.signal, leaseMs: 1_000, digest: (text) => text },
    clock: { now: () => clock.now(), sleep: (ms, signal) => clock.sleep(ms / FASTER, signal) },
    readerFor: () => ({ read: () => Promise.reject(error('E_AIRLINE_DOWN')) }),
  });
  return { state, journal, ending };
}

const hold = (id: string) => {
  const { amount: _, direction: __, locator: ___, ...bare } = newOperation(id);
  return { ...bare, tool: 'create_booking', fingerprint: id, subject: { kind: 'create' as const } };
};

const travelers = [bareTraveler('1', { name: personName('Wilhelmina', 'Quastenflosser') })];
const refusal = error('E_NOT_PERMITTED', { airline: { status: 422, code: '167' } });
const ANSWERS = { refused: refusal, made: booking({ locator: 'HOLD01', travelers }) };

test('an answer that came while PostgreSQL was away is used at the next start, and then leaves the second record', async () => {
  const one = await process('p1');
  const away = Promise.withResolvers<void>();
  const runs: Promise<unknown>[] = [];
  const begun: Promise<unknown>[] = [];
  for (const [id, answer] of Object.entries(ANSWERS)) {
    const opened = await one.journal.open(hold(id));
    if (opened.kind !== 'inserted') throw new Error(opened.kind);
    const left = Promise.withResolvers<void>();
    begun.push(left.promise);
    const sending = act(async (dispatch) => {
      left.resolve();
      await away.promise;
      await dispatch.keep(NAMED);
      if (answer instanceof Error) throw answer;
      return { booking: answer };
    });
    runs.push(one.journal.execute(opened.operation, sending));
  }
  await Promise.all(begun);
  await cluster().kill();
  away.resolve();
  const [log = ''] = readdirSync(secondRecords).filter((name) => name.endsWith('.log'));
  const kept = () => readFileSync(`${secondRecords}/${log}`, 'utf8');
  await expect.poll(() => kept().match(/"waiting"/g)?.length).toBe(2);
  one.ending.abort();
  await one.state.close();
  await Promise.all(runs);
  expect(kept()).toContain('HOLD01');
  expect(kept()).not.toMatch(/wilhelmina|quastenflosser/i);
  await cluster().start();
  // Cut short.
  appendFileSync(`${secondRecords}/${log}`, '{"waiting":{"id":"other","sta');
  const { journal, state } = await process('p2');
  await journal.reconcile();
  expect(await Promise.all(Object.keys(ANSWERS).map((id) => state.operations.get(id)))).toMatchObject([
    { state: 'refused', outcome: { error: { airline: { status: 422 } } } },
    { state: 'succeeded', locator: 'HOLD01', outcome: { basis: 'reply' } },
  ]);
  expect(state.ends.all()).toEqual([]);
  expect((await process('p3')).state.ends.all()).toEqual([]);
  expect(await state.operations.verify()).toBeUndefined();
});
