/**
 * The sums that a database makes of its journal, and the operations behind each; and the counts of what is open.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatMoney } from '../../src/core/money.ts';
import { dayIn, daysIn } from '../../src/core/zone.ts';
import { amountKept } from '../../src/domain/pricing/airline-stated-refund.ts';
import { MEASURES } from '../../src/journal/activity.ts';
import { filledBatch, sourcesFor } from '../../src/ledger/filling.ts';
import { runSqlNow } from '../../src/ledger/run-sql.ts';
import type { SqlQuestion } from '../../src/ledger/sql-tables.ts';
import { viewTables } from '../../src/ledger/views.ts';
import { pendingApproval } from '../support/approvals.ts';
import { expectGolden } from '../support/golden.ts';
import { ACTS } from '../support/rules.ts';
import { NO_REFUNDS, newOperation } from './support/new-operation.ts';
import type { Finding, LedgerEntry, NewOperation, OpenState, OperationState, Outcome, State } from './support/ports.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const ANN = { tenant: 't', id: 'ann' };
const SPAN = {
  acts: ACTS,
  from: START,
  to: START + 60 * DAY,
  tenant: 't',
  now: START + 60 * DAY,
  timeZone: 'UTC',
};

const FLIGHT = { from: 'MED', to: 'JED', departs: 'soon \ud800\u0000', number: '1' };
const CHANGE = {
  kind: 'rebook_segment',
  ...{ replaced: FLIGHT, wanted: FLIGHT, kept: [], earlierPayments: [], ...NO_REFUNDS },
};
const money = (minor: number, currency = 'SAR') => ({ amount: { minor, currency } });

interface Act {
  readonly change?: Partial<NewOperation>;
  readonly bare?: true;
  readonly state?: OperationState;
  readonly outcome?: Outcome;
  readonly day?: number;
}

const hold = (locator: string): Act => ({
  ...{ day: 43, bare: true, change: { tool: 'create_booking', locator, subject: { kind: 'create' } } },
  outcome: { locator },
});

/** Every way in which an operation counts, and some in which it does not. */
const CASES: readonly Act[] = [
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
  { day: 10, bare: true, change: { tool: 'change_names', locator: 'L1', facts: { route: 'MED-JED' } } },
  {
    ...{ day: 11, bare: true, change: { tool: 'create_booking', facts: { route: 'JED-MED', adults: 2 } } },
    outcome: { locator: 'L2', check: '"route":"X"' },
  },
  { day: 12, change: { tenant: 'u' } },
  { day: -1 },
  { day: 60 },
  { day: 20, state: 'intent' },
  { day: 21, state: 'dispatched' },
  { day: 22, state: 'in_doubt', change: { facts: { route: 'JED-MED' } }, outcome: { locator: 'L2' } },
  // The same words stand elsewhere in its facts, with what no text of PostgreSQL holds.
  { day: 23, bare: true, change: { tool: 'change_names', facts: { trains: ['\ud800\u0000 "route":"NO"'] } } },
  ...Array.from({ length: 4 }, (_, i): Act => ({ day: 30 + i, state: 'needs_person' })),
  { day: 40, state: 'needs_person', change: { caller: 'ben' } },
  {
    ...{ day: 41, change: { direction: 'refund', tool: 'cancel_passenger' } },
    outcome: { refund: { ...money(900), penalty: { minor: 25, currency: 'EUR' } } },
  },
  ...['DUE', 'LATER', 'NAMES', 'EXPIRED', 'CANCELLED', 'RELEASED', 'PAID', 'REFUSED', 'UNKNOWN', 'TICKETED'].map(hold),
  { day: 44, bare: true, change: { tool: 'cancel_booking', locator: 'RELEASED' } },
  { day: 45, change: { locator: 'PAID' }, state: 'needs_person' },
  { day: 46, change: { locator: 'REFUSED' }, state: 'refused' },
];

/** The last reading of each hold. */
const HOLDS: Readonly<Record<string, Partial<LedgerEntry>>> = {
  DUE: { payBy: '2026-03-20T12:00:00Z' },
  LATER: { payBy: '2026-05-20T12:00:00Z' },
  NAMES: { namesUntil: '2026-03-20T12:00:00Z' },
  EXPIRED: { state: 'expired' },
  CANCELLED: { state: 'cancelled' },
  RELEASED: { state: 'cancelled' },
  PAID: { state: 'expired' },
  REFUSED: { payBy: '2026-03-20T12:00:00Z' },
  TICKETED: { state: 'ticketed', nextDeadline: { what: 'cancel_until', at: '2026-03-20T12:00:00Z' } },
};

