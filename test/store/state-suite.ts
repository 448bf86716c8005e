/**
 * What any adapter of the state port must do. Each adapter's test file calls this with its way to open an empty state.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { describeActivity } from './activity-suite.ts';
import { describeClaims } from './claims-suite.ts';
import { describeCleaning } from './cleaning-suite.ts';
import { describeEvents } from './events-suite.ts';
import { describeForgetting } from './forgetting-suite.ts';
import { describeOperations } from './operations-suite.ts';
import { describePlans } from './plans-suite.ts';
import type { Approval, LedgerEntry, OpenState, ShelvedOffer, State } from './support/ports.ts';
import { describeWatching } from './watching-suite.ts';

const ME = { tenant: 't', id: 'me' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

export function describeState(name: string, open: OpenState): void {
  let now = 0;
  let state: State;
  beforeEach(async () => {
    now = 1_000_000;
    state = await open(() => now);
  });
  afterEach(() => state.close());

  describeOperations(name, async () => (await open(() => now)).operations);
  describeClaims(name, async () => (await open(() => now)).claims);
  describeActivity(name, open);
  describeCleaning(name, open);
  describeForgetting(name, open);
  describePlans(name, open);
  describeEvents(name, open);
  describeWatching(name, open);

  test(`${name}: gives work to one process at a time, until its time is over`, async () => {
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

  describe(`${name}: unseen dialogs`, () => {
    const CLIENT = { name: 'some-ide', version: '1.2' };

    test('finds a client after the second unseen dialog in a row', async () => {
      const { unseenDialogs } = state;
      await unseenDialogs.add(ME, CLIENT, { at: 1000, tookMs: 3 }, 0);
      expect(await unseenDialogs.twice(ME, CLIENT, 0)).toBeUndefined();
      await unseenDialogs.add(ME, CLIENT, { at: 2000 }, 0);
      expect(await unseenDialogs.twice(ME, CLIENT, 0)).toEqual({ at: 2000 });
      expect(await unseenDialogs.twice(ME, CLIENT, 2001)).toBeUndefined();
      expect(await unseenDialogs.twice({ tenant: 't', id: 'you' }, CLIENT, 0)).toBeUndefined();
      expect(await unseenDialogs.twice(ME, { ...CLIENT, version: '1.3' }, 0)).toBeUndefined();
      expect(await unseenDialogs.list(0)).toEqual([{ ...CLIENT, at: 2000 }]);
      await unseenDialogs.clear(ME, CLIENT);
      expect(await unseenDialogs.list(0)).toEqual([]);
    });

    test('counts anew after what is forgotten', async () => {
      const { unseenDialogs } = state;
      await unseenDialogs.add(ME, CLIENT, { at: 1000, tookMs: 3 }, 0);
      await unseenDialogs.add(ME, CLIENT, { at: 5000, tookMs: 4 }, 1001);
      expect(await unseenDialogs.twice(ME, CLIENT, 0)).toBeUndefined();
      await unseenDialogs.add(ME, CLIENT, { at: 6000, tookMs: 5 }, 1001);
      expect(await unseenDialogs.list(1001)).toEqual([{ ...CLIENT, at: 6000, tookMs: 5 }]);
    });
  });

  describe(`${name}: keys of one-time addresses`, () => {
    const grant = { caller: ME, locator: 'ABC123', number: '1234567890101', coupon: '1' };

    test('finds a key until it expires or is spent', async () => {
      const { ticketKeys } = state;
      await ticketKeys.put('one', grant, 1000, 2000);
      expect(await ticketKeys.find('one', 1999)).toEqual(grant);
      expect(await ticketKeys.find('one', 2000)).toBeUndefined();
      expect(await ticketKeys.find('two', 1000)).toBeUndefined();
      expect(await ticketKeys.spend('one')).toBe(true);
      expect(await ticketKeys.find('one', 1000)).toBeUndefined();
    });

    test('lets one of many spend a key', async () => {
      await state.ticketKeys.put('one', grant, 1000, 2000);
      const spent = await Promise.all(Array.from({ length: 8 }, () => state.ticketKeys.spend('one')));
      expect(spent.filter(Boolean)).toHaveLength(1);
    });

    test('forgets expired keys with the next one', async () => {
      await state.ticketKeys.put('old', grant, 1000, 2000);
      await state.ticketKeys.put('new', grant, 2000, 3000);
      expect(await state.ticketKeys.spend('old')).toBe(false);
      expect(await state.ticketKeys.spend('new')).toBe(true);
    });
  });

  describe(`${name}: approvals`, () => {
    const approval = (changes: Partial<Approval> = {}) =>
      pendingApproval({ carried: { args: { locator: 'ABC123' } }, expiresAt: 2000, trace: TRACE, ...changes });

    test('finds approvals by hash and by operation', async () => {
      await state.approvals.put(approval());
      expect(await state.approvals.get('h1')).toEqual(approval());
      expect(await state.approvals.byOperation('op1')).toEqual(approval());
      expect(await state.approvals.get('h2')).toBeUndefined();
      expect(await state.approvals.byOperation('op2')).toBeUndefined();
    });

    test('keeps one approval per operation', async () => {
      await state.approvals.put(approval());
      await expect(state.approvals.put(approval({ handleHash: 'h2' }))).rejects.toThrow();
    });

    test('decides an approval once', async () => {
      await state.approvals.put(approval());
      const asked = ['granted', 'declined', 'granted'] as const;
      const won = await Promise.all(asked.map((way) => state.approvals.decide('h1', way, 'page', 1500)));
      expect(won.filter((one) => one)).toHaveLength(1);
      const decided = { decision: asked[won.indexOf(true)], assurance: 'page', decidedAt: 1500 };
      expect(await state.approvals.get('h1')).toMatchObject(decided);
    });

    test('stores who signed in and decided an approval', async () => {
      await state.approvals.put(approval());
      await state.approvals.decide('h1', 'granted', 'page', 1500, 'oauth:boss:page');
      await state.approvals.decide('h1', 'granted', 'page', 1600, 'oauth:late:page');
      expect((await state.approvals.get('h1'))?.approver).toBe('oauth:boss:page');
    });

    test('refuses to decide expired and unknown approvals', async () => {
      await state.approvals.put(approval());
      expect(await state.approvals.decide('h1', 'granted', 'page', 2000)).toBe(false);
      expect(await state.approvals.decide('h2', 'granted', 'page', 1500)).toBe(false);
      expect((await state.approvals.get('h1'))?.decision).toBe('pending');
    });

    test('changes the way of asking only while an approval is pending', async () => {
      await state.approvals.put(approval());
      expect(await state.approvals.ask('h1', 'page')).toBe(true);
      expect((await state.approvals.get('h1'))?.askedBy).toBe('page');
      await state.approvals.decide('h1', 'declined', 'person', 1500);
      expect(await state.approvals.ask('h1', 'echo')).toBe(false);
      expect((await state.approvals.get('h1'))?.askedBy).toBe('page');
    });

    test('keeps when a dialog was given the question, until the question moves away from it', async () => {
      await state.approvals.put(approval({ askedAt: 1100, client: { name: 'some-ide', version: '1' } }));
      expect(await state.approvals.ask('h1', 'either', { askedAt: 1200, shownAt: 1100 })).toBe(true);
      expect(await state.approvals.get('h1')).toMatchObject({ askedBy: 'either', askedAt: 1200, shownAt: 1100 });
      await state.approvals.ask('h1', 'page');
      const moved = await state.approvals.get('h1');
      expect(moved).toMatchObject({ askedBy: 'page', client: { name: 'some-ide', version: '1' } });
      expect(moved?.askedAt).toBeUndefined();
      expect(moved?.shownAt).toBeUndefined();
    });

    test('keeps stale lines of an approval, and erases what it carried', async () => {
      await state.approvals.put(approval());
      await state.approvals.markStale('h1', ['Now SAR 180.00']);
      await state.approvals.erase('h1');
      const { carried: _, ...rest } = approval();
      expect(await state.approvals.get('h1')).toEqual({ ...rest, staleLines: ['Now SAR 180.00'] });
    });

    test('voids an approval that could not be carried out', async () => {
      await state.approvals.put(approval());
      await state.approvals.revoke('h1');
      expect((await state.approvals.get('h1'))?.decision).toBe('pending');
      await state.approvals.decide('h1', 'granted', 'page', 1500);
      await state.approvals.revoke('h1');
      expect(await state.approvals.get('h1')).toMatchObject({ decision: 'void' });
      expect((await state.approvals.get('h1'))?.carried).toBeUndefined();
      expect(await state.approvals.decide('h1', 'granted', 'page', 1600)).toBe(false);
    });

    test('shows the outcome of an approval as new once', async () => {
      await state.approvals.put(approval());
      expect(await state.approvals.tell('h1', 1500)).toBe(true);
      expect(await state.approvals.tell('h1', 1600)).toBe(false);
      const { carried: _, ...rest } = approval();
      expect(await state.approvals.get('h1')).toEqual({ ...rest, toldAt: 1500 });
    });

    test('keeps what became of an approval, and changes nothing else', async () => {
      const after = { tickets: [{ number: '900', passenger: 'Amal', rides: [] }], changes: ['One.'] };
      const client = { name: 'claude-ai', version: '1' };
      await state.approvals.put(approval({ near: '2026-12-09T18:40:00+03:00', client }));
      await state.approvals.keepFacts('h1', after);
      await state.approvals.keepFacts('unknown', after);
      expect(await state.approvals.get('h1')).toEqual(approval({ near: '2026-12-09T18:40:00+03:00', client, after }));
    });

    test('blanks names an hour after the approval expired', async () => {
      await state.approvals.put(approval({ near: '2026-12-09T18:40:00+03:00' }));
      await state.approvals.keepFacts('h1', { tickets: [], changes: ['Amal'] });
      await state.approvals.put(approval({ handleHash: 'h2', operationId: 'op2', expiresAt: 3000 + HOUR }));
      now = 2000 + HOUR;
      await state.clean();
      expect((await state.approvals.get('h1'))?.carried).toBeDefined();
      now += 1;
      await state.clean();
      const { carried: _, ...rest } = approval();
      const blanked = { ...rest, sections: [], act: '', nature: 'change' };
      expect(await state.approvals.get('h1')).toEqual(blanked);
      await state.approvals.keepFacts('h1', { tickets: [], changes: ['Amal'] });
      expect(await state.approvals.get('h1')).toEqual(blanked);
      expect((await state.approvals.get('h2'))?.carried).toBeDefined();
    });

    test('lists pending approvals, oldest first', async () => {
      await state.approvals.put(approval({ handleHash: 'h2', operationId: 'op2', createdAt: 1100 }));
      await state.approvals.put(approval());
      await state.approvals.put(approval({ handleHash: 'h3', operationId: 'op3' }));
      await state.approvals.put(approval({ handleHash: 'h4', operationId: 'op4', expiresAt: 1400 }));
      await state.approvals.decide('h3', 'declined', 'person', 1200);
      const waiting = await state.approvals.waiting(1400);
      expect(waiting.map((one) => one.handleHash)).toEqual(['h1', 'h2']);
    });
  });

  describe(`${name}: offers`, () => {
    const offer = (id: string, shownAt: number): ShelvedOffer => ({
      offer: { id } as unknown as ShelvedOffer['offer'],
      passengers: { adults: 1, children: 0, infants: 0 } as unknown as ShelvedOffer['passengers'],
      shownAt,
      legs: [{ from: 'RUH', to: 'JED', date: '2026-12-01' }],
    });

    test('gives each offer one short handle, in order', async () => {
      const given = [offer('a', now), offer('b', now)];
      const handles = await state.offers.put(ME, given);
      expect(handles).toHaveLength(2);
      for (const handle of handles) expect(handle).toMatch(/^o[a-z0-9]{6,8}$/);
      const kept = await Promise.all(handles.map((handle) => state.offers.get(ME, handle)));
      expect(kept).toEqual(given);
    });

    test('shows offers only to their tenant', async () => {
      const [handle = ''] = await state.offers.put(ME, [offer('a', now)]);
      expect(await state.offers.get({ tenant: 'other', id: 'me' }, handle)).toBeUndefined();
      expect(await state.offers.get({ tenant: 't', id: 'colleague' }, handle)).toBeDefined();
      expect(await state.offers.get(ME, 'ozzzzzzz')).toBeUndefined();
    });

    test('keeps offers for an hour, and for the ten minutes of a question about one', async () => {
      const [handle = ''] = await state.offers.put(ME, [offer('a', now)]);
      now += 70 * MINUTE;
      expect(await state.offers.get(ME, handle)).toBeDefined();
      now += 1;
      expect(await state.offers.get(ME, handle)).toBeUndefined();
    });

    test('deletes old offers', async () => {
      const [handle = ''] = await state.offers.put(ME, [offer('a', now)]);
      await state.clean();
      now += 70 * MINUTE + 1;
      await state.clean();
      now -= 1;
      expect(await state.offers.get(ME, handle)).toBeUndefined();
    });
  });

  describe(`${name}: ledger`, () => {
    const entry = (locator: string, changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
      locator,
      madeHere: false,
      seenAt: 1000,
      state: 'held',
      ...changes,
    });
    const find = async (query: Omit<Parameters<State['ledger']['find']>[1], 'limit'>) => {
      const { entries, total } = await state.ledger.find(ME, { ...query, limit: 10 });
      expect(total).toBe(entries.length);
      return entries.map((one) => one.locator);
    };

    test('replaces a ledger entry with the newest one, and keeps it marked as made here', async () => {
      await state.ledger.record(ME, entry('ABC123', { madeHere: true, total: '10.00' }));
      await state.ledger.record(ME, entry('ABC123', { seenAt: 2000, state: 'ticketed' }));
      const { entries } = await state.ledger.find(ME, { limit: 10 });
      expect(entries).toEqual([entry('ABC123', { madeHere: true, seenAt: 2000, state: 'ticketed' })]);
    });

    test('shows the ledger only to its caller', async () => {
      await state.ledger.record(ME, entry('ABC123'));
      expect(await state.ledger.find({ tenant: 't', id: 'other' }, { limit: 10 })).toEqual({ entries: [], total: 0 });
      expect(await state.ledger.find({ tenant: 'o', id: 'me' }, { limit: 10 })).toEqual({ entries: [], total: 0 });
    });

    test('shows each booking of a tenant once: the newest reading, and who made it', async () => {
      const [ann, ben] = ['ann', 'ben'].map((id) => ({ tenant: 't', id }));
      await state.ledger.record(ann as typeof ME, entry('ABC123', { madeHere: true, seenAt: 1000, state: 'held' }));
      await state.ledger.record(ben as typeof ME, entry('ABC123', { seenAt: 2000, state: 'ticketed' }));
      await state.ledger.record(ben as typeof ME, entry('XYZ789', { seenAt: 1500 }));
      await state.ledger.record({ tenant: 'u', id: 'ann' }, entry('FOREIG', { madeHere: true, seenAt: 9000 }));
      const { entries, total } = await state.ledger.findOfTenant('t', { limit: 10 });
      expect(total).toBe(2);
      expect(entries).toMatchObject([
        { locator: 'ABC123', state: 'ticketed', madeHere: true, readBy: 'ben', madeBy: 'ann' },
        { locator: 'XYZ789', madeHere: false, readBy: 'ben' },
      ]);
      expect(entries[1]).not.toHaveProperty('madeBy');
      // An older reading that fits does not count.
      expect(await state.ledger.findOfTenant('t', { state: 'held', limit: 10 })).toMatchObject({
        entries: [{ locator: 'XYZ789' }],
      });
      expect(await state.ledger.findOfTenant('t', { locators: ['ABC123', 'FOREIG'], limit: 1 })).toMatchObject({
        total: 1,
      });
      expect(await state.ledger.findOfTenant('t', { query: 'xyz', limit: 10 })).toMatchObject({ total: 1 });
      const due = { nextDeadline: { what: 'pay_by', at: '2026-12-01T08:00:00Z' } };
      await state.ledger.record(ben as typeof ME, entry('XYZ789', { seenAt: 1500, ...due }));
      const at = Date.parse(due.nextDeadline.at);
      expect(await state.ledger.findOfTenant('t', { deadlineAfter: at - 1, limit: 1 })).toMatchObject({ total: 1 });
      expect(await state.ledger.findOfTenant('t', { deadlineAfter: at, limit: 1 })).toMatchObject({ total: 0 });
      // Two readings at one moment are still one booking.
      await state.ledger.record(ann as typeof ME, entry('XYZ789', { seenAt: 1500 }));
      expect(await state.ledger.findOfTenant('t', { limit: 10 })).toMatchObject({ total: 2 });
    });

    test('searches the ledger by locator, contact and route, ignoring case and diacritics', async () => {
      await state.ledger.record(ME, entry('ABC123', { contactName: 'Jürgen Groß', route: 'RUH-JED' }));
      await state.ledger.record(ME, entry('XYZ789', { contactName: "O'Neil %_", route: 'CGN-TXL' }));
      expect(await find({ query: ' jurgen ' })).toEqual(['ABC123']);
      expect(await find({ query: 'txl' })).toEqual(['XYZ789']);
      expect(await find({ query: 'abc' })).toEqual(['ABC123']);
      expect(await find({ query: "o'neil %_" })).toEqual(['XYZ789']);
      expect(await find({ query: '%' })).toEqual(['XYZ789']);
      expect(await find({ query: 'nobody' })).toEqual([]);
    });

    test('filters the ledger by state, locators and deadline, newest first', async () => {
      const due = (at: string) => ({ nextDeadline: { what: 'pay_by', at } });
      await state.ledger.record(ME, entry('AAA111', due('2026-12-01T08:00:00Z')));
      await state.ledger.record(ME, entry('BBB222', { ...due('2026-12-02T08:00:00+03:00'), seenAt: 3000 }));
      await state.ledger.record(ME, entry('CCC333', { state: 'ticketed', seenAt: 2000 }));
      await state.ledger.record(ME, entry('DDD444', { ...due('soon'), seenAt: 500 }));
      expect(await find({})).toEqual(['BBB222', 'CCC333', 'AAA111', 'DDD444']);
      expect(await find({ state: 'ticketed' })).toEqual(['CCC333']);
      expect(await find({ locators: ['AAA111', 'CCC333', 'QQQ999'] })).toEqual(['CCC333', 'AAA111']);
      expect(await find({ locators: [] })).toEqual([]);
      expect(await find({ deadlineBefore: Date.parse('2026-12-01T08:00:01Z') })).toEqual(['AAA111']);
      expect(await find({ deadlineBefore: Date.parse('2026-12-02T05:00:00Z') })).toEqual(['AAA111']);
      expect(await find({ deadlineBefore: Date.parse('2026-12-02T05:00:01Z') })).toEqual(['BBB222', 'AAA111']);
    });

    test('limits the list of bookings but not the total', async () => {
      for (const locator of ['AAA111', 'BBB222', 'CCC333']) await state.ledger.record(ME, entry(locator));
      const { entries, total } = await state.ledger.find(ME, { limit: 2 });
      expect([entries.length, total]).toEqual([2, 3]);
    });
  });

  test(`${name}: creates a random digest key and keeps it`, () => {
    expect(state.digestKey).toHaveLength(32);
    expect(new Set(state.digestKey).size).toBeGreaterThan(8);
  });
}
