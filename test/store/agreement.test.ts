/**
 * Two ways of asking give one number. A journal made by chance is asked through the tool, as a clerk and as a supervisor are,
 * in pairs of ways that have nothing in common but the answer.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvLine, csvTitles } from '../../src/cli/journal/export.ts';
import type { Caller } from '../../src/domain/people/caller.ts';
import { addDays, utcText } from '../../src/domain/time-and-text/times.ts';
import { ACTIVITY_KEYS, type ActivityKey, MEASURES, type Measure } from '../../src/journal/activity.ts';
import { ownOperations } from '../../src/server/http/caller-clerk.ts';
import { deskOf } from '../../src/server/http/supervisor.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { openPostgresState } from '../../src/store/postgres/state.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import type { State } from '../../src/store/state.ts';
import type { OperationReader } from '../../src/tools/definition/define.ts';
import { reportActivity } from '../../src/tools/report-activity.ts';
import type { Figure, Figures } from '../../src/tools/views/measures.ts';
import { pick, randomOf } from '../campaigns/fuzz/random.ts';
import { openDesk } from '../tools/support/tool-context.ts';
import { scratch } from './support/journals.ts';
import { CALLERS, DAYS, END, fillJournal, START } from './support/random-journal.ts';
import { suiteDatabase } from './support/suite-database.ts';

const BOOKINGS = 130;
const DAY = 86_400_000;
const dayAt = (after: number) => addDays(utcText(START).slice(0, 10), after);
const SPANS = [
  { from: dayAt(0), to: dayAt(DAYS - 1) },
  { from: dayAt(15), to: dayAt(40) },
  { from: dayAt(62), to: dayAt(72) },
  { from: dayAt(DAYS - 20), to: dayAt(DAYS - 1) },
] as const;
type Days = (typeof SPANS)[number];

interface Viewer {
  readonly caller: Caller;
  readonly operations: OperationReader;
  /** Whose operations they see. */
  readonly of: readonly string[];
}

/** A number in one form, whichever way it was asked for. */
interface Told {
  count: number;
  readonly minor: Record<string, number>;
  unstated: number;
}

const nothing = (): Told => ({ count: 0, minor: {}, unstated: 0 });
const cents = (amount: string) => Math.round(Number(amount) * 100);

function add(to: Told, { count, sums = {}, not_stated: unstated = 0 }: Figure): Told {
  to.count += count;
  to.unstated += unstated;
  for (const [currency, sum] of Object.entries(sums)) to.minor[currency] = (to.minor[currency] ?? 0) + cents(sum);
  return to;
}

const MONEY: readonly Measure[] = ['sold', 'paid', 'refunded', 'penalties'];
const CHANGES = [
  'change_names',
  'update_passenger',
  'update_contact',
  'assign_seats',
  'split_booking',
  'rebook_segment',
];

const { url, freshSchema } = suiteDatabase();
const STORES: readonly (readonly [name: string, open: () => Promise<State>])[] = [
  ['SQLite', () => openSqliteState(':memory:', { now: () => END })],
  ['PostgreSQL', () => openPostgresState(url(), { schema: freshSchema(), now: () => END })],
];

