/** How any adapter of the state port lists the questions that nobody can answer any more. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pendingApproval } from '../../support/approvals.ts';
import type { Approval, OpenState, State } from './ports.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = 20_000 * DAY;

export function describeDecided(name: string, open: OpenState): void {
  describe(`${name}: decided questions`, () => {
    let now = 0;
    let state: State;
    beforeEach(async () => {
      now = START;
      state = await open(() => now);
    });
    afterEach(() => state.close());

    /** Asked now, by the clock of the test. */
    const put = async (id: string, over: Partial<Approval> = {}) => {
      const times = { createdAt: now, expiresAt: now + 10 * MINUTE };
      await state.approvals.put(pendingApproval({ handleHash: `h-${id}`, operationId: id, ...times, ...over }));
    };
    const no = { decision: 'declined', assurance: 'page' } as const;
    const last = (over: Partial<Parameters<State['decided']['lastOf']>[0]> = {}) =>
      state.decided.lastOf({ tenant: 't', person: 'me', since: now - 30 * DAY, now, limit: 50, ...over });
    const idsOf = (rows: Awaited<ReturnType<typeof last>>) => rows.map(({ operationId }) => operationId);

    test('lists what was answered or has ended, the newest first, and nothing that waits or that nobody was asked', async () => {
      await put('lapsed');
      now += MINUTE;
      await put('no', no);
      now += MINUTE;
      await put('yes', { decision: 'granted', assurance: 'person', approver: 'boss', decidedAt: now });
      await put('hold', { decision: 'granted', assurance: 'none' });
      await put('void', { decision: 'void', assurance: 'none' });
      now += MINUTE;
      await put('stale', { decision: 'void', voidWhy: 'terms_changed', assurance: 'page' });
      now += 8 * MINUTE;
      await put('waits');
      const rows = await last();
      expect(idsOf(rows)).toEqual(['stale', 'yes', 'no', 'lapsed']);
      expect(rows.map(({ isStale, isRecent }) => [isStale, isRecent])).toEqual([
        [true, true],
        [false, true],
        [false, true],
        [false, true],
      ]);
      expect(rows[1]).toEqual({
        ...{ operationId: 'yes', caller: 'me', tool: 'pay_booking', locator: 'ABC123', decision: 'granted' },
        ...{ assurance: 'person', approver: 'boss', askedAt: START + 2 * MINUTE, decidedAt: START + 2 * MINUTE },
        ...{ expiresAt: START + 12 * MINUTE, people: [], isStale: false, isRecent: true },
      });
    });

    test('lists the last of those of the last days and older ones, and none from before the days that are asked for', async () => {
      const asked: string[] = [];
      for (let day = 0; day < 12; day += 1) {
        // Two at the same time.
        for (const n of ['a', 'b']) {
          asked.unshift(`${String(day).padStart(2, '0')}${n}`);
          await put(asked[0] ?? '', no);
        }
        now += DAY;
      }
      await state.clean();
      expect(idsOf(await last({ limit: 20 }))).toEqual(asked.slice(0, 20));
      const all = await last();
      expect(idsOf(all)).toEqual(asked);
      expect(all.filter(({ isRecent }) => isRecent)).toHaveLength(14);
      expect(all.every(({ locator, tool }) => locator === 'ABC123' && tool === 'pay_booking')).toBe(true);
      expect(idsOf(await last({ since: now - 2.5 * DAY }))).toEqual(['11b', '11a', '10b', '10a']);
      expect(idsOf(await last({ since: now - 9.5 * DAY }))).toHaveLength(18);
    });

    test('lists what one person, or a tenant, asked from every application or answered, and none of another tenant', async () => {
      const callers = ['oauth:ann:desk', 'oauth:ann:phone', 'oauth:ann', 'oauth:anna:desk', 'oauth:bob:desk'];
      for (const caller of callers) await put(caller, { ...no, caller });
      await put('foreign', { ...no, tenant: 'u', caller: 'oauth:ann:desk' });
      await put('answered', { ...no, caller: 'oauth:bob:desk', approver: 'oauth:ann:page' });
      for (const days of [0, 8]) {
        now = START + days * DAY;
        await state.clean();
        expect(idsOf(await last({ person: 'oauth:ann' })).sort()).toEqual([
          'answered',
          'oauth:ann',
          'oauth:ann:desk',
          'oauth:ann:phone',
        ]);
        expect(idsOf(await last({ tenant: 'u', person: 'oauth:ann' }))).toEqual(['foreign']);
        expect(idsOf(await last({ tenant: 'u', person: 'oauth:eve' }))).toEqual([]);
        expect(idsOf(await last({ person: undefined })).sort()).toEqual([...callers, 'answered'].sort());
        expect(idsOf(await last({ tenant: 'u', person: undefined }))).toEqual(['foreign']);
      }
    });

    test('names the trip and the travellers while the question keeps them, and nothing else of its terms', async () => {
      const about = {
        people: ['Amal Haddad'],
        count: 1,
        route: 'Makkah → Madinah',
        departs: '2026-12-01T08:00+03:00',
      };
      await put('q', { ...no, about, sections: [{ kind: 'people', lines: ['CANARY Haddad'] }], voidLines: ['CANARY'] });
      const [row] = await last();
      expect(row).toMatchObject({ route: about.route, departs: about.departs, people: about.people });
      expect(JSON.stringify(row)).not.toContain('CANARY');
      now += 2 * 60 * MINUTE;
      await state.clean();
      const [later] = await last();
      expect([later?.operationId, later?.route, later?.departs, later?.people]).toEqual([
        'q',
        undefined,
        undefined,
        [],
      ]);
    });

    test('has the acts of a plan with their answers', async () => {
      const times = { createdAt: now, expiresAt: now + 10 * MINUTE };
      const lines = ['done', 'left out', 'not begun'];
      const part = { plan: 'pl_1', question: 'q', step: 0 };
      const yes = { assurance: 'page', decidedAt: now } as const;
      await put('q', {
        ...times,
        ...yes,
        tool: 'run_plan',
        decision: 'granted',
        part: { ...part, line: 0, alone: true },
      });
      for (const [i, line] of lines.entries()) {
        const decision = line === 'left out' ? 'declined' : 'granted';
        await put(line, { ...times, ...yes, decision, locator: `L${i}`, part: { ...part, line: i + 1 } });
      }
      now += MINUTE;
      const rows = await last();
      expect(rows.map(({ operationId, steps }) => [operationId, steps])).toEqual([
        [
          'q',
          [
            { decision: 'granted', operationId: 'done' },
            { decision: 'declined', operationId: 'left out' },
            { decision: 'granted', operationId: 'not begun' },
          ],
        ],
      ]);
    });
  });
}
