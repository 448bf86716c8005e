import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { expectCancelledSegments } from '../../src/tools/acts/cancellation-evidence.ts';
import { compareReading, readSoon } from '../../src/watching/store-findings.ts';
import { newOperation } from '../store/support/new-operation.ts';
import { asRead, BACK, gone, held, inStatus, NOW, OUT, option, segment, ticketed } from '../support/bookings.ts';
import { bareTraveler, traveler } from '../support/people.ts';
import { ACTS } from '../support/rules.ts';

const ME = { tenant: 't', id: 'ann' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let state: Awaited<ReturnType<typeof openSqliteState>>;
let comparer: Parameters<typeof compareReading>[0];
beforeEach(async () => {
  state = await openSqliteState(':memory:', { now: () => NOW });
  comparer = {
    acts: ACTS,
    state,
    paces: [{ withinMs: Number.POSITIVE_INFINITY, everyMs: 4 * HOUR }],
    digest: (text) => text,
  };
});
afterEach(() => state.close());

type Booking = ReturnType<typeof held>;
const see = (booking: Booking, at: number, caller = ME) =>
  compareReading(comparer, caller, asRead(booking), { begunAt: at });
const open = (at = NOW) => state.findings.open('t', at);
const moved = (departs: string) => ticketed({ options: [option(segment('1', { departs })), BACK] });
const MOVED = moved('2026-12-01T08:40:00.000+03:00');
/** The airline cancelled the first train. */
const CANCELLED = ticketed({ options: [inStatus(OUT, '16'), BACK] });
const kindsOf = (found: Awaited<ReturnType<typeof open>>) => found.map(({ kind }) => kind).sort();
/** The newest first. */
const closers = async () => (await state.findings.list('t', { limit: 9 })).map(({ closedBy }) => closedBy);
/** Refunds of five halalas each, in these states. */
const refunds = (...statuses: string[]) =>
  statuses.map((status, i) => ({
    ...{ id: `r${i}`, direction: 'REFUND', status, amount: { minor: 5, currency: 'SAR' } },
  }));

describe('a reading', () => {
  it('is kept the first time, and says when the booking is read again', async () => {
    expect(await see(ticketed(), NOW)).toEqual({ outcome: 'first', found: [], isQuiet: true, seen: [] });
    expect(await see(ticketed(), NOW + HOUR)).toMatchObject({ outcome: 'same', isQuiet: true });
    const watched = await state.watches.get('t', 'ABC123');
    expect(watched).toMatchObject({ caller: 'ann', readAt: NOW + HOUR });
    expect(watched?.nextAt).toBeGreaterThan(NOW + HOUR);
    expect(watched?.kept?.at).toBe(NOW);
  });

  it('that differs becomes a finding, once', async () => {
    await see(ticketed(), NOW);
    await see(ticketed(), NOW + HOUR);
    const { outcome, found, isQuiet } = await see(MOVED, NOW + 2 * HOUR, { tenant: 't', id: 'bob' });
    expect([outcome, isQuiet]).toEqual(['changed', false]);
    expect(found).toEqual(await open());
    expect(found[0]).toMatchObject({
      kind: 'retimed',
      seenAt: NOW + 2 * HOUR,
      since: NOW + HOUR,
      route: 'MED-JED-MED',
    });
    expect(await see(MOVED, NOW + 3 * HOUR)).toEqual({ outcome: 'same', found: [], isQuiet: false, seen: [] });
    expect(await open()).toHaveLength(1);
    expect((await state.watches.get('t', 'ABC123'))?.caller).toBe('ann');
  });

  it('that two processes see at once becomes one finding', async () => {
    await see(ticketed(), NOW);
    const both = await Promise.all([see(MOVED, NOW + HOUR), see(MOVED, NOW + HOUR)]);
    expect(both.flatMap(({ found }) => found)).toHaveLength(1);
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'stale']);
  });

  it('that changes back and forth is found each time', async () => {
    await see(ticketed(), NOW);
    for (const [i, booking] of [MOVED, ticketed(), MOVED].entries()) await see(booking, NOW + (i + 1) * HOUR);
    expect(await open()).toHaveLength(3);
  });

  describe('of another booking, to which the airline gave the locator anew, or which it shows by mistake,', () => {
    const STRANGERS = ticketed({
      ...{ createdAt: '2027-08-01T10:00:00Z', travelers: [traveler('1', 'Ursula', 'Quast')] },
      options: [option(segment('1', { departs: '2027-09-01T08:00:00.000+03:00' }))],
    });
    const LATER = NOW + HOUR;
    const bob = { tenant: 't', id: 'bob' };

    it.each([
      ['before the trip', LATER],
      ['after it', Date.parse('2027-09-01T00:00:00Z')],
    ])('is a finding, and is not taken over: %s', async (_, at) => {
      await see(ticketed(), NOW);
      await see(CANCELLED, NOW + MINUTE);
      const before = await state.watches.get('t', 'ABC123');
      const { outcome, found, isQuiet } = await see(STRANGERS, at, bob);
      expect([outcome, isQuiet, kindsOf(found)]).toEqual(['other', false, ['other_booking']]);
      expect(await see(STRANGERS, at + MINUTE)).toEqual({ outcome: 'other', found: [], isQuiet: false, seen: [] });
      expect(await state.watches.get('t', 'ABC123')).toEqual(before);
      expect(kindsOf(await open(at))).toEqual(['other_booking', 'segment_cancelled']);
    });

    it('is no finding any more once the airline shows ours again', async () => {
      await see(ticketed(), NOW);
      await see(STRANGERS, LATER);
      expect((await see(ticketed(), LATER + MINUTE)).outcome).toBe('same');
      expect([await open(), await closers()]).toEqual([[], ['news']]);
    });

    it('is the first one of who reads it once a person has closed the finding: what was open of the other is closed', async () => {
      await see(ticketed(), NOW);
      await see(CANCELLED, NOW + MINUTE);
      const { found: told } = await see(STRANGERS, LATER);
      const ids = told.map(({ id }) => id);
      await state.findings.close('t', ids, 'ann', LATER);
      const at = LATER + MINUTE;
      expect(await see(STRANGERS, at, bob)).toMatchObject({ outcome: 'first', found: [] });
      expect([await open(), await closers()]).toEqual([[], ['ann', 'news']]);
      expect(await state.watches.get('t', 'ABC123')).toMatchObject({ caller: 'bob', kept: { at } });
      const again = { ...STRANGERS, options: [inStatus(STRANGERS.options[0] ?? OUT, '16')] };
      const { outcome, found } = await see(again, LATER + HOUR);
      expect([outcome, found.map(({ kind, bookedAt }) => [kind, bookedAt])]).toEqual([
        'changed',
        [['segment_cancelled', STRANGERS.createdAt]],
      ]);
    });

    it('is the first one if it was held here since', async () => {
      await see(ticketed(), NOW);
      const times = { now: NOW + MINUTE, owner: 'p', leaseUntil: LATER };
      const hold = newOperation('op1', {
        tenant: 't',
        locator: 'ABC123',
        tool: 'create_booking',
        subject: { kind: 'create' },
      });
      await state.operations.insert(hold, times);
      await state.operations.transition(
        'op1',
        { from: ['intent'], to: 'dispatched', patch: {} },
        { now: NOW + MINUTE, actor: 'p' },
      );
      expect(await see({ ...STRANGERS, createdAt: '2026-11-29T05:00:30Z' }, LATER)).toMatchObject({ outcome: 'first' });
    });

    const undated = (booking: Booking) => {
      const { createdAt: _, ...rest } = booking;
      return rest as Booking;
    };
    const unnamed = (booking: Booking) => ({ ...booking, travelers: [bareTraveler('1')] });
    it.each<[string, Booking, Booking, 'other' | 'changed' | 'same']>([
      [
        'made at the same time, with other people',
        ticketed(),
        { ...STRANGERS, createdAt: ticketed().createdAt as string },
        'changed',
      ],
      [
        'made at another time, with one of the people',
        ticketed(),
        { ...STRANGERS, travelers: ticketed().reading.travelers },
        'changed',
      ],
      ['made at another time, of a group without names', unnamed(ticketed()), unnamed(STRANGERS), 'other'],
      ['of an airline that says no time, with other people', undated(ticketed()), undated(STRANGERS), 'other'],
      ['of which the reading says too little', ticketed(), undated({ ...ticketed(), travelers: [] }), 'same'],
      ['of which was kept too little', unnamed(undated(ticketed())), ticketed(), 'changed'],
    ])('is judged by the time and the people: %s', async (_, first, second, outcome) => {
      await see(first, NOW);
      expect((await see(second, LATER)).outcome).toBe(outcome);
    });

    it('is not one whose names an operation of ours may have changed since the last reading', async () => {
      const [before, after] = [undated(ticketed()), undated(ticketed({ travelers: STRANGERS.travelers }))];
      await see(before, NOW);
      const times = { now: NOW + MINUTE, owner: 'p', leaseUntil: LATER };
      await state.operations.insert(newOperation('op1', { tenant: 't', locator: 'ABC123' }), times);
      await state.operations.transition(
        'op1',
        { from: ['intent'], to: 'dispatched', patch: {} },
        { now: NOW + MINUTE, actor: 'p' },
      );
      expect((await see(after, LATER)).outcome).toBe('changed');
      expect((await see(before, LATER + HOUR)).outcome).toBe('other');
    });
  });

  it('that began before the last one is not compared', async () => {
    await see(ticketed(), NOW);
    await see(MOVED, NOW + HOUR);
    expect(await see(ticketed(), NOW + HOUR - 1)).toEqual({ outcome: 'stale', found: [], isQuiet: false, seen: [] });
    expect(await open()).toHaveLength(1);
  });

  it('leaves the loss of a paid segment open after its departure: its refund is owed until somebody deals with it', async () => {
    const departed = Date.parse('2026-12-01T05:00:01Z');
    await see(ticketed(), NOW);
    await see(CANCELLED, NOW + HOUR);
    expect(kindsOf(await open(departed))).toEqual(['segment_cancelled']);
    const hold = held({ locator: 'HELD11' });
    await see(hold, NOW);
    await see({ ...hold, options: CANCELLED.options }, NOW + MINUTE);
    expect((await open()).map(({ locator }) => locator).sort()).toEqual(['ABC123', 'HELD11']);
    expect((await open(departed)).map(({ locator }) => locator)).toEqual(['ABC123']);
  });

  it('tells a refund that does not arrive once, also if something else changes', async () => {
    const orders = refunds('PENDING');
    for (const hours of [-14 * 24, 1, 2, 3]) await see(ticketed({ orders }), NOW + hours * HOUR);
    for (const hours of [4, 5]) await see({ ...MOVED, orders }, NOW + hours * HOUR);
    expect(kindsOf(await open())).toEqual(['refund_pending', 'retimed']);
  });

  it('closes the finding of a refund that arrives after all, one for each', async () => {
    const seen = (hours: number, ...statuses: string[]) =>
      see(ticketed({ orders: refunds(...statuses) }), NOW + hours * HOUR);
    for (const hours of [-14 * 24, 1]) await seen(hours, 'PENDING', 'PENDING');
    expect(kindsOf(await open())).toEqual(['refund_pending', 'refund_pending']);
    await seen(2, 'PENDING', 'PAID');
    const left = await open();
    expect(kindsOf(left)).toEqual(['refund_pending']);
    const ids = left.map(({ id }) => id);
    await state.findings.close('t', ids, 'ann', NOW + 2 * HOUR);
    await seen(3, 'PAID', 'PAID');
    expect((await closers()).sort()).toEqual(['ann', 'news', 'news', 'news']);
  });

  it('is wanted soon after an operation of ours, also of a booking that was just made and not read yet', async () => {
    await see(ticketed(), NOW);
    await readSoon(comparer, ME, { booking: ticketed() }, NOW + 5);
    await readSoon(comparer, ME, { booking: { ...ticketed(), locator: 'XYZ789' } }, NOW + 4);
    expect(await state.watches.due(NOW + 5)).toMatchObject({ locator: 'XYZ789', caller: 'ann', readAt: 0 });
    expect((await state.watches.get('t', 'ABC123'))?.nextAt).toBe(NOW + 5);
  });

  it('by a process that does not watch leaves the hours to the server that does', async () => {
    const hourly = { ...comparer, paces: [{ withinMs: Number.POSITIVE_INFINITY, everyMs: HOUR }] };
    const clerk = { ...comparer, paces: undefined };
    const nextAt = async () => (await state.watches.get('t', 'ABC123'))?.nextAt;
    await compareReading(hourly, ME, ticketed(), { begunAt: NOW });
    const due = await nextAt();
    expect(due).toBeLessThan(NOW + HOUR);
    await compareReading(clerk, ME, ticketed(), { begunAt: NOW + MINUTE });
    expect(await nextAt()).toBe(due);
    // What a clerk finds is read soon by the server, which then says when next.
    await compareReading(clerk, ME, MOVED, { begunAt: NOW + 2 * MINUTE });
    expect(await nextAt()).toBe(NOW + 2 * MINUTE);
    await compareReading(hourly, ME, MOVED, { begunAt: NOW + 3 * MINUTE });
    expect(await nextAt()).toBeLessThan(NOW + 2 * HOUR);
  });

  it('that shows a cancelled train run again closes the loss, and says that it runs', async () => {
    await see(ticketed(), NOW);
    await see(CANCELLED, NOW + HOUR);
    expect(kindsOf((await see(ticketed(), NOW + 2 * HOUR)).found)).toEqual(['segment_restored']);
    expect(kindsOf(await open())).toEqual(['segment_restored']);
    await see(CANCELLED, NOW + 3 * HOUR);
    expect(kindsOf(await open())).toEqual(['segment_cancelled']);
    expect(await closers()).toEqual([undefined, 'news', 'news']);
  });

  it('makes findings whose ids are letters and digits, so that no command takes one for an option', async () => {
    comparer = { ...comparer, digest: () => '-_9f1c2a-' };
    await see(ticketed(), NOW);
    expect((await see(MOVED, NOW + HOUR)).found.map(({ id }) => id)).toEqual(['9f1c2a']);
  });
});

