/**
 * kill -9 of a process that acts and tells, at every step of telling: each event is delivered at least once, under one id, and
 * those of a booking in order, with the body that what was done makes; none is invented. Every type comes. In the middle the receiver is down for an hour, by a
 * clock that runs faster. On SQLite and on PostgreSQL.
 *
 *   node test/campaigns/events/kill.ts [--runs 60] [--seed S]     runs: kills on each store
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { openPostgresState } from '../../../src/store/postgres/state.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { startReceiver } from '../../events/support/receiver.ts';
import { Chance } from '../support/chance.ts';
import { newFolder } from '../support/folders.ts';
import { startCluster } from '../support/postgres.ts';
import { command, type ProofOptions, type Proved } from '../support/report.ts';
import type { Orders } from './support/desk.ts';
import { allTold, MAY_BE_TOLD, nameOf, type Told } from './support/played.ts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const DESK = fileURLToPath(new URL('support/desk.ts', import.meta.url));
const OPERATIONS = 250;
const BOOKINGS = 20;
/** An hour in six seconds. */
const SPEED = 600;
const HOUR_MS = 3_600_000;
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** Where a process dies: before or after a write of its own, and around the sending. */
const STEPS = ['entered', 'sent', 'noted', 'settled'].flatMap((step) => [`before ${step}`, `after ${step}`]);

async function proveEvents({ runs, seed }: ProofOptions): Promise<Proved> {
  const cluster = await startCluster();
  const stores = [join(newFolder('events'), 'state.sqlite'), await cluster.database('clerk')];
  const all = await Promise.all(stores.map((store, i) => prove(store, runs, seed + i)));
  await cluster.close();
  return { seen: all.map(({ seen }) => seen).join('; '), problems: all.flatMap(({ problems }) => problems) };
}

async function prove(store: string, runs: number, seed: number): Promise<Proved> {
  const receiver = await startReceiver();
  const orders: Orders = {
    ...{ store, receiver: receiver.url, secret: SECRET, operations: OPERATIONS, bookings: BOOKINGS },
    ...{ speed: SPEED, begun: Date.now(), paceMs: 0 },
  };
  const chance = new Chance(seed);
  // Slow by chance, so that what is sent at once arrives in any order; and one in eight refused.
  receiver.answer = async () => {
    await wait(chance.below(6));
    return chance.below(8) === 0 ? 500 : 204;
  };
  // Most events come under kills: each step in turn, at the first few times that a process comes to it.
  const share = Math.max(1, Math.floor(OPERATIONS / runs));
  let kills = 0;
  for (let i = 0; i < runs; i++) {
    const crash = { step: STEPS[i % STEPS.length] ?? '', at: chance.between(1, share) };
    const upTo = Math.min(OPERATIONS - 50, (i + 1) * share);
    if ((await ran({ ...orders, operations: upTo, crash })) === 'SIGKILL') kills += 1;
  }
  const refused = await finish(orders, receiver);
  const { seen, problems } = await judge(store, receiver);
  await receiver.close();
  const never = refused === 0 ? ['the receiver was never down'] : [];
  const name = store.startsWith('postgres') ? 'PostgreSQL' : 'SQLite';
  return {
    seen: `${name}: ${kills} kills, ${seen}, ${refused} refused while down`,
    problems: [...problems, ...never].map((problem) => `${name}: ${problem}`),
  };
}

/** The last process finishes while the receiver is down for an hour. Returns how much was refused. */
async function finish(orders: Orders, receiver: Receiver): Promise<number> {
  const before = receiver.got.length;
  let refused = 0;
  let since: number | undefined;
  receiver.answer = () => {
    // The hour begins once some have arrived.
    if (receiver.got.length > before + 20) since ??= Date.now();
    if (since === undefined || Date.now() - since > HOUR_MS / SPEED) return 204;
    refused += 1;
    return 503;
  };
  await ran({ ...orders, paceMs: 20 });
  return refused;
}

