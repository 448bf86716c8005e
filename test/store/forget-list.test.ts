/** Whoever was forgotten stays forgotten after an older copy of the state is restored. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { pendingApproval } from '../support/approvals.ts';
import { putBack, scratch } from './support/journals.ts';
import type { State } from './support/ports.ts';

const ME = { tenant: 't', id: 'me' };
const NOW = 1_000_000;
const folder = scratch('forgotten');
afterAll(() => folder.remove());
let n = 0;
let file: string;
let witnesses: string;
let now = NOW;
const open = () => openSqliteState(file, { witnesses, now: () => now });
beforeEach(() => {
  n += 1;
  now = NOW;
  file = folder.at(`${n}/state/fareclerk.sqlite`);
  witnesses = folder.at(`${n}/witness`);
});

const record = (state: State, locator: string, contactName: string, seenAt = now) =>
  state.ledger.record(ME, { locator, madeHere: true, seenAt, state: 'held', contactName });
const listed = async (state: State) => (await state.ledger.find(ME, { limit: 10 })).entries.map((one) => one.locator);

/** Every byte of every file of this test. */
function bytes(path: string): string {
  if (statSync(path).isFile()) return readFileSync(path, 'latin1');
  return readdirSync(path)
    .map((name) => bytes(`${path}/${name}`))
    .join('\n');
}
const isAnywhere = (text: string) =>
  bytes(folder.at(`${n}`))
    .toLowerCase()
    .includes(text);

async function forget(state: State, person: { name?: string; locator?: string }): Promise<void> {
  await state.forgetting.erase(person, await state.forgetting.find(person), now);
}

test('no byte of a forgotten person is left in any file, while the server runs', async () => {
  const server = await open();
  const state = await open();
  for (let i = 0; i < 40; i++) await record(state, `L${i}`, i % 2 === 0 ? 'Wilhelmina Quastenflosser' : 'Ann Other');
  const lines = ['Pays for Wilhelmina Quastenflosser'];
  await state.approvals.put(
    pendingApproval({ createdAt: now, expiresAt: now + 600_000, sections: [{ kind: 'people', lines }] }),
  );
  expect(await listed(state)).toHaveLength(10);
  expect(isAnywhere('quastenflosser')).toBe(true);
  await forget(state, { name: 'QUASTENFLOSSER/WILHELMINA' });
  expect(isAnywhere('quastenflosser')).toBe(false);
  expect(isAnywhere('ann other')).toBe(true);
  await state.close();
  await server.close();
  expect(isAnywhere('quastenflosser')).toBe(false);
});

test('a restored older copy is cleaned when it is opened, and the list keeps no name', async () => {
  const first = await open();
  await record(first, 'ABC123', 'Wilhelmina Quastenflosser');
  await record(first, 'DEF456', 'Ann Other');
  await first.approvals.put(pendingApproval({ createdAt: now, expiresAt: now + 600_000 }));
  await first.close();
  const copy = folder.at(`copy-${n}.sqlite`);
  new DatabaseSync(file).exec(`vacuum into '${copy}'`);
  now += 1000;
  const second = await open();
  // The contact changed since the copy: the copy alone has the name.
  await record(second, 'ABC123', 'Bob Roe');
  await forget(second, { name: 'Quastenflosser Wilhelmina' });
  expect(await listed(second)).toHaveLength(2);
  await second.close();
  putBack(copy, file);
  expect(isAnywhere('quastenflosser')).toBe(true);
  now += 1000;
  const third = await open();
  expect(third.forgetting.again).toBe(1);
  expect(await listed(third)).toEqual(['DEF456']);
  expect(await third.approvals.get('h1')).toMatchObject({ sections: [] });
  expect(isAnywhere('quastenflosser')).toBe(false);
  // What is read from the airline afterwards is listed again.
  await record(third, 'ABC123', 'Wilhelmina Quastenflosser');
  await third.close();
  const fourth = await open();
  expect(fourth.forgetting.again).toBe(0);
  expect(await listed(fourth)).toEqual(['ABC123', 'DEF456']);
  await fourth.close();
});

test('copies the list from the database, where another machine entered it', async () => {
  const elsewhere = folder.at(`${n}/elsewhere`);
  const first = await openSqliteState(file, { witnesses: elsewhere, now: () => now });
  await forget(first, { locator: 'ABC123' });
  await first.close();
  const second = await open();
  await second.close();
  const lists = [elsewhere, witnesses].map((place) => {
    const [name = ''] = readdirSync(place).filter((each) => each.endsWith('.forgotten'));
    return readFileSync(`${place}/${name}`, 'utf8');
  });
  expect(lists[1]).toBe(lists[0]);
  expect(JSON.parse(lists[0] ?? '')).toMatchObject({ words: 0, at: NOW });
});
