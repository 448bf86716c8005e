/**
 * The sums that a database makes of its journal, judged by those of the same operations one by one; and the counts of
 * what is open.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/domain/booking/booking-ledger.ts';
import { ACTIVITY_KEYS } from '../../src/journal/activity.ts';
import type { NewOperation, OperationState, Outcome } from '../../src/journal/operation.ts';
import type { State } from '../../src/store/state.ts';
import type { OperationReader } from '../../src/tools/definition/define.ts';
import { reportActivity } from '../../src/tools/report-activity.ts';
import { openDesk } from '../tools/support/tool-context.ts';
import { activityOf } from './activity-of.ts';
import { newOperation } from './new-operation.ts';
import type { OpenState } from './state-suite.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const ANN = { tenant: 't', id: 'ann' };
const SPAN = { from: START, to: START + 60 * DAY, tenant: 't', ledgerOf: 'ann', mostOpen: 5 };

type Change = Extract<NewOperation['subject'], { kind: 'rebook_segment' }>;
const FLIGHT = { from: 'MED', to: 'JED', departs: 'soon \ud800\u0000', number: '1' };
const CHANGE: Change = {
  kind: 'rebook_segment',
  ...{ replaced: FLIGHT, wanted: FLIGHT, kept: [], paymentsBefore: 0, refundsBefore: 0 },
};
const money = (minor: number, currency = 'SAR') => ({ amount: { minor, currency } });

interface Act {
  readonly change?: Partial<NewOperation>;
  readonly bare?: true;
  readonly state?: OperationState;
  readonly outcome?: Outcome;
  readonly day?: number;
}

/** Every way in which an operation counts, and some in which it does not. */
const ACTS: readonly Act[] = [
  {},
  { day: 59, change: { caller: 'ben', ...money(9, 'JPY') } },
  { day: 8, state: 'refused' },
  { day: 8, state: 'not_executed', change: { tool: 'cancel_booking' } },
  { day: 7, change: { direction: 'refund', tool: 'cancel_segment' }, outcome: { refund: money(4_000) } },
  {
    day: 7,
    change: { direction: 'refund', tool: 'cancel_segment' },
    outcome: { check: 'odd \ud800\u0000 \\u0000 text' },
  },
  { day: 9, change: { direction: 'refund' }, outcome: { refund: money(700, 'EUR') } },
  { day: 10, change: { tool: 'rebook_segment', subject: CHANGE }, outcome: { charge: money(1_250), refund: money(1) } },
  { day: 10, change: { tool: 'rebook_segment', subject: CHANGE }, outcome: { basis: 'read' } },
  { day: 10, bare: true, change: { tool: 'change_names', locator: 'L1' } },
  { day: 11, bare: true, change: { tool: 'create_booking' }, outcome: { locator: 'L2', check: '"route":"X"' } },
  { day: 12, change: { tenant: 'u' } },
  { day: -1 },
  { day: 60 },
  { day: 20, state: 'intent' },
  { day: 21, state: 'dispatched' },
  { day: 22, state: 'in_doubt', outcome: { locator: 'L2' } },
  ...Array.from({ length: 4 }, (_, i): Act => ({ day: 30 + i, state: 'needs_person' })),
  { day: 40, state: 'needs_person', change: { caller: 'ben' } },
];