describe.each(STORES)('%s: numbers that agree', (_name, open) => {
  let state: State;
  let viewers: readonly Viewer[];
  const folder = scratch('agreement');
  beforeAll(async () => {
    state = await open();
    await fillJournal(state, BOOKINGS, 7);
    const { ledger, operations } = state;
    const clerk = (tenant: string, id: string): Viewer => ({
      ...{ caller: { tenant, id }, of: [id] },
      operations: ownOperations(operations, { tenant, id }),
    });
    const supervisor = (tenant: keyof typeof CALLERS): Viewer => {
      const caller = { tenant, id: 'lead' };
      const claims = { has: async () => false, add: async () => undefined } as never;
      return { caller, of: CALLERS[tenant], ...deskOf(caller, { ledger, operations, claims, looked() {} }) };
    };
    viewers = [clerk('t', 'ann'), clerk('t', 'ben'), supervisor('t'), supervisor('u')];
  });
  afterAll(async () => {
    await state.close();
    folder.remove();
  });

  const answers = new Map<string, ReturnType<typeof reportActivity.run>>();

  /** Nothing changes meanwhile: the same question is asked once. */
  function ask({ caller, operations }: Viewer, args: object) {
    const { ctx } = openDesk({ now: END });
    const given = reportActivity.input().parse(args);
    const asked = JSON.stringify([caller, args]);
    const answer =
      answers.get(asked) ?? reportActivity.run(given, { ...ctx, caller, state: { ...ctx.state, operations } });
    answers.set(asked, answer);
    return answer;
  }

  const numberIn = (figures: Figures, measure: Measure): Told => {
    const figure = figures[measure];
    return figure === undefined ? nothing() : add(nothing(), figure);
  };

  /** From the rows of a report. */
  async function summedBy(viewer: Viewer, days: Days, group_by: ActivityKey, measure: Measure): Promise<Told> {
    const { rows = [] } = await ask(viewer, { ...days, group_by });
    return rows.reduce((sum, { measures }) => add(sum, measures[measure] ?? { count: 0 }), nothing());
  }

  /** From the operations behind the number, page by page. */
  async function listed(viewer: Viewer, args: object, measure: Measure): Promise<Told> {
    const sum = nothing();
    const seen = new Set<string>();
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const { entries, next } = await ask(viewer, { ...args, measure, ...(after !== undefined && { after }) });
      for (const { id, amount, currency } of entries) {
        expect(seen.has(id), id).toBe(false);
        seen.add(id);
        sum.count += 1;
        if (currency !== undefined) sum.minor[currency] = (sum.minor[currency] ?? 0) + cents(amount ?? '');
        else if (MONEY.includes(measure)) sum.unstated += 1;
      }
      after = next;
    }
    return sum;
  }

  type Way = (viewer: Viewer, days: Days, measure: Measure) => Promise<Told>;
  const WAYS: Readonly<Record<string, Way>> = {
    total: async (viewer, days, measure) => numberIn((await ask(viewer, days)).totals ?? {}, measure),
    'one by one': (viewer, days, measure) => listed(viewer, days, measure),
    ...Object.fromEntries(
      ACTIVITY_KEYS.map((key): [string, Way] => [`by ${key}`, (viewer, days, m) => summedBy(viewer, days, key, m)]),
    ),
  };

  async function askPairs(seed: number, pairs: number): Promise<number> {
    const random = randomOf(seed);
    let meaning = 0;
    for (let i = 0; i < pairs; i += 1) {
      const [viewer, days, measure] = [pick(viewers, random), pick(SPANS, random), pick(MEASURES, random)];
      const first = pick(Object.keys(WAYS), random);
      const second = pick(
        Object.keys(WAYS).filter((way) => way !== first),
        random,
      );
      const asked = `${viewer.caller.id} of ${viewer.caller.tenant}, ${days.from} to ${days.to}, ${measure}: ${first}, ${second}`;
      const one = await WAYS[first]?.(viewer, days, measure);
      expect(await WAYS[second]?.(viewer, days, measure), asked).toEqual(one);
      if ((one?.count ?? 0) > 0) meaning += 1;
    }
    return meaning;
  }

  test('gives one number to 100 pairs of questions', async () => {
    expect(await askPairs(11, 100)).toBeGreaterThan(70);
  });

  test('lists behind each of 40 rows exactly the operations that it counts', async () => {
    const random = randomOf(12);
    for (let i = 0; i < 40; i += 1) {
      const [viewer, days, group_by] = [pick(viewers, random), pick(SPANS, random), pick(ACTIVITY_KEYS, random)];
      const { rows = [] } = await ask(viewer, { ...days, group_by });
      if (rows.length === 0) continue;
      const { key, measures } = pick(rows, random);
      const measure = pick(Object.keys(measures) as Measure[], random);
      const told = numberIn(measures, measure);
      expect(await listed(viewer, { ...days, group_by, key }, measure), `${key}, ${measure}`).toEqual(told);
      const { totals = {} } = await ask(viewer, { ...days, group_by, key, measure });
      expect(numberIn(totals, measure)).toEqual(told);
    }
  });

  test('gives the numbers of the exported journal', async () => {
    const names = csvTitles().trimEnd().split(',');
    for (const { from, to } of SPANS) {
      const period = { from: Date.parse(from), to: Date.parse(to) + DAY };
      const sheet = (await state.operations.page({ ...period, limit: 10_000 })).map((row) => {
        const cells = csvLine(row).trimEnd().split(',');
        return Object.fromEntries(names.map((title, i) => [title, cells[i] ?? '']));
      });
      for (const viewer of viewers) {
        const own = sheet.filter(({ caller = '' }) => viewer.of.includes(caller));
        const { totals = {} } = await ask(viewer, { from, to });
        const count = (of: (row: Record<string, string>) => boolean) => own.filter(of).length;
        const sums = (amount: string, currency: string) => {
          const minor: Record<string, number> = {};
          for (const row of own.filter((each) => each[amount] !== '')) {
            const named = row[currency] ?? '';
            minor[named] = (minor[named] ?? 0) + cents(row[amount] ?? '');
          }
          return minor;
        };
        const done = ({ state: at }: Record<string, string>) => at === 'succeeded';
        const open = ['intent', 'dispatched', 'in_doubt', 'needs_person'];
        const told = (measure: Measure) => numberIn(totals, measure);
        expect(told('operations').count).toBe(own.length);
        expect(told('paid').minor).toEqual(sums('charged', 'charged_currency'));
        expect(told('refunded').minor).toEqual(sums('refund', 'refund_currency'));
        expect(told('sold').count).toBe(count((row) => done(row) && row.tool === 'pay_booking'));
        expect(told('holds_made').count).toBe(count((row) => done(row) && row.tool === 'create_booking'));
        expect(told('changes').count).toBe(count((row) => done(row) && CHANGES.includes(row.tool ?? '')));
        expect(told('in_doubt').count).toBe(count((row) => open.includes(row.state ?? '')));
      }
    }
  });

  test('gives the numbers of the metrics, where both count the same', async () => {
    const metrics = createMetrics({ process: false });
    for (const operation of await state.operations.list({})) {
      const { state: to } = operation;
      if (to !== 'intent' && to !== 'dispatched') await metrics.settled(async () => operation, ['dispatched'], to);
    }
    const { body } = await metrics.text();
    metrics.close();
    const value = (series: string, labels: string) =>
      [...body.matchAll(new RegExp(`^${series}\\{([^}]*)\\} ([\\d.]+)$`, 'gm'))]
        .filter(([, own = '']) => own.includes(labels))
        .reduce((sum, [, , each]) => sum + Number(each), 0);
    const desks = viewers.filter(({ caller }) => caller.id === 'lead');
    const paid = nothing();
    const open = nothing();
    const byState = new Map<string, number>();
    for (const viewer of desks) {
      const { rows = [], totals = {} } = await ask(viewer, { ...SPANS[0], group_by: 'status' });
      for (const { key, measures } of rows)
        byState.set(key, (byState.get(key) ?? 0) + (measures.operations?.count ?? 0));
      add(paid, totals.paid ?? { count: 0 });
      add(open, totals.findings_open ?? { count: 0 });
    }
    for (const to of ['succeeded', 'refused', 'not_executed', 'needs_person'] as const) {
      expect(value('fareclerk_operations_settled_total', `state="${to}"`), to).toBe(byState.get(to));
    }
    for (const currency of ['SAR', 'EUR']) {
      const moved = value('fareclerk_money_moved_total', `currency="${currency}",direction="payment"`);
      expect(Math.round(moved * 100)).toBe(paid.minor[currency]);
    }
    const counts = await state.openCounts(END);
    expect([counts.inDoubt, counts.needsPerson]).toEqual([byState.get('in_doubt'), byState.get('needs_person')]);
    expect(counts.findingsOpen).toBe(open.count);
    expect(open.count).toBeGreaterThan(0);
  });

  test('agrees too after old operations went into an archive', async () => {
    const before = END - 60 * DAY;
    answers.clear();
    const file = folder.at('old.jsonl.gz');
    const archived = await state.operations.archive({ file, before, by: 'os:ann', now: END });
    expect(archived.operations).toBeGreaterThan(50);
    const told = await ask(viewers[2] as Viewer, SPANS[0]);
    expect(told.archived_before).toBe(utcText(before));
    expect(await askPairs(13, 40)).toBeGreaterThan(20);
  });
});
