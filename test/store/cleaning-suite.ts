/** What any adapter of the state port keeps no longer. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../support/approvals.ts';
import { newOperation } from './new-operation.ts';
import type { Approval, LedgerEntry, OpenState, State } from './support/ports.ts';

const ME = { tenant: 't', id: 'me' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T00:00:00Z');

export function describeCleaning(name: string, open: OpenState): void {
  describe(`${name}: cleaning`, () => {
    let now = START;
    let state: State;
    beforeEach(async () => {
      now = START;
      state = await open(() => now);
    });
    afterEach(() => state.close());

    const later = async (ms: number) => {
      now = START + ms;
      await state.clean();
    };
    const record = (locator: string, changes: Partial<LedgerEntry> = {}) =>
      state.ledger.record(ME, { locator, madeHere: true, seenAt: now, state: 'ticketed', ...changes });
    const listed = async () =>
      (await state.ledger.find(ME, { limit: 100 })).entries.map(({ locator }) => locator).toSorted();

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

    const asked = (id: string, expiresAt = now + HOUR, changes: Partial<Approval> = {}) =>
      state.approvals.put(
        pendingApproval({ handleHash: `h-${id}`, operationId: id, createdAt: now, expiresAt, ...changes }),
      );

    test('keeps a question for a week after it expired, answered or not', async () => {
      await asked('op1');
      await asked('op2', now + HOUR, { decision: 'granted' });
      await later(HOUR + 7 * DAY);
      expect(await state.approvals.byOperation('op1')).toMatchObject({ decision: 'pending', sections: [] });
      await later(HOUR + 7 * DAY + 1);
      for (const id of ['op1', 'op2']) expect(await state.approvals.byOperation(id)).toBeUndefined();
    });

    test('keeps a question while its operation is open or needs a person', async () => {
      await state.operations.insert(newOperation('op1'), { now, owner: 'p', leaseUntil: now });
      await asked('op1', now + HOUR, { decision: 'granted' });
      const states = ['intent', 'dispatched', 'needs_person', 'resolved'] as const;
      for (const [i, to] of states.entries()) {
        const from = states[i - 1];
        if (from) await state.operations.transition('op1', [from], to, {}, { now, actor: 'p' });
        await later(30 * DAY);
        expect([to, (await state.approvals.byOperation('op1'))?.decision]).toEqual([
          to,
          to === 'resolved' ? undefined : 'granted',
        ]);
      }
    });

    test('counts the open questions of one caller', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await asked(id, now + MINUTE);
      await state.approvals.decide('h-a', 'declined', 'page', now);
      expect(await state.approvals.openOf(ME, now)).toBe(3);
      expect(await state.approvals.openOf({ tenant: 't', id: 'you' }, now)).toBe(0);
      expect(await state.approvals.openOf(ME, now + MINUTE)).toBe(0);
    });
  });
}