export function describeActivity(name: string, open: OpenState): void {
  describe(`${name}: sums of the journal`, () => {
    let state: State;
    const now = START;
    beforeEach(async () => {
      state = await open(() => now);
      for (const [i, act] of ACTS.entries()) await enter(i, act);
      await record('L1', { route: 'MED-JED' });
      await record('L2', { route: 'JED-MED', contactName: '\ud800\u0000 "route":"NO"' });
      await record('B3', {});
    });
    afterEach(() => state.close());

    const record = (locator: string, fields: Partial<LedgerEntry>) =>
      state.ledger.record(ANN, { locator, madeHere: true, seenAt: START, state: 'held', ...fields });

    async function enter(i: number, { change, bare, state: to = 'succeeded', outcome, day = 0 }: Act): Promise<void> {
      const id = `op-${String(i).padStart(2, '0')}`;
      const { amount: _, direction: __, locator: ___, ...plain } = newOperation(id);
      const whole = newOperation(id, { locator: `B${i}`, caller: 'ann', ...change });
      const operation = bare ? { ...plain, caller: 'ann', ...change } : whole;
      const at = START + day * DAY + i;
      const meta = { now: at, owner: 'p1', leaseUntil: at };
      expect((await state.operations.insert(operation, meta)).kind).toBe('inserted');
      if (to === 'intent') return;
      const patch = outcome === undefined ? {} : { outcome };
      await state.operations.transition(id, ['intent'], to, patch, { now: at, actor: 'p1' });
    }

    async function report(operations: OperationReader, args: object) {
      const { ctx } = openDesk({ now: START + 60 * DAY });
      const given = reportActivity.input().parse(args);
      return reportActivity.run(given, { ...ctx, caller: ANN, state: { ...ctx.state, ...state, operations } });
    }

    /** A reader that sums up in memory what the store lists. */
    async function byHand(): Promise<OperationReader> {
      const all = await state.operations.list({});
      const { entries } = await state.ledger.find(ANN, { limit: 10 });
      const routes = new Map(entries.map((entry) => [entry.locator, entry.route]));
      const activity: OperationReader['activity'] = async (query) =>
        activityOf(all, query, (locator) => routes.get(locator));
      return { ...state.operations, activity };
    }

    test.each(ACTIVITY_KEYS)('sums the journal by %s exactly as adding its operations one by one', async (group_by) => {
      for (const args of [
        { group_by, from: '2026-03-01', to: '2026-04-29' },
        { group_by, from: '2026-03-08', to: '2026-03-11' },
        { group_by, from: '2026-02-28', to: '2026-04-30' },
        { group_by, from: '2026-05-20', to: '2026-05-21' },
      ]) {
        expect(await report(state.operations, args)).toEqual(await report(await byHand(), args));
      }
    });

    test('takes routes in the report from the ledger, also for a created booking', async () => {
      const { rows } = await state.operations.activity({ ...SPAN, groupBy: 'route' });
      expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(['MED-JED', 'JED-MED', 'unknown']));
      const others = await state.operations.activity({ ...SPAN, groupBy: 'route', ledgerOf: 'ben' });
      expect(new Set(others.rows.map(({ key }) => key))).toEqual(new Set(['unknown']));
      const { ledgerOf: _, ...ofAll } = SPAN;
      const whole = await state.operations.activity({ ...ofAll, groupBy: 'route' });
      expect(new Set(whole.rows.map(({ key }) => key))).toEqual(new Set(['MED-JED', 'JED-MED', 'unknown']));
    });

    test('counts money in the currency in which it moved', async () => {
      const { totals } = await report(state.operations, { from: '2026-03-10', to: '2026-03-10' });
      expect(totals).toEqual([
        { operations: 1, paid: '0.00', refunded: '0.00', currency: 'SAR' },
        { operations: 0, paid: '0.00', refunded: '7.00', currency: 'EUR' },
      ]);
    });

    test('reports only the operations of one caller in one period', async () => {
      const query = { ...SPAN, caller: 'ben', groupBy: 'caller' } as const;
      const { rows, open: doubt, openTotal } = await state.operations.activity(query);
      expect(rows.map(({ key }) => key)).toEqual(expect.arrayContaining(['ben']));
      expect(rows.every(({ key }) => key === 'ben')).toBe(true);
      expect([doubt.map(({ id }) => id), openTotal]).toEqual([['op-21'], 1]);
    });

    test('lists the newest open operations up to its limit and counts all of them', async () => {
      const { open: doubt, openTotal } = await state.operations.activity({ ...SPAN, groupBy: 'day' });
      expect(openTotal).toBe(8);
      expect(doubt.map(({ id }) => id)).toEqual(['op-21', 'op-20', 'op-19', 'op-18', 'op-17']);
      expect(doubt[0]).toEqual(await state.operations.get('op-21'));
    });
  });

  describe(`${name}: counts of what is open`, () => {
    let state: State;
    beforeEach(async () => {
      state = await open(() => START);
    });
    afterEach(() => state.close());

    test('counts open operations of the whole state, for every caller', async () => {
      expect(await state.openCounts(START)).toEqual({
        ...{
          inDoubt: 0,
          needsPerson: 0,
          approvalsWaiting: 0,
          approvalsLapsed: { dialog: 0, page: 0 },
          findingsOpen: 0,
        },
      });
      for (const [i, to] of (
        ['needs_person', 'needs_person', 'in_doubt', 'dispatched', 'succeeded'] as const
      ).entries()) {
        const id = `o${i}`;
        await state.operations.insert(newOperation(id, { locator: id, tenant: id }), {
          ...{ now: START, owner: 'p1', leaseUntil: START },
        });
        await state.operations.transition(id, ['intent'], to, {}, { now: START + 1_000 + i, actor: 'p1' });
      }
      for (const [i, expiresAt] of [START - 1, START, START + 1, START + 2].entries()) {
        await state.approvals.put({
          ...{ handleHash: `h${i}`, operationId: `p${i}`, tenant: 't', caller: 'me', tool: 'pay_booking' },
          ...{
            argsDigest: 'a',
            termsDigest: 'd',
            sections: [],
            act: '',
            nature: 'change',
            askedBy: 'page',
            decision: 'pending',
          },
          ...{ createdAt: START - 10, expiresAt },
        });
      }
      await state.approvals.decide('h3', 'declined', 'page', START);
      expect(await state.openCounts(START)).toEqual({
        ...{ inDoubt: 1, needsPerson: 2, needsPersonSince: START + 1_000, approvalsWaiting: 1 },
        // Those of the last hour, by where they were asked.
        approvalsLapsed: { dialog: 0, page: 2 },
        findingsOpen: 0,
      });
    });
  });
}
