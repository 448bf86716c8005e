/**
 * What a call costs with ever more behind it: a ledger of so many bookings and a journal of as many operations, on SQLite.
 * Each size has a process of its own, and all take turns.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NewOperation } from '../src/journal/operation.ts';
import { openSqliteState } from '../src/store/sqlite/state.ts';
import type { State } from '../src/store/state.ts';
import type { Bench, Measure, Row } from './measure.ts';
import { type Curve, rowsOf } from './support/curve.ts';
import { RECENT, seedLedger } from './support/seed-ledger.ts';
import { type Command, Speaker } from './support/speaker.ts';
import { median } from './support/statistics.ts';
import { canMeasureUsage, cpuMs } from './support/usage.ts';

const DAY_MS = 86_400_000;
const FILE = 'fareclerk.sqlite';

interface Sized {
  readonly size: number;
  readonly host: Speaker;
  /** The same file, opened by this process. */
  readonly state: State;
}

interface Kind {
  readonly what: string;
  /** Whether the whole ledger or journal is the work. */
  readonly isWork?: true;
  /** Calls of a round. */
  readonly batch: number;
  /** CPU of a batch, milliseconds. */
  readonly cpu: (sized: Sized, batch: number) => Promise<number>;
  /** As {@link cpu}, of a pass-through client. */
  readonly peer?: true;
}

export const ledger: Measure = {
  name: 'ledger',
  about: 'a call with ever more bookings in the ledger and as many operations in the journal: CPU, on SQLite',
  async run(bench) {
    if (!canMeasureUsage) return [];
    const { short, upstream, floors, folder, replies } = bench;
    const sizes = short ? [1_000, 30_000] : [1_000, 100_000, 1_000_000];
    const all: Sized[] = [];
    for (const size of sizes) all.push(await grown(bench, size));
    const through = new Speaker(floors.through(folder('through'), upstream.settings));
    await through.initialize();
    const rows: Row[] = [];
    for (const kind of kindsOf(replies.locator)) {
      rows.push(...rowsOf(await curveOf(kind, all, kind.peer && through, short ? 5 : 9, replies.locator)));
    }
    for (const { host, state } of all) {
      await host.end();
      await state.close();
    }
    await through.end();
    return rows;
  },
};

/** A program that runs on a state of that size, whose first booking it read itself. */
async function grown({ program, upstream, replies, folder }: Bench, size: number): Promise<Sized> {
  const home = folder('ledger');
  const command: Command = program.start(home, upstream.settings);
  const first = new Speaker(command);
  await first.initialize();
  await first.call('read_booking', { locator: replies.locator });
  await first.end();
  const state = join(home, 'state');
  const file = join(
    state,
    readdirSync(state, { recursive: true }).find((name) => String(name).endsWith(FILE)) as string,
  );
  await seedLedger(file, folder('models'), size);
  const host = new Speaker(command);
  await host.initialize();
  return { size, host, state: await openSqliteState(file, { witnesses: folder('witness') }) };
}

function kindsOf(locator: string): Kind[] {
  const called =
    (tool: string, args: object): Kind['cpu'] =>
    async ({ host }, batch) => {
      const before = cpuMs(host.pid);
      for (let n = 0; n < batch; n++) await host.call(tool, args);
      return cpuMs(host.pid) - before;
    };
  const own =
    (work: (state: State) => Promise<unknown>): Kind['cpu'] =>
    async ({ state }, batch) => {
      const before = process.cpuUsage();
      for (let n = 0; n < batch; n++) await work(state);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
  const year = new Date(Date.now() - 365 * DAY_MS).toISOString().slice(0, 10);
  return [
    { what: 'read_booking', batch: 40, cpu: called('read_booking', { locator }), peer: true },
    { what: 'list_bookings', batch: 10, cpu: called('list_bookings', {}) },
    { what: '… those due in a day', batch: 20, cpu: called('list_bookings', { deadline_within_hours: 24 }) },
    { what: '… a name that none has', batch: 4, cpu: called('list_bookings', { query: 'nobody' }), isWork: true },
    { what: `report_activity of ${RECENT} operations`, batch: 4, cpu: called('report_activity', {}) },
    { what: '… of all of a year', batch: 1, cpu: called('report_activity', { from: year }), isWork: true },
    { what: 'the newest 20 of the journal', batch: 40, cpu: own(({ operations }) => operations.list({ limit: 20 })) },
    { what: "the journal's writes of one act", batch: 20, cpu: own(act) },
    { what: 'the counts for Prometheus', batch: 40, cpu: own((state) => state.openCounts(Date.now())) },
  ];
}

async function curveOf(
  kind: Kind,
  all: readonly Sized[],
  through: Speaker | undefined,
  rounds: number,
  locator: string,
): Promise<Curve> {
  const seen = new Map<Sized | Speaker, number[]>();
  const note = (who: Sized | Speaker, ms: number, round: number) => {
    if (round >= 0) seen.set(who, [...(seen.get(who) ?? []), ms / kind.batch]);
  };
  // The first rounds warm up code and the database's pages.
  for (let round = -2; round < rounds; round++) {
    for (const sized of round % 2 === 0 ? all : all.toReversed()) note(sized, await kind.cpu(sized, kind.batch), round);
    if (through === undefined) continue;
    const before = cpuMs(through.pid);
    for (let n = 0; n < kind.batch; n++) await through.call('read_booking', { locator });
    note(through, cpuMs(through.pid) - before, round);
  }
  const peerMs = through && median(seen.get(through) ?? []);
  const points = all.map((sized) => ({ size: sized.size, ms: median(seen.get(sized) ?? []) }));
  return {
    what: kind.what,
    of: 'CPU',
    isWork: kind.isWork === true,
    points: points.map((point, n) => (n === 0 && peerMs !== undefined ? { ...point, peerMs } : point)),
  };
}

/** An act on a booking of its own: entered, sent, settled. */
async function act({ operations }: State): Promise<void> {
  const operation: NewOperation = {
    ...{
      id: randomUUID(),
      tenant: 'bench',
      caller: 'bench',
      tool: 'pay_booking',
      locator: randomUUID(),
      assurance: 'page',
    },
    ...{ argsDigest: 'args', termsDigest: 'terms', amount: { minor: 17_250, currency: 'SAR' }, direction: 'payment' },
    subject: { kind: 'pay', amount: { minor: 17_250, currency: 'SAR' }, coupons: 2 },
  };
  const now = Date.now();
  const meta = { now, actor: 'bench' };
  await operations.insert(operation, { now, owner: 'bench', leaseUntil: now + 60_000 });
  await operations.transition(operation.id, ['intent'], 'dispatched', { dispatchedAt: now }, meta);
  await operations.transition(operation.id, ['dispatched'], 'succeeded', { outcome: { basis: 'reply' } }, meta);
}
