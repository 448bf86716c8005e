/** What any adapter of the state port does with the desk's own keys of customers. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newOperation } from './new-operation.ts';
import type { LedgerEntry, OpenState, OperationState, Person, State } from './ports.ts';

const ANN = { tenant: 't', id: 'ann' };
const BEN = { tenant: 't', id: 'ben' };
const OTHER = { tenant: 'u', id: 'ann' };
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T00:00:00Z');
const KEY = 'CRM-88213';

export function describeCustomers(name: string, open: OpenState): void {
  describe(`${name}: the desk's keys of customers`, () => suite(open));
}

function suite(open: OpenState): void {
  let now = START;
  let state: State;
  beforeEach(async () => {
    now = START;
    state = await open(() => now);
  });
  afterEach(() => state.close());

  const entry = (locator: string, over: Partial<LedgerEntry> = {}): LedgerEntry => ({
    ...{ locator, madeHere: true, seenAt: now, state: 'ticketed', createdAt: '2026-02-01T00:00:00Z' },
    ...{ travelers: ['Haddad L.'], departs: '2026-03-02T00:00:00Z', ...over },
  });
  const record = (locator: string, over: Partial<LedgerEntry> = {}, caller = ANN) =>
    state.ledger.record(caller, entry(locator, over));
  const set = (locator: string, key = KEY, over: Partial<LedgerEntry> = {}, caller = ANN) =>
    state.ledger.setCustomer(caller, entry(locator, over), key);
  const keysOf = async (caller = ANN) =>
    (await state.ledger.find(caller, { limit: 9 })).entries
      .map(({ locator, customer = '-' }) => `${locator} ${customer}`)
      .toSorted();
  const found = async (customer: string, caller = ANN) => {
    const { entries, total } = await state.ledger.find(caller, { customer, limit: 9 });
    expect(total).toBe(entries.length);
    return entries.map(({ locator }) => locator).toSorted();
  };
  const rows = async (tenant = 't') => {
    const query = { tenant, from: 0, to: now + 900 * DAY };
    const all: string[] = [];
    for await (const { bookings } of state.ledgerRows.batches(query, { each: 'bookings', beside: new Set() }))
      all.push(
        ...bookings.map(({ locator, customer = '-', isPast }) => `${locator} ${customer}${isPast ? ' past' : ''}`),
      );
    return all;
  };
  const forget = async (person: Person) => {
    const traces = await state.forgetting.find(person);
    await state.forgetting.erase(person, traces, now);
    return traces;
  };

  test('a key is found exactly, in every list of its tenant and in no other', async () => {
    for (const caller of [ANN, BEN, OTHER]) await record('A', {}, caller);
    await record('B');
    await set('A');
    await set('A', 'CRM-7', {}, OTHER);
    expect([await keysOf(), await keysOf(BEN), await keysOf(OTHER)]).toEqual([
      [`A ${KEY}`, 'B -'],
      [`A ${KEY}`],
      ['A CRM-7'],
    ]);
    for (const [key, locators] of [
      [KEY, ['A']],
      ['crm-88213', []],
      ['CRM-8821', []],
      ['CRM-7', []],
    ] as const)
      expect([key, await found(key)]).toEqual([key, locators]);
    expect([await found('CRM-7', OTHER), await found(KEY, OTHER)]).toEqual([['A'], []]);
    const { entries, total } = await state.ledger.findOfTenant('t', { customer: KEY, limit: 9 });
    expect([entries.map(({ locator, customer }) => [locator, customer]), total]).toEqual([[['A', KEY]], 1]);
    // Another key takes its place, whoever sets it, and other filters count too.
    now += 1;
    await set('A', 'Größe 7', {}, BEN);
    expect([await found(KEY), await found('Größe 7')]).toEqual([[], ['A']]);
    expect((await state.ledger.find(ANN, { customer: 'Größe 7', state: 'held', limit: 9 })).total).toBe(0);
  });

  test('a booking that has the locator later has no key, and gets one of its own', async () => {
    await record('A');
    await set('A');
    now += 200 * DAY;
    const stranger = { createdAt: '2026-08-20T00:00:00Z', travelers: ['Berg B.'] };
    await record('A', stranger);
    expect([await keysOf(), await found(KEY)]).toEqual([['A -'], []]);
    await set('A', 'CRM-9', stranger);
    expect([await keysOf(), await found(KEY), await found('CRM-9')]).toEqual([['A CRM-9'], [], ['A']]);
    // Whoever forgets the first customer erases nothing of the second.
    expect(await forget({ customer: KEY })).toMatchObject({ locators: [], keys: 1 });
    expect([await keysOf(), await found('CRM-9')]).toEqual([['A CRM-9'], ['A']]);
  });

  test.each<[string, Partial<LedgerEntry>, Partial<LedgerEntry>, boolean]>([
    ['when it was made, under other names', {}, { travelers: ['Corrected C.'] }, true],
    ['one of its people', { createdAt: undefined, travelers: ['A A.', 'B B.'] }, { travelers: ['B B.', 'C C.'] }, true],
    [
      'its contact, once a group has names',
      { createdAt: undefined, travelers: undefined, contactName: 'Tours' },
      { contactName: 'Tours' },
      true,
    ],
    [
      'no contact, where it had names',
      { createdAt: undefined, contactName: 'Tours' },
      { createdAt: undefined, travelers: ['B B.'], contactName: 'Tours' },
      false,
    ],
    [
      'nothing, as before',
      { createdAt: undefined, travelers: undefined },
      { createdAt: undefined, travelers: undefined },
      true,
    ],
    ['something, where it showed nothing', { createdAt: undefined, travelers: undefined }, {}, false],
  ])('a booking is known again by %s', async (_, before, after, isKnown) => {
    await record('A', before);
    await set('A', KEY, before);
    await record('A', after);
    expect(await keysOf()).toEqual([isKnown ? `A ${KEY}` : 'A -']);
  });

  test('a key stays with a booking that is long over, also where only its locator is left of it', async () => {
    for (const [locator, over] of [
      ['A', {}],
      ['B', { createdAt: undefined }],
      ['C', {}],
    ] as const) {
      await record(locator, over);
      if (locator !== 'C') await set(locator, KEY, over);
    }
    expect(await rows()).toEqual([`A ${KEY}`, `B ${KEY}`, 'C -']);
    now += 40 * DAY;
    await state.clean();
    expect(await rows()).toEqual([`A ${KEY} past`, `B ${KEY} past`, 'C - past']);
    expect([await keysOf(), await rows('u')]).toEqual([[], []]);
    await forget({ customer: KEY });
    expect(await rows()).toEqual(['A - past', 'B - past', 'C - past']);
  });

  test('a key of a booking that no list has any more goes', async () => {
    await set('GONE');
    now += 30 * DAY + 1;
    await state.clean();
    expect((await state.forgetting.find({ customer: KEY })).keys).toBe(0);
  });

  describe('of a hold', () => {
    const hold = async (id: string, to: OperationState) => {
      const { amount: _, direction: __, ...bare } = newOperation(id, { tool: 'create_booking', customer: KEY });
      const { locator: ___, ...unnamed } = { ...bare, tenant: 't', caller: 'ann' };
      const meta = { now, actor: 'p1' };
      const entered = await state.operations.insert(unnamed, { now, owner: 'p1', leaseUntil: now + HOUR });
      expect(JSON.stringify(entered)).not.toContain(KEY);
      await state.operations.transition(id, { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: now } }, meta);
      await state.operations.transition(id, { from: ['dispatched'], to, patch: { locator: id } }, meta);
    };

    test('the operation keeps it, in no event, until the booking has it', async () => {
      await hold('A', 'succeeded');
      const shown = [await state.operations.get('A'), await state.operations.events('A')];
      expect(JSON.stringify(shown)).not.toContain(KEY);
      await record('A');
      expect(await keysOf()).toEqual(['A -']);
      for (let i = 0; i < 2; i++) await state.ledger.keepCustomer('A', entry('A'));
      expect(await keysOf()).toEqual([`A ${KEY}`]);
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('whose process died is entered by the next cleaning, as the list shows the booking; of one that was not made it goes', async () => {
      await hold('A', 'succeeded');
      await hold('B', 'refused');
      await hold('C', 'in_doubt');
      await state.clean();
      expect((await state.forgetting.find({ customer: KEY })).keys).toBe(0);
      await record('A');
      await state.clean();
      expect(await keysOf()).toEqual([`A ${KEY}`]);
      for (const id of ['A', 'B', 'C']) await state.ledger.keepCustomer(id, entry('X'));
      await record('X');
      // Only what is in doubt still had it.
      expect(await keysOf()).toEqual([`A ${KEY}`, `X ${KEY}`]);
    });

    test('is forgotten with its customer', async () => {
      await hold('A', 'succeeded');
      await forget({ customer: KEY });
      await record('A');
      await state.ledger.keepCustomer('A', entry('A'));
      expect(await keysOf()).toEqual(['A -']);
    });
  });

  test('forgetting a customer erases their bookings, of one desk if two have the key', async () => {
    for (const caller of [ANN, OTHER]) {
      await record('A', {}, caller);
      await set('A', KEY, {}, caller);
    }
    await record('B');
    expect((await state.forgetting.find({ customer: KEY })).tenants.toSorted()).toEqual(['t', 'u']);
    expect((await state.forgetting.find({ customer: 'CRM-1' })).tenants).toEqual([]);
    const traces = await forget({ customer: KEY, tenant: 'u' });
    expect(traces).toMatchObject({ locators: ['A'], tenants: ['u'], keys: 1 });
    expect([await found(KEY, OTHER), await rows('u')]).toEqual([[], []]);
    await record('A');
    await set('A');
    await forget({ locator: 'A' });
    await record('A');
    expect(await keysOf()).toEqual(['A -', 'B -']);
  });
}
