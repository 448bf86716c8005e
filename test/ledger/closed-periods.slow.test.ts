/**
 * A closed period stays as it was: the same figures and rows a day after it, 70 and 400 days later, when what is over
 * was cleaned away; and nothing personal is among what stays.
 */

import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { scratch } from '../store/support/journals.ts';
import { newOperation, SAR } from '../store/support/new-operation.ts';
import type { Approval, Finding, LedgerEntry, NewOperation, Outcome, State } from '../store/support/ports.ts';
import { suiteDatabase } from '../store/support/suite-database.ts';
import { pendingApproval } from '../support/approvals.ts';
import { allRows, askLedger } from '../support/ledger-rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T00:00:00Z');
const END = START + 14 * DAY;
const ANN = { tenant: 't', id: 'ann' };
const BEN = { tenant: 't', id: 'ben' };
/** Who stands in no row that stays. */
const PERSONAL = ['Canaryson', 'Quillfeather', 'Canaryson Q.', 'P77-CANARY', 'canary@example.com', '7/77F'];

const { url, cluster, freshSchema, ends } = suiteDatabase();
const folder = scratch('periods');
afterAll(() => folder.remove());

interface Place {
  open(now: () => number): Promise<State>;
  /** Every row of every table, as text. */
  text(): Promise<string>;
}

function sqlite(): Place {
  const file = folder.at(`${freshSchema()}.sqlite`);
  return {
    open: async (now) => ends(await openSqliteState(file, { now })),
    async text() {
      using db = new DatabaseSync(file);
      const tables = db.prepare("select name from sqlite_schema where type = 'table'").all();
      return JSON.stringify(tables.map(({ name }) => db.prepare(`select * from "${name}"`).all()));
    },
  };
}

function postgres(): Place {
  const schema = freshSchema();
  return {
    open: async (now) => ends(await openPostgresState(url(), { schema, now })),
    async text() {
      const tables = await cluster().tables('clerk', schema);
      const rows = await Promise.all(tables.map((table) => cluster().sql('clerk', `select * from ${schema}.${table}`)));
      return JSON.stringify(rows);
    },
  };
}

