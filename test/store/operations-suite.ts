/** What any store of operations must do. */
import { beforeEach, describe, expect, test } from 'vitest';
import { newOperation, SAR } from './support/new-operation.ts';
import type { NewOperation, OperationState, Operations, Outcome } from './support/ports.ts';

const META = { now: 1000, owner: 'p1', leaseUntil: 61_000 };

export function describeOperations(name: string, open: () => Promise<Operations>): void {
  describe(name, () => suite(open));
}

function suite(open: () => Promise<Operations>): void {
  let store: Operations;
  beforeEach(async () => {
    store = await open();
  });

  const insert = (id: string, changes: Partial<NewOperation> = {}, meta = META) =>
    store.insert(newOperation(id, changes), meta);
  const to = (id: string, state: OperationState, from: readonly OperationState[] = ['intent'], patch = {}) =>
    store.transition(id, { from, to: state, patch }, { now: 2000, actor: 'p1' });

  describe('entering an operation', () => {
    test('inserts a new operation in state intent, leased to its process, with all its fields and no others', async () => {
      const outcome = { estimate: { amount: SAR(1), penalty: SAR(2), rule: 'r' } };
      const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const given = { supersedes: 'z', outcome, fingerprint: 'f', approvedBy: 'oauth:boss:page', trace };
      const { locator: _, amount: __, direction: ___, ...bare } = newOperation('bare');
      const times = { createdAt: 1000, updatedAt: 1000, owner: 'p1', leaseUntil: 61_000 };
      for (const whole of [newOperation('whole', given), bare]) {
        const operation = { ...whole, state: 'intent', ...times, negatives: 0 };
        expect(await store.insert(whole, META)).toEqual({ kind: 'inserted', operation });
        expect(await store.get(whole.id)).toStrictEqual(operation);
      }
      expect(await store.get('b')).toBeUndefined();
    });

    test('returns the known operation if its id is inserted again', async () => {
      await insert('a');
      await to('a', 'succeeded');
      const again = await insert('a', { locator: 'OTHER1' });
      expect(again).toMatchObject({ kind: 'exists', operation: { id: 'a', locator: 'ABC123', state: 'succeeded' } });
    });

    test('shows an operation as each move leaves it, and finds several by their ids together', async () => {
      await insert('a');
      await insert('b', { locator: 'OTHER1' });
      const shown: unknown[] = [];
      const move = (state: OperationState, from: OperationState) =>
        store.transition(
          'a',
          { from: [from], to: state, patch: { outcome: { basis: 'reply' } } },
          {
            ...{ now: 2000, actor: 'p1' },
            moved: (operation) => void shown.push(operation),
          },
        );
      for (const [state, from] of [
        ['dispatched', 'intent'],
        ['succeeded', 'dispatched'],
      ] as const) {
        expect(await move(state, from)).toBe(true);
        expect(shown.at(-1)).toStrictEqual(await store.get('a'));
      }
      expect(await move('succeeded', 'dispatched')).toBe(false);
      expect(shown).toHaveLength(2);
      expect((await store.getAll(['b', 'never', 'a'])).map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
      expect(await store.getAll([])).toEqual([]);
    });

    test('refuses a second operation of any tenant on a booking while one is open', async () => {
      const open = ['intent', 'dispatched', 'in_doubt'] as const;
      for (const state of [...open, 'succeeded', 'refused', 'not_executed', 'needs_person'] as const) {
        const [first, second] = [`${state}-1`, `${state}-2`];
        const isOpen = open.some((one) => one === state);
        await insert(first, { locator: state });
        if (state !== 'intent') await to(first, state);
        const busy = { kind: 'busy', operation: { id: first, tenant: 't' } };
        expect(await insert(second, { locator: state, tenant: 'u' })).toMatchObject(
          isOpen ? busy : { kind: 'inserted' },
        );
        if (!isOpen) continue;
        expect(await store.get(second)).toBeUndefined();
        await to(first, 'not_executed', [state]);
        expect((await insert(second, { locator: state, tenant: 'u' })).kind).toBe('inserted');
        expect(await store.list({ locator: state, states: open })).toMatchObject([{ id: second }]);
      }
    });

    test('refuses a second create with the same fingerprint, but not one without a fingerprint', async () => {
      const create = (id: string, fingerprint?: string, changes: Partial<NewOperation> = {}) => {
        const { locator: _, ...bare } = newOperation(id, { subject: { kind: 'create' }, ...changes });
        return store.insert({ ...bare, ...(fingerprint !== undefined && { fingerprint }) }, META);
      };
      expect((await create('a', 'f')).kind).toBe('inserted');
      expect(await create('b', 'f')).toMatchObject({ kind: 'busy', operation: { id: 'a' } });
      expect((await create('c', 'g')).kind).toBe('inserted');
      expect((await create('u', 'f', { tenant: 'u' })).kind).toBe('inserted');
      expect((await create('d')).kind).toBe('inserted');
      expect((await create('e')).kind).toBe('inserted');
    });

    test('accepts one of many operations that are inserted at once', async () => {
      const same = await Promise.all(Array.from({ length: 50 }, () => insert('a')));
      expect(same.filter((result) => result.kind === 'inserted')).toHaveLength(1);
      const others = await Promise.all(
        Array.from({ length: 50 }, (_, i) => insert(`b${i}`, { locator: 'XYZ789', tenant: `t${i % 3}` })),
      );
      expect(others.filter((result) => result.kind === 'inserted')).toHaveLength(1);
      expect(others.filter((result) => result.kind === 'busy')).toHaveLength(49);
    });
  });

  describe('the daily limit', () => {
    const limit = { perDay: SAR(20_000), since: 500 };
    const pay = (id: string, minor: number, changes: Partial<NewOperation> = {}, now = 1000) =>
      store.insert(newOperation(id, { locator: `L${id}`, amount: SAR(minor), ...changes }), { ...META, now, limit });

    test('counts payments and refunds of one caller, currency and window that may have been done', async () => {
      const counts = async (minor: number) => {
        expect(await store.spent('t', 'me', limit)).toEqual(SAR(minor));
        expect(await pay('over', 20_001 - minor)).toEqual({ kind: 'over_limit', spent: SAR(minor) });
        expect(await store.get('over')).toBeUndefined();
      };
      await counts(0);
      await pay('a', 9000, { direction: 'refund' });
      await pay('b', 1000, {}, 500);
      await pay('c', 5000, {}, 499);
      await pay('d', 2000, { caller: 'other' });
      await pay('e', 2000, { tenant: 'u' });
      await pay('f', 0);
      const euros = { amount: { minor: 700, currency: 'EUR' }, locator: 'Lg' };
      await store.insert(newOperation('g', euros), META);
      await counts(10_000);
      await to('a', 'in_doubt');
      await counts(10_000);
      await to('a', 'needs_person', ['in_doubt']);
      await counts(10_000);
      await to('b', 'refused');
      await counts(9000);
      await pay('h', 1000);
      await to('h', 'not_executed');
      await counts(9000);
      // Dated ahead: the clock was set back since.
      await pay('i', 1000, {}, 1000 + 25 * 60 * 60_000);
      await counts(10_000);
      expect((await pay('j', 10_000)).kind).toBe('inserted');
      await counts(20_000);
      expect(await store.spent('t', 'me', { perDay: { minor: 1, currency: 'EUR' }, since: 0 })).toEqual(euros.amount);
    });

    test('counts what the airline charged above what was approved, less what it gave back in that currency', async () => {
      const eur = (minor: number) => ({ minor, currency: 'EUR' });
      const settled = async (id: string, outcome: Outcome) => {
        await pay(id, 1000);
        await to(id, 'succeeded', ['intent'], { outcome });
        return (await store.spent('t', 'me', limit)).minor;
      };
      expect([
        await settled('more', { charge: { amount: SAR(1500) } }),
        await settled('less', { charge: { amount: SAR(400) } }),
        await settled('back', { charge: { amount: SAR(1500) }, refund: { amount: SAR(200) } }),
        await settled('euros', { charge: { amount: eur(9000) } }),
        await settled('euros-back', { charge: { amount: SAR(1500) }, refund: { amount: eur(200) } }),
        await settled('refund', { refund: { amount: SAR(900) } }),
        await settled('unstated', { check: 'a \u0000 and \ud800' }),
      ]).toEqual([1500, 2500, 3800, 4800, 6300, 7300, 8300]);
      expect(await pay('over', 11_701)).toEqual({ kind: 'over_limit', spent: SAR(8300) });
      expect((await pay('just', 11_700)).kind).toBe('inserted');
    });

    test('refuses another currency than its own, and accepts no money and what is known', async () => {
      const eur = (minor: number) => ({ amount: { minor, currency: 'EUR' } });
      expect(await pay('a', 1, eur(1))).toEqual({ kind: 'over_limit', spent: SAR(0) });
      expect((await pay('b', 0, eur(0))).kind).toBe('inserted');
      const { amount: _, ...free } = newOperation('c', { locator: 'Lc' });
      expect((await store.insert(free, { ...META, limit })).kind).toBe('inserted');
      await pay('d', 20_000);
      expect((await pay('d', 20_000)).kind).toBe('exists');
      expect((await pay('e', 20_000, { locator: 'Ld' })).kind).toBe('busy');
    });

    test('keeps the daily limit under many operations at once', async () => {
      const results = await Promise.all(Array.from({ length: 40 }, (_, i) => pay(`x${i}`, 3000)));
      expect(results.filter((result) => result.kind === 'inserted')).toHaveLength(6);
    });
  });

  describe('moving an operation', () => {
    test('moves an operation once, and only from a given state', async () => {
      await insert('a');
      expect(await to('a', 'succeeded', ['dispatched'])).toBe(false);
      expect(await to('b', 'dispatched')).toBe(false);
      const moves = await Promise.all([to('a', 'dispatched'), to('a', 'dispatched'), to('a', 'dispatched')]);
      expect(moves.filter((moved) => moved)).toHaveLength(1);
      expect(await store.get('a')).toMatchObject({ state: 'dispatched', updatedAt: 2000 });
    });

    test('sets only the given fields in a transition', async () => {
      await insert('a');
      const before = await store.get('a');
      const patch = {
        dispatchedAt: 1500,
        leaseUntil: 90_000,
        owner: 'p2',
        negatives: 1,
        lastReadAt: 1600,
        locator: 'NEW123',
      };
      await to('a', 'in_doubt', ['intent'], { ...patch, outcome: { basis: 'read', check: 'look' } });
      const changed = { ...patch, outcome: { basis: 'read', check: 'look' }, state: 'in_doubt', updatedAt: 2000 };
      expect(await store.get('a')).toEqual({ ...before, ...changed });
      await to('a', 'needs_person', ['in_doubt']);
      expect(await store.get('a')).toEqual({ ...before, ...changed, state: 'needs_person' });
    });

    test('keeps the locators that a reply named while its operation is active, and erases them when it is settled', async () => {
      await insert('a');
      expect(await store.named('a')).toEqual([]);
      for (const locators of [['NEW123'], ['NEW124', 'OLD\u2028"1']]) {
        await store.keepNamed('a', locators);
        expect(await store.named('a')).toEqual(locators);
      }
      await to('a', 'in_doubt');
      expect(await store.named('a')).toHaveLength(2);
      await to('a', 'succeeded', ['in_doubt']);
      expect(await store.named('a')).toEqual([]);
      for (const id of ['a', 'nobody']) {
        await store.keepNamed(id, ['LATE01']);
        expect(await store.named(id)).toEqual([]);
      }
      expect(await store.verify()).toBeUndefined();
    });
  });

  describe('leases and readings', () => {
    test('lets the owner renew a lease, and one of many take it once it has expired, until it is settled', async () => {
      await insert('a');
      expect(await store.lease('a', 'p2', 99_000, 60_999)).toBe(false);
      expect(await store.lease('a', 'p1', 70_000, 2000)).toBe(true);
      expect(await store.lease('a', 'p2', 99_000, 69_999)).toBe(false);
      const tries = await Promise.all(Array.from({ length: 20 }, (_, i) => store.lease('a', `q${i}`, 99_000, 70_000)));
      expect(tries.filter(Boolean)).toHaveLength(1);
      const owner = `q${tries.indexOf(true)}`;
      expect(await store.get('a')).toMatchObject({ owner, leaseUntil: 99_000, updatedAt: 1000 });
      expect(await store.lease('a', 'p1', 99_000, 80_000)).toBe(false);
      await to('a', 'succeeded');
      expect(await store.lease('a', owner, 199_000, 199_000)).toBe(false);
      expect(await store.lease('b', owner, 199_000, 199_000)).toBe(false);
    });

    test('counts a reading in doubt only from the holder of the lease, and then ends the lease', async () => {
      await insert('a');
      const reading = { negatives: 1, lastReadAt: 5000, failingSince: 4000 };
      expect(await store.note('a', 'p1', reading)).toBe(false);
      await to('a', 'in_doubt');
      expect(await store.note('a', 'p2', reading)).toBe(false);
      expect(await store.note('a', 'p1', reading)).toBe(true);
      expect(await store.get('a')).toMatchObject({ ...reading, state: 'in_doubt', leaseUntil: 5000, updatedAt: 2000 });
      expect(await store.note('a', 'p1', { negatives: 2, lastReadAt: 6000 })).toBe(true);
      expect(await store.get('a')).toMatchObject({ negatives: 2, lastReadAt: 6000 });
      expect(await store.get('a')).not.toHaveProperty('failingSince');
    });
  });

  describe('lists', () => {
    beforeEach(async () => {
      await insert('a', { locator: 'L1', fingerprint: 'f' }, { ...META, now: 1000 });
      await insert('b', { locator: 'L2', caller: 'you' }, { ...META, now: 2000 });
      await to('b', 'succeeded');
      await insert('c', { locator: 'L2', tenant: 'u', fingerprint: 'f' }, { ...META, now: 3000 });
    });
    const listed = async (found: ReturnType<Operations['list']>) => (await found).map(({ id }) => id).join('');

    test('lists operations newest first, by any of the filters', async () => {
      const cases: [Parameters<Operations['list']>[0], string][] = [
        [{}, 'cba'],
        [{ limit: 2 }, 'cb'],
        [{ tenant: 't' }, 'ba'],
        [{ tenant: 't', caller: 'you' }, 'b'],
        [{ locator: 'L2' }, 'cb'],
        [{ tenant: 't', locator: 'L2' }, 'b'],
        [{ states: ['intent'] }, 'ca'],
        [{ states: [] }, ''],
        [{ states: ['succeeded', 'refused'] }, 'b'],
        [{ from: 2000, to: 3000 }, 'b'],
        [{ from: 3001 }, ''],
      ];
      for (const [filter, ids] of cases) expect([filter, await listed(store.list(filter))]).toEqual([filter, ids]);
      await to('a', 'needs_person');
      const open = ['intent', 'dispatched', 'in_doubt', 'needs_person'] as const;
      expect(await listed(store.list({ states: open, limit: 9 }))).toBe('ca');
      expect(await listed(store.list({ tenant: 't', states: open, limit: 9 }))).toBe('a');
    });

    test('lists operations of a trip by tenant, newest first, in any state', async () => {
      const same = (tenant: string, fingerprint: string, exceptId?: string) =>
        listed(store.ofTrip(tenant, { fingerprint, exceptId }));
      expect([await same('t', 'f'), await same('u', 'f'), await same('t', 'g')]).toEqual(['a', 'c', '']);
      await to('a', 'not_executed');
      await insert('d', { locator: 'L9', fingerprint: 'f' }, { ...META, now: 4000 });
      expect([await same('t', 'f'), await same('t', 'f', 'd')]).toEqual(['da', 'a']);
    });

    test('lists operations of a trip whoever travels, beside those with the fingerprint of an earlier version', async () => {
      const [trip, other] = ['x'.repeat(43), 'y'.repeat(43)];
      await insert('ann', { locator: 'L8', fingerprint: `${trip}.ann` }, { ...META, now: 5000 });
      await insert('bob', { locator: 'L9', fingerprint: `${trip}.bob` }, { ...META, now: 5001 });
      await insert('old', { locator: 'L10', fingerprint: other }, { ...META, now: 5002 });
      const found = (before?: string) => listed(store.ofTrip('t', { fingerprint: `${trip}.cid`, before }));
      expect([await found(), await found(other)]).toEqual(['bobann', 'oldbobann']);
    });
  });

  describe('whose travellers entered details on the details page', () => {
    const PAGE = { facts: { route: 'MED-JED', details: 'page' } } as const;
    const { locator: _, ...create } = newOperation('x', { tool: 'create_booking' });
    const found = async (tenant: string, ...locators: string[]) =>
      (await store.withEnteredDetails(tenant, locators))
        .map(({ id }) => id)
        .sort()
        .join('');

    test('finds operations of a booking by anybody of the tenant, in any state, and not those without', async () => {
      await insert('a', { ...PAGE, locator: 'L1', caller: 'other' });
      await to('a', 'refused');
      await insert('b', { ...PAGE, locator: 'L2' });
      await insert('c', { ...PAGE, locator: 'L3', tenant: 'u' });
      await insert('d', { locator: 'L4', facts: { route: 'MED-JED' } });
      await insert('e', { locator: 'L5' });
      expect(await found('t', 'L1', 'L2', 'L3', 'L4', 'L5')).toBe('ab');
      expect([await found('t', 'L1'), await found('t', 'l1'), await found('u', 'L3')]).toEqual(['a', '', 'c']);
      expect((await store.withEnteredDetails('t', ['L2']))[0]).toMatchObject({ id: 'b', facts: PAGE.facts });
    });

    test('finds a split by its new booking, and creates of which nobody knows what they made', async () => {
      await insert('a', { ...PAGE, locator: 'L1' });
      await to('a', 'succeeded', ['intent'], { outcome: { newLocator: 'L2' } });
      await insert('b', { locator: 'L3' });
      await to('b', 'succeeded', ['intent'], { outcome: { newLocator: 'L4' } });
      expect([await found('t', 'L2'), await found('t', 'L4'), await found('u', 'L2')]).toEqual(['a', '', '']);
      const states = ['dispatched', 'in_doubt', 'needs_person', 'resolved', 'refused', 'not_executed'] as const;
      for (const [i, state] of states.entries()) {
        await store.insert({ ...create, ...PAGE, id: String(i) }, META);
        await to(String(i), state);
      }
      await store.insert({ ...create, id: 'n' }, META);
      await to('n', 'in_doubt');
      expect([await found('t', 'L9'), await found('u', 'L9')]).toEqual(['0123', '']);
      await to('0', 'succeeded', ['dispatched'], { locator: 'L9', outcome: { locator: 'L9' } });
      expect([await found('t', 'L9'), await found('t', 'L8')]).toEqual(['0123', '123']);
    });
  });

  describe('events', () => {
    test('records every change of an operation as an event in a chain that verifies', async () => {
      await insert('a');
      await insert('b', { locator: 'XYZ789' });
      await to('a', 'dispatched', ['intent'], { dispatchedAt: 1999 });
      await to('b', 'not_executed');
      await to('a', 'succeeded', ['dispatched'], { outcome: { basis: 'reply' } });
      await to('a', 'refused', ['dispatched']);
      const events = await store.events('a');
      expect(events.map(({ seq, from, to, at, actor }) => [seq, from, to, at, actor])).toEqual([
        [1, '', 'intent', 1000, 'p1'],
        [2, 'intent', 'dispatched', 2000, 'p1'],
        [3, 'dispatched', 'succeeded', 2000, 'p1'],
      ]);
      for (const { hash } of events) expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(await store.events('c')).toEqual([]);
      expect(await store.verify()).toBeUndefined();
    });

    test('records a later reading as an event without changing the state', async () => {
      await insert('a');
      await to('a', 'not_executed', ['intent'], { outcome: { looks: 1 } });
      const again = { now: 3000, actor: 'p2' };
      expect(
        await store.transition(
          'a',
          { from: ['not_executed'], to: 'not_executed', patch: { outcome: { looks: 2 } } },
          again,
        ),
      ).toBe(true);
      expect(await store.get('a')).toMatchObject({ state: 'not_executed', updatedAt: 3000, outcome: { looks: 2 } });
      const last = (await store.events('a')).at(-1);
      expect(last).toMatchObject({ seq: 3, from: 'not_executed', to: 'not_executed', at: 3000, actor: 'p2' });
      expect(await store.verify()).toBeUndefined();
    });
  });
}