type Query = Parameters<State['operations']['activity']>[0];
type Counted = Parameters<State['operations']['counted']>[0];

const LISTED = ['paid', 'refunded', 'kept', 'in_doubt'] as const;

export function describeActivity(name: string, open: OpenState): void {
  describe(`${name}: sums of the journal`, () => {
    let state: State;
    const now = START;
    beforeEach(async () => {
      state = await open(() => now);
      for (const [i, act] of CASES.entries()) await enter(i, act);
      // What the ledger shows later changes no route.
      await record('L1', { route: 'JED-MED' });
      for (const [locator, fields] of Object.entries(HOLDS)) await record(locator, fields);
    });
    afterEach(() => state.close());

    const record = (locator: string, fields: Partial<LedgerEntry>) =>
      state.ledger.record(ANN, {
        locator,
        madeHere: true,
        seenAt: START,
        state: 'held',
        departs: '2027-02-01T05:00:00Z',
        ...fields,
      });

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

    /** One line for each key: the numbers of each measure, and its sums by currency. */
    async function told(query: Partial<Query>): Promise<string> {
      const rows = await state.operations.activity({ ...SPAN, groupBy: 'tool', ...query });
      const lines = new Map<string, Map<string, number>>();
      for (const { key, measure, count, unstated, sum } of rows) {
        const numbers = lines.get(key) ?? new Map<string, number>();
        lines.set(key, numbers);
        const add = (name: string, by: number) => void (by && numbers.set(name, (numbers.get(name) ?? 0) + by));
        add(measure, count);
        add(`${measure} unstated`, unstated);
        if (sum) add(`${measure} ${sum.currency}`, sum.minor);
      }
      const words = (numbers: Map<string, number>) => [...numbers].map((one) => one.join(' ')).sort();
      return [...lines]
        .map(([key, numbers]) => `${key}: ${words(numbers).join(', ')}`)
        .sort()
        .join('\n');
    }

    /** What rows of one key and currency add up to. */
    function added(rows: Awaited<ReturnType<State['operations']['activity']>>) {
      const sums = new Map<string, number[]>();
      for (const { key, count, unstated, sum } of rows) {
        const name = `${key} ${sum?.currency ?? ''}`;
        const [counts = 0, unstateds = 0, minor = 0] = sums.get(name) ?? [];
        sums.set(name, [counts + count, unstateds + unstated, minor + (sum?.minor ?? 0)]);
      }
      return Object.fromEntries(sums);
    }

    /** The operations behind a number, newest first, page by page. */
    async function behind(asked: Partial<Counted> & Pick<Counted, 'measure'>): Promise<string> {
      const pages = [];
      for (let after: Counted['after'], more = true; more; ) {
        const page = await state.operations.counted({
          ...SPAN,
          groupBy: 'tool',
          ...asked,
          ...(after && { after }),
          limit: 7,
        });
        pages.push(...page);
        more = page.length === 7;
        after = page.at(-1);
      }
      const words = pages.map(({ at, what, status, locator, amount }) => {
        const day = new Date(at).toISOString().slice(5, 10);
        return [day, what, status, locator, amount && `${amount.currency} ${amount.minor}`].filter(Boolean).join(' ');
      });
      return words.join('\n');
    }

    test('sums up a span by each key, for all callers or one, and lists the operations behind each number', async () => {
      const within = (from: number, to: number) => ({ from: START + from * DAY, to: START + to * DAY });
      const nothing = await state.operations.activity({ ...SPAN, ...within(80, 82), groupBy: 'day' });
      expect(nothing).toEqual([]);
      const page = await state.operations.counted({ ...SPAN, groupBy: 'tool', measure: 'operations', limit: 7 });
      expect(page).toHaveLength(7);
      const lists = LISTED.map(async (measure) => `${measure}:\n${await behind({ measure })}`);
      await expectGolden('journal/activity', {
        'by tool': await told({}),
        'by caller': await told({ groupBy: 'caller' }),
        'by day': await told({ groupBy: 'day' }),
        'by route': await told({ groupBy: 'route' }),
        'of one caller': await told({ caller: 'ben' }),
        'of four days of one caller': await told({ caller: 'ann', ...within(7, 11) }),
        'of a day more before and after': await told({ groupBy: 'caller', ...within(-1, 61) }),
        'behind each number': (await Promise.all(lists)).join('\n'),
        'behind one number of one tool': await behind({ measure: 'refunded', key: 'cancel_segment' }),
        'behind one number of one caller': await behind({ measure: 'in_doubt', caller: 'ben' }),
      });
    });

    test('gives one number alone as the whole report has it, for a caller and a key of any letters', async () => {
      const odd = "o'neil\\' ? $1 \\x27 \u{1F600} --";
      const facts = { route: odd };
      const day = { day: 50, change: { caller: odd, tool: 'cancel_segment', direction: 'refund' as const, facts } };
      await enter(90, { ...day, outcome: { refund: money(31) } });
      await enter(91, { day: 51, bare: true, change: { tool: 'change_names', locator: 'L3', facts } });
      const query = { ...SPAN, groupBy: 'route' } as const;
      for (const whose of [{}, { caller: odd }]) {
        const all = await state.operations.activity({ ...query, ...whose });
        for (const measure of MEASURES) {
          const alone = await state.operations.activity({ ...query, ...whose, measures: [measure] });
          expect([measure, added(alone)]).toEqual([measure, added(all.filter((row) => row.measure === measure))]);
        }
      }
      const behindIt = { ...query, measure: 'changes', key: odd, limit: 9 } as const;
      expect(await state.operations.counted(behindIt)).toMatchObject([{ what: 'change_names', locator: 'L3' }]);
      const none = { ...query, caller: 'nul\0', measure: 'operations', limit: 9 } as const;
      expect(await state.operations.counted(none).catch(() => [])).toEqual([]);
    });

    test('counts findings by the days on which they were seen, and those that are open', async () => {
      const finding = (id: string, more: object) =>
        ({ id, tenant: 't', locator: 'L1', kind: 'retimed', seenAt: START + DAY, since: START, ...more }) as Finding;
      await state.findings.add([
        finding('open', { route: 'MED-JED' }),
        finding('closed', { closedAt: START + DAY, closedBy: 'ann' }),
        finding('later', { kind: 'no_show', seenAt: START + 2 * DAY }),
        finding('before', { seenAt: START - 1 }),
        finding('foreign', { tenant: 'u' }),
      ]);
      const numbers = async (groupBy: Query['groupBy']) =>
        (await state.operations.activity({ ...SPAN, groupBy }))
          .filter(({ measure }) => measure.startsWith('findings'))
          .map(({ key, measure, count }) => `${key} ${measure} ${count}`)
          .sort();
      expect(await numbers('tool')).toEqual([
        ...['no_show findings 1', 'no_show findings_open 1', 'retimed findings 2', 'retimed findings_open 1'],
      ]);
      expect(await numbers('status')).toEqual(['closed findings 1', 'open findings 2', 'open findings_open 2']);
      const asked = { ...SPAN, groupBy: 'day', measure: 'findings', key: '2026-03-02', limit: 9 } as const;
      expect((await state.operations.counted(asked)).map(({ id, what }) => [id, what]).sort()).toEqual([
        ['closed', 'retimed'],
        ['open', 'retimed'],
      ]);
    });

    test('counts as lapsed the holds that ended without a payment', async () => {
      const query = { ...SPAN, groupBy: 'day', measure: 'holds_lapsed', limit: 100 } as const;
      const lapsed = async (now = SPAN.now) =>
        (await state.operations.counted({ ...query, now })).map(({ locator }) => locator).sort();
      expect(await lapsed()).toEqual(['CANCELLED', 'DUE', 'EXPIRED', 'REFUSED']);
      // Before its time limit it is a hold.
      expect(await lapsed(START + DAY)).toEqual(['CANCELLED', 'EXPIRED']);
      // A colleague has read it since: it was paid elsewhere.
      const entry = { locator: 'DUE', madeHere: false, seenAt: START + 1, state: 'ticketed' };
      await state.ledger.record({ tenant: 't', id: 'ben' }, entry);
      expect(await lapsed()).not.toContain('DUE');
    });
  });

  describe(`${name}: sums by day of the desk, and what the airline keeps`, () => {
    let state: State;
    beforeEach(async () => {
      state = await open(() => START);
    });
    afterEach(() => state.close());

    type Settled = Partial<NewOperation> & { readonly at: number; readonly state?: OperationState } & {
      readonly outcome?: Outcome;
    };

    async function enter(id: string, { at, state: to = 'succeeded', outcome, ...changes }: Settled): Promise<void> {
      const { amount: _, direction: __, ...plain } = newOperation(id, { locator: id.toUpperCase(), ...changes });
      const { amount, direction } = changes;
      const operation = { ...plain, ...(amount && { amount }), ...(direction && { direction }) };
      await state.operations.insert(operation, { now: at, owner: 'p1', leaseUntil: at });
      if (to === 'intent') return;
      await state.operations.transition(id, ['intent'], to, outcome ? { outcome } : {}, { now: at, actor: 'p1' });
    }

    /** How many of a measure each key has. */
    async function counts(query: Query, measure: (typeof MEASURES)[number]): Promise<Record<string, number>> {
      const found: Record<string, number> = {};
      for (const row of await state.operations.activity(query))
        if (row.measure === measure) found[row.key] = (found[row.key] ?? 0) + row.count;
      return found;
    }

    test('counts each operation and finding once, on its day in the zone, also where the clocks change', async () => {
      const minute = 60_000;
      const autumn = Date.parse('2026-10-24T00:07:00Z');
      const spring = Date.parse('2027-03-27T00:07:00Z');
      const ats = [autumn, spring].flatMap((start) => Array.from({ length: 40 }, (_, i) => start + i * 85 * minute));
      for (const [i, at] of ats.entries()) await enter(`z${i}`, { at });
      await state.findings.add(
        ats.map(
          (seenAt, i) =>
            ({ id: `f${i}`, tenant: 't', locator: 'L1', kind: 'retimed', seenAt, since: START }) as Finding,
        ),
      );
      const zones = ['Asia/Riyadh', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'UTC'];
      for (const timeZone of zones) {
        const expected: Record<string, number> = {};
        for (const at of ats) expected[dayIn(at, timeZone)] = (expected[dayIn(at, timeZone)] ?? 0) + 1;
        const span = daysIn('2026-10-20', '2027-04-05', timeZone);
        const query = { acts: ACTS, tenant: 't', ...span, groupBy: 'day', timeZone, now: START } as const;
        expect([timeZone, await counts(query, 'operations')]).toEqual([timeZone, expected]);
        expect([timeZone, await counts(query, 'findings')]).toEqual([timeZone, expected]);
        const [key = '', count = 0] = Object.entries(expected)[1] ?? [];
        for (const measure of ['operations', 'findings'] as const) {
          const behind = await state.operations.counted({ ...query, measure, key, limit: 100 });
          expect(behind.map(({ at }) => dayIn(at, timeZone))).toEqual(Array(count).fill(key));
        }
      }
    });

    test('a sale at half past one in Riyadh belongs to its day there', async () => {
      await enter('night', { at: Date.parse('2026-03-09T22:30:00Z'), direction: 'payment', ...money(69_000) });
      const on = (timeZone: string) =>
        counts({ ...SPAN, ...daysIn('2026-03-10', '2026-03-10', timeZone), groupBy: 'day', timeZone }, 'sold');
      expect(await on('Asia/Riyadh')).toEqual({ '2026-03-10': 1 });
      expect(await on('UTC')).toEqual({});
    });

    /** The rows of a question in SQL about the operations of a period. */
    async function asked({ from, to, timeZone, now }: Query, sql: string): Promise<unknown> {
      const context = { acts: ACTS, timeZone, now, attention: () => [], changeWords: () => '' };
      const question: SqlQuestion = {
        ...{ tables: viewTables(true), sql, now, timeZone: 'UTC', mostRows: 500, mostText: 100_000 },
        rowsOf: async function* (reads) {
          for (const source of sourcesFor(reads))
            for await (const rows of state.ledgerRows.batches({ tenant: 't', from, to }, source))
              yield* filledBatch(reads, source.each, rows, context);
        },
      };
      const end = await runSqlNow(question, 10_000);
      return 'rows' in end ? end.rows : end;
    }

    const REFUNDS = {
      penalty: { ...money(5_000), penalty: { minor: 1_000, currency: 'SAR' } },
      gross: { ...money(4_000), penalty: { minor: 1_000, currency: 'SAR' }, vat: { minor: 150, currency: 'SAR' } },
      elsewhere: { ...money(3_000), penalty: { minor: 1_000, currency: 'SAR' }, vat: { minor: 7, currency: 'EUR' } },
      euros: { ...money(3_000), penalty: { minor: 20, currency: 'EUR' }, vat: { minor: 3, currency: 'EUR' } },
      silent: { ...money(2_000), vat: { minor: 150, currency: 'SAR' } },
    };

    test('what is kept is the penalty with its VAT, in one currency, as a booking says it', async () => {
      for (const [i, [id, refund]] of Object.entries(REFUNDS).entries())
        await enter(id, { at: START + i, tool: 'cancel_segment', direction: 'refund', outcome: { refund } });
      const query = { ...SPAN, groupBy: 'tool' } as const;
      const listed = await state.operations.counted({ ...query, measure: 'kept', limit: 9 });
      const words = Object.entries(REFUNDS).map(([id, refund]) => [id, amountKept(refund)]);
      expect(Object.fromEntries(listed.map(({ id, amount }) => [id, amount]))).toEqual(Object.fromEntries(words));
      const rows = (await state.operations.activity(query)).filter(({ measure }) => measure === 'kept');
      expect(rows.reduce((sum, { unstated }) => sum + unstated, 0)).toBe(2);
      const sums = rows.flatMap(({ sum }) => (sum ? [`${sum.currency} ${sum.minor}`] : []));
      expect(sums.sort()).toEqual(['EUR 23', 'SAR 2150']);
      // The view has one currency a row, and never adds another one to it.
      expect(await asked(query, 'select currency, sum(kept), count(kept) from operation group by 1')).toEqual([
        ['SAR', 21.5, 2],
      ]);
    });

    test('sums up by payment type, as noted with the sale', async () => {
      const pays = { direction: 'payment', ...money(100) } as const;
      await enter('card', { at: START, ...pays, facts: { paymentType: 'credit_card' } });
      await enter('card2', { at: START + DAY, ...pays, facts: { paymentType: 'credit_card', route: 'MED-JED' } });
      await enter('cash', { at: START, ...pays, facts: { paymentType: 'cash' } });
      await enter('odd', { at: START, ...pays, facts: { trains: ['"paymentType":"no" \ud800\u0000'] } });
      await enter('older', { at: START, ...pays });
      await enter('hold', { at: START, tool: 'create_booking' });
      await state.findings.add([
        { id: 'f', tenant: 't', locator: 'L1', kind: 'retimed', seenAt: START, since: START } as Finding,
      ]);
      const query = { ...SPAN, groupBy: 'payment_type' } as const;
      expect(await counts(query, 'sold')).toEqual({ credit_card: 2, cash: 1, unknown: 2 });
      expect(await counts(query, 'operations')).toEqual({ credit_card: 2, cash: 1, unknown: 3 });
      expect(await counts(query, 'findings')).toEqual({ unknown: 1 });
      const behind = await state.operations.counted({ ...query, measure: 'sold', key: 'credit_card', limit: 9 });
      expect(behind.map(({ id }) => id)).toEqual(['card2', 'card']);
    });

    /** An amount as the views have it. @param key ends with the currency, if it is one */
    const major = (key: string, minor: number): number =>
      minor === 0 ? 0 : Number(formatMoney({ minor, currency: key.slice(-3) }));

    /** What a measure is in the view `operation` of questions in SQL: a condition, and a column of an amount. */
    const IN_THE_VIEW = {
      sold: ["act = 'payment' and outcome = 'done'", 'paid'],
      paid: ["outcome = 'done' and paid is not null", 'paid'],
      refunded: ["outcome = 'done' and refunded is not null", 'refunded'],
      kept: ["outcome = 'done' and kept is not null", 'kept'],
      in_doubt: ["outcome in ('waiting', 'sent', 'in_doubt', 'needs_person')", 'null'],
      holds_made: ["act = 'hold' and outcome = 'done'", 'null'],
    } as const;

    test('adds up to what questions in SQL add up to, for a mixed fortnight, by currency and day', async () => {
      const states = ['succeeded', 'refused', 'not_executed', 'needs_person', 'in_doubt', 'intent'] as const;
      const refunds = [REFUNDS.penalty, REFUNDS.gross, REFUNDS.silent, undefined];
      const kinds = (i: number): Partial<Settled> => {
        const [currency, minor] = [['SAR', 'KWD', 'JPY'][i % 3] ?? 'SAR', 1_000 + i * 7];
        const refund = refunds[i % 4];
        const change = {
          tool: 'rebook_segment',
          subject: CHANGE as never,
          direction: 'payment',
          ...money(9_999),
        } as const;
        return (
          [
            { direction: 'payment', ...money(minor, currency) },
            { tool: 'cancel_segment', direction: 'refund', ...money(9_999), ...(refund && { outcome: { refund } }) },
            { ...change, outcome: { charge: money(minor) } },
            { ...change, outcome: refund ? { refund } : { basis: 'read' } },
            { tool: 'create_booking', subject: { kind: 'create' } },
            { tool: 'cancel_booking', subject: { kind: 'cancel' } as never },
            { tool: 'change_names' },
          ] as const
        )[i % 7] as Partial<Settled>;
      };
      const timeZone = 'Europe/Berlin';
      const from = Date.parse('2026-03-20T22:50:00Z');
      for (let i = 0; i < 120; i++) {
        const to = states[i % 5 === 0 ? Math.floor(i / 5) % 6 : 0] ?? 'succeeded';
        await enter(`m${i}`, { ...kinds(i), at: from + i * 2.9 * 3_600_000, state: to });
      }
      const span = daysIn('2026-03-21', '2026-04-03', timeZone);
      const query = { ...SPAN, ...span, groupBy: 'day', timeZone } as const;
      const reported = await state.operations.activity(query);
      for (const [measure, [condition, column]] of Object.entries(IN_THE_VIEW)) {
        const isSummed = column !== 'null';
        const sums = new Map<string, [number, number]>();
        for (const row of reported.filter((one) => one.measure === measure)) {
          const key = `${row.key} ${isSummed ? (row.sum?.currency ?? '') : ''}`;
          const [count, minor] = sums.get(key) ?? [0, 0];
          sums.set(key, [count + row.count - row.unstated, minor + (row.sum?.minor ?? 0)]);
        }
        const sql = `select on_day || ' ' || ${isSummed ? 'currency' : "''"}, count(*), coalesce(sum(${column}), 0)
          from operation where ${condition} group by 1 order by 1`;
        const known = [...sums].filter(([, [count]]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
        expect(known.length).toBeGreaterThan(3);
        // Amounts of several currencies come in a table for each, which is named before its rows.
        const rows = ((await asked(query, sql)) as readonly (readonly unknown[])[]).map((row) => row.slice(-3));
        const byKey = rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
        expect([measure, byKey]).toEqual([
          measure,
          known.map(([key, [count, minor]]) => [key, count, major(key, minor)]),
        ]);
      }
    });
  });

  describe(`${name}: counts of what is open`, () => {
    let state: State;
    beforeEach(async () => {
      state = await open(() => START);
    });
    afterEach(() => state.close());

    test('counts open operations of the whole state, for every caller', async () => {
      expect(await state.openCounts(START, ACTS)).toEqual({
        ...{ inDoubt: 0, needsPerson: 0, needsPersonHolds: 0, approvalsWaiting: 0, findingsOpen: 0 },
        approvalsLapsed: { dialog: 0, page: 0 },
      });
      const meta = { now: START, owner: 'p1', leaseUntil: START };
      const states = ['needs_person', 'needs_person', 'in_doubt', 'dispatched', 'succeeded'] as const;
      for (const [i, to] of states.entries()) {
        const [id, tool] = [`o${i}`, i === 1 ? 'create_booking' : 'pay_booking'];
        await state.operations.insert(newOperation(id, { locator: id, tenant: id, tool }), meta);
        await state.operations.transition(id, ['intent'], to, {}, { now: START + 1_000 + i, actor: 'p1' });
      }
      for (const [i, expiresAt] of [START - 1, START, START + 1, START + 2].entries()) {
        const asked = { handleHash: `h${i}`, operationId: `p${i}`, createdAt: START - 10, expiresAt };
        await state.approvals.put(pendingApproval(asked));
      }
      await state.approvals.decide('h3', 'declined', 'page', START);
      await state.operations.check({ now: START });
      expect(await state.openCounts(START, ACTS)).toEqual({
        ...{ inDoubt: 1, needsPerson: 2, needsPersonHolds: 1, needsPersonSince: START + 1_000, approvalsWaiting: 1 },
        journalCheckedAt: START,
        // Those of the last hour, by where they were asked.
        approvalsLapsed: { dialog: 0, page: 2 },
        findingsOpen: 0,
      });
    });
  });
}