/** A fortnight of a desk: what was sold, refunded, held and let go, found, asked and answered. */
async function fortnight(state: State, clock: { at: number }): Promise<void> {
  const enter = async (
    id: string,
    day: number,
    change: Partial<NewOperation>,
    outcome: Outcome = { basis: 'reply' },
  ) => {
    clock.at = START + day * DAY;
    const { amount, direction, ...plain } = newOperation(id);
    const moved = change.direction === undefined ? {} : { amount, direction };
    const operation = { ...plain, ...moved, caller: 'ann', ...change } as NewOperation;
    const inserted = await state.operations.insert(operation, { now: clock.at, owner: 'p', leaseUntil: clock.at });
    expect(inserted.kind).toBe('inserted');
    await state.operations.transition(
      id,
      { from: ['intent'], to: 'succeeded', patch: { outcome } },
      { now: clock.at, actor: 'p' },
    );
  };
  const both = { route: 'MED-JED-MED', trains: ['HHR101', 'HHR202'], adults: 2, children: 0, infants: 0 };
  const hold = (id: string, locator: string, day: number, more: Partial<NewOperation> = {}) =>
    enter(id, day, { tool: 'create_booking', subject: { kind: 'create' }, locator, facts: both, ...more }, { locator });
  await hold('h1', 'SOLD01', 1);
  await enter('p1', 1, { locator: 'SOLD01', direction: 'payment', facts: { ...both, paymentType: 'cash' } });
  const refund = { amount: SAR(4_000), penalty: SAR(1_000) };
  const wayOut = { locator: 'SOLD01', tool: 'cancel_segment', facts: { route: 'MED-JED', adults: 2 } };
  await enter('c1', 3, { ...wayOut, direction: 'refund' }, { refund });
  await hold('h2', 'LAPSED', 2);
  await hold('h3', 'GONE01', 2, { caller: 'ben' });
  await hold('h4', 'BENS01', 4, { caller: 'ben' });
  await enter('p4', 4, { locator: 'BENS01', caller: 'ben', direction: 'payment', facts: both });

  const record = (caller: typeof ANN, locator: string, more: Partial<LedgerEntry>) =>
    state.ledger.record(caller, {
      ...{ locator, madeHere: true, seenAt: START + 5 * DAY, state: 'ticketed' },
      ...{ contactName: 'Quillfeather Canaryson', travelers: ['Canaryson Q.'] },
      ...{ departs: '2026-03-12T08:00:00+03:00', route: 'MED-JED-MED', total: '345.00', currency: 'SAR' },
      passengers: [
        { type: 'ADT', name: 'Canaryson Q.', seats: ['7/77F', ''] },
        { type: 'ADT', unnamed: true },
      ],
      ...{ legs: [{ train: 'HHR101', from: 'MED', to: 'JED', departs: '2026-03-12T08:00:00+03:00', class: 'C' }] },
      sums: { total: SAR(34_500) },
      ...more,
    });
  // Only the way back is left.
  await record(ANN, 'SOLD01', { route: 'JED-MED', departs: '2026-03-13T08:00:00+03:00' });
  await record(ANN, 'LAPSED', { state: 'held', payBy: '2026-03-05T12:00:00Z' });
  await record(BEN, 'GONE01', { state: 'expired' });
  await record(BEN, 'BENS01', {});
  // Read by a colleague, later.
  await record(ANN, 'BENS01', { madeHere: false, seenAt: START + 6 * DAY });
  await record(ANN, 'ELSE01', { madeHere: false, departs: '2026-03-11T08:00:00+03:00' });

  const found = (id: string, locator: string, more: Partial<Finding> = {}) =>
    ({
      ...{ id, tenant: 't', locator, kind: 'retimed', seenAt: START + 6 * DAY, since: START, route: 'MED-JED' },
      departsAt: START + 10 * DAY,
      ...more,
    }) as Finding;
  await state.findings.add([
    found('f1', 'SOLD01'),
    found('f2', 'BENS01', { kind: 'no_show', closedAt: START + 7 * DAY, closedBy: 'ben' }),
    found('f3', 'GONE01'),
    found('f4', 'ELSE01', {
      kind: 'refund_arrived',
      seenAt: START + 8 * DAY,
      closedAt: START + 8 * DAY,
      closedBy: 'news',
    }),
  ]);

  const ask = async (id: string, day: number, more: Partial<Approval> = {}) => {
    const at = START + day * DAY;
    const carried = {
      args: { email: 'canary@example.com', document: 'P77-CANARY' },
      operation: { amount: SAR(17_250), direction: 'payment' },
    };
    await state.approvals.put(
      pendingApproval({
        ...{ handleHash: `hash ${id}`, operationId: id, caller: 'ann', createdAt: at, expiresAt: at + HOUR, carried },
        sections: [{ kind: 'people', lines: ['Quillfeather Canaryson, P77-CANARY'] }],
        ...more,
      }),
    );
  };
  const answered = (at: number) =>
    ({ decision: 'granted', assurance: 'page', decidedAt: at, approver: 'lea' }) as const;
  await ask('p1', 1, answered(START + DAY + 60_000));
  await ask('q2', 2, { decision: 'declined', assurance: 'person', decidedAt: START + 2 * DAY + 1 });
  await ask('q3', 3);
  await ask('q4', 4, { caller: 'ben', locator: 'BENS01', tool: 'create_booking', carried: undefined });
  const part = { plan: 'pl', question: 'q5', line: 0, step: 0 };
  await ask('q5', 5, { tool: 'run_plan', part: { ...part, alone: true }, ...answered(START + 5 * DAY + 1) });
  await ask('c1', 5, { part: { ...part, line: 1 } });
  // SQLite writes the ledger a moment later, unless it is read.
  expect((await state.ledger.find(ANN, { limit: 9 })).total).toBe(4);
}

const KEYS = ['on_day', 'route', 'tool', 'outcome', 'asked_by', 'payment_type'] as const;

/** Every figure and every row that anybody may ask of the period. */
async function answers(state: State, now: number) {
  const lines = async (caller: string | undefined) => {
    const query = { tenant: 't', from: START, to: END, ...(caller && { caller }) };
    // One statement for all: each is run in a process of its own.
    const sql = [
      ...KEYS.map(
        (key) => `select '${key}', ${key}, act, count(*), sum(paid), sum(refunded), sum(kept)
        from operation where outcome = 'done' group by ${key}, act`,
      ),
      "select 'lapsed', locator, made_by, null, null, null, null from booking where state = 'expired'",
      "select 'change', kind, locator || ' ' || date(seen_at), null, null, null, null from change",
      "select 'sale', id, locator, null, null, null, null from operation where act = 'payment'",
    ].join(' union all ');
    const asked = await askLedger(state.ledgerRows, { ...query, now, timeZone: 'UTC' }, sql);
    const figures = asked.map((row) => row.join(' ').trimEnd()).sort();
    const { operations, bookings, findings, questions } = await allRows(state.ledgerRows, query);
    const rows = {
      operations,
      findings,
      questions,
      bookings: bookings.map(({ isPast: _, contactName: __, travelers: ___, passengers, ...stays }) => {
        return { ...stays, passengers: passengers?.map(({ type, unnamed }) => ({ type, unnamed })) };
      }),
    };
    return { figures, rows: JSON.parse(JSON.stringify(rows)) };
  };
  return { desk: await lines(undefined), ann: await lines('ann'), ben: await lines('ben') };
}

