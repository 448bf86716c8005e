/** Whoever was forgotten stays forgotten after an older copy of the state is restored. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { newOperation } from './support/new-operation.ts';
import { offices } from './support/offices.ts';
import type { State } from './support/ports.ts';

const ME = { tenant: 't', id: 'me' };
const NOW = 1_000_000;
let now = NOW;
const { sqlite } = offices(() => now);
let office: ReturnType<typeof sqlite>;
beforeEach(() => {
  now = NOW;
  office = sqlite();
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
  [dirname(office.file), office.records('one')].some((path) => bytes(path).toLowerCase().includes(text));

async function forget(state: State, person: { name?: string; locator?: string }): Promise<void> {
  await state.forgetting.erase(person, await state.forgetting.find(person), now);
}

test('no byte of a forgotten person is left in any file, while the server runs', async () => {
  const server = await office.open();
  const state = await office.open();
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
  const first = await office.open();
  await record(first, 'ABC123', 'Wilhelmina Quastenflosser');
  await record(first, 'DEF456', 'Ann Other');
  await first.approvals.put(pendingApproval({ createdAt: now, expiresAt: now + 600_000 }));
  await first.close();
  await office.copy();
  now += 1000;
  const second = await office.open();
  // The contact changed since the copy: the copy alone has the name.
  await record(second, 'ABC123', 'Bob Roe');
  await forget(second, { name: 'Quastenflosser Wilhelmina' });
  expect(await listed(second)).toHaveLength(2);
  await second.close();
  await office.putBack();
  expect(isAnywhere('quastenflosser')).toBe(true);
  now += 1000;
  const third = await office.open();
  // The name, and two ways in which a list can show it.
  expect(third.forgetting.again).toBe(3);
  expect(await listed(third)).toEqual(['DEF456']);
  expect(await third.approvals.get('h1')).toMatchObject({ sections: [] });
  expect(isAnywhere('quastenflosser')).toBe(false);
  // What is read from the airline afterwards is listed again.
  await record(third, 'ABC123', 'Wilhelmina Quastenflosser');
  await third.close();
  const fourth = await office.open();
  expect(fourth.forgetting.again).toBe(0);
  expect(await listed(fourth)).toEqual(['ABC123', 'DEF456']);
  await fourth.close();
});

test('a restored older copy is cleaned of a traveller too, whom it shows by surname and initial', async () => {
  const travelling = (state: State, locator: string, ...travelers: string[]) =>
    state.ledger.record(ME, { locator, madeHere: true, seenAt: now, state: 'held', contactName: 'Tours', travelers });
  const first = await office.open();
  await travelling(first, 'ABC123', 'Berg B.', 'Quastenflosser W.');
  await travelling(first, 'DEF456', 'Quastenflosser A.', 'Wilhelmina X.');
  await first.close();
  await office.copy();
  now += 1000;
  const second = await office.open();
  // The booking has left the list since the copy, so that its locator is not remembered.
  await travelling(second, 'ABC123', 'Berg B.');
  await forget(second, { name: 'QUASTENFLOSSER/WILHELMINA' });
  expect(await listed(second)).toHaveLength(2);
  await second.close();
  await office.putBack();
  now += 1000;
  const third = await office.open();
  expect(await listed(third)).toEqual(['DEF456']);
  expect(isAnywhere('quastenflosser w.')).toBe(false);
  await third.close();
});

test('a restored older copy has no people of holds and no reason, and neither have second records', async () => {
  const people = { salt: 'saltofquast', people: { passengers: [{ names: ['digestofquast'] }] } };
  const KEPT = ['digestofquast', 'saltofquast', 'reasonofquast'];
  const changes = { locator: 'ABC123', people, reason: 'reasonofquast' };
  const { amount: _, direction: __, ...hold } = newOperation('a', changes);
  const meta = { now, actor: 'p1' };
  const first = await office.open();
  await first.operations.insert(hold, { now, owner: 'p1', leaseUntil: now + 1 });
  await first.operations.transition('a', ['intent'], 'dispatched', { dispatchedAt: now }, meta);
  await first.operations.transition('a', ['dispatched'], 'succeeded', { outcome: { basis: 'reply' } }, meta);
  await record(first, 'ABC123', 'Wilhelmina Quastenflosser');
  await first.close();
  for (const word of KEPT) expect(isAnywhere(word)).toBe(true);
  for (const word of KEPT) expect(bytes(office.records('one'))).not.toContain(word);
  await office.copy();
  now += 1000;
  const second = await office.open();
  await forget(second, { locator: 'ABC123' });
  expect(await second.operations.askedPeople(['a'])).toEqual(new Map());
  expect(await second.operations.reasons(['a'])).toEqual(new Map());
  await second.close();
  for (const word of KEPT) expect(isAnywhere(word)).toBe(false);
  await office.putBack();
  for (const word of KEPT) expect(isAnywhere(word)).toBe(true);
  now += 1000;
  const third = await office.open();
  expect(await third.operations.askedPeople(['a'])).toEqual(new Map());
  expect(await third.operations.reasons(['a'])).toEqual(new Map());
  expect(await third.operations.verify()).toBeUndefined();
  await third.close();
  for (const word of KEPT) expect(isAnywhere(word)).toBe(false);
});

test('a restored older copy has no key of a forgotten customer, nor the booking that it found', async () => {
  const entry = (locator: string) => ({ locator, madeHere: true, seenAt: now, state: 'held', travelers: ['Berg B.'] });
  const first = await office.open();
  for (const locator of ['ABC123', 'DEF456']) await first.ledger.record(ME, entry(locator));
  await first.ledger.setCustomer(ME, entry('ABC123'), 'CRM-QUAST');
  await first.ledger.setCustomer(ME, entry('DEF456'), 'CRM-OTHER');
  await first.close();
  await office.copy();
  now += 1000;
  const second = await office.open();
  // The copy alone has the key.
  await second.ledger.setCustomer(ME, entry('ABC123'), 'CRM-NEW');
  const erased = { customer: 'CRM-QUAST' };
  await second.forgetting.erase(erased, await second.forgetting.find(erased), now);
  expect(await listed(second)).toHaveLength(2);
  await second.close();
  await office.putBack();
  expect(isAnywhere('crm-quast')).toBe(true);
  now += 1000;
  const third = await office.open();
  expect(third.forgetting.again).toBe(1);
  expect(await listed(third)).toEqual(['DEF456']);
  expect((await third.ledger.find(ME, { customer: 'CRM-OTHER', limit: 9 })).total).toBe(1);
  expect(isAnywhere('crm-quast')).toBe(false);
  await third.close();
});

test('copies the list from the database, where another machine entered it', async () => {
  const first = await office.open('elsewhere');
  await forget(first, { locator: 'ABC123' });
  await office.open();
  const lists = ['elsewhere', 'one'].map((machine) => {
    const [name = ''] = readdirSync(office.records(machine)).filter((each) => each.endsWith('.forgotten'));
    return readFileSync(`${office.records(machine)}/${name}`, 'utf8');
  });
  expect(lists[1]).toBe(lists[0]);
  expect(JSON.parse(lists[0] ?? '')).toMatchObject({ words: 0, at: NOW });
});
