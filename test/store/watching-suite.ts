/** What any store of findings and watched bookings must do. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allRows } from '../support/ledger-rows.ts';
import { ACTS } from '../support/rules.ts';
import type { Finding, KeptReading, LedgerEntry, OpenState, State, WatchedBooking } from './support/ports.ts';

const HOUR = 3_600_000;

const finding = (id: string, more: Partial<Finding> = {}): Finding => ({
  ...{ id, tenant: 't', locator: 'ABC123', kind: 'retimed', seenAt: 1_000, since: 500, departsAt: 9_000 },
  segment: { from: 'MED', to: 'JED', number: '101', departs: '2026-12-09T08:00:00+03:00' },
  before: { departs: '2026-12-09T08:00:00+03:00' },
  after: { departs: '2026-12-09T09:30:00+03:00' },
  ...more,
});

const reading = (at: number): KeptReading => ({
  ...{ at, state: 'ticketed', segments: [], coupons: [], orders: [] },
});

const watched = (more: Partial<WatchedBooking> = {}): WatchedBooking => ({
  ...{ tenant: 't', locator: 'ABC123', caller: 'me', kept: reading(1_000), readAt: 1_000, nextAt: 5_000 },
  ...more,
});

export function describeWatching(name: string, open: OpenState): void {
  describe(`${name}: findings and watched bookings`, () => {
    let now = 500;
    let state: State;
    beforeEach(async () => {
      // Before any departure of these tests: cleaning closes what is past.
      state = await open(() => now);
    });
    afterEach(() => state.close());

    const ids = (found: readonly Finding[]) => found.map(({ id }) => id);
    const record = (by: string, over: Partial<LedgerEntry> = {}) => {
      const [tenant = '', id = ''] = by.split('/');
      const entry = { locator: 'ABC123', madeHere: false, seenAt: 400, state: 'ticketed', departs: at(2 * HOUR) };
      return state.ledger.record({ tenant, id }, { ...entry, ...over });
    };

    test('returns a finding as it was added, and adds the same id once', async () => {
      const { findings } = state;
      const full = finding('a', {
        route: 'MED-JED',
        missed: [{ from: 'JED', to: 'MED', number: '7', departs: '2026-12-09T09:00:00+03:00' }],
        deadlines: [{ what: 'cancel_until', before: '2026-12-08T05:00:00Z', after: '2026-12-08T06:30:00Z' }],
      });
      expect(await findings.add([full])).toEqual([full]);
      expect(await findings.add([full, finding('b')])).toEqual([finding('b')]);
      expect(await findings.open('t', 1_000)).toEqual([full, finding('b')]);
      expect(await findings.open('u', 1_000)).toEqual([]);
    });

    test('keeps a finding open until it is closed, or its departure is past, and finds those of some bookings', async () => {
      const { findings } = state;
      const { departsAt: _, ...lasting } = finding('c', { seenAt: 1_500 });
      await findings.add([finding('a'), finding('b', { seenAt: 2_000, locator: 'XYZ789' }), lasting]);
      expect(ids(await findings.open('t', 8_999))).toEqual(['b', 'c', 'a']);
      expect(ids(await findings.open('t', 9_000))).toEqual(['c']);
      expect(ids(await findings.open('t', 3_000, ['XYZ789']))).toEqual(['b']);
      expect(await findings.open('t', 3_000, [])).toEqual([]);
      expect(ids(await findings.list('t', { limit: 1 }))).toEqual(['b']);
      expect(ids(await findings.list('t', { locators: ['ABC123'], limit: 9 }))).toEqual(['c', 'a']);
      const close = (tenant: string, given: string[], by: string, now: number) =>
        findings.close(tenant, given, by, now);
      expect(await close('u', ['a'], 'ann', 3_000)).toBe(0);
      expect(await close('t', [], 'ann', 3_000)).toBe(0);
      expect(await close('t', ['a', 'unknown'], 'ann', 3_000)).toBe(1);
      expect(await close('t', ['a'], 'bob', 4_000)).toBe(0);
      expect(ids(await findings.open('t', 3_000))).toEqual(['b', 'c']);
      expect(await findings.list('t', { from: 1_000, to: 1_500, limit: 10 })).toEqual([
        { ...finding('a'), closedAt: 3_000, closedBy: 'ann' },
      ]);
    });

    test('makes a booking due that nobody has read, and one that is watched', async () => {
      const { watches } = state;
      await watches.want({ tenant: 't', locator: 'NEW001', caller: 'me' }, 700);
      expect(await watches.due(700)).toEqual({
        ...{ tenant: 't', locator: 'NEW001', caller: 'me', readAt: 0, nextAt: 700 },
      });
      await watches.keep(watched({ nextAt: 5_000 }), undefined);
      await watches.note('t', 'ABC123', { readAt: 1_500, nextAt: 9_000 });
      await watches.want({ tenant: 't', locator: 'ABC123', caller: 'you' }, 600);
      expect(await watches.due(699)).toMatchObject({
        locator: 'ABC123',
        caller: 'me',
        nextAt: 600,
        kept: reading(1_000),
      });
    });

    test('reads a booking under the caller who made it here, whoever read it first', async () => {
      const { watches } = state;
      await record('t/boss');
      await watches.keep(watched({ caller: 'boss' }), undefined);
      expect((await watches.due(6_000))?.caller).toBe('boss');
      await record('t/ann', { madeHere: true, seenAt: 450 });
      await record('u/eve', { madeHere: true });
      expect((await watches.due(6_000))?.caller).toBe('ann');
    });

    test('watches a booking whose departure has no zone until its day is over everywhere', async () => {
      await record('t/ann', { madeHere: true, departs: '1970-01-03T17:10:00' });
      expect(await state.watches.enrol(Date.parse('1970-01-04T13:00:00Z'), 0)).toBe(0);
      expect(await state.watches.enrol(Date.parse('1970-01-04T11:00:00Z'), 0)).toBe(1);
    });

    test('renews what every ledger shows of a booking, but neither a later reading nor another tenant', async () => {
      const { ledger } = state;
      const entry = { locator: 'ABC123', madeHere: false, seenAt: 450, departs: at(2 * HOUR) };
      await record('t/ann', { state: 'held', madeHere: true });
      await record('t/bob', { state: 'held', seenAt: 460 });
      await record('u/ann', { state: 'held', madeHere: true });
      await ledger.renew('t', { ...entry, state: 'ticketed' });
      const shown = async (tenant: string, id: string) =>
        (await ledger.find({ tenant, id }, { limit: 5 })).entries.map(({ state: is, madeHere }) => [is, madeHere]);
      expect(await shown('t', 'ann')).toEqual([['ticketed', true]]);
      expect(await shown('t', 'bob')).toEqual([['held', false]]);
      expect(await shown('u', 'ann')).toEqual([['held', true]]);
      expect((await ledger.find({ tenant: 't', id: 'ann' }, { state: 'ticketed', limit: 5 })).total).toBe(1);
    });

    test('renews no list that has an earlier booking with the locator, whoever read it last', async () => {
      const { ledger } = state;
      const [ours, theirs] = ['1970-01-01T00:00:00Z', '1970-06-01T00:00:00Z'];
      const entry = { locator: 'ABC123', madeHere: false, seenAt: 450, state: 'ticketed' };
      await record('t/ann', { state: 'held', createdAt: ours, travelers: ['Haddad A.'] });
      await record('t/bob', { state: 'held', createdAt: theirs, travelers: ['Quast U.'], seenAt: 430 });
      // Written by an earlier version, which kept neither.
      await record('t/cid', { state: 'held' });
      await ledger.renew('t', { ...entry, createdAt: theirs, travelers: ['Quast U.'] });
      const states = async () => {
        const found = ['ann', 'bob', 'cid'].map((id) => ledger.find({ tenant: 't', id }, { limit: 5 }));
        return (await Promise.all(found)).map(({ entries: [one] }) => [one?.state, one?.travelers?.[0]]);
      };
      const after = [
        ['held', 'Haddad A.'],
        ['ticketed', 'Quast U.'],
        ['ticketed', 'Quast U.'],
      ];
      expect(await states()).toEqual(after);
      await ledger.renew('t', { ...entry, createdAt: '1970-09-01T00:00:00Z', travelers: ['Third T.'], state: 'held' });
      expect(await states()).toEqual(after);
    });

    test('lists for a caller the findings of the booking that they have, not of another with its locator', async () => {
      const { findings, ledgerRows } = state;
      await record('t/ann', { createdAt: '1970-01-01T00:00:00Z' });
      await record('t/bob', { createdAt: '1970-06-01T00:00:00Z' });
      await record('t/cid');
      await findings.add([
        finding('old', { bookedAt: '1970-01-01T00:00:00Z' }),
        finding('new', { bookedAt: '1970-06-01T00:00:00Z' }),
        finding('unknown'),
      ]);
      const of = async (caller?: string) => {
        const query = { tenant: 't', from: 0, to: 5_000, ...(caller !== undefined && { caller }) };
        return ids((await allRows(ledgerRows, query)).findings)
          .toSorted()
          .join();
      };
      expect([await of('ann'), await of('bob')]).toEqual(['old,unknown', 'new,unknown']);
      expect([await of('cid'), await of()]).toEqual(Array(2).fill('new,old,unknown'));
    });

    test('cleaning closes what has left and keeps it, and readings no longer than the bookings', async () => {
      const { findings, watches } = state;
      const day = 24 * HOUR;
      const { departsAt: _, ...lasting } = finding('c', { seenAt: day });
      const later = { locator: 'LATER1', seenAt: day };
      await findings.add([finding('a', { departsAt: day }), finding('b', { departsAt: 40 * day }), lasting]);
      await findings.add([
        { ...lasting, ...later, id: 'd' },
        { ...lasting, ...later, id: 'e', closedAt: day, closedBy: 'ann' },
      ]);
      await record('t/me', { departs: at(day), seenAt: 0 });
      await record('t/me', { departs: at(90 * day), seenAt: 0, locator: 'LATER1' });
      await watches.keep(watched(), undefined);
      await watches.keep(watched({ locator: 'NOBODY' }), undefined);
      now = 2 * day;
      await state.clean();
      const listed = async () =>
        (await findings.list('t', { limit: 9 })).map(({ id, closedBy }) => `${id} ${closedBy}`).sort();
      expect(await listed()).toEqual(['a departed', 'b undefined', 'c undefined', 'd undefined', 'e ann']);
      expect(await watches.get('t', 'NOBODY')).toBeUndefined();
      expect(await watches.get('t', 'ABC123')).toBeDefined();
      now = 32 * day;
      await state.clean();
      // What is open stays as long as its booking.
      expect(await listed()).toEqual(['a departed', 'b undefined', 'c departed', 'd undefined', 'e ann']);
      expect(await watches.get('t', 'ABC123')).toBeUndefined();
      now = 121 * day;
      await state.clean();
      expect(await listed()).toEqual(['a departed', 'b departed', 'c departed', 'd departed', 'e ann']);
      now = 500;
    });

    test('cleaning keeps what was just read or is to be read, though the ledger does not have it yet', async () => {
      const { watches } = state;
      const wanted = { tenant: 't', locator: 'WANTED', caller: 'me' };
      const isWatched = () =>
        Promise.all(['ABC123', 'WANTED'].map(async (locator) => (await watches.get('t', locator)) !== undefined));
      now = 5 * HOUR;
      await watches.keep(watched({ readAt: now }), undefined);
      await watches.want(wanted, now);
      await state.clean();
      expect(await isWatched()).toEqual([true, true]);
      now += HOUR;
      await state.clean();
      expect(await isWatched()).toEqual([false, false]);
      now = 500;
    });

    test('a forgotten booking is neither watched nor reported', async () => {
      const { findings, watches, forgetting } = state;
      await findings.add([finding('a')]);
      await watches.keep(watched(), undefined);
      const person = { locator: 'ABC123' };
      await forgetting.erase(person, await forgetting.find(person), now);
      expect(await findings.list('t', { limit: 9 })).toEqual([]);
      expect(await watches.get('t', 'ABC123')).toBeUndefined();
    });

    test('keeps a reading only if no other came since the one before', async () => {
      const { watches } = state;
      expect(await watches.get('t', 'ABC123')).toBeUndefined();
      expect(await watches.keep(watched(), undefined)).toBe(true);
      expect(await watches.get('t', 'ABC123')).toEqual(watched());
      expect(await watches.keep(watched({ kept: reading(2_000) }), undefined)).toBe(false);
      expect(await watches.keep(watched({ kept: reading(2_000), readAt: 2_000 }), reading(1_000))).toBe(true);
      expect(await watches.keep(watched({ kept: reading(2_500) }), reading(1_000))).toBe(false);
      expect(await watches.get('t', 'ABC123')).toEqual(watched({ kept: reading(2_000), readAt: 2_000 }));
    });

    test('returns the one that is due for longest, of whichever tenants are wanted', async () => {
      const { watches } = state;
      expect(await watches.nextDue()).toBeUndefined();
      await watches.keep(watched(), undefined);
      await watches.keep(watched({ locator: 'DEF456', nextAt: 4_000 }), undefined);
      const { nextAt: _, ...over } = watched({ locator: 'XYZ789' });
      await watches.keep(over, undefined);
      expect(await watches.nextDue()).toBe(4_000);
      await watches.keep(watched({ tenant: 'u', nextAt: 4_500 }), undefined);
      const due = async (...args: Parameters<typeof watches.due>) => {
        const one = await watches.due(...args);
        return one && [one.tenant, one.locator];
      };
      expect(await due(3_999)).toBeUndefined();
      expect(await due(5_000)).toEqual(['t', 'DEF456']);
      expect(await due(5_000, ['t'])).toEqual(['u', 'ABC123']);
      expect(await due(5_000, ['t', 'u'])).toBeUndefined();
      await watches.note('u', 'ABC123', {});
      expect(await due(9_000, ['t'])).toBeUndefined();
      await watches.note('t', 'DEF456', { nextAt: 8_000 });
      await watches.note('t', 'ABC123', { readAt: 6_000 });
      expect(await watches.due(9_000)).toEqual(watched({ locator: 'DEF456', nextAt: 8_000 }));
      expect((await watches.get('t', 'ABC123'))?.readAt).toBe(6_000);
      await state.findings.add([finding('a', { departsAt: 20_000 }), finding('b')]);
      expect(await state.openCounts(9_500, ACTS)).toMatchObject({ findingsOpen: 1, readingDueSince: 8_000 });
      const { findingsOpen, readingDueSince } = await state.openCounts(7_000, ACTS);
      expect([findingsOpen, readingDueSince]).toEqual([2, undefined]);
    });

    test('shows what was noted at once, and a newer reading in place of older notes', async () => {
      const { watches } = state;
      await watches.note('t', 'ABC123', { readAt: 900 });
      expect(await watches.get('t', 'ABC123')).toBeUndefined();
      await watches.keep(watched(), undefined);
      await watches.note('t', 'ABC123', { readAt: 1_500, nextAt: 6_000 });
      await watches.note('t', 'ABC123', { nextAt: 5_500 });
      expect(await watches.get('t', 'ABC123')).toEqual(watched({ readAt: 1_500, nextAt: 5_500 }));
      await watches.keep(watched({ kept: reading(2_000), readAt: 2_000, nextAt: 7_000 }), reading(1_000));
      expect(await watches.nextDue()).toBe(7_000);
      expect(await watches.get('t', 'ABC123')).toMatchObject({ readAt: 2_000, nextAt: 7_000 });
    });

    test('begins with bookings of the ledger that are ahead, under the caller who made them', async () => {
      const { watches } = state;
      await record('t/zoe', { seenAt: 1_000 });
      await record('t/ann', { seenAt: 1_000, madeHere: true });
      await record('u/bob', { seenAt: 1_000 });
      await record('t/ann', { seenAt: 1_000, locator: 'GONE01', departs: at(HOUR / 2) });
      await record('t/ann', { seenAt: 1_000, locator: 'LAPSED', state: 'expired' });
      expect(await watches.enrol(HOUR, 0)).toBe(2);
      expect(await watches.enrol(HOUR, 0)).toBe(0);
      const [ours, theirs] = [await watches.due(HOUR, ['u']), await watches.due(HOUR, ['t'])];
      expect([ours, theirs].map((one) => [one?.tenant, one?.locator, one?.caller])).toEqual([
        ['t', 'ABC123', 'ann'],
        ['u', 'ABC123', 'bob'],
      ]);
      expect(ours).toEqual({ ...ours, readAt: 0, nextAt: HOUR });
      expect(ours?.kept).toBeUndefined();
      await record('u/bob', { locator: 'LATER1', seenAt: 2_000 });
      expect(await watches.enrol(HOUR, 2_001)).toBe(0);
      expect(await watches.enrol(HOUR, 2_000)).toBe(1);
    });
  });
}

const at = (ms: number) => new Date(ms).toISOString();