async function ran(orders: Orders): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', DESK, JSON.stringify(orders)], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal;
}

async function judge(store: string, receiver: Receiver): Promise<Proved> {
  const state = store.startsWith('postgres') ? await openPostgresState(store) : await openSqliteState(store);
  const events = (await state.outbox.newest(10_000)).toReversed();
  const done = await state.operations.list({ states: ['succeeded', 'needs_person'] });
  const broken = await state.operations.verify();
  await state.close();
  const known = new Set(events.map(({ id }) => id));
  const got = receiver.got.filter(({ status }) => status === 204).map(({ id }) => id);
  const first = [...new Set(got)];
  const wrongOrder = Array.from({ length: BOOKINGS }, (_, i) => `BOOK${i}`).filter((booking) => {
    const ofBooking = new Set(events.filter(({ locator }) => locator === booking).map(({ id }) => id));
    return first.filter((id) => ofBooking.has(id)).join() !== [...ofBooking].join();
  });
  const bodies = Map.groupBy(receiver.got, ({ id }) => id);
  const problems = [
    ...events.filter(({ id }) => !first.includes(id)).map(({ id }) => `${id} was never delivered`),
    ...first.filter((id) => !known.has(id)).map((id) => `${id} is not in the outbox`),
    ...wrongOrder.map((booking) => `events of ${booking} came in another order`),
    ...receiver.got.filter((one) => !isSigned(one)).map(({ id }) => `${id} has a wrong signature`),
    ...[...bodies]
      .filter(([, of]) => new Set(of.map(({ body }) => body)).size > 1)
      .map(([id]) => `${id} has two bodies`),
    ...wrongBodies(receiver.got),
    ...(done.length === OPERATIONS ? [] : [`${done.length} operations ended`]),
    ...(broken === undefined ? [] : ['the journal is not whole']),
  ];
  return { seen: `${events.length} events, ${first.length} delivered, ${got.length - first.length} again`, problems };
}

/** What was delivered against what was played: each event of it, and no other, and the body of each. */
function wrongBodies(got: Receiver['got']): readonly string[] {
  const due = allTold(OPERATIONS, BOOKINGS);
  const delivered = new Map(got.filter(({ status }) => status === 204).map((one) => [nameOf(one.id), one.body]));
  const known = new Map([...due, ...MAY_BE_TOLD].map((one) => [one.id, one]));
  const lapsing = MAY_BE_TOLD.filter(({ id }) => delivered.has(id));
  return [
    ...due.filter(({ id }) => !delivered.has(id)).map(({ id, type }) => `${id} (${type}) was never told`),
    ...(lapsing.length === 0 ? ['no question was told as about to lapse'] : []),
    ...[...delivered].flatMap(([id, body]) => {
      const wrong = wrongIn(known.get(id), body);
      return wrong === undefined ? [] : [`${id} ${wrong}: ${body}`];
    }),
  ];
}

function wrongIn(told: Told | undefined, body: string): string | undefined {
  if (told === undefined) return 'was not played';
  const { type, timestamp, data = {} } = JSON.parse(body);
  const { due_at: dueAt, ...rest } = data;
  if (type !== told.type) return `is no ${told.type}`;
  if (!isDeepStrictEqual(rest, told.data)) return `does not say ${JSON.stringify(told.data)}`;
  const isTimed = /^(?:question.(?:waiting|lapsing)|hold.lapsing|names.due)$/.test(type);
  return isTime(timestamp) && isTime(dueAt) === isTimed ? undefined : 'has wrong times';
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && value === new Date(Date.parse(value)).toISOString();
}

/** By the time that the message itself has: time runs faster here. */
function isSigned({ headers, body }: Receiver['got'][number]): boolean {
  const time = new Date(Number(headers['webhook-timestamp']) * 1000);
  return headers['webhook-signature'] === new Webhook(SECRET).sign(String(headers['webhook-id']), time, body);
}

await command('events', 60, proveEvents);