describe('a reading that repeats the one before', () => {
  const kept = async () => (await state.watches.get('t', 'ABC123'))?.kept;

  it('changes nothing that is stored but the times, whatever the booking is', async () => {
    const bookings = [
      held(),
      ticketed(),
      MOVED,
      CANCELLED,
      ticketed({ cancelled: true }),
      ticketed({ options: [inStatus(OUT, '46'), BACK] }),
      ticketed({ orders: refunds('PAID') }),
      ticketed({ travelers: [bareTraveler('1'), bareTraveler('2')] }),
      gone(ticketed(), ['1']),
    ];
    for (const [i, booking] of bookings.entries()) {
      const locator = `SAME0${i}`;
      for (const minutes of [0, 1, 2]) await see({ ...booking, locator }, NOW + minutes * MINUTE);
      expect(await state.watches.get('t', locator)).toMatchObject({ readAt: NOW + 2 * MINUTE, kept: { at: NOW } });
    }
    expect(await open()).toEqual([]);
  });

  it('leaves what is open open, and is not quiet', async () => {
    await see(ticketed(), NOW);
    await see(MOVED, NOW + 1);
    for (const hours of [1, 2]) {
      expect(await see(MOVED, NOW + hours * HOUR)).toEqual({ outcome: 'same', found: [], isQuiet: false, seen: [] });
    }
    expect(kindsOf(await open())).toEqual(['retimed']);
  });

  it('after the payment keeps until when the hold was to be paid', async () => {
    await see(held(), NOW);
    const { payBy } = (await kept()) ?? {};
    await see(ticketed(), NOW + 1);
    const paid = await kept();
    expect(paid?.payBy).toBe(payBy);
    expect(await see(ticketed(), NOW + 2)).toEqual({ outcome: 'same', found: [], isQuiet: true, seen: [] });
    expect(await kept()).toEqual(paid);
  });

  it('finds a refund that is pending for too long, though nothing else changes', async () => {
    const booking = ticketed({ orders: refunds('PENDING') });
    const DAY = 24 * HOUR;
    for (const days of [0, 1, 13]) expect((await see(booking, NOW + days * DAY)).found).toEqual([]);
    expect(kindsOf((await see(booking, NOW + 14 * DAY)).found)).toEqual(['refund_pending']);
    expect((await see(booking, NOW + 15 * DAY)).found).toEqual([]);
  });

  it('after a limit that passed is another one: the hold expired, as announced', async () => {
    await see(held(), NOW);
    const limit = Date.parse((await kept())?.payBy ?? '');
    expect(await see(held(), limit - 1)).toMatchObject({ outcome: 'same' });
    expect(await see(held(), limit + 1)).toEqual({ outcome: 'changed', found: [], isQuiet: true, seen: [] });
    expect((await kept())?.state).toBe('expired');
  });

  it('after a departure closes what no longer matters, and a flown flight may leave the booking', async () => {
    const departed = Date.parse('2026-12-01T06:00:00Z');
    await see(ticketed(), NOW);
    await see(MOVED, NOW + 1);
    await see(MOVED, departed);
    expect(await open(departed)).toEqual([]);
    expect((await see(ticketed({ options: [BACK] }), departed + 1)).found).toEqual([]);
  });
});

