/** What any adapter of the state port tells others, and how it keeps who has got it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { newOperation, SAR } from './support/new-operation.ts';
import type { Approval, Finding, NewEvent, OpenState, OperationState, Patch, State } from './support/ports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T00:00:00Z');
const ME = { tenant: 't', id: 'me' };

/** The number of the newest event; 0 if there is none. */
const lastNumber = async (outbox: State['outbox']): Promise<number> => (await outbox.newest(1))[0]?.n ?? 0;

export function describeEvents(name: string, open: OpenState): void {
  describe(`${name}: events`, () => {
    let now = START;
    let state: State;
    let begin = 0;
    beforeEach(async () => {
      now = START;
      state = await open(() => now);
      begin = await lastNumber(state.outbox);
    });
    afterEach(() => state.close());

    const later = () => now + MINUTE;
    const told = async () => {
      const events = await state.outbox.newest(100);
      return events.map(({ n: _, ...event }) => event).toReversed();
    };
    const enter = (id: string, changes = {}) =>
      state.operations.insert(newOperation(id, changes), { now, owner: 'p1', leaseUntil: now + MINUTE });
    const move = (id: string, from: OperationState, to: OperationState, patch: Patch = {}) =>
      state.operations.transition(id, { from: [from], to, patch }, { now, actor: 'p1' });
    const event = (id: string, changes: Partial<NewEvent> = {}): NewEvent => {
      return { id, type: 'hold.lapsing', at: now, tenant: 't', locator: 'ABC123', ...changes };
    };
    const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
    /** Of one address, oldest first. */
    const waiting = async () => {
      const events = (await state.outbox.newest(100)).toReversed();
      const all = await state.deliveries.forEvents(events.map(({ n }) => n));
      const own = all.filter((one) => one.receiver === 'one' && one.state === 'waiting');
      return own.map((one) => ({ ...one, event: events.find(({ n }) => n === one.n) }));
    };

    /** Enters these for one address. */
    const entered = async (...events: NewEvent[]) => {
      const { upTo } = await state.deliveries.begin('one');
      await state.outbox.add(events);
      await state.deliveries.enter('one', await state.outbox.after(upTo, 10), now);
      return await waiting();
    };
    const fail = (one: { readonly n: number } | undefined, over: object = {}) =>
      state.deliveries.failed('one', one?.n ?? 0, { now, nextAt: now + HOUR, said: 'HTTP 500', dead: false, ...over });
    const deliver = (one: { readonly n: number } | undefined) => state.deliveries.delivered('one', one?.n ?? 0, now);

    test('tells each time that an operation is settled or needs a person, once it was sent, and leaves no number out', async () => {
      await enter('never');
      await move('never', 'intent', 'not_executed');
      await enter('a', { locator: 'OTHER1' });
      await move('a', 'intent', 'dispatched', { dispatchedAt: now });
      await move('a', 'dispatched', 'in_doubt');
      expect(await told()).toEqual([]);
      now += MINUTE;
      const steps = ['in_doubt', 'needs_person', 'resolved', 'needs_person', 'resolved'] as const;
      for (const [i, to] of steps.slice(1).entries()) await move('a', steps[i] ?? 'intent', to);
      const common = { at: now, tenant: 't', caller: 'me', tool: 'pay_booking', locator: 'OTHER1', operationId: 'a' };
      const settled = { ...common, type: 'operation.settled', kind: 'resolved' };
      const left = { ...common, type: 'operation.needs_person', kind: 'needs_person' };
      expect(await told()).toEqual([
        { ...left, id: 'operation/a/4/needs_person' },
        { ...settled, id: 'operation/a/5/resolved' },
        { ...left, id: 'operation/a/6/needs_person' },
        { ...settled, id: 'operation/a/7/resolved' },
      ]);
      const [last = 0, ...before] = (await state.outbox.newest(10)).map(({ n }) => n);
      expect(before).toEqual([last - 1, last - 2, last - 3]);
    });

    test('uses up no number for an event that is known', async () => {
      await state.outbox.add([event('finding/f1')]);
      await state.findings.add([
        { id: 'f1', tenant: 't', locator: 'ABC123', seenAt: now, since: START, kind: 'retimed' } as Finding,
      ]);
      await state.outbox.add([event('b')]);
      expect((await told()).map(({ id }) => id)).toEqual(['finding/f1', 'b']);
      const [b, known] = await state.outbox.newest(2);
      expect(b?.n).toBe((known?.n ?? 0) + 1);
    });

    test('tells the booking that was made, and the refund that the airline says is paid', async () => {
      await enter('a', { tool: 'create_booking', locator: undefined, fingerprint: 'f' });
      await move('a', 'intent', 'dispatched', { dispatchedAt: now });
      await move('a', 'dispatched', 'succeeded', { outcome: { locator: 'NEW111' } });
      for (const [id, orderStatus] of [
        ['b', 'PAID'],
        ['c', 'PENDING'],
      ] as const) {
        await enter(id, { locator: `${id}BC123` });
        await move(id, 'intent', 'dispatched', { dispatchedAt: now });
        await move(id, 'dispatched', 'succeeded', { outcome: { refund: { amount: SAR(100), orderStatus } } });
      }
      const facts = (await told()).map(({ id, type, locator, kind }) => [id, type, locator, kind]);
      expect(facts.toSorted()).toEqual([
        ['operation/a/3/succeeded', 'operation.settled', 'NEW111', 'succeeded'],
        ['operation/b/3/succeeded', 'operation.settled', 'bBC123', 'succeeded'],
        ['operation/c/3/succeeded', 'operation.settled', 'cBC123', 'succeeded'],
        ['refund/b', 'refund.arrived', 'bBC123', 'stated'],
      ]);
    });

    test('tells a question that waits for a person, and once its time is over, that nobody answered', async () => {
      const ask = (operationId: string, changes: Partial<Approval> = {}) => {
        const asked = { handleHash: operationId, operationId, createdAt: now, expiresAt: now + MINUTE, ...changes };
        return state.approvals.put(pendingApproval(asked));
      };
      await ask('a', { askedBy: 'page', locator: 'ABC123' });
      await ask('b', { askedBy: 'elicit', locator: 'DEF456' });
      await ask('c', { askedBy: 'echo' });
      await ask('d', { decision: 'granted' });
      const step = { plan: 'p1', question: 'q1', line: 1, step: 1 };
      await ask('e', { part: step });
      const waiting = await told();
      const asked = {
        type: 'question.waiting',
        at: now,
        tenant: 't',
        caller: 'me',
        tool: 'pay_booking',
        dueAt: later(),
      };
      expect(waiting).toMatchObject([
        { ...asked, id: 'question/a/waiting', operationId: 'a', locator: 'ABC123', kind: 'page' },
        { ...asked, id: 'question/b/waiting', operationId: 'b', locator: 'DEF456', kind: 'dialog' },
      ]);
      expect(await state.outbox.lapsed(now, now + MINUTE - 1)).toEqual([]);
      const lapsed = await state.outbox.lapsed(now, later());
      expect(ids(lapsed).toSorted()).toEqual(['question/a/lapsed', 'question/b/lapsed']);
      expect(lapsed).toMatchObject([{ at: later(), type: 'question.lapsed' }, {}]);
      expect(await state.outbox.add(lapsed)).toBe(2);
    });

    test('tells each finding once, and a refund that a reading saw as what it is', async () => {
      const finding = { tenant: 't', locator: 'ABC123', seenAt: now, since: START - HOUR };
      const all: Finding[] = [
        { ...finding, id: 'f1', kind: 'segment_cancelled' },
        { ...finding, id: 'f2', kind: 'refund_arrived' },
      ];
      // Cleaning removes the reading of a booking that no ledger has.
      await state.ledger.record(ME, { locator: 'ABC123', madeHere: true, seenAt: now, state: 'ticketed' });
      await state.watches.keep({ tenant: 't', locator: 'ABC123', caller: 'me', readAt: now }, undefined);
      for (let i = 0; i < 2; i++) await state.findings.add(all);
      const common = { at: now, tenant: 't', caller: 'me', locator: 'ABC123' };
      expect(await told()).toEqual([
        { ...common, id: 'finding/f1', type: 'booking.changed', findingId: 'f1', kind: 'segment_cancelled' },
        { ...common, id: 'finding/f2', type: 'refund.arrived', findingId: 'f2', kind: 'refund_arrived' },
      ]);
    });

    test('finds each limit of each booking, as it was last read', async () => {
      const at = (ms: number) => new Date(now + ms).toISOString();
      const held = { madeHere: true, seenAt: now, state: 'held' };
      const record = (id: string, locator: string, ms: number, seenAt = now) =>
        state.ledger.record({ tenant: 't', id }, { ...held, locator, seenAt, payBy: at(ms) });
      await record('me', 'SOON11', HOUR);
      await record('me', 'MOVED1', HOUR);
      await record('you', 'MOVED1', 2 * DAY, now + 1);
      await record('you', 'BOTH11', 2 * HOUR);
      await record('me', 'BOTH11', 2 * HOUR);
      await record('me', 'LATER1', 2 * DAY);
      const named = { payBy: at(3 * HOUR), namesUntil: at(MINUTE) };
      await state.ledger.record(ME, { ...held, ...named, locator: 'NAMED1' });
      await state.ledger.record(ME, { locator: 'NONE11', madeHere: true, seenAt: now, state: 'ticketed' });
      expect(await state.outbox.limits(now, now + DAY)).toEqual([
        { tenant: 't', caller: 'me', locator: 'NAMED1', what: 'names_until', at: now + MINUTE },
        { tenant: 't', caller: 'me', locator: 'SOON11', what: 'pay_by', at: now + HOUR },
        { tenant: 't', caller: 'you', locator: 'BOTH11', what: 'pay_by', at: now + 2 * HOUR },
        { tenant: 't', caller: 'me', locator: 'NAMED1', what: 'pay_by', at: now + 3 * HOUR },
      ]);
    });

    test('takes each event once, and gives them in order', async () => {
      expect(await state.outbox.add([event('a'), event('b')])).toBe(2);
      expect(await state.outbox.add([event('a'), event('c', { kind: '2h', dueAt: now + HOUR })])).toBe(1);
      const all = await state.outbox.after(begin, 10);
      expect(ids(all)).toEqual(['a', 'b', 'c']);
      expect(all[2]).toMatchObject({ type: 'hold.lapsing', kind: '2h', dueAt: now + HOUR });
      expect(ids(await state.outbox.after(all[0]?.n ?? 0, 1))).toEqual(['b']);
      expect(await lastNumber(state.outbox)).toBe(all[2]?.n);
      // A number is missing.
      expect(await state.outbox.after((all[0]?.n ?? 0) - 2, 10)).toEqual([]);
    });

    test('gives a new address what happens from then on, each event until it has it', async () => {
      const { outbox, deliveries } = state;
      await outbox.add([event('old')]);
      const { upTo } = await deliveries.begin('one');
      expect(upTo).toBe((await outbox.newest(1))[0]?.n);
      expect(await deliveries.begin('one')).toEqual({ upTo });
      await outbox.add([event('a'), event('b')]);
      expect(await deliveries.oldestWaiting(['one'])).toBe(now);
      const events = await outbox.after(upTo, 10);
      await deliveries.enter('one', events, now);
      await deliveries.enter('one', [], now);
      await deliveries.enter('one', events, now);
      expect(await deliveries.begin('one')).toEqual({ upTo: events[1]?.n });
      const [a, b] = await waiting();
      expect([a, b]).toMatchObject([
        { receiver: 'one', state: 'waiting', tries: 0, nextAt: now, event: { id: 'a' } },
        { event: { id: 'b', locator: 'ABC123' } },
      ]);
      await deliver(a);
      await fail(b);
      await fail(b, { now: later(), said: 'no answer' });
      expect(await waiting()).toMatchObject([{ tries: 2, failedAt: now, nextAt: now + HOUR, said: 'no answer' }]);
      expect(await deliveries.oldestWaiting(['one'])).toBe(now);
      expect(await deliveries.oldestWaiting(['two'])).toBeUndefined();
      expect(await deliveries.forEvents([a?.n ?? 0])).toMatchObject([{ state: 'delivered', tries: 1 }]);
    });

    test('gives what is due, only the first of each booking and operation, the one due for longest first', async () => {
      const { outbox, deliveries } = state;
      const [asked, made, , a1] = await entered(
        { id: 'asked', type: 'question.waiting', at: now, tenant: 't', operationId: 'o1' },
        event('made', { locator: 'NEW111', operationId: 'o1' }),
        event('changed', { locator: 'NEW111' }),
        event('a1'),
      );
      const due = async (by = now, limit = 9) => (await deliveries.due('one', by, limit)).map((one) => one.event.id);
      expect(await due()).toEqual(['asked', 'a1']);
      expect(await due(now, 1)).toEqual(['asked']);
      expect(await deliveries.due('two', now, 9)).toEqual([]);
      await fail(asked);
      await fail(a1, { nextAt: now + MINUTE });
      await outbox.add([event('a2'), event('b1', { locator: 'BBB111' })]);
      await deliveries.enter('one', await outbox.after(a1?.n ?? 0, 10), now);
      expect((await waiting()).map((one) => [one.event?.id, one.nextAt])).toEqual([
        ['asked', now + HOUR],
        ['made', now + HOUR],
        ['changed', now],
        ['a1', now + MINUTE],
        ['a2', now],
        ['b1', now],
      ]);
      expect(await due()).toEqual(['b1']);
      expect(await due(now + HOUR)).toEqual(['b1', 'a1', 'asked']);
      await outbox.add([event('c1', { locator: 'CCC111' })]);
      now += 2 * HOUR;
      await deliveries.enter('one', await outbox.newest(1), now);
      expect(await due(now, 4)).toEqual(['b1', 'a1', 'asked', 'c1']);
      await deliver((await waiting()).at(-1));
      now -= 2 * HOUR;
      await fail(asked, { nextAt: now, dead: true });
      expect(await due()).toEqual(['made', 'b1']);
      await deliver(made);
      expect(await due()).toEqual(['changed', 'b1']);
    });

    test('gives each of many events of one booking when its turn comes, and those of others meanwhile', async () => {
      const { outbox, deliveries } = state;
      const many = Array.from({ length: 700 }, (_, i) => event(`e${i}`, i % 7 === 0 ? { operationId: `o${i}` } : {}));
      const { upTo } = await deliveries.begin('one');
      await outbox.add([...many, event('other', { locator: 'BBB111' })]);
      await deliveries.enter('one', await outbox.after(upTo, 1_000), now);
      const due = async (by = now) => (await deliveries.due('one', by, 8)).map(({ n, event: { id } }) => ({ n, id }));
      for (const id of ['e0', 'e1', 'e2', 'e3']) {
        const found = await due();
        expect(found.map((one) => one.id)).toEqual([id, 'other']);
        await deliver(found[0]);
        now += 1;
      }
      await fail((await due())[0]);
      expect(await due()).toMatchObject([{ id: 'other' }]);
      // Before its time the first of each is found all the same. Once it is over, the next one has its turn.
      expect(await due(Number.MAX_SAFE_INTEGER)).toMatchObject([{ id: 'other' }, { id: 'e4' }]);
      now += HOUR;
      const [, first] = await due();
      await fail(first, { dead: true, nextAt: now });
      expect(await due()).toMatchObject([{ id: 'other' }, { id: 'e5' }]);
    });

    test('an address that wants nothing more gets nothing, until it is opened again', async () => {
      const { outbox, deliveries } = state;
      await entered(event('a'));
      expect(await deliveries.reopen('one')).toBe(false);
      await deliveries.stop('one', now, 'HTTP 410');
      expect(await deliveries.begin('one')).toMatchObject({ stoppedAt: now });
      expect(await deliveries.dead(10)).toMatchObject([{ said: 'HTTP 410', failedAt: now }]);
      await outbox.add([event('b')]);
      expect(await deliveries.reopen('one')).toBe(true);
      expect(await deliveries.begin('one')).toEqual({ upTo: await lastNumber(outbox) });
    });

    test('keeps an event for a week, and for a month while an address lacks it', async () => {
      const { outbox } = state;
      const [given] = await entered(event('given'), event('lacked'));
      await outbox.add([event('nobodys')]);
      await deliver(given);
      const keptAfter = async (ms: number) => {
        now = START + ms;
        await state.clean();
        return ids(await outbox.newest(10)).toSorted();
      };
      expect(await keptAfter(7 * DAY)).toEqual(['given', 'lacked', 'nobodys']);
      expect(await keptAfter(7 * DAY + 1)).toEqual(['lacked']);
      expect(await keptAfter(30 * DAY)).toEqual(['lacked']);
      expect(await keptAfter(30 * DAY + 1)).toEqual([]);
      expect(await waiting()).toEqual([]);
      const last = await lastNumber(outbox);
      await outbox.add([event('next')]);
      expect(last).toBe(0);
      expect(await lastNumber(outbox)).toBeGreaterThan(given?.n ?? 0);
    });
  });
}
