/**
 * What any adapter of the state port must do. Each adapter's test file calls this with its way to open an empty state.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeDetails } from '../details/store-suite.ts';
import { pendingApproval } from '../support/approvals.ts';
import { describeAsking } from './asking-suite.ts';
import { describeEvents } from './events-suite.ts';
import { describeKeeping } from './keeping-suite.ts';
import { describeOperations } from './operations-suite.ts';
import { describePlans } from './plans-suite.ts';
import { describeCustomers } from './support/customers-suite.ts';
import { describeDecided } from './support/decided-suite.ts';
import { describeDeciding } from './support/deciding-suite.ts';
import { newOperation } from './support/new-operation.ts';
import type { Approval, LedgerEntry, OpenState, ShelvedOffer, State } from './support/ports.ts';
import { describeWatching } from './watching-suite.ts';

const ME = { tenant: 't', id: 'me' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

export function describeState(name: string, open: OpenState): void {
  describe(name, () => suite(open));
  describeOperations(name, async () => (await open(() => 1_000_000)).operations);
  describeAsking(name, open);
  describeDeciding(name, open);
  describeKeeping(name, open);
  describeCustomers(name, open);
  describePlans(name, open);
  describeDecided(name, open);
  describeEvents(name, open);
  describeWatching(name, open);
  describeDetails(name, open);
}

function suite(open: OpenState): void {
  let now = 0;
  let state: State;
  beforeEach(async () => {
    now = 1_000_000;
    state = await open(() => now);
  });
  afterEach(() => state.close());

  test('gives work to one process at a time, until its time is over', async () => {
    const { leases } = state;
    expect(await leases.take('watch', 'one', 2000, 1000)).toBe(true);
    expect(await leases.take('watch', 'two', 3000, 1500)).toBe(false);
    expect(await leases.take('watch', 'one', 2500, 1500)).toBe(true);
    expect(await leases.take('watch', 'two', 3500, 2500)).toBe(true);
    await leases.end('watch', 'one');
    expect(await leases.take('watch', 'one', 4000, 3000)).toBe(false);
    await leases.end('watch', 'two');
    expect(await leases.take('watch', 'one', 4000, 3000)).toBe(true);
  });

  test('keeps the last sealed token of each login with its age', async () => {
    const { logins } = state;
    expect(await logins.read('desk')).toBeUndefined();
    await logins.write('desk', 'first');
    await logins.write('desk', 'second');
    await logins.write('other', 'third');
    expect(await logins.read('desk')).toEqual({ sealed: 'second', ageMs: expect.any(Number) });
    expect((await logins.read('desk'))?.ageMs).toBeGreaterThanOrEqual(0);
    expect((await logins.read('desk'))?.ageMs).toBeLessThan(60_000);
    expect((await logins.read('other'))?.sealed).toBe('third');
  });

  test('finds the key of a one-time address until it expires or one of many spends it', async () => {
    const { ticketKeys } = state;
    const grant = { caller: ME, locator: 'ABC123', number: '1234567890101', coupon: '1' };
    await ticketKeys.put('one', grant, 2000);
    expect(await ticketKeys.find('one', 1999)).toEqual(grant);
    expect(await ticketKeys.find('one', 2000)).toBeUndefined();
    expect(await ticketKeys.find('two', 1000)).toBeUndefined();
    const spent = await Promise.all(Array.from({ length: 8 }, () => ticketKeys.spend('one')));
    expect(spent.filter(Boolean)).toHaveLength(1);
    expect(await ticketKeys.find('one', 1000)).toBeUndefined();
  });

  describe('approvals', () => {
    const approval = (changes: Partial<Approval> = {}) =>
      pendingApproval({ carried: { args: { locator: 'ABC123' } }, expiresAt: 2000, trace: TRACE, ...changes });
    const bare = () => {
      const { carried: _, ...rest } = approval();
      return rest;
    };
    const kept = () => state.approvals.get('h1');

    test('finds approvals by hash and by operation, one for each operation', async () => {
      const { approvals } = state;
      await approvals.put(approval());
      expect([await kept(), await approvals.byOperation('op1')]).toEqual([approval(), approval()]);
      expect([await approvals.get('h2'), await approvals.byOperation('op2')]).toEqual([undefined, undefined]);
      await expect(approvals.put(approval({ handleHash: 'h2' }))).rejects.toThrow();
    });

    test('decides an approval once and in time, and stores who signed in', async () => {
      const { approvals } = state;
      await approvals.put(approval());
      expect(await approvals.decide('h1', { decision: 'granted', assurance: 'page' }, 2000)).toBe(false);
      expect(await approvals.decide('h2', { decision: 'granted', assurance: 'page' }, 1500)).toBe(false);
      expect((await kept())?.decision).toBe('pending');
      const asked = ['granted', 'declined', 'granted'] as const;
      const won = await Promise.all(
        asked.map((way, i) =>
          approvals.decide('h1', { decision: way, assurance: 'page', approver: `oauth:${i}` }, 1500),
        ),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      const first = won.indexOf(true);
      const decided = { decision: asked[first], approver: `oauth:${first}`, assurance: 'page', decidedAt: 1500 };
      expect(await kept()).toMatchObject(decided);
    });

    test('keeps what became of an approval, tells it once, and erases what it carried', async () => {
      const { approvals } = state;
      const near = '2026-12-09T18:40:00+03:00';
      const after = { tickets: [{ number: '900', passenger: 'Amal', rides: [] }], changes: ['One.'] };
      await approvals.put(approval({ near }));
      const others = [{ before: 'Also open: Pay', about: 'booking ABC123', operationId: 'op2', after: '.' }];
      await approvals.keepTerms(approval({ near, others, after }));
      await approvals.keepTerms(approval({ handleHash: 'unknown', after }));
      expect(await kept()).toEqual(approval({ near, others, after }));
      await approvals.erase('h1');
      expect(await kept()).toEqual({ ...bare(), near, others, after });
      expect([await approvals.markTold('h1', 1500), await approvals.markTold('h1', 1600)]).toEqual([true, false]);
      expect(await kept()).toMatchObject({ toldAt: 1500 });
      expect(await kept()).not.toHaveProperty('carried');
      await approvals.put(approval({ handleHash: 'told', operationId: 'told' }));
      await approvals.markTold('told', 1700);
      expect(await approvals.get('told')).not.toHaveProperty('carried');
    });

    test('voids a yes that could not be carried out', async () => {
      const { approvals } = state;
      await approvals.put(approval());
      await approvals.makeVoid('h1', 'not_done');
      expect((await kept())?.decision).toBe('pending');
      await approvals.decide('h1', { decision: 'granted', assurance: 'page' }, 1500);
      await approvals.makeVoid('h1', 'terms_changed', ['Now SAR 180.00']);
      const changed = { decision: 'void', voidWhy: 'terms_changed', voidLines: ['Now SAR 180.00'] } as const;
      expect(await kept()).toMatchObject({ ...bare(), ...changed });
      expect(await kept()).not.toHaveProperty('carried');
      await approvals.takeBack('h1', { assurance: 'page' }, 1550);
      expect(await approvals.decide('h1', { decision: 'granted', assurance: 'page' }, 1600)).toBe(false);
      expect(await kept()).toMatchObject(changed);
    });

    test('finds the newest yes to an act of a booking whose terms had changed', async () => {
      const { approvals } = state;
      const leftOut = { parts: [], fields: [], facts: ['change rule'] };
      for (const [id, over] of Object.entries({
        older: { createdAt: 900 },
        stale: { leftOut },
        other: { locator: 'XYZ789' },
        act: { tool: 'cancel_booking' },
        caller: { caller: 'other' },
        ended: { expiresAt: 1_600 },
        'not done': {},
      })) {
        await approvals.put(approval({ handleHash: id, operationId: id, ...over }));
        await approvals.decide(id, { decision: 'granted', assurance: 'page' }, 1_500);
        await approvals.makeVoid(id, id === 'not done' ? 'not_done' : 'terms_changed', ['changed']);
      }

      const { tenant, caller, tool, locator = '' } = approval();
      const find = (of: string, until = 1_700) => approvals.lastStale({ tenant, caller, tool }, of, until);
      expect(await find(locator)).toMatchObject({ operationId: 'stale', leftOut });
      expect(await find('NOBODY')).toBeUndefined();
      expect(await find(locator, Number.MAX_SAFE_INTEGER)).toBeUndefined();
    });

    test('takes a yes back until its operation is sent, and says who did', async () => {
      const { approvals, operations } = state;
      const no = { assurance: 'page', approver: 'boss' } as const;
      for (const id of ['asked', 'entered', 'sent']) {
        await approvals.put(approval({ handleHash: id, operationId: id }));
        await approvals.decide(id, { decision: 'granted', assurance: 'person' }, 1500);
        if (id !== 'asked')
          await operations.insert(newOperation(id, { locator: id }), { now, owner: 'p1', leaseUntil: now });
      }
      const sent = { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: 1550 } } as const;
      await operations.transition('sent', sent, { now: 1550, actor: 'p1' });
      for (const id of ['asked', 'entered', 'sent']) await approvals.takeBack(id, no, 1600);
      for (const id of ['asked', 'entered']) {
        expect(await approvals.get(id)).toMatchObject({ decision: 'declined', ...no, decidedAt: 1600 });
        expect(await approvals.get(id)).not.toHaveProperty('carried');
      }
      expect(await approvals.get('sent')).toMatchObject({ decision: 'granted', assurance: 'person', decidedAt: 1500 });
    });

    test('blanks names an hour after the approval expired', async () => {
      const { approvals } = state;
      await approvals.put(approval({ near: '2026-12-09T18:40:00+03:00' }));
      await approvals.keepTerms(approval({ after: { tickets: [], changes: ['Amal'] } }));
      await approvals.put(approval({ handleHash: 'h2', operationId: 'op2', expiresAt: 3000 + HOUR }));
      now = 2000 + HOUR;
      await state.clean();
      expect(await kept()).toHaveProperty('carried');
      now += 1;
      await state.clean();
      const blanked = { ...bare(), sections: [], act: { verb: '' }, nature: 'change' };
      expect(await kept()).toEqual(blanked);
      await approvals.keepTerms(approval({ after: { tickets: [], changes: ['Amal'] } }));
      expect(await kept()).toEqual(blanked);
      expect(await approvals.get('h2')).toHaveProperty('carried');
    });

    test('lists pending approvals, oldest first', async () => {
      const { approvals } = state;
      await approvals.put(approval({ handleHash: 'h2', operationId: 'op2', createdAt: 1100 }));
      await approvals.put(approval());
      await approvals.put(approval({ handleHash: 'h3', operationId: 'op3' }));
      await approvals.put(approval({ handleHash: 'h4', operationId: 'op4', expiresAt: 1400 }));
      await approvals.decide('h3', { decision: 'declined', assurance: 'person' }, 1200);
      expect((await approvals.waiting(1400)).map(({ handleHash }) => handleHash)).toEqual(['h1', 'h2']);
    });
  });

  describe('offers', () => {
    const offer = (id: string): ShelvedOffer => ({
      offer: { id } as unknown as ShelvedOffer['offer'],
      passengers: { adults: 1, children: 0, infants: 0 },
      shownAt: now,
      legs: [{ from: 'RUH', to: 'JED', date: '2026-12-01' }],
    });

    test('gives each offer one short handle, in order, for its tenant alone', async () => {
      const given = [offer('a'), offer('b')];
      const handles = await state.offers.put(ME, given);
      for (const handle of handles) expect(handle).toMatch(/^o[a-z0-9]{8}$/);
      expect(await Promise.all(handles.map((handle) => state.offers.get(ME, handle)))).toEqual(given);
      const [first = ''] = handles;
      expect(await state.offers.get({ tenant: 'other', id: 'me' }, first)).toBeUndefined();
      expect(await state.offers.get({ tenant: 't', id: 'colleague' }, first)).toBeDefined();
      const unknown = ['', 'o', 'ozzzzzzz', 'ozzzzzzzzzz', 'oabcdef!!', 'OABCDEFGH', first.toUpperCase()];
      for (const handle of unknown) expect(await state.offers.get(ME, handle)).toBeUndefined();
    });

    test('keeps offers for an hour, and for the ten minutes of a question about one, and then deletes them', async () => {
      const [handle = ''] = await state.offers.put(ME, [offer('a')]);
      now += 70 * MINUTE;
      expect(await state.offers.get(ME, handle)).toBeDefined();
      await state.clean();
      now += 1;
      expect(await state.offers.get(ME, handle)).toBeUndefined();
      await state.clean();
      now -= 1;
      expect(await state.offers.get(ME, handle)).toBeUndefined();
    });
  });

  describe('ledger', () => {
    const entry = (locator: string, changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
      locator,
      madeHere: false,
      seenAt: 1000,
      state: 'held',
      ...changes,
    });

    test('replaces an entry of its caller with the newest one, and keeps it marked as made here', async () => {
      await state.ledger.record(ME, entry('ABC123', { madeHere: true, total: '10.00' }));
      await state.ledger.record(ME, entry('ABC123', { seenAt: 2000, state: 'ticketed' }));
      const [kept] = (await state.ledger.find(ME, { limit: 10 })).entries;
      expect(kept).toEqual(entry('ABC123', { madeHere: true, seenAt: 2000, state: 'ticketed' }));
      for (const other of [
        { tenant: 't', id: 'other' },
        { tenant: 'o', id: 'me' },
      ])
        expect(await state.ledger.find(other, { limit: 10 })).toEqual({ entries: [], total: 0 });
    });

    test('shows each booking of a tenant once: the newest reading, and who made it', async () => {
      const by = (id: string, locator: string, changes: Partial<LedgerEntry>, tenant = 't') =>
        state.ledger.record({ tenant, id }, entry(locator, changes));
      await by('ann', 'ABC123', { madeHere: true, seenAt: 1000 });
      await by('ben', 'ABC123', { seenAt: 2000, state: 'ticketed' });
      await by('ben', 'XYZ789', { seenAt: 1500 });
      await by('ann', 'FOREIG', { madeHere: true, seenAt: 9000 }, 'u');
      const { entries, total } = await state.ledger.findOfTenant('t', { limit: 10 });
      expect(total).toBe(2);
      expect(entries).toMatchObject([
        { locator: 'ABC123', state: 'ticketed', madeHere: true, readBy: 'ben', madeBy: 'ann' },
        { locator: 'XYZ789', madeHere: false, readBy: 'ben' },
      ]);
      expect(entries[1]).not.toHaveProperty('madeBy');
      const at = Date.parse('2026-12-01T08:00:00Z');
      await by('ben', 'XYZ789', { seenAt: 1500, nextDeadline: { what: 'pay_by', at: '2026-12-01T08:00:00Z' } });
      const found = async (query: object) => {
        const { entries, total } = await state.ledger.findOfTenant('t', { ...query, limit: 1 });
        return [total, entries[0]?.locator];
      };
      // An older reading that fits does not count.
      expect(await found({ state: 'held' })).toEqual([1, 'XYZ789']);
      expect(await found({ locators: ['ABC123', 'FOREIG'] })).toEqual([1, 'ABC123']);
      expect(await found({ query: 'xyz' })).toEqual([1, 'XYZ789']);
      expect(await found({ deadlineAfter: at - 1 })).toEqual([1, 'XYZ789']);
      expect(await found({ deadlineAfter: at })).toEqual([0, undefined]);
      // Two readings at one moment are still one booking.
      await by('ann', 'XYZ789', { seenAt: 1500 });
      expect(await found({})).toEqual([2, 'ABC123']);
    });

    test('finds a booking by any of its travellers in the own ledger, or in that of the whole desk, as it was last read', async () => {
      const ann = { tenant: 't', id: 'ann' };
      const ben = { tenant: 't', id: 'ben' };
      const group = Array.from({ length: 99 }, (_, i) => `Müller${i}x A.`);
      const createdAt = '2026-11-01T00:00:00Z';
      await state.ledger.record(ann, entry('GROUP1', { travelers: group, contactName: 'Tours' }));
      await state.ledger.record(
        ann,
        entry('SMALL1', { createdAt, travelers: ['Haddad L.', 'Saleh M.'], paid: '10.00' }),
      );
      await state.ledger.record(ben, entry('OTHER1', { travelers: ['Haddad N.'] }));
      const found = async (caller: typeof ann, query: string) =>
        (await state.ledger.find(caller, { query, limit: 9 })).entries.map(({ locator }) => locator);
      const ofDesk = async (query: string, tenant = 't') => {
        const { entries, total } = await state.ledger.findOfTenant(tenant, { query, limit: 9 });
        expect(total).toBe(entries.length);
        return entries.map(({ locator }) => locator).sort();
      };
      expect([await found(ann, 'muller0x'), await found(ann, 'MULLER98X')]).toEqual([['GROUP1'], ['GROUP1']]);
      expect([await found(ann, 'haddad l'), await found(ann, 'haddad')]).toEqual([['SMALL1'], ['SMALL1']]);
      expect([await found(ben, 'haddad'), await found(ben, 'saleh')]).toEqual([['OTHER1'], []]);
      expect(await found({ tenant: 'u', id: 'ann' }, 'haddad')).toEqual([]);
      expect([await ofDesk('haddad'), await ofDesk('haddad n')]).toEqual([['OTHER1', 'SMALL1'], ['OTHER1']]);
      expect([await ofDesk('tours'), await ofDesk('haddad', 'u')]).toEqual([['GROUP1'], []]);
      await state.ledger.renew('t', entry('SMALL1', { createdAt, seenAt: 1500, travelers: ['Berg B.'] }));
      expect([await found(ann, 'haddad'), await found(ann, 'berg')]).toEqual([[], ['SMALL1']]);
      expect([await ofDesk('saleh'), await ofDesk('berg')]).toEqual([[], ['SMALL1']]);
      expect((await state.ledger.find(ann, { query: 'berg', limit: 1 })).entries).toMatchObject([
        { travelers: ['Berg B.'] },
      ]);
    });

    test('finds legs by day and train, of the caller and of the whole desk; where none are known the booking is shown', async () => {
      const leg = (departs: string, train: string, more = {}) => ({ train, from: 'MED', to: 'JED', departs, ...more });
      const [out, back] = [leg('2026-12-01T08:00+03:00', 'HHR101'), leg('2026-12-05T18:00+03:00', 'HHR202')];
      const seenAt = Date.parse('2026-11-20T00:00:00Z');
      const last = { departs: out.departs, lastDeparts: back.departs, seenAt };
      await state.ledger.record(ME, entry('BOTH11', { legs: [out, back], ...last }));
      await state.ledger.record(
        ME,
        entry('UTCDAY', { legs: [leg('2026-12-04T22:30Z', 'SV5', { day: '2026-12-05' })], ...last }),
      );
      await state.ledger.record(ME, entry('EARLY1', last));
      await state.ledger.record(
        ME,
        entry('OVER11', { legs: [leg('2026-11-01T08:00+03:00', 'HHR101')], departs: '2026-11-01T08:00+03:00', seenAt }),
      );
      const found = async (leg: object) => {
        const { entries } = await state.ledger.find(ME, { leg, limit: 9 });
        const ofDesk = await state.ledger.findOfTenant('t', { leg, limit: 9 });
        const locators = entries.map(({ locator }) => locator).sort();
        expect(ofDesk.entries.map(({ locator }) => locator).sort()).toEqual(locators);
        return locators;
      };
      const on = (day: string) => ({ from: day, to: day });
      expect(await found(on('2026-12-05'))).toEqual(['BOTH11', 'EARLY1', 'UTCDAY']);
      expect(await found(on('2026-12-04'))).toEqual(['EARLY1']);
      expect(await found({ to: '2026-12-01' })).toEqual(['BOTH11', 'EARLY1', 'OVER11']);
      expect(await found({ from: '2026-12-01', train: '202' })).toEqual(['BOTH11', 'EARLY1']);
      expect(await found({ ...on('2026-12-01'), train: '202' })).toEqual(['EARLY1']);
    });

    test('searches the ledger, filters it, and limits the list but not the total; newest first', async () => {
      const due = (at: string) => ({ nextDeadline: { what: 'pay_by', at } as const });
      const record = (locator: string, changes: Partial<LedgerEntry>) =>
        state.ledger.record(ME, entry(locator, changes));
      await record('AAA111', { ...due('2026-12-01T08:00:00Z'), contactName: 'Jürgen Groß', route: 'RUH-JED' });
      await record('BBB222', { ...due('2026-12-02T08:00:00+03:00'), seenAt: 3000 });
      await record('CCC333', { state: 'ticketed', seenAt: 2000, contactName: "O'Neil %_", route: 'CGN-TXL' });
      await record('DDD444', { ...due('soon'), seenAt: 500 });
      const cases: [Omit<Parameters<State['ledger']['find']>[1], 'limit'>, string[]][] = [
        [{ query: ' jurgen ' }, ['AAA111']],
        [{ query: 'txl' }, ['CCC333']],
        [{ query: 'aaa' }, ['AAA111']],
        [{ query: "o'neil %_" }, ['CCC333']],
        [{ query: '%' }, ['CCC333']],
        [{ query: 'nobody' }, []],
        [{}, ['BBB222', 'CCC333', 'AAA111', 'DDD444']],
        [{ state: 'ticketed' }, ['CCC333']],
        [{ locators: ['AAA111', 'CCC333', 'QQQ999'] }, ['CCC333', 'AAA111']],
        [{ locators: [] }, []],
        [{ deadlineBefore: Date.parse('2026-12-01T08:00:01Z') }, ['AAA111']],
        [{ deadlineBefore: Date.parse('2026-12-02T05:00:00Z') }, ['AAA111']],
        [{ deadlineBefore: Date.parse('2026-12-02T05:00:01Z') }, ['BBB222', 'AAA111']],
      ];
      for (const [query, expected] of cases) {
        const { entries, total } = await state.ledger.find(ME, { ...query, limit: 3 });
        expect([query, total, entries.map(({ locator }) => locator)]).toEqual([
          query,
          expected.length,
          expected.slice(0, 3),
        ]);
      }
    });
  });

  test('creates a random digest key and keeps it', () => {
    expect(state.digestKey).toHaveLength(32);
    expect(new Set(state.digestKey).size).toBeGreaterThan(8);
  });
}