describe.each([
  { name: 'SQLite', place: sqlite },
  { name: 'PostgreSQL', place: postgres },
])('on $name a closed period', ({ place }) => {
  async function begun() {
    const clock = { at: START };
    const where = place();
    const state = await where.open(() => clock.at);
    await fortnight(state, clock);
    const later = async (days: number) => {
      clock.at = END + days * DAY;
      await state.clean();
      return answers(state, clock.at);
    };
    return { state, clock, later, text: where.text };
  }

  test('has the same figures and rows a day after it, 70 days and 400 days later', async () => {
    const { later, text, state } = await begun();
    const first = await later(1);
    expect(await text()).toContain('Canaryson');
    const { figures, rows } = first.desk;
    // The sale is under the route that was sold, and what is behind each figure is there.
    expect(figures).toEqual(
      expect.arrayContaining(['route MED-JED-MED payment 2 345', 'route MED-JED-MED refund 1  40 10']),
    );
    expect(figures).toEqual(expect.arrayContaining(['lapsed LAPSED ann', 'lapsed GONE01 ben']));
    expect(first.ann.figures.filter((line) => line.startsWith('change '))).toHaveLength(3);
    expect(rows.questions.map(({ operationId }: { operationId: string }) => operationId)).toEqual([
      'p1',
      'q2',
      'q3',
      'q4',
      'q5',
    ]);
    expect(rows.questions[0]).toEqual({
      ...{ operationId: 'p1', caller: 'ann', tool: 'pay_booking', locator: 'ABC123', decision: 'granted' },
      ...{ askedAt: START + DAY, expiresAt: START + DAY + HOUR, decidedAt: START + DAY + 60_000 },
      ...{ assurance: 'page', approver: 'lea', amountMinor: 17_250, currency: 'SAR', direction: 'payment' },
    });
    expect(rows.bookings).toHaveLength(5);

    for (const days of [70, 400]) {
      expect(await later(days)).toEqual(first);
      // Nobody finds them in the list of bookings, nor answers the questions any more.
      expect((await state.ledger.findOfTenant('t', { limit: 9 })).total).toBe(0);
      expect(await state.approvals.byOperation('q3')).toBeUndefined();
    }
    expect(await state.operations.verify()).toBeUndefined();
  });

  test('keeps no name, document, address or seat', async () => {
    const { later, text } = await begun();
    const before = await text();
    for (const word of PERSONAL) expect([word, before.includes(word)]).toEqual([word, true]);
    await later(70);
    const after = await text();
    for (const word of PERSONAL) expect([word, after.includes(word)]).toEqual([word, false]);
    expect(after).toContain('SOLD01');
  });

  test('shows a booking that is read again long after as it is then, and keeps who made it', async () => {
    const { later, state, clock } = await begun();
    await later(70);
    const seen = { locator: 'SOLD01', madeHere: false, state: 'flown', departs: '2026-03-13T08:00:00+03:00' };
    const again = () => state.ledger.record(BEN, { ...seen, seenAt: clock.at, contactName: 'Quillfeather Canaryson' });
    await again();
    const rows = async () =>
      (await allRows(state.ledgerRows, { tenant: 't', from: START, to: END })).bookings.filter(
        ({ locator }) => locator === 'SOLD01',
      );
    expect(await rows()).toMatchObject([{ state: 'flown', readBy: 'ben', madeBy: 'ann' }]);
    expect(JSON.stringify(await rows())).toContain('Canaryson');
    expect(await rows()).not.toMatchObject([{ isPast: true }]);
    for (let i = 0; i < 2; i++) {
      await later(71 + i);
      expect(await rows()).toMatchObject([{ state: 'flown', readBy: 'ben', madeBy: 'ann', isPast: true }]);
      expect(JSON.stringify(await rows())).not.toContain('Canaryson');
      await again();
    }
  });

  test('is shown to the tenant and the caller whose it is alone', async () => {
    const { later, state } = await begun();
    await later(70);
    const rows = async (tenant: string, caller?: string) => {
      const query = { tenant, from: START, to: END, ...(caller && { caller }) };
      const { bookings, findings, questions, operations } = await allRows(state.ledgerRows, query);
      return [bookings, findings, questions, operations].map(({ length }) => length);
    };
    expect(await rows('u')).toEqual([0, 0, 0, 0]);
    expect(await rows('t', 'eve')).toEqual([0, 0, 0, 0]);
    expect(await rows('t', 'ben')).toEqual([2, 2, 1, 3]);
  });
});