describe('our own operations', () => {
  const CANCEL = {
    ...{ tenant: 't', locator: 'ABC123', tool: 'cancel_segment' },
    subject: expectCancelledSegments(ticketed(), ['1']),
  };
  type Ends = Parameters<typeof state.operations.transition>[1]['to'];
  /** Cancels the first train at this time; one millisecond later each, the operation comes to these states. */
  async function cancel(at: number, ...ends: Ends[]): Promise<void> {
    await state.operations.insert(newOperation('op', CANCEL), { now: at, owner: 'p', leaseUntil: at + MINUTE });
    await state.operations.transition(
      'op',
      { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: at } },
      { now: at, actor: 'p' },
    );
    let from: Ends = 'dispatched';
    for (const [i, end] of ends.entries()) {
      await state.operations.transition('op', { from: [from], to: end, patch: {} }, { now: at + 1 + i, actor: 'p' });
      from = end;
    }
  }

  it('that a person resolved explain and close nothing: they may never have happened', async () => {
    await see(ticketed(), NOW);
    await see(MOVED, NOW + 1);
    await cancel(NOW + 2, 'needs_person', 'resolved');
    expect(kindsOf((await see(CANCELLED, NOW + 5)).found)).toEqual(['segment_cancelled']);
    expect(await open()).toHaveLength(2);
  });

  it('that were refused explain nothing', async () => {
    await see(ticketed(), NOW);
    await cancel(NOW + 1, 'refused');
    expect((await see(CANCELLED, NOW + 3)).found).toHaveLength(1);
  });

  it('that no reading shows are found after an hour, though each reading repeats the one before', async () => {
    await see(ticketed(), NOW);
    await cancel(NOW, 'succeeded');
    for (const minutes of [1, 30]) expect((await see(ticketed(), NOW + minutes * MINUTE)).found).toEqual([]);
    expect(kindsOf((await see(ticketed(), NOW + 2 * HOUR)).found)).toEqual(['segment_restored']);
    expect((await see(ticketed(), NOW + 3 * HOUR)).found).toEqual([]);
    expect(kindsOf((await see(CANCELLED, NOW + 4 * HOUR)).found)).toEqual(['segment_cancelled']);
  });

  it('close what they have dealt with', async () => {
    await see(ticketed(), NOW);
    await see(MOVED, NOW + HOUR);
    await see(MOVED, NOW + HOUR + 1);
    expect(await open()).toHaveLength(1);
    await cancel(NOW + 2 * HOUR, 'succeeded');
    // Its ticket is still valid in the reading just after.
    await see(CANCELLED, NOW + 2 * HOUR + 2);
    expect(kindsOf(await open())).toEqual(['retimed']);
    await see(gone(CANCELLED, ['1']), NOW + 2 * HOUR + 3);
    expect(await open()).toEqual([]);
    expect((await closers())[0]).toBe('operation op');
  });
});
