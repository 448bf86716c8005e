/** What any adapter of the state port claims, keeps no longer, and forgets of one person. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claimsWithJournal, limitedToCaller } from '../../src/access/booking-access.ts';
import { isSameEntry, peopleChanged, signName } from '../../src/domain/booking/booking-identity.ts';
import { type Booking, booking } from '../approvals/harness.ts';
import { pendingApproval } from '../support/approvals.ts';
import { asRead } from '../support/bookings.ts';
import { bareTraveler, traveler } from '../support/people.ts';
import { newOperation } from './support/new-operation.ts';
import type { Approval, LedgerEntry, NewOperation, OpenState, OperationState, Person, State } from './support/ports.ts';

const ME = { tenant: 't', id: 'me' };
const YOU = { tenant: 't', id: 'you' };
const OTHERS = [YOU, { tenant: 'u', id: 'me' }];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T00:00:00Z');
interface AnyDatabase {
  readonly dialect: { readonly prefix: string };
  write(sql: string, ...values: readonly string[]): unknown;
}

const limit = (since: number) => ({ since, max: 5 });

export function describeKeeping(name: string, open: OpenState): void {
  describe(name, () => suite(open));
}

function suite(open: OpenState): void {
  let now = START;
  let state: State;
  beforeEach(async () => {
    now = START;
    state = await open(() => now);
  });
  afterEach(() => state.close());

  const record = (locator: string, changes: Partial<LedgerEntry> = {}, caller = ME) =>
    state.ledger.record(caller, { locator, madeHere: true, seenAt: now, state: 'ticketed', ...changes });
  const listed = async (caller = ME) =>
    (await state.ledger.find(caller, { limit: 100 })).entries.map(({ locator }) => locator).toSorted();
  const asked = (id: string, changes: Partial<Approval> = {}) =>
    state.approvals.put(
      pendingApproval({ handleHash: `h-${id}`, operationId: id, createdAt: now, expiresAt: now + HOUR, ...changes }),
    );

  describe('pauses that the airline asks for', () => {
    const PAY = 'https://airline.example ticket';
    const leftOf = async (kind: string) => (await state.airlinePauses.left()).get(kind) ?? 0;
    const isWithin = (least: number, most: number) => (ms: number) => ms > least && ms <= most;

    test('are kept by their kind: a shorter one ends no longer one, and none is longer than ten minutes', async () => {
      const { airlinePauses } = state;
      await airlinePauses.keep(PAY, 60_000);
      await airlinePauses.keep(PAY, 10_000.5);
      expect(await leftOf(PAY)).toSatisfy(isWithin(50_000, 60_000));
      expect(await leftOf('https://airline.example read')).toBe(0);
      await airlinePauses.keep(PAY, 86_400_000);
      expect(await leftOf(PAY)).toSatisfy(isWithin(590_000, 600_000));
      // What is over is not listed. Another program's lease is no pause.
      await airlinePauses.keep('https://airline.example read', 0);
      const left = [...(await airlinePauses.left())];
      expect(left.filter(([, ms]) => ms > 0).map(([kind]) => kind)).toEqual([PAY]);
    });

    test('do not count, and are replaced, if the clock was set back since', async () => {
      await state.airlinePauses.keep(PAY, 1_000);
      const { db } = state.operations as unknown as { readonly db: AnyDatabase };
      await db.write(
        `update ${db.dialect.prefix}lease set lease_until = lease_until + 3600000 where owner = 'airline'`,
      );
      expect(await leftOf(PAY)).toBe(0);
      await state.airlinePauses.keep(PAY, 30_000);
      expect(await leftOf(PAY)).toSatisfy(isWithin(20_000, 30_000));
    });
  });

  describe('claims', () => {
    test('keeps a claim for its caller by every name of the booking, and accepts it again', async () => {
      await state.claims.add(ME, ['ABC123', 'LONGER-1'], 1000);
      await state.claims.add(ME, ['ABC123'], 2000);
      await state.claims.add(ME, [], 3000);
      const has = (caller: typeof ME, ...names: string[]) =>
        Promise.all(names.map((one) => state.claims.has(caller, one)));
      expect(await has(ME, 'ABC123', 'LONGER-1', 'XYZ789')).toEqual([true, true, false]);
      for (const other of OTHERS) expect(await has(other, 'ABC123')).toEqual([false]);
    });

    test('counts a try before it is made, for an hour, and returns the time of the oldest if there are too many', async () => {
      for (let i = 0; i < 5; i++)
        expect(await state.claims.beginTry(ME, 1000 + i, limit(0))).toMatchObject({ kind: 'counted' });
      expect(await state.claims.beginTry(ME, 1010, limit(0))).toEqual({ kind: 'too_many', oldest: 1000 });
      for (const other of OTHERS)
        expect(await state.claims.beginTry(other, 1010, limit(0))).toMatchObject({ kind: 'counted' });
      expect((await state.claims.beginTry(ME, 5000, limit(999))).kind).toBe('too_many');
      expect((await state.claims.beginTry(ME, 5000, limit(1000))).kind).toBe('counted');
      expect(await state.claims.beginTry(ME, 5000, limit(1000))).toEqual({ kind: 'too_many', oldest: 1001 });
    });

    test('keeps the limit under many tries at once, of which only their caller takes back one that was right', async () => {
      const tries = await Promise.all(Array.from({ length: 40 }, () => state.claims.beginTry(ME, 1000, limit(0))));
      const counted = tries.flatMap((one) => (one.kind === 'counted' ? [one.id] : []));
      expect(counted).toHaveLength(5);
      const [first = ''] = counted;
      for (const other of OTHERS) await state.claims.takeBackTry(other, first);
      expect((await state.claims.beginTry(ME, 1001, limit(0))).kind).toBe('too_many');
      await state.claims.takeBackTry(ME, first);
      await state.claims.takeBackTry(ME, 'unknown');
      expect((await state.claims.beginTry(ME, 1001, limit(0))).kind).toBe('counted');
    });
  });

  describe('a locator that the airline gives anew', () => {
    const OURS = booking({
      ...{ locator: 'WAS98K', references: [], createdAt: '2026-02-01T10:00:00Z' },
      travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad')],
    });
    const THEIRS: Booking = {
      ...{ ...OURS, createdAt: '2026-08-01T10:00:00Z' },
      travelers: [traveler('1', 'Ursula', 'Quast')],
    };
    const entryOf = ({ locator, createdAt, travelers }: Booking): LedgerEntry => ({
      ...{ locator, madeHere: false, seenAt: now, state: 'held' },
      ...(createdAt !== undefined && { createdAt }),
      travelers: travelers.flatMap(({ name }) => name?.surname ?? []),
    });
    let shown: Booking;
    beforeEach(() => {
      shown = OURS;
    });
    const sent: string[] = [];
    /** The airline as the caller reaches it in one call. */
    const reached = (surname?: string, caller = ME) =>
      limitedToCaller(
        new Proxy({} as Parameters<typeof limitedToCaller>[0], {
          get: (_, name: string) => async () => {
            if (name !== 'read') sent.push(name);
            return asRead(shown);
          },
          has: () => false,
        }),
        {
          ...{ caller, now: () => now, sleep: async () => undefined, ...(surname !== undefined && { surname }) },
          claims: claimsWithJournal(state.claims, state.operations),
          digest: (text) => createHmac('sha256', state.digestKey).update(text).digest('base64url'),
          async ledgerShows(read) {
            const { entries } = await state.ledger.find(caller, { locators: [read.locator], limit: 1 });
            return entries[0] && isSameEntry(entries[0], entryOf(read));
          },
        },
      );
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'ok',
        ({ code, stack }) => code ?? stack,
      );
    const reads = (surname?: string, caller = ME) => codeOf(reached(surname, caller).read('WAS98K'));
    const claimed = async () => {
      expect(await reads('Haddad')).toBe('ok');
      await state.ledger.record(ME, entryOf(shown));
    };
    const names = async (...of: Booking['travelers']) => {
      shown = { ...shown, travelers: of };
      return reads();
    };
    const changed = async () => (await state.claims.times(ME, [peopleChanged('WAS98K')])).has(peopleChanged('WAS98K'));

    test.each([
      ['a cancelled', async () => undefined],
      [
        'a flown',
        async () => {
          now += 200 * DAY;
        },
      ],
      [
        'a flown and cleaned',
        async () => {
          now += 500 * DAY;
          await state.clean();
        },
      ],
      [
        'a forgotten',
        async () => {
          now += 10 * DAY;
          const traces = await state.forgetting.find({ locator: 'WAS98K' });
          await state.forgetting.erase({ locator: 'WAS98K' }, traces, now);
        },
      ],
    ])('after %s booking is a stranger to its old caller, until the surname is right', async (_, ending) => {
      // The journal shows for ever that the caller acted on it.
      await state.operations.insert(newOperation('op1', { locator: 'WAS98K' }), { now, owner: 'p', leaseUntil: now });
      for (const [from, to] of [
        ['intent', 'dispatched'],
        ['dispatched', 'succeeded'],
      ] as const)
        await state.operations.transition('op1', { from: [from], to, patch: {} }, { now, actor: 'p' });
      await claimed();
      await ending();
      shown = THEIRS;
      sent.length = 0;
      expect([await reads(), await reads('Haddad')]).toEqual(['E_NOT_FOUND', 'E_NOT_FOUND']);
      const given = {
        send: { order: shown, cancellation: shown, modification: { booking: shown } },
        locator: 'WAS98K',
      };
      for (const method of ['pay', 'cancel', 'modify', 'seatMap', 'sendMail', 'ticketDocument'] as const)
        expect([method, await codeOf(reached()[method](given as never, {} as never))]).toEqual([method, 'E_NOT_FOUND']);
      expect(sent).toEqual([]);
      expect([await reads('Quast'), await reads()]).toEqual(['ok', 'ok']);
      expect(await reads(undefined, YOU)).toBe('E_NOT_FOUND');
    });

    test('needs one sign to be the same: the time, or one of the people', async () => {
      await claimed();
      const [amal, noor, ursula] = [...OURS.travelers, ...THEIRS.travelers];
      if (amal === undefined || noor === undefined || ursula === undefined) throw new Error('three people');
      const { createdAt: _, ...undated } = OURS;
      shown = undated;
      expect(await names(noor, ursula)).toBe('ok');
      expect(await names(ursula)).toBe('ok');
      expect(await names(traveler('1', 'Otto', 'Neu'))).toBe('E_NOT_FOUND');
      shown = { ...shown, createdAt: '2026-02-01T10:00:00Z' };
      expect([await reads(), await changed()]).toEqual(['ok', true]);
      expect([await reads(), await changed()]).toEqual(['ok', true]);
      expect([await names(amal), await changed()]).toEqual(['ok', false]);
      expect([await names(traveler('1', 'Otto', 'Neu')), await changed()]).toEqual(['ok', true]);
      await reached().modify({ send: { modification: { booking: shown } } } as never);
      expect([await reads(), await changed()]).toEqual(['ok', false]);
    });

    test('is no other after a group got its names', async () => {
      shown = { ...OURS, travelers: [bareTraveler('1'), bareTraveler('2')] };
      await state.claims.add(ME, ['WAS98K'], now);
      expect(await reads()).toBe('ok');
      expect([await names(...OURS.travelers), await changed()]).toEqual(['ok', false]);
    });

    test('is no other because the reply to the hold of a group shows neither when it was made nor a person', async () => {
      const { createdAt, contact, ...bare } = { ...OURS, travelers: [bareTraveler('1'), bareTraveler('2')] };
      shown = bare;
      await reached().createFromCounts({} as never, {} as never);
      expect(await reads()).toBe('ok');
      shown = { ...bare, ...(createdAt !== undefined && { createdAt }), ...(contact && { contact }) };
      expect(await reads()).toBe('ok');
      now += 200 * DAY;
      shown = THEIRS;
      expect(await reads()).toBe('E_NOT_FOUND');
    });

    test('is seen under a claim of an earlier version by what the ledger says, else in the first days alone', async () => {
      await state.claims.add(ME, ['WAS98K'], now);
      now += 3 * DAY;
      expect(await reads()).toBe('E_NOT_FOUND');
      await state.ledger.record(ME, entryOf(OURS));
      shown = THEIRS;
      expect(await reads()).toBe('E_NOT_FOUND');
      shown = OURS;
      expect(await reads()).toBe('ok');
      // It has signs now: the ledger is not asked again.
      await state.ledger.record(ME, entryOf(THEIRS));
      expect(await reads()).toBe('ok');
      await state.claims.add(YOU, ['WAS98K'], now);
      expect(await reads(undefined, YOU)).toBe('ok');
      shown = THEIRS;
      expect([await reads(), await reads(undefined, YOU)]).toEqual(['E_NOT_FOUND', 'E_NOT_FOUND']);
    });

    test('leaves no sign behind when it is forgotten, and keeps the signs as long as the claim', async () => {
      await claimed();
      const signs = (caller = ME) =>
        state.claims.times(caller, ['WAS98K', signName('WAS98K', '.'), signName('WAS98K', '*')]);
      now += 29 * DAY;
      await state.ledger.record(ME, {
        ...entryOf(OURS),
        departs: '2026-06-01T00:00:00Z',
      });
      now += 60 * DAY;
      await state.clean();
      expect((await signs()).size).toBe(3);
      const traces = await state.forgetting.find({ locator: 'WAS98K' });
      await state.forgetting.erase({ locator: 'WAS98K' }, traces, now);
      expect((await signs()).size).toBe(0);
    });
  });

  describe('cleaning', () => {
    const later = async (ms: number) => {
      now = START + ms;
      await state.clean();
    };

    test('keeps a booking in the ledger for thirty days after its last departure', async () => {
      await record('ONEWAY', { departs: '2026-03-02T00:00:00Z' });
      await record('RETURN', { departs: '2026-03-02T00:00:00Z', lastDeparts: '2026-04-01T03:00:00+03:00' });
      await record('NODATE');
      await record('OFFDAY', { departs: '9999-01-01T00:00:00Z' });
      await later(30 * DAY);
      expect(await listed()).toEqual(['NODATE', 'OFFDAY', 'ONEWAY', 'RETURN']);
      await later(30 * DAY + 1);
      expect(await listed()).toEqual(['OFFDAY', 'ONEWAY', 'RETURN']);
      await later(61 * DAY);
      expect(await listed()).toEqual(['OFFDAY', 'RETURN']);
      await later(61 * DAY + 1);
      expect(await listed()).toEqual(['OFFDAY']);
      await later(431 * DAY);
      expect(await listed()).toEqual([]);
    });

    test('removes more rows than one piece has, and keeps a claim as long as the ledger has its booking', async () => {
      for (let i = 0; i < 450; i++) await record(`L${i}`);
      await state.claims.add(ME, ['KEPT11', 'L1'], now);
      await record('KEPT11', { departs: '2026-05-01T00:00:00Z' });
      await later(31 * DAY);
      expect(await listed()).toEqual(['KEPT11']);
      expect(await state.claims.has(ME, 'KEPT11')).toBe(true);
      expect(await state.claims.has(ME, 'L1')).toBe(false);
      await later(100 * DAY);
      expect(await state.claims.has(ME, 'KEPT11')).toBe(false);
    });

    test('keeps a question for a week after it expired, answered or not', async () => {
      await asked('op1');
      await asked('op2', { decision: 'granted' });
      await later(HOUR + 7 * DAY);
      expect(await state.approvals.byOperation('op1')).toMatchObject({ decision: 'pending', sections: [] });
      await later(HOUR + 7 * DAY + 1);
      for (const id of ['op1', 'op2']) expect(await state.approvals.byOperation(id)).toBeUndefined();
    });

    test('keeps a question while its operation is open or needs a person', async () => {
      await state.operations.insert(newOperation('op1'), { now, owner: 'p', leaseUntil: now });
      await asked('op1', { decision: 'granted' });
      const states = ['intent', 'dispatched', 'needs_person', 'resolved'] as const;
      for (const [i, to] of states.entries()) {
        const from = states[i - 1];
        if (from) await state.operations.transition('op1', { from: [from], to, patch: {} }, { now, actor: 'p' });
        await later(30 * DAY);
        expect([to, (await state.approvals.byOperation('op1'))?.decision]).toEqual([
          to,
          to === 'resolved' ? undefined : 'granted',
        ]);
      }
    });

    test('counts the open questions of one caller', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await asked(id, { expiresAt: now + MINUTE });
      await state.approvals.decide('h-a', { decision: 'declined', assurance: 'page' }, now);
      expect(await state.approvals.openOf(ME, now)).toBe(3);
      expect(await state.approvals.openOf(YOU, now)).toBe(0);
      expect(await state.approvals.openOf(ME, now + MINUTE)).toBe(0);
    });
  });

  describe('the people of a hold', () => {
    const PEOPLE = { salt: 'salt', people: { passengers: [{ type: 'ADT', names: ['digest'] }] } };
    const WAY: readonly OperationState[] = ['intent', 'dispatched', 'in_doubt', 'needs_person'];
    const move = async (id: string, to: OperationState) => {
      const meta = { now, actor: 'p1' };
      expect(await state.operations.transition(id, { from: WAY, to, patch: {} }, meta)).toBe(true);
    };
    const enter = (id: string, changes: Partial<NewOperation>) =>
      state.operations.insert(newOperation(id, changes), { now, owner: 'p1', leaseUntil: now + MINUTE });
    const hold = async (id: string, locator = id, to: OperationState = 'succeeded') => {
      const {
        amount: _,
        direction: __,
        ...bare
      } = newOperation(id, { locator, tool: 'create_booking', people: PEOPLE });
      await state.operations.insert(bare, { now, owner: 'p1', leaseUntil: now + MINUTE });
      await move(id, 'dispatched');
      await move(id, to);
    };
    const pay = async (locator: string, to: OperationState = 'succeeded') => {
      await enter(`pay ${locator} ${to}`, { locator });
      await move(`pay ${locator} ${to}`, to);
    };
    const kept = async (...ids: string[]) => [...(await state.operations.askedPeople(ids)).keys()].toSorted();
    const payBy = new Date(START + 2 * HOUR).toISOString();

    test('are kept beside their operation, and in no operation, event or question', async () => {
      const { amount: _, direction: __, ...bare } = newOperation('A', { people: PEOPLE });
      const inserted = await state.operations.insert(bare, { now, owner: 'p1', leaseUntil: now + MINUTE });
      expect(inserted).not.toHaveProperty('operation.people');
      await enter('B', { locator: 'B' });
      expect(await state.operations.askedPeople(['A', 'B', 'never'])).toEqual(new Map([['A', PEOPLE]]));
      expect(await state.operations.askedPeople([])).toEqual(new Map());
      const moved = await new Promise<object>((resolve) => {
        const meta = { now, actor: 'p1', moved: resolve };
        void state.operations.transition(
          'A',
          { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: now } },
          meta,
        );
      });
      const shown = [moved, await state.operations.get('A'), await state.operations.list({ tenant: 't' })];
      expect(JSON.stringify([...shown, await state.operations.events('A')])).not.toContain('digest"');
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('are erased once the booking is paid, and not before', async () => {
      for (const id of ['A', 'B']) await hold(id);
      await hold('names', 'A');
      await pay('A', 'in_doubt');
      expect(await kept('A', 'B', 'names')).toEqual(['A', 'B', 'names']);
      await move('pay A in_doubt', 'succeeded');
      expect(await kept('A', 'B', 'names')).toEqual(['B']);
      await pay('B', 'refused');
      expect(await kept('B')).toEqual(['B']);
      expect(await state.operations.verify()).toBeUndefined();
    });

    test.each(['refused', 'not_executed', 'needs_person', 'resolved'] as const)('of an act that is %s', async (to) => {
      await hold('A', 'A', to);
      expect(await kept('A')).toEqual(to === 'needs_person' ? ['A'] : []);
    });

    test('stay if the move of the payment does not come about, and go with it, nothing else', async () => {
      for (const id of ['A', 'B']) await hold(id);
      await enter('pay A', { locator: 'A' });
      await enter('seats B', { locator: 'B', direction: undefined, amount: undefined });
      const moved = await state.operations.transition(
        'pay A',
        { from: ['dispatched'], to: 'succeeded', patch: {} },
        { now, actor: 'p1' },
      );
      expect([moved, await kept('A')]).toEqual([false, ['A']]);
      for (const id of ['pay A', 'seats B']) await move(id, 'succeeded');
      expect(await kept('A', 'B')).toEqual(['B']);
    });

    test('are erased later where a payment left them', async () => {
      await hold('A');
      await record('A', { state: 'held' });
      await pay('A');
      const { db } = state.operations as unknown as { readonly db: AnyDatabase };
      await db.write(`update ${db.dialect.prefix}operation set asked = ? where id = 'A'`, JSON.stringify(PEOPLE));
      expect(await kept('A')).toEqual(['A']);
      now += HOUR + 1;
      await state.clean();
      expect(await kept('A')).toEqual([]);
    });

    test('are erased once the hold has lapsed, is over or is nowhere listed', async () => {
      const states = {
        HELD: 'held',
        PARTLY: 'partly_cancelled',
        UNCLEAR: 'unknown',
        OVER: 'cancelled',
        PAID: 'ticketed',
      };
      for (const [id, of] of Object.entries(states)) {
        await hold(id);
        await record(id, { state: of, departs: '2026-05-01T00:00:00Z' });
      }
      await hold('LAPSES');
      await record('LAPSES', { state: 'held', payBy });
      // The newest reading counts, whoever made it.
      await hold('MOVED');
      await record('MOVED', { state: 'held' });
      await record('MOVED', { state: 'expired', seenAt: now + 1 }, YOU);
      await hold('UNKNOWN');
      await hold('DOUBT', 'DOUBT', 'in_doubt');
      const all = [...Object.keys(states), 'LAPSES', 'MOVED', 'UNKNOWN', 'DOUBT'].toSorted();
      now += HOUR;
      await state.clean();
      expect(await kept(...all)).toEqual(all);
      now += 1;
      await state.clean();
      expect(await kept(...all)).toEqual(['DOUBT', 'HELD', 'LAPSES', 'PARTLY', 'UNCLEAR']);
      now = START + 2 * HOUR + 1;
      await state.clean();
      expect(await kept(...all)).toEqual(['DOUBT', 'HELD', 'PARTLY', 'UNCLEAR']);
      now += 400 * DAY;
      await state.clean();
      expect(await kept(...all)).toEqual(['DOUBT']);
    });

    test('are erased when one of them is forgotten, unless the operation is open', async () => {
      const forget = async (person: Person) => state.forgetting.erase(person, await state.forgetting.find(person), now);
      for (const id of ['A', 'B', 'C']) await hold(id);
      await hold('D', 'D', 'in_doubt');
      for (const id of ['A', 'B', 'D']) await record(id, { contactName: id === 'B' ? 'Ann Other' : 'Jane Doe' });
      // Found by its question alone.
      await asked('C', { sections: [{ kind: 'people', lines: ['Jane Doe'] }] });
      await forget({ name: 'Jane Doe' });
      expect(await kept('A', 'B', 'C', 'D')).toEqual(['B', 'D']);
      await forget({ locator: 'B' });
      expect(await kept('B', 'D')).toEqual(['D']);
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('are erased beside why the customer cancelled, which stays while somebody has the booking listed', async () => {
      const reason = 'Jane Doe fell ill';
      const reasons = async () => [...(await state.operations.reasons(['A', 'B', 'C', 'D', 'E']))];
      const cancel = async (id: string, to: OperationState = 'succeeded') => {
        await enter(id, { locator: id, reason });
        await move(id, to);
      };
      for (const id of ['A', 'B']) await cancel(id);
      await cancel('C', 'refused');
      await cancel('D', 'in_doubt');
      const shown = await Promise.all(['A', 'C'].map((id) => state.operations.get(id)));
      expect(JSON.stringify([shown, await state.operations.events('A')])).not.toContain('Jane');
      expect(await state.operations.verify()).toBeUndefined();
      for (const id of ['A', 'C']) await record(id, { departs: '2026-03-02T00:00:00Z' });
      await pay('A');
      now += HOUR + 1;
      await state.clean();
      expect((await reasons()).map(([id]) => id).toSorted()).toEqual(['A', 'C', 'D']);
      expect((await reasons())[0]?.[1]).toBe(reason);
      now += 31 * DAY;
      await state.clean();
      expect((await reasons()).map(([id]) => id)).toEqual(['D']);
      const forget = async (person: Person) => state.forgetting.erase(person, await state.forgetting.find(person), now);
      await cancel('E');
      await forget({ name: 'Jane Roe' });
      expect(await reasons()).toHaveLength(2);
      await forget({ name: 'Jane Doe' });
      expect(await reasons()).toEqual([]);
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('come with the later one of two acts of one moment first', async () => {
      for (const id of ['z', 'a', 'm', 'b']) await hold(id, 'A');
      const listed = await state.operations.list({ tenant: 't', locator: 'A', states: ['succeeded'] });
      expect(listed.map(({ id }) => id)).toEqual(['b', 'm', 'a', 'z']);
    });
  });

  describe('forgetting a person', () => {
    const forget = async (person: Person) => {
      const traces = await state.forgetting.find(person);
      await state.forgetting.erase(person, traces, now);
      return traces;
    };

    test('erases a booking by its locator, for all callers, with claims, questions and addresses of tickets', async () => {
      for (const caller of [ME, YOU]) await record('ABC123', { contactName: 'Jane Doe' }, caller);
      await record('XYZ789', { contactName: 'Jane Doe' });
      await state.claims.add(ME, ['ABC123', 'XYZ789'], now);
      await state.ticketKeys.put('k', { caller: ME, locator: 'ABC123', number: '1', coupon: '1' }, now + 1000);
      await asked('q1', { locator: 'ABC123' });
      const traces = await forget({ locator: 'ABC123' });
      expect(traces).toMatchObject({ locators: ['ABC123'], questions: ['q1'] });
      expect(await listed()).toEqual(['XYZ789']);
      expect(await listed(YOU)).toEqual([]);
      expect(await state.claims.has(ME, 'ABC123')).toBe(false);
      expect(await state.claims.has(ME, 'XYZ789')).toBe(true);
      expect(await state.ticketKeys.find('k', now)).toBeUndefined();
      expect(await forget({ locator: 'ABC123' })).toMatchObject({ questions: [] });
    });

    test('leaves no caller in the events of a booking', async () => {
      const told = { type: 'hold.lapsing', at: now, tenant: 't', caller: 'jane@doe.example' } as const;
      await state.outbox.add([
        { ...told, id: 'a', locator: 'ABC123' },
        { ...told, id: 'b', locator: 'XYZ789' },
      ]);
      await forget({ locator: 'ABC123' });
      const events = (await state.outbox.newest(2)).map(({ id, locator, caller }) => [id, locator, caller]);
      expect(events).toEqual([
        ['b', 'XYZ789', 'jane@doe.example'],
        ['a', 'ABC123', undefined],
      ]);
    });

    test('finds a name in any order and spelling, and never a part of its words', async () => {
      await record('AAA111', { contactName: 'Mrs Jané  DOE' });
      await record('BBB222', { contactName: 'Janet Doering' });
      await record('CCC333', { contactName: 'Jane Smith' });
      expect(await forget({ name: 'DOE/JANE' })).toMatchObject({ locators: ['AAA111'] });
      expect(await listed()).toEqual(['BBB222', 'CCC333']);
    });

    test('finds a traveller in the list of bookings by surname and initial, and says which are found by them alone', async () => {
      await record('SHORT1', { contactName: 'Tours', travelers: ['Berg B.', 'van der Doe J.'] });
      await record('SHORT2', { contactName: 'Jane van der Doe', travelers: ['van der Doe J.'] });
      await record('TWICE1', { travelers: ['Mohammed M.'] });
      await record('WHOLE1', { travelers: ['Jane Ann van der Doe'] });
      await record('OTHER1', { travelers: ['van der Doe L.', 'Berg J.', 'Doering J.', 'Berg'] });
      const person = { name: 'VAN DER DOE/JANE ANN' };
      const { locators, byInitial } = await state.forgetting.find(person);
      expect([locators.toSorted(), byInitial]).toEqual([
        ['SHORT1', 'SHORT2', 'WHOLE1'],
        ['SHORT1', 'SHORT2'],
      ]);
      expect((await state.forgetting.find({ name: 'Jane van der Doe' })).byInitial).toEqual(['SHORT1']);
      expect(await state.forgetting.find({ name: 'Mohammed Mohammed' })).toMatchObject({ locators: ['TWICE1'] });
      expect(await state.forgetting.find({ locator: 'SHORT1' })).toMatchObject({ byInitial: [] });
      await forget(person);
      expect(await listed()).toEqual(['OTHER1', 'TWICE1']);
      expect((await state.ledger.find(ME, { query: 'van der doe j', limit: 9 })).total).toBe(0);
    });

    test('finds travellers in open questions by name', async () => {
      const people = {
        args: { passengers: [{ given_name: 'Jane', surname: 'Doe', document: { number: 'P 12-345' } }] },
      };
      await asked('q1', { locator: 'OTHER1', carried: people });
      await asked('q2', {
        locator: 'OTHER1',
        carried: { args: { contact: { given_name: 'Jané', surname: 'Doe' } } },
        decision: 'granted',
      });
      await asked('q3', { locator: 'OTHER1' });
      expect(await forget({ name: 'jane doe' })).toMatchObject({ questions: ['q1', 'q2'] });
      expect(await state.forgetting.find({ name: 'jane doe' })).toMatchObject({ questions: [] });
    });

    test('erases why a step was not carried out, which may name travellers, and ends what it blanks', async () => {
      await asked('q1', {
        locator: 'OTHER1',
        decision: 'void',
        voidLines: ['For “Jane Doe” now.', 'Not for “Jon Doe”.'],
      });
      await asked('q2', { locator: 'OTHER1', decision: 'void', voidLines: ['The train is full.'] });
      expect(await forget({ name: 'Jane Doe' })).toMatchObject({ questions: ['q1'] });
      expect(await state.approvals.byOperation('q1')).not.toHaveProperty('voidLines');
      expect(await state.approvals.byOperation('q2')).toHaveProperty('voidLines', ['The train is full.']);
      await asked('q3', { locator: 'ABC123', carried: { args: {} } });
      await asked('q4', { locator: 'ABC123', carried: { args: {} }, decision: 'granted' });
      await forget({ locator: 'ABC123' });
      expect(await state.approvals.decide('h-q3', { decision: 'granted', assurance: 'page' }, now + 1)).toBe(false);
      expect(await state.approvals.byOperation('q4')).toMatchObject({ decision: 'void', sections: [] });
    });

    test('erases a note that names the person, and the journal stays whole', async () => {
      const close = async (id: string, locator: string, note: string) => {
        await state.operations.insert(newOperation(id, { locator }), { now: now, owner: 'p', leaseUntil: now });
        const meta = { now: now, actor: 'p' };
        await state.operations.transition(
          id,
          { from: ['intent'], to: 'dispatched', patch: { dispatchedAt: now } },
          meta,
        );
        await state.operations.transition(id, { from: ['dispatched'], to: 'needs_person', patch: {} }, meta);
        const outcome = { resolved: { by: 'os:ann', at: now, note, noteSalt: `salt of ${id}` } };
        await state.operations.transition(id, { from: ['needs_person'], to: 'resolved', patch: { outcome } }, meta);
      };
      await close('op1', 'AAA111', 'The airline says that Ms Doe, Jane has paid.');
      await close('op2', 'BBB222', 'Paid.');
      expect((await state.operations.get('op1'))?.outcome?.resolved?.note).toContain('Doe, Jane');
      expect(await state.operations.verify()).toBeUndefined();
      expect(await forget({ name: 'Jane Doe' })).toMatchObject({ notes: ['op1'] });
      const erased = (await state.operations.get('op1'))?.outcome?.resolved;
      // Neither the note nor the salt of its digest.
      expect(erased).toEqual({ by: 'os:ann', at: now, noteDigest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect((await state.operations.get('op2'))?.outcome?.resolved).toMatchObject({ note: 'Paid.' });
      expect(await state.operations.verify()).toBeUndefined();
    });

    test('leaves a booking alone while an operation on it is open or needs a person', async () => {
      await record('ABC123', { contactName: 'Jane Doe' });
      await record('FREE11', { contactName: 'Jane Doe' });
      await asked('q1', { locator: 'ABC123', decision: 'granted' });
      await state.operations.insert(newOperation('op1'), { now: now, owner: 'p', leaseUntil: now });
      const traces = await forget({ name: 'Jane Doe' });
      expect(traces).toMatchObject({ locators: ['FREE11'], questions: [], open: [{ id: 'op1' }] });
      expect(await listed()).toEqual(['ABC123']);
      await state.operations.transition(
        'op1',
        { from: ['intent'], to: 'not_executed', patch: {} },
        { now: now, actor: 'p' },
      );
      expect(await forget({ name: 'Jane Doe' })).toMatchObject({ locators: ['ABC123'], questions: ['q1'], open: [] });
      expect(await listed()).toEqual([]);
      expect(await state.operations.verify()).toBeUndefined();
    });
  });
}
