/**
 * kill -9 of a process that acts and tells, at every step of telling: each event is delivered at least once, under one id, and
 * those of a booking in order; none is invented. In the middle the receiver is down for an hour, by a
 * clock that runs faster. On SQLite and on PostgreSQL.
 *
 *   node test/campaigns/events/kill.ts [--runs 60] [--seed 1]     runs: kills on each store
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { type Receiver, startReceiver } from '../../events/support/receiver.ts';
import { Chance } from '../support/chance.ts';
import { newFolder } from '../support/folders.ts';
import { startCluster } from '../support/postgres.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import { type Orders, STEPS } from './support/orders.ts';

const DESK = fileURLToPath(new URL('support/desk.ts', import.meta.url));
const OPERATIONS = 250;
const BOOKINGS = 20;
/** An hour in six seconds. */
const SPEED = 600;
const HOUR_MS = 3_600_000;

interface Told {
  readonly problems: readonly string[];
  readonly row: readonly (string | number)[];
}

export async function proveEvents({ runs, seed }: ProofOptions): Promise<Proved> {
  const folder = newFolder('events');
  const cluster = await startCluster();
  try {
    const stores = { SQLite: join(folder, 'state.sqlite'), PostgreSQL: await cluster.database('clerk') };
    const all = await Promise.all(Object.entries(stores).map(([name, store], i) => prove(name, store, runs, seed + i)));
    const titles = [
      'store',
      'kills',
      'events',
      'delivered',
      'again',
      'refused while down',
      'wrong order',
      'lost',
      'invented',
    ];
    const rows = [titles, ...all.map(({ row }) => row)];
    const lines = rows.map((row) => row.map((cell, i) => String(cell).padEnd(String(titles[i]).length + 2)).join(''));
    process.stdout.write(`${lines.join('\n')}\n`);
    return {
      seen: `${OPERATIONS * 2} events on each of two stores`,
      problems: all.flatMap(({ problems }) => problems),
    };
  } finally {
    await cluster.close();
  }
}

async function prove(name: string, store: string, runs: number, seed: number): Promise<Told> {
  const receiver = await startReceiver();
  const orders = {
    store,
    receiver: receiver.url,
    operations: OPERATIONS,
    bookings: BOOKINGS,
    speed: SPEED,
    begun: Date.now(),
    paceMs: 0,
  };
  let refused = 0;
  const chance = new Chance(seed + 100);
  // Slow by chance, so that what is sent at once arrives in any order; and one in eight refused.
  receiver.answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, chance.below(6)));
    return chance.below(8) === 0 ? 500 : 204;
  };
  try {
    const kills = await killAtEveryStep(orders, runs, seed);
    // The last process finishes while the receiver is down for an hour.
    await finish(orders, receiver, () => {
      refused += 1;
    });
    return await judge(name, store, receiver, kills, refused);
  } finally {
    await receiver.close();
  }
}

/** Most events come under kills: each step in turn, at the first few times that a process comes to it. */
async function killAtEveryStep(orders: Orders, runs: number, seed: number): Promise<number> {
  const chance = new Chance(seed);
  const most = Math.max(1, Math.floor(OPERATIONS / runs));
  let killed = 0;
  for (let i = 0; i < runs; i++) {
    const step = STEPS[i % STEPS.length] ?? STEPS[0];
    const at = 1 + Math.floor(chance.next() * most);
    const { signal } = await ran({
      ...orders,
      operations: Math.min(OPERATIONS - 50, (i + 1) * most),
      crash: { step, at },
    });
    if (signal === 'SIGKILL') killed += 1;
  }
  return killed;
}

async function finish(orders: Orders, receiver: Receiver, refuse: () => void): Promise<void> {
  const before = receiver.got.length;
  let since: number | undefined;
  receiver.answer = () => {
    // The hour begins once some have arrived.
    if (receiver.got.length > before + 20) since ??= Date.now();
    if (since === undefined || Date.now() - since > HOUR_MS / SPEED) return 204;
    refuse();
    return 503;
  };
  await ran({ ...orders, paceMs: 20 });
}

async function ran(orders: Orders): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', DESK, JSON.stringify(orders)], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

async function judge(name: string, store: string, receiver: Receiver, kills: number, refused: number): Promise<Told> {
  const state = store.startsWith('postgres') ? await openPostgresState(store) : await openSqliteState(store);
  const events = (await state.outbox.newest(10_000)).toReversed();
  const done = await state.operations.list({ states: ['succeeded'] });
  const whole = await state.operations.verify();
  await state.close();
  const known = new Set(events.map(({ id }) => id));
  const got = receiver.got.filter(({ status }) => status === 204).map(({ id }) => id);
  const first = [...new Set(got)];
  const lost = events.filter(({ id }) => !first.includes(id));
  const invented = first.filter((id) => !known.has(id));
  const wrongOrder = Array.from({ length: BOOKINGS }, (_, i) => `BOOK${i}`).filter((booking) => {
    const ofBooking = new Set(events.filter(({ locator }) => locator === booking).map(({ id }) => id));
    return first.filter((id) => ofBooking.has(id)).join() !== [...ofBooking].join();
  });
  const unsigned = receiver.got.filter(({ headers, body }) => !isSigned(headers as Record<string, string>, body));
  const bodies = Map.groupBy(receiver.got, ({ id }) => id);
  const problems = [
    ...lost.map(({ id }) => `${name}: ${id} was never delivered`),
    ...invented.map((id) => `${name}: ${id} is not in the outbox`),
    ...wrongOrder.map((booking) => `${name}: events of ${booking} came in another order`),
    ...unsigned.map(({ id }) => `${name}: ${id} has a wrong signature`),
    ...[...bodies]
      .filter(([, of]) => new Set(of.map(({ body }) => body)).size > 1)
      .map(([id]) => `${name}: ${id} has two bodies`),
    ...(events.length === OPERATIONS * 2 ? [] : [`${name}: ${events.length} events of ${OPERATIONS} operations`]),
    ...(done.length === OPERATIONS ? [] : [`${name}: ${done.length} operations succeeded`]),
    ...(whole === undefined ? [] : [`${name}: the journal is not whole`]),
    ...(refused === 0 ? [`${name}: the receiver was never down`] : []),
  ];
  const again = got.length - first.length;
  return {
    problems,
    row: [name, kills, events.length, first.length, again, refused, wrongOrder.length, lost.length, invented.length],
  };
}

/** By the time that the message itself has: time runs faster here. */
function isSigned(headers: Record<string, string>, body: string): boolean {
  const time = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = new Webhook('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD').sign(headers['webhook-id'] ?? '', time, body);
  return headers['webhook-signature'] === expected;
}

if (import.meta.main) await command('events', { runs: 60, seed: 1 }, (options) => proveEvents(options));
