/**
 * What questions in SQL add up of a journal in a database, against what was entered; and the counts of what is open.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dayIn, daysIn } from '../../src/core/zone.ts';
import { amountKept } from '../../src/domain/refund/airline-stated-refund.ts';
import { filledBatch, sourcesFor } from '../../src/ledger/filling.ts';
import type { OperationField } from '../../src/ledger/ports.ts';
import { viewTables } from '../../src/ledger/views.ts';
import { pendingApproval } from '../support/approvals.ts';
import { expectGolden } from '../support/golden.ts';
import { askLedger, type LedgerQuestion } from '../support/ledger-rows.ts';
import { ACTS } from '../support/rules.ts';
import { NO_REFUNDS, newOperation } from './support/new-operation.ts';
import type { Finding, LedgerEntry, NewOperation, OpenState, OperationState, Outcome, State } from './support/ports.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-03-01T00:00:00Z');
const ANN = { tenant: 't', id: 'ann' };
const SPAN = { from: START, to: START + 60 * DAY, tenant: 't', now: START + 60 * DAY, timeZone: 'UTC' };
/** The column of what a payment or an exchange took. */
const PAID = 'paid';

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

/** The rows of an answer, one a line. */
const lines = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map((cell) => cell ?? '-').join(' '));

export function describeSums(name: string, open: OpenState): void {
  describe(`${name}: sums of the journal`, () => {
    let state: State;
    beforeEach(async () => {
      state = await open(() => START);
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
      await state.operations.transition(id, { from: ['intent'], to, patch }, { now: at, actor: 'p1' });
    }

    const ask = (sql: string, more: Partial<LedgerQuestion> = {}) =>
      askLedger(state.ledgerRows, { ...SPAN, ...more }, sql);
    const within = (from: number, to: number) => ({ from: START + from * DAY, to: START + to * DAY });

    /** How many acts each key has by their outcome, and what those that are done moved, by currency. */
    async function told(keys: readonly string[], more: Partial<LedgerQuestion> = {}): Promise<string> {
      const counts = keys.map(
        (key) => `select '${key}', ${key}, outcome, count(*) from operation group by ${key}, outcome`,
      );
      const sums = keys.map(
        (key) => `select '${key}', ${key}, sum(${PAID}), sum(refunded), sum(kept) from operation
          where outcome = 'done' and coalesce(${PAID}, refunded, kept) is not null group by ${key}`,
      );
      // One statement for all: each is run in a process of its own.
      const rows = [await ask(counts.join(' union all '), more), await ask(sums.join(' union all '), more)];
      return rows.flatMap((some) => lines(some).sort()).join('\n');
    }

    test('adds up a span by each key, for all callers or one, and lists what is behind each sum', async () => {
      expect(await ask('select id from operation', { ...within(-9, -3), now: START - 3 * DAY })).toEqual([]);
      const behind = `select on_day, tool, outcome, locator, currency, ${PAID}, refunded, kept from operation`;
      await expectGolden('journal/sums', {
        'by tool, caller, day and route': await told(['tool', 'asked_by', 'on_day', 'route']),
        'of one caller': await told(['tool'], { caller: 'ben' }),
        'of four days of one caller': await told(['tool'], { caller: 'ann', ...within(7, 11) }),
        'of a day more before and after': await told(['asked_by'], within(-1, 61)),
        'what was refunded': lines(await ask(`${behind} where refunded is not null order by id`)).join('\n'),
        'what is not settled': lines(
          await ask(`${behind} where outcome in ('waiting', 'sent', 'in_doubt', 'needs_person') order by id`),
        ).join('\n'),
      });
    });

    test('reads for a column of the view of operations what it needs, and nothing else that many bytes have', async () => {
      const context = { acts: ACTS, timeZone: 'UTC', now: SPAN.now, changeWords: () => '' };
      const cells = async (columns: readonly string[], fields?: ReadonlySet<OperationField>) => {
        const source = { each: 'operations', beside: new Set(['questions' as const]), fields } as const;
        const rows: unknown[] = [];
        for await (const batch of state.ledgerRows.batches(SPAN, source))
          for (const [, filled] of filledBatch([{ table: 'operation', columns }], 'operations', batch, context))
            rows.push(...filled);
        return rows;
      };
      const all =
        viewTables(true)
          .find(({ name }) => name === 'operation')
          ?.columns.map(({ name }) => name) ?? [];
      const whole = (await cells(all)) as unknown[][];
      expect(whole.length).toBeGreaterThan(CASES.length / 2);
      for (const [i, column] of all.entries()) {
        const [source] = sourcesFor([{ table: 'operation', columns: [column] }]);
        const alone = await cells([column], source?.fields);
        expect([column, alone]).toEqual([column, whole.map((row) => [row[i]])]);
      }
      expect([...(sourcesFor([{ table: 'operation', columns: ['on_day', 'outcome'] }])[0]?.fields ?? [])]).toEqual([
        'createdAt',
        'state',
      ]);
      expect(sourcesFor([{ table: 'history', columns: ['what'] }])[0]?.fields).toBeUndefined();
    });

    test('finds a caller and a route of any letters, and nothing of another tenant', async () => {
      const odd = "o'neil\\' ? $1 \\x27 \u{1F600} --";
      const facts = { route: odd };
      const day = { day: 50, change: { caller: odd, tool: 'cancel_segment', direction: 'refund' as const, facts } };
      await enter(90, { ...day, outcome: { refund: money(31) } });
      await enter(91, { day: 51, bare: true, change: { tool: 'change_names', locator: 'L3', facts } });
      const found = 'select asked_by, tool, route from operation where route = asked_by or asked_by = route';
      for (const whose of [{}, { caller: odd }])
        expect(await ask(found, whose)).toEqual([[odd, 'cancel_segment', odd]]);
      const ofRoute = `select locator from operation where route = '${odd.replaceAll("'", "''")}' order by id`;
      expect(await ask(ofRoute)).toEqual([['B90'], ['L3']]);
      expect(await ask('select count(*) from operation', { tenant: 'u' })).toEqual([[1]]);
      expect(await ask('select count(*) from operation', { tenant: 'nobody' })).toEqual([[0]]);
      const none = await ask('select id from operation', { caller: 'nul\0' }).catch(() => []);
      expect(none).toEqual([]);
    });

    test('has changes by the airline under the days on which they were seen, and says which are open', async () => {
      const finding = (id: string, more: object) =>
        ({ id, tenant: 't', locator: 'L1', kind: 'retimed', seenAt: START + DAY, since: START, ...more }) as Finding;
      await state.findings.add([
        finding('open', { route: 'MED-JED' }),
        finding('closed', { closedAt: START + DAY, closedBy: 'ann' }),
        finding('later', { kind: 'no_show', seenAt: START + 2 * DAY }),
        finding('foreign', { tenant: 'u' }),
      ]);
      const sql =
        'select date(seen_at), kind, closed_by, count(*), sum(closed_at is null) from change group by 1, 2, 3 order by 2, 3';
      expect(await ask(sql)).toEqual([
        ['2026-03-03', 'no_show', null, 1, 1],
        ['2026-03-02', 'retimed', null, 1, 1],
        ['2026-03-02', 'retimed', 'ann', 1, 0],
      ]);
      expect(await ask(sql, within(2, 9))).toHaveLength(2);
    });

    test('has as lapsed the holds that ended without a payment, by the last reading of any caller', async () => {
      const lapsed = async (now = SPAN.now) =>
        (
          await ask(
            `select locator from booking where state = 'expired' and locator not in (select locator from operation
               where act = 'payment' and locator is not null and outcome not in ('refused', 'not_done')) order by 1`,
            { now },
          )
        ).flat();
      expect(await lapsed()).toEqual(['DUE', 'EXPIRED', 'REFUSED']);
      // Before its time limit it is a hold.
      expect(await lapsed(START + DAY)).toEqual(['EXPIRED']);
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
      await state.operations.transition(
        id,
        { from: ['intent'], to, patch: outcome ? { outcome } : {} },
        { now: at, actor: 'p1' },
      );
    }

    const ask = (sql: string, more: Partial<LedgerQuestion> = {}) =>
      askLedger(state.ledgerRows, { ...SPAN, ...more }, sql);

    test('counts each operation and change once, on its day in the zone, also where the clocks change', async () => {
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
        const span = { ...daysIn('2026-10-20', '2027-04-05', timeZone), timeZone };
        const days = Object.entries(expected).sort();
        expect(await ask('select on_day, count(*) from operation group by 1 order by 1', span)).toEqual(days);
        expect(await ask('select date(seen_at), count(*) from change group by 1 order by 1', span)).toEqual(days);
      }
    });

    test('a sale at half past one in Riyadh belongs to its day there', async () => {
      await enter('night', { at: Date.parse('2026-03-09T22:30:00Z'), direction: 'payment', ...money(69_000) });
      const on = (timeZone: string) =>
        ask('select on_day, count(*) from operation group by 1', {
          ...daysIn('2026-03-10', '2026-03-10', timeZone),
          timeZone,
        });
      expect(await on('Asia/Riyadh')).toEqual([['2026-03-10', 1]]);
      expect(await on('UTC')).toEqual([]);
    });

    const REFUNDS = {
      penalty: { ...money(5_000), penalty: { minor: 1_000, currency: 'SAR' } },
      gross: { ...money(4_000), penalty: { minor: 1_000, currency: 'SAR' }, vat: { minor: 150, currency: 'SAR' } },
      elsewhere: { ...money(3_000), penalty: { minor: 1_000, currency: 'SAR' }, vat: { minor: 7, currency: 'EUR' } },
      euros: { ...money(3_000), penalty: { minor: 20, currency: 'EUR' }, vat: { minor: 3, currency: 'EUR' } },
      silent: { ...money(2_000), vat: { minor: 150, currency: 'SAR' } },
    };

    test('what is kept is the penalty with its VAT, in the currency of the row, as a booking says it', async () => {
      for (const [i, [id, refund]] of Object.entries(REFUNDS).entries())
        await enter(id, { at: START + i, tool: 'cancel_segment', direction: 'refund', outcome: { refund } });
      const words = Object.entries(REFUNDS).map(([id, refund]) => {
        const kept = amountKept(refund);
        // The view has one currency a row, and never adds another one to it.
        return [id, kept?.currency === 'SAR' ? kept.minor / 100 : null];
      });
      expect(
        new Set(await ask('select id, kept from operation').then((rows) => rows.map((row) => row.slice(-2).join()))),
      ).toEqual(new Set(words.map((word) => word.join())));
      expect(await ask('select currency, sum(kept), count(kept) from operation group by 1')).toEqual([
        ['SAR', 21.5, 2],
      ]);
    });

    test('adds up by payment type, as noted with the sale', async () => {
      const pays = { direction: 'payment', ...money(100) } as const;
      await enter('card', { at: START, ...pays, facts: { paymentType: 'credit_card' } });
      await enter('card2', { at: START + DAY, ...pays, facts: { paymentType: 'credit_card', route: 'MED-JED' } });
      await enter('cash', { at: START, ...pays, facts: { paymentType: 'cash' } });
      await enter('odd', { at: START, ...pays, facts: { trains: ['"paymentType":"no" \ud800\u0000'] } });
      await enter('older', { at: START, ...pays });
      await enter('hold', { at: START, tool: 'create_booking' });
      const sql = `select payment_type, count(*), sum(${PAID}) from operation
        where act = 'payment' and outcome = 'done' group by 1 order by 1`;
      expect(await ask(sql)).toEqual([
        [null, 2, 2],
        ['cash', 1, 1],
        ['credit_card', 2, 2],
      ]);
    });

    test('an amount that nobody stated is in no sum, and is counted beside it', async () => {
      await enter('told', {
        at: START,
        tool: 'cancel_segment',
        direction: 'refund',
        outcome: { refund: money(4_000) },
      });
      await enter('silent', { at: START, tool: 'cancel_segment', direction: 'refund', ...money(9_999) });
      const sql =
        "select count(*), count(refunded), sum(refunded) from operation where act = 'refund' and outcome = 'done'";
      expect(await ask(sql)).toEqual([[2, 1, 40]]);
    });

    test('adds up to what was entered, for a mixed fortnight, by currency and day', async () => {
      const states = ['succeeded', 'refused', 'not_executed', 'needs_person', 'in_doubt', 'intent'] as const;
      const refunds = [REFUNDS.penalty, REFUNDS.gross, REFUNDS.silent, undefined];
      const change = {
        tool: 'rebook_segment',
        subject: CHANGE as never,
        direction: 'payment',
        ...money(9_999),
      } as const;
      const kinds = (i: number): Partial<Settled> => {
        const [currency, minor] = [['SAR', 'KWD', 'JPY'][i % 3] ?? 'SAR', 1_000 + i * 7];
        const refund = refunds[i % 4];
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
      const span = { ...daysIn('2026-03-21', '2026-04-03', timeZone), timeZone };
      const due = {
        paid: new Map<string, number[]>(),
        refunded: new Map(),
        kept: new Map(),
        open: new Map(),
        holds: new Map(),
      };
      const note = (to: Map<string, number[]>, key: string, minor = 0) => {
        const [count = 0, sum = 0] = to.get(key) ?? [];
        to.set(key, [count + 1, sum + minor]);
      };
      for (let i = 0; i < 120; i++) {
        const to = states[i % 5 === 0 ? Math.floor(i / 5) % 6 : 0] ?? 'succeeded';
        const kind = kinds(i);
        const at = from + i * 2.9 * 3_600_000;
        await enter(`m${i}`, { ...kind, at, state: to });
        if (at < span.from || at >= span.to) continue;
        const day = dayIn(at, timeZone);
        if (['needs_person', 'in_doubt', 'intent'].includes(to)) note(due.open, day);
        if (to !== 'succeeded') continue;
        if (kind.tool === 'create_booking') note(due.holds, day);
        const { charge, refund } = kind.outcome ?? {};
        const paid = kind.tool === undefined ? kind.amount : charge?.amount;
        if (paid) note(due.paid, `${paid.currency} ${day}`, paid.minor);
        if (refund) note(due.refunded, `${refund.amount.currency} ${day}`, refund.amount.minor);
        const kept = refund && amountKept(refund);
        if (kept) note(due.kept, `${kept.currency} ${day}`, kept.minor);
      }
      const DECIMALS: Readonly<Record<string, number>> = { SAR: 100, KWD: 1_000, JPY: 1 };
      const sums = { paid: PAID, refunded: 'refunded', kept: 'kept' } as const;
      for (const [measure, column] of Object.entries(sums) as [keyof typeof sums, string][]) {
        const sql = `select on_day, currency, count(*), sum(${column}) from operation
          where outcome = 'done' and ${column} is not null group by 1, 2`;
        const told = (await ask(sql, span)).map((row) => {
          const [day, currency, count, sum] = row.slice(-4);
          return [`${currency} ${day}`, [count, Math.round(Number(sum) * (DECIMALS[String(currency)] ?? 0))]];
        });
        expect(due[measure].size).toBeGreaterThan(3);
        expect([measure, Object.fromEntries(told)]).toEqual([measure, Object.fromEntries(due[measure])]);
      }
      const counts = async (condition: string) =>
        Object.fromEntries(await ask(`select on_day, count(*) from operation where ${condition} group by 1`, span));
      const counted = (of: ReadonlyMap<string, number[]>) =>
        Object.fromEntries([...of].map(([day, [count]]) => [day, count]));
      const open = "outcome in ('waiting', 'sent', 'in_doubt', 'needs_person')";
      expect([await counts(open), await counts("act = 'hold' and outcome = 'done'")]).toEqual([
        counted(due.open),
        counted(due.holds),
      ]);
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
        await state.operations.transition(
          id,
          { from: ['intent'], to, patch: {} },
          { now: START + 1_000 + i, actor: 'p1' },
        );
      }
      for (const [i, expiresAt] of [START - 1, START, START + 1, START + 2].entries()) {
        const asked = { handleHash: `h${i}`, operationId: `p${i}`, createdAt: START - 10, expiresAt };
        await state.approvals.put(pendingApproval(asked));
      }
      await state.approvals.decide('h3', { decision: 'declined', assurance: 'page' }, START);
      expect(await state.openCounts(START, ACTS)).toEqual({
        ...{ inDoubt: 1, needsPerson: 2, needsPersonHolds: 1, needsPersonSince: START + 1_000, approvalsWaiting: 1 },
        // Those of the last hour, by where they were asked.
        approvalsLapsed: { dialog: 0, page: 2 },
        findingsOpen: 0,
      });
    });
  });
}
