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

    test('removes more rows than one piece has', async () => {
      for (let i = 0; i < 450; i++) await record(`L${i}`);
      await later(31 * DAY);
      expect(await listed()).toEqual([]);
    });

    test('keeps a claim as long as the ledger has its booking', async () => {
      await state.claims.add(ME, ['KEPT11', 'GONE11'], now);
      await record('KEPT11', { departs: '2026-05-01T00:00:00Z' });
      await later(31 * DAY);
      expect(await state.claims.has(ME, 'KEPT11')).toBe(true);
      expect(await state.claims.has(ME, 'GONE11')).toBe(false);
      await later(100 * DAY);
      expect(await state.claims.has(ME, 'KEPT11')).toBe(false);
    });

    test('keeps a question for a week after it expired, answered or not', async () => {
      const asked = (id: string, changes: Partial<Approval>) =>
        state.approvals.put(
          pendingApproval({
            handleHash: `h-${id}`,
            operationId: id,
            createdAt: now,
            expiresAt: now + HOUR,
            ...changes,
          }),
        );
      await asked('op1', {});
      await asked('op2', { decision: 'granted' });
      await later(HOUR + 7 * DAY);
      expect(await state.approvals.byOperation('op1')).toMatchObject({ decision: 'pending', sections: [] });
      await later(HOUR + 7 * DAY + 1);
      expect(await state.approvals.byOperation('op1')).toBeUndefined();
      expect(await state.approvals.get('h-op2')).toBeUndefined();
    });

    test('keeps a question while its operation is open or needs a person', async () => {
      const meta = { now, owner: 'p', leaseUntil: now };
      const entered = await state.operations.insert(newOperation('op1'), meta);
      expect(entered.kind).toBe('inserted');
      await state.approvals.put(pendingApproval({ createdAt: now, expiresAt: now + HOUR, decision: 'granted' }));
      await later(30 * DAY);
      expect(await state.approvals.get('h1')).toMatchObject({ decision: 'granted' });
      const to = (from: 'intent' | 'dispatched' | 'needs_person', target: 'dispatched' | 'needs_person' | 'resolved') =>
        state.operations.transition('op1', [from], target, {}, { now, actor: 'p' });
      await to('intent', 'dispatched');
      await to('dispatched', 'needs_person');
      await later(30 * DAY);
      expect(await state.approvals.get('h1')).toBeDefined();
      await to('needs_person', 'resolved');
      await later(30 * DAY);
      expect(await state.approvals.get('h1')).toBeUndefined();
    });

    test('counts the open questions of one caller', async () => {
      const ids = ['a', 'b', 'c', 'd'];
      for (const id of ids)
        await state.approvals.put(
          pendingApproval({ handleHash: id, operationId: id, createdAt: now, expiresAt: now + MINUTE }),
        );
      await state.approvals.decide('a', 'declined', 'page', now);
      expect(await state.approvals.openOf({ tenant: 't', id: 'me' }, now)).toBe(3);
      expect(await state.approvals.openOf({ tenant: 't', id: 'you' }, now)).toBe(0);
      expect(await state.approvals.openOf({ tenant: 't', id: 'me' }, now + MINUTE)).toBe(0);
    });
  });
}
