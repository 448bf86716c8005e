/** Of a person who was erased no file has anything, and a restored older copy is erased again by locator and key. */
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

async function forget(state: State, person: { name?: string; locator?: string; customer?: string }): Promise<void> {
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

test('erasing by locator erases people of holds and reasons, of a restored copy too, and second records never have them', async () => {
  const people = { salt: 'saltofquast', people: { passengers: [{ names: ['digestofquast'] }] } };
  const KEPT = ['digestofquast', 'saltofquast', 'reasonofquast'];
  const changes = { locator: 'ABC123', people, reason: 'reasonofquast' };
  const { amount: _, direction: __, ...hold } = newOperation('a', changes);
  const meta = { now, actor: 'p1' };
  const first = await office.open();
  await first.operations.insert(hold, { now, owner: 'p1', leaseUntil: now + 1 });
  await first.operations.transition('a', { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: now } }, meta);
  await first.operations.transition(
    'a',
    { from: ['dispatched'], to: 'succeeded', patch: { outcome: { basis: 'reply' } } },
    meta,
  );
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
  await forget(third, { locator: 'ABC123' });
  expect(await third.operations.askedPeople(['a'])).toEqual(new Map());
  expect(await third.operations.reasons(['a'])).toEqual(new Map());
  expect(await third.operations.verify()).toBeUndefined();
  await third.close();
  for (const word of KEPT) expect(isAnywhere(word)).toBe(false);
});

test('erasing by key erases the customer of a restored copy too, with the booking that it has the key of', async () => {
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
  await forget(second, { customer: 'CRM-QUAST' });
  expect(await listed(second)).toHaveLength(2);
  await second.close();
  await office.putBack();
  expect(isAnywhere('crm-quast')).toBe(true);
  now += 1000;
  const third = await office.open();
  await forget(third, { customer: 'CRM-QUAST' });
  expect(await listed(third)).toEqual(['DEF456']);
  expect((await third.ledger.find(ME, { customer: 'CRM-OTHER', limit: 9 })).total).toBe(1);
  expect(isAnywhere('crm-quast')).toBe(false);
  await third.close();
});
